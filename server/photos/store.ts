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

/** Marks those of these photos that wait for a laptop as shown by one. */
export async function list(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  // In order, so that two who list the same photos do not wait for each other for ever.
  await sql`
    with waiting as (
      select hash from photos where hash = any (${hashes}) and state = 'waiting' order by hash for update
    )
    update photos set state = 'listed', since = now() from waiting where photos.hash = waiting.hash
  `.execute(transaction);
}

/** Those of these photos that were removed or are being removed; none of the others is until the transaction ends. */
export async function lostAmong(transaction: Transaction, hashes: readonly string[]): Promise<string[]> {
  const rows = await transaction
    .selectFrom('photos')
    .select(['hash', 'state'])
    .where('hash', 'in', hashes)
    .orderBy('hash')
    .forKeyShare()
    .execute();
  return rows.filter(({ state }) => state === 'leaving' || state === 'gone').map(({ hash }) => hash);
}

/** Puts photos in question: whether anything still shows them is looked at from `since` on. */
export async function release(
  transaction: Transaction,
  hashes: readonly string[],
  since: Date,
): Promise<void> {
  await sql`
    insert into photos (hash, since) select unnest(${hashes}::text[]), ${since}
    on conflict (hash) do update set state = 'waiting', since = excluded.since where photos.state = 'listed'
  `.execute(transaction);
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
    .where('state', '=', 'waiting')
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

/** Photos whose removal was decided and not finished. */
export async function leaving(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('photos').select('hash').where('state', '=', 'leaving').execute();
  return rows.map(({ hash }) => hash);
}

/** Forgets photos that were removed before then. */
export async function forget(database: Database, before: Date): Promise<void> {
  await database.deleteFrom('photos').where('state', '=', 'gone').where('since', '<', before).execute();
}
