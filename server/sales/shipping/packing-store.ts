import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '#contract/platform/durations.ts';
import { releasePhotos } from '#server/listings/photos/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';

/** Adds photos to a locked order. @param photos in their stored form, none of which it has */
export async function insertPackingPhotos(
  transaction: Transaction,
  orderId: string,
  photos: readonly string[],
): Promise<void> {
  await sql`
    insert into packing_photos (order_id, nth, photo, photo_hash)
    select ${orderId}::uuid, (select count(*) from packing_photos where order_id = ${orderId}) + place, photo,
           (select shown.photo_hash from photos_in(array[photo]) as shown where shown.url like '/%')
      from unnest(${photos}::text[]) with ordinality as added(photo, place)`.execute(transaction);
}

/** Erases some photos of packing. */
async function remove(transaction: Transaction, condition: RawBuilder<boolean>): Promise<void> {
  const { rows } = await sql<{ photo: string }>`
    delete from packing_photos where ${condition} returning photo`.execute(transaction);
  await releasePhotos(
    transaction,
    rows.map(({ photo }) => photo),
  );
}

/** Erases the photos of packing of all orders of a user: the buyer's address can be on them, too. */
export const removePackingPhotosOf = (transaction: Transaction, userId: string): Promise<void> =>
  remove(
    transaction,
    sql`order_id in (select id from orders where buyer_id = ${userId}
                     union all select id from orders where seller_id = ${userId})`,
  );

/** Erases photos of packing that were added some days ago, unless their order is under way. */
export function removeOldPackingPhotos(database: Database, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS);
  const isOld = sql<boolean>`added_at < ${before}
    and order_id in (select id from orders where state in ('completed', 'refunded', 'charged_back'))`;
  return database.transaction().execute((transaction) => remove(transaction, isOld));
}
