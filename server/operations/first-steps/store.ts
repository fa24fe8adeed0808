import { sql } from 'kysely';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import type { EventPayload } from './card-account.ts';

/** The ids of the destinations for a URL whose secrets are known. */
export async function listKnownDestinations(database: Database, url: string): Promise<string[]> {
  const rows = await database.selectFrom('event_destinations').select('id').where('url', '=', url).execute();
  return rows.map(({ id }) => id);
}

export async function addDestination(
  database: Database,
  destination: { id: string; url: string; payload: EventPayload; secret: string },
): Promise<void> {
  await database.insertInto('event_destinations').values(destination).execute();
}

/** Serializes those who become the first admin, until the end of the transaction. */
export async function lockOwnership(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('the first admin'))`.execute(transaction);
}
