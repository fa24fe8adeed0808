import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';

// States of a row: `waiting` (no laptop shows the photo yet), `listed` (a laptop shows it), `leaving` (its files are
// being deleted), `gone` (deleted).

/** Records an upload in progress. @returns false while the same photo is being deleted */
export async function registerUpload(database: Database, hash: string): Promise<boolean> {
  const { rows } = await sql`
    insert into photos (hash) values (${hash})
    on conflict (hash) do update
      set since = now(), state = case photos.state when 'listed' then 'listed' else 'waiting' end
      where photos.state <> 'leaving'
    returning hash
  `.execute(database);
  return rows.length > 0;
}

/** Counts the bytes of unclaimed uploads by account or by range of addresses. */
export interface UnclaimedCounter {
  readonly key: string;
  /** Bytes. */
  readonly quota: number;
}

/** The key of a counter. Hashed, so that the table holds neither accounts nor addresses. */
export function counterKey(by: 'account' | 'address', value: string): string {
  return createHash('sha256').update(`unclaimed ${by} ${value}`).digest('base64url');
}

/** Counts a waiting photo in these counters, until it is shown or deleted. */
export async function countUnclaimed(
  database: Database,
  { hash, bytes }: { hash: string; bytes: number },
  counters: readonly UnclaimedCounter[],
): Promise<void> {
  await database
    .updateTable('photos')
    .set({ bytes, counted_for: counters.map(({ key }) => key) })
    .where('hash', '=', hash)
    .where('state', '=', 'waiting')
    .execute();
}

/** @returns since when the oldest photo of a counter at its quota has been waiting; null when no quota is reached */
export async function findExceededQuota(
  reader: Reader,
  counters: readonly UnclaimedCounter[],
): Promise<Date | null> {
  const { rows } = await sql<{ since: Date }>`
    select min(since) as since
      from unnest(${counters.map(({ key }) => key)}::text[], ${counters.map(({ quota }) => quota)}::float8[])
             as counters (key, quota)
      join photos on counted_for @> array[key] and state = 'waiting'
     group by key, quota having sum(bytes) >= quota
     order by min(since) desc limit 1
  `.execute(reader);
  return rows[0]?.since ?? null;
}

/** Sets waiting photos to `listed`. @returns their number */
export async function setPrivatelyListed(
  transaction: Transaction,
  hashes: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('photos')
    .set({ state: 'listed', since: new Date(), counted_for: [] })
    .where('hash', 'in', hashes)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Sets waiting photos to `listed` and locks their rows; deleted photos keep their state. A photo without a row
 * gets one, but no fingerprints: only an upload makes them.
 * @param hashes sorted, so that transactions that list the same photos do not deadlock
 */
export async function setListed(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  await sql`
    insert into photos (hash, state) select unnest(${hashes}::text[]), 'listed'
    on conflict (hash) do update set state = 'listed', since = now(), counted_for = '{}'
      where photos.state = 'waiting'
  `.execute(transaction);
}

/** Selects those of these photos that were deleted or are being deleted. */
export async function selectDeleted(reader: Reader, hashes: readonly string[]): Promise<string[]> {
  const rows = await reader
    .selectFrom('photos')
    .select('hash')
    .where('hash', 'in', hashes)
    .where('state', 'in', ['leaving', 'gone'])
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Sets listed photos to `waiting`. @param since the start of their waiting time */
export async function setWaiting(
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

/**
 * Selects photos that have been waiting since before a time, and locks their rows. Rows that another transaction has
 * locked, because it lists the photo, are skipped.
 */
export async function lockOrphanCandidates(
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

/** Selects those of these photos that a laptop, a decision of the inspection queue, a complaint, a parcel, a message or a brand shows. */
export async function selectShown(reader: Reader, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from unnest(${hashes}::text[]) as hash
     where exists (select from laptop_photos where photo_hash = hash)
        or exists (select from inspection_photos where photo_hash = hash)
        or exists (select from complaint_photos where photo_hash = hash)
        or exists (select from packing_photos where photo_hash = hash)
        or exists (select from message_photos where photo_hash = hash and sequence is not null)
        or exists (select from brands where image like '/photos/' || hash || '-%')
  `.execute(reader);
  return rows.map(({ hash }) => hash);
}

export async function setState(
  database: Database,
  hashes: readonly string[],
  state: 'listed' | 'leaving' | 'gone',
): Promise<void> {
  if (hashes.length === 0) return;
  await database
    .updateTable('photos')
    .set({ state, since: new Date(), counted_for: [] })
    .where('hash', 'in', hashes)
    .execute();
}

/** Selects photos that are being deleted, ordered by hash. @param after only photos with a greater hash */
export async function selectDeleting(reader: Reader, after: string, limit: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('photos')
    .select('hash')
    .where('state', '=', sql.lit('leaving'))
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(limit)
    .execute();
  return rows.map((row) => row.hash);
}

/** Deletes the rows of photos that were deleted before a time. */
export async function pruneDeleted(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('photos')
    .where('state', '=', sql.lit('gone'))
    .where('since', '<', before)
    .execute();
}

/** @returns the id of the recorded folder */
export async function findFolder(database: Database): Promise<string | undefined> {
  return (await database.selectFrom('photo_folder').select('id').executeTakeFirst())?.id;
}

/** Records the folder of the photos, unless one is recorded. @returns the recorded folder's id */
export async function recordFolder(database: Database, id: string): Promise<string> {
  await database
    .insertInto('photo_folder')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await database.selectFrom('photo_folder').select('id').executeTakeFirstOrThrow();
  return row.id;
}

export async function replaceFolder(database: Database, id: string): Promise<void> {
  await database
    .insertInto('photo_folder')
    .values({ id })
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet({ id, since: new Date() }))
    .execute();
}
