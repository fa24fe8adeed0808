import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Transaction } from './tables.ts';

export const PREPARED = '/* prepared */';

/**
 * Marks a frequent query as a prepared statement, which the database parses and plans once per connection: with
 * `.modifyFront(prepared)`, or `.modifyEnd(prepared)` where it writes. The query must name its columns: a migration that adds one
 * would change what `*` means to an existing plan. Its text must have few variants, because each is stored per connection.
 */
export const prepared: RawBuilder<unknown> = sql.raw(PREPARED);

/** Marks the text of a frequent query like {@link prepared}. */
export const markAsPrepared = (text: string): string => `${PREPARED} ${text}`;

/**
 * As the last parameter of a statement, it makes the pool send the statement with the commit of its transaction. Nobody gets the
 * statement's result. If PostgreSQL rejects it, the commit fails, and nothing of the transaction is stored.
 */
export class WithCommit {
  /** Called when the transaction has been committed. It must not throw. */
  readonly onCommitted: () => void;

  constructor(onCommitted: () => void) {
    this.onCommitted = onCommitted;
  }
}

/**
 * Lets a statement be sent with the commit of its transaction, see {@link WithCommit}.
 * @param onCommitted called when the transaction has been committed; it must not throw
 */
export async function sendWithCommit(
  transaction: Transaction,
  { sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  onCommitted: () => void = () => undefined,
): Promise<void> {
  await transaction.executeQuery(CompiledQuery.raw(text, [...parameters, new WithCommit(onCommitted)]));
}
