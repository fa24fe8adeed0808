import { sql } from 'kysely';
import { defaultShopSettings, ShopSettings } from '#contract/platform/shop-settings.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';

/** The settings with the number of changes until now. */
export interface StoredSettings {
  version: number;
  settings: ShopSettings;
}

/** Reads the settings; those of a fresh shop before the first change. */
export async function readSettings(reader: Reader): Promise<StoredSettings> {
  const row = await reader.selectFrom('shop_settings').select(['version', 'document']).executeTakeFirst();
  if (row === undefined) return { version: 0, settings: defaultShopSettings };
  // A version of the shop that had fewer settings may have written it.
  const document = typeof row.document === 'object' ? row.document : {};
  return { version: row.version, settings: ShopSettings.parse({ ...defaultShopSettings, ...document }) };
}

/**
 * Writes the settings. Concurrent writes wait for each other.
 * @param version that of the settings which these replace
 * @returns false when there is another version by now
 */
export async function writeSettings(
  transaction: Transaction,
  version: number,
  settings: ShopSettings,
): Promise<boolean> {
  const next = { version: version + 1, document: JSON.stringify(settings), changed_at: new Date() };
  const query =
    version === 0
      ? transaction
          .insertInto('shop_settings')
          .values(next)
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
      : transaction
          .updateTable('shop_settings')
          .set(next)
          .where('version', '=', version)
          .returning('version');
  return (await query.executeTakeFirst()) !== undefined;
}

export async function hasBookingsOrPostings(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from bookings) or exists (select from ledger_postings) as found`.execute(reader);
  return rows[0]?.found === true;
}

/** Stores a picture, unless it is stored already, and keeps it for another day. */
export async function insertPicture(reader: Reader, picture: { name: string; bytes: Buffer }): Promise<void> {
  await reader
    .insertInto('shop_pictures')
    .values(picture)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ created_at: sql`now()` }))
    .execute();
}

/** @returns the bytes of the stored ones of these pictures, by name */
export async function findPictures(
  reader: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (names.length === 0) return new Map();
  const rows = await reader
    .selectFrom('shop_pictures')
    .select(['name', 'bytes'])
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** The most pictures that are kept besides those of the settings. */
const MAXIMUM_UNUSED = 20;

/** Removes pictures that the settings do not name: after a day, and all but the newest. */
export async function removeUnusedPictures(database: Database, used: readonly string[]): Promise<void> {
  await sql`
    delete from shop_pictures
     where name <> all (${used}::text[])
       and (created_at < now() - interval '1 day'
            or name not in (select name from shop_pictures where name <> all (${used}::text[])
                             order by created_at desc limit ${sql.lit(MAXIMUM_UNUSED)}))`.execute(database);
}

/** Whether PostgreSQL knows a time zone. */
export async function isKnownTimeZone(transaction: Transaction, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(transaction);
  return rows.length > 0;
}
