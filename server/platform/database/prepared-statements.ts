import { type RawBuilder, sql } from 'kysely';

export const PREPARED = '/* prepared */';

/**
 * Marks a frequent query as a prepared statement, which the database parses and plans once per connection: with
 * `.modifyFront(prepared)`, or `.modifyEnd(prepared)` where it writes. The query must name its columns: a migration that adds one
 * would change what `*` means to an existing plan. Its text must have few variants, because each is stored per connection.
 */
export const prepared: RawBuilder<unknown> = sql.raw(PREPARED);

/** Marks the text of a frequent query like {@link prepared}. */
export const markAsPrepared = (text: string): string => `${PREPARED} ${text}`;
