import { sql } from 'kysely';
import type { Database, Reader, Transaction } from '../database/tables.ts';

/** Notes that a photo is being uploaded now. @returns false while it is being removed */
export async function arrive(database: Database, hash: string): Promise<boolean> {
  const { rows } = await sql`
    insert into photos (hash) values (${hash})
    on conflict (hash) do update
      set since = now(), state = case photos.state when 'listed' then 'listed' else 'waiting' end
      where photos.state <> 'leaving'
    returning hash
  `.execute(database);
  return rows.length > 0;
}

/**
 * Marks photos as shown by a laptop and locks their rows; those that were removed stay so. A photo that was uploaded
 * before this table existed gets its row here.
 * @param hashes sorted, so that transactions that list the same photos do not deadlock
 */
export async function list(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  await sql`
    insert into photos (hash, state) select unnest(${hashes}::text[]), 'listed'
    on conflict (hash) do update set state = 'listed', since = now() where photos.state = 'waiting'
  `.execute(transaction);
}

/** Those of these photos that were removed or are being removed. */
export async function removedAmong(reader: Reader, hashes: readonly string[]): Promise<string[]> {
  const rows = await reader
    .selectFrom('photos')
    .select('hash')
    .where('hash', 'in', hashes)
    .where('state', 'in', ['leaving', 'gone'])
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Puts photos in question: from `since` on it is checked whether a laptop still shows them. */
export async function release(
  transaction: Transaction,
  hashes: readonly string[],
  since: Date,
): Promise<void> {
  await transaction
    .updateTable('photos')
    .set({ state: 'waiting', since })
    .where('hash', 'in', hashes)
    .where('state', '=', 'listed')
    .execute();
}

/** Photos in question since before then, locked; those that somebody lists right now are passed over. */
export async function lockInQuestion(
  transaction: Transaction,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('photos')
    .select('hash')
    .where('state', '=', sql.lit('waiting'))
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ hash }) => hash);
}

export async function mark(
  database: Database,
  hashes: readonly string[],
  state: 'listed' | 'leaving' | 'gone',
): Promise<void> {
  if (hashes.length === 0) return;
  await database
    .updateTable('photos')
    .set({ state, since: new Date() })
    .where('hash', 'in', hashes)
    .execute();
}

/** Photos whose removal was decided and not finished, in the order of their hashes. */
export async function leavingAfter(reader: Reader, hash: string, limit: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('photos')
    .select('hash')
    .where('state', '=', sql.lit('leaving'))
    .where('hash', '>', hash)
    .orderBy('hash')
    .limit(limit)
    .execute();
  return rows.map((row) => row.hash);
}

/** Forgets photos that were removed before then. */
export async function forget(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('photos')
    .where('state', '=', sql.lit('gone'))
    .where('since', '<', before)
    .execute();
}
