import { type Insertable, sql, type Updateable } from 'kysely';
import type { Level } from '#contract/listings/levels.ts';
import { MAXIMUM_ABSENCE_DAYS } from '#contract/listings/levels.ts';
import { currency } from '#contract/platform/money.ts';
import type { Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import { canBeRelisted, needsMeasurement } from './list-store.ts';
import { refuseFormerCurrency } from './refusals.ts';

/** A laptop's row, not joined with its seller. */
export type LaptopRow = Row<'laptops'>;

/** Lists the brands that are not hidden, in the order in which the shop shows them. */
export function brands(reader: Reader): Promise<Row<'brands'>[]> {
  return reader
    .selectFrom('brands')
    .selectAll()
    .where('hidden_since', 'is', null)
    .orderBy('position')
    .execute();
}

/** A brand as it is called now. */
interface FoundBrand {
  name: string;
  isHidden: boolean;
}

const toFoundBrand = (row: Row<'brands'> | undefined): FoundBrand | null =>
  row === undefined ? null : { name: row.category_id, isHidden: row.hidden_since !== null };

/** Finds a brand by its name, or by one that it had. */
export async function findBrand(reader: Reader, name: string): Promise<FoundBrand | null> {
  const { rows } = await sql<Row<'brands'>>`
    select brands.* from brands where category_id = ${name}
    union all
    select brands.* from former_brand_names join brands on brands.id = brand_id
     where former_brand_names.category_id = ${name}
    limit 1`.execute(reader);
  return toFoundBrand(rows[0]);
}

/**
 * As {@link findBrand}, and locks the brand, so that it is neither renamed nor merged before the transaction ends. A brand that is
 * being merged is waited for, and found by its former name then.
 */
export async function lockBrandByName(transaction: Transaction, name: string): Promise<FoundBrand | null> {
  const lock = (brandName: string) =>
    transaction
      .selectFrom('brands')
      .selectAll()
      .where('category_id', '=', brandName)
      .forKeyShare()
      .executeTakeFirst();
  const found = await lock(name);
  if (found !== undefined) return toFoundBrand(found);
  const current = await findBrand(transaction, name);
  return current && toFoundBrand(await lock(current.name));
}

/** Locks laptops of a brand, in the order in which other transactions lock several. @returns their number, `limit` at most */
export async function lockLaptopsOfBrand(
  transaction: Transaction,
  brand: string,
  limit: number,
): Promise<number> {
  const rows = await transaction
    .selectFrom('laptops')
    .select('id')
    .where('brand', '=', brand)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.length;
}

/** Gives all laptops of a locked brand to another locked one. */
export async function moveToBrand(transaction: Transaction, from: string, to: string): Promise<void> {
  await transaction.updateTable('laptops').set({ brand: to }).where('brand', '=', from).execute();
}

/** Inserts a laptop for sale. @returns its id @throws Refusal when this process still has a former currency in memory */
export async function insert(
  transaction: Transaction,
  laptop: Omit<
    Insertable<Tables['laptops']>,
    'state' | 'sold_order_id' | 'taken_down_note' | 'advertised_at' | 'currency'
  >,
): Promise<string> {
  const row = await transaction
    .insertInto('laptops')
    .values({ ...laptop, currency: currency.code })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseFormerCurrency);
  return row.id;
}

/** Updates a locked laptop. */
export async function update(
  transaction: Transaction,
  id: string,
  changes: Updateable<Tables['laptops']>,
): Promise<void> {
  await transaction.updateTable('laptops').set(changes).where('id', '=', id).execute();
}

/** Finds a laptop in any state. */
export function findLaptop(reader: Reader, id: string): Promise<LaptopRow | undefined> {
  return reader.selectFrom('laptops').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Selects a laptop with FOR UPDATE, which serializes its sale and its withdrawal. Lock the laptop before its bookings. */
export function selectLaptopForUpdate(transaction: Transaction, id: string): Promise<LaptopRow | undefined> {
  return transaction.selectFrom('laptops').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Selects a laptop with FOR SHARE: it cannot be sold or withdrawn, but other buyers can book it concurrently. */
export function selectLaptopForShare(transaction: Transaction, id: string): Promise<LaptopRow | undefined> {
  return transaction.selectFrom('laptops').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** Withdraws a locked laptop. */
export async function withdraw(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ state: 'withdrawn', taken_down_note: null })
    .where('id', '=', id)
    .execute();
}

/**
 * Locks all of a seller's laptops, in the order in which other transactions lock several, and withdraws the unsold ones. FOR NO KEY
 * UPDATE, because a transaction that holds their keys, for new rows with foreign keys, can wait for the seller's account.
 * @returns the ids of those that were withdrawn
 */
export async function withdrawAll(transaction: Transaction, sellerId: string): Promise<string[]> {
  await sql`select from laptops where seller_id = ${sellerId} order by id for no key update`.execute(
    transaction,
  );
  const rows = await transaction
    .updateTable('laptops')
    .set({ state: 'withdrawn', taken_down_note: null })
    .where('seller_id', '=', sellerId)
    .where('state', 'in', ['available', 'taken_down', 'blocked'])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const absence = sql`${sql.lit(MAXIMUM_ABSENCE_DAYS)} * interval '1 day'`;

/**
 * Lists a locked, withdrawn laptop again, as the newest. What was measured before a long absence does not count any more: its level is
 * to be computed again. It was away since the sale that ended, if there was one, or since its withdrawal.
 * @returns whether that is allowed
 */
export async function relist(transaction: Transaction, id: string, postedTime: string): Promise<boolean> {
  const { rows } = await sql<{ number: string }>`
    with previous as (
      select id, number,
             least(state_since, (select min(placed_at) from bookings join orders on orders.booking_id = bookings.id
                                  where bookings.laptop_id = laptops.id and placed_at >= laptops.created_at))
               < now() - ${absence} as was_absent
        from laptops where id = ${id} and ${canBeRelisted}
    ),
    retired as (
      insert into retired_laptop_numbers (number) select number from previous
        on conflict (number) do update set changed_in = excluded.changed_in
    )
    update laptops
       set state = 'available', number = default, posted_time = ${postedTime}, created_at = now(), advertised_at = null,
           level = case when was_absent then 'word' else level end,
           level_at = case when was_absent then null else level_at end,
           evidence_since = case when was_absent
             then greatest(evidence_since, date_trunc('milliseconds', now() - ${absence})) else evidence_since end,
           evidence_ended = case when was_absent then 'absent' else evidence_ended end
      from previous where laptops.id = previous.id
    returning laptops.number`
    .execute(transaction)
    .catch(refuseFormerCurrency);
  return rows.length > 0;
}

/** Takes a locked laptop down, with a note to its seller. */
export async function takeDown(transaction: Transaction, id: string, note: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ state: 'taken_down', taken_down_note: note })
    .where('id', '=', id)
    .execute();
}

/**
 * Sets the level of a locked laptop, and whether a lock blocks its sale.
 * @param level.at when it was measured or inspected; null for the seller's word
 * @param level.state `blocked` takes a laptop that is for sale out of the lists, `available` brings it back
 */
export async function setLevel(
  transaction: Transaction,
  id: string,
  { level, at, state }: { level: Level; at: Date | null; state: LaptopRow['state'] },
): Promise<void> {
  await transaction.updateTable('laptops').set({ level, level_at: at, state }).where('id', '=', id).execute();
}

/** Advertises a locked laptop. */
export async function advertise(transaction: Transaction, id: string): Promise<void> {
  await transaction.updateTable('laptops').set({ advertised_at: new Date() }).where('id', '=', id).execute();
}

/** Marks a locked, available laptop as sold in an order. */
export async function sellLaptop(transaction: Transaction, id: string, orderId: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ state: 'sold', sold_order_id: orderId })
    .where('id', '=', id)
    .where('state', '=', 'available')
    .execute();
}

/**
 * Gives the laptop that was sold in an order back to its seller, as withdrawn, so that it can be sold again.
 * @returns whether it was sold in this order
 */
export async function returnListingToSeller(
  transaction: Transaction,
  id: string,
  orderId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('laptops')
    .set({ state: 'withdrawn', sold_order_id: null })
    .where('id', '=', id)
    .where('sold_order_id', '=', orderId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Shown in place of photos that were removed. */
const NO_PHOTO = '/brands/none.svg';

/**
 * Removes the photos of a seller's withdrawn laptops, which {@link withdrawAll} has locked: bookings still show these laptops.
 * @returns the removed photos
 */
export async function removePhotos(transaction: Transaction, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ images: string[] }>`
    with previous as (
      select id, images from laptops where seller_id = ${sellerId} and state = 'withdrawn'
    )
    update laptops set images = array[${NO_PHOTO}], photo_captions = '{}', photo_kinds = '{}'
      from previous where laptops.id = previous.id
    returning previous.images
  `.execute(transaction);
  return rows.flatMap(({ images }) => images);
}

/**
 * Overwrites the telephone number and location on all of a seller's laptops, and the other texts of withdrawn ones except the name, which
 * bookings and conversations of others still show.
 */
export async function eraseSellerTexts(transaction: Transaction, sellerId: string): Promise<void> {
  const laptops = transaction.updateTable('laptops').where('seller_id', '=', sellerId);
  await laptops.set({ mobile_number: 'removed', location: 'removed' }).execute();
  await laptops
    .set({ description: sql`'""'`, use_time: '', posted_time: '' })
    .where('state', '=', 'withdrawn')
    .execute();
}

/** Whether a laptop must be measured before it can be sold again, see {@link needsMeasurement}. */
export async function isMeasurementNeeded(reader: Reader, id: string): Promise<boolean> {
  const row = await reader
    .selectFrom('laptops')
    .select(needsMeasurement.as('needed'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.needed === true;
}

/** What a buyer has done about a laptop: the booking that stands, and the wish. */
export function findViewerStatus(reader: Reader, buyerId: string, laptopId: string) {
  return reader
    .selectFrom('laptops')
    .leftJoin('bookings', (join) =>
      join
        .onRef('bookings.laptop_id', '=', 'laptops.id')
        .on('bookings.buyer_id', '=', buyerId)
        .on('bookings.ended_at', 'is', null)
        .on('bookings.cancelled_at', 'is', null),
    )
    .leftJoin('orders', 'orders.booking_id', 'bookings.id')
    .leftJoin('wishlist_items', (join) =>
      join.onRef('wishlist_items.laptop_id', '=', 'laptops.id').on('wishlist_items.buyer_id', '=', buyerId),
    )
    .where('laptops.id', '=', laptopId)
    .select(['bookings.id as booking_id', 'orders.id as order_id', 'wishlist_items.id as wish_id'])
    .executeTakeFirst();
}
