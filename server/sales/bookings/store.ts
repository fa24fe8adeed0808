import { sql, type Updateable } from 'kysely';
import type { ParcelNews } from '#contract/money/order-states.ts';
import { currency } from '#contract/platform/money.ts';
import { REVIEW_DAYS } from '#contract/sales/reviews.ts';
import { LATE_DAYS } from '#contract/sales/shipping.ts';
import { refuseFormerCurrency } from '#server/listings/catalogue/refusals.ts';
import { wishedLaptopId } from '#server/listings/wishlist/steps.ts';
import { activeAccountForShare } from '#server/people/accounts/steps.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Database, Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import { addressColumns } from '../addresses/steps.ts';
import { knownPrice } from '../order-price.ts';
import type { BookedLaptop, ShownBooking } from './rules.ts';

function bookingsWithLaptops(reader: Reader) {
  return reader
    .selectFrom('bookings')
    .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
    .innerJoin('users', 'users.id', 'bookings.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'laptops.seller_id')
    .leftJoin('orders', 'orders.booking_id', 'bookings.id')
    .leftJoin('shipping_addresses', 'shipping_addresses.booking_id', 'bookings.id')
    .leftJoin('reputations as seller_sums', 'seller_sums.user_id', 'sellers.id')
    .leftJoin('reputations as buyer_sums', 'buyer_sums.user_id', 'users.id')
    .select([
      'bookings.id',
      'bookings.number',
      'bookings.laptop_id',
      'bookings.buyer_id',
      'bookings.seller_id',
      'bookings.price_cents',
      'bookings.notified_price_cents',
      'bookings.agreed_when_notified_cents',
      'bookings.phone',
      'bookings.delivery',
      'bookings.location',
      'bookings.booked_at',
      'bookings.cancelled_at',
      'bookings.cancelled_by',
      'bookings.ended_at',
      'laptops.name as laptop_name',
      'laptops.resale_price_cents as laptop_price_cents',
      'laptops.price_version as laptop_price_version',
      'laptops.brand as laptop_brand',
      'laptops.images as laptop_images',
      'laptops.state as laptop_state',
      'laptops.mobile_number as laptop_mobile_number',
      'laptops.delivery as laptop_delivery',
      'laptops.ships_from as laptop_ships_from',
      'sellers.name as seller_name',
      'sellers.email as seller_email',
      'sellers.email_verified as seller_email_verified',
      'sellers.ended_at as seller_ended_at',
      'users.name as buyer_name',
      'users.email as buyer_email',
      'users.email_verified as buyer_email_verified',
      'users.ended_at as buyer_ended_at',
      'seller_sums.reviews as seller_reviews',
      'seller_sums.stars as seller_stars',
      'buyer_sums.buyer_reviews',
      'buyer_sums.buyer_stars',
      'orders.id as order_id',
      'orders.placed_at as paid_at',
      'orders.transaction_id',
      'orders.state as order_state',
      'orders.due_at as order_due_at',
      ...addressColumns,
    ]);
}

/** Whether a user can review the other person of an order: within {@link REVIEW_DAYS}, once, and before the other review is shown. Counted,
 * because PostgreSQL would read all reviews first for `exists`. */
const canReview = (userId: string) => sql<boolean>`coalesce(
  orders.state in ('released', 'completed')
    and orders.released_at > now() - make_interval(days => ${sql.lit(REVIEW_DAYS)})
    and (select count(*) from reviews
          where order_id = orders.id and (author_id = ${userId} or shown_at is not null)) = 0, false)`;

/** The code of an order for the hand-over; null unless its buyer reads it and the money is held. */
const handoverCode = (userId: string) => sql<string | null>`case
  when orders.state = 'held' and bookings.buyer_id = ${userId} then orders.handover_code end`;

/** With the agreed and the proposed meetings, and what the reader can do, which only responses need. */
function shownBookings(reader: Reader, userId: string) {
  return bookingsWithLaptops(reader)
    .leftJoin('conversations', (join) =>
      join
        .onRef('conversations.laptop_id', '=', 'bookings.laptop_id')
        .onRef('conversations.buyer_id', '=', 'bookings.buyer_id'),
    )
    .leftJoin('meetings', (join) =>
      join
        .onRef('meetings.conversation_id', '=', 'conversations.id')
        // A literal, by which a prepared statement uses the index of meetings that are not cancelled.
        .on('meetings.state', '<>', sql.lit('cancelled'))
        .on(sql<boolean>`is_planned(meetings)`)
        .on(sql<boolean>`(meetings.state = 'agreed' or meetings.starts_at > now())`),
    )
    .select([
      'meetings.place as meeting_place',
      'meetings.starts_at as meeting_at',
      'meetings.state as meeting_state',
    ])
    .select(sql<boolean | null>`meetings.proposer_id = ${userId}`.as('is_own_meeting'))
    .select(sql<ParcelNews | null>`parcel_news(orders, ${sql.lit(LATE_DAYS)})`.as('order_news'))
    .select([canReview(userId).as('can_review'), handoverCode(userId).as('handover_code')]);
}

/** A buyer's bookings, newest first. */
export function ofBuyer(reader: Reader, buyerId: string, request: PageRequest): Promise<Page<ShownBooking>> {
  const bookings = shownBookings(reader, buyerId).where('bookings.buyer_id', '=', buyerId);
  return readPage(bookings, 'bookings.number', request);
}

/** The bookings of a seller's laptops, newest first. */
export function ofSeller(
  reader: Reader,
  sellerId: string,
  request: PageRequest,
): Promise<Page<ShownBooking>> {
  const bookings = shownBookings(reader, sellerId).where('bookings.seller_id', '=', sellerId);
  return readPage(bookings, 'bookings.number', request);
}

/** All bookings of a laptop, oldest first. */
export function bookingsOfLaptop(reader: Reader, laptopId: string): Promise<BookedLaptop[]> {
  return bookingsWithLaptops(reader)
    .where('bookings.laptop_id', '=', laptopId)
    .orderBy('bookings.number')
    .execute();
}

/**
 * Finds a booking as its buyer or the seller sees it.
 * @param id of the booking, or of its order, so that the page of an order need not wait for the order @param userId the one who reads it
 */
export function findShownBooking(
  reader: Reader,
  id: string,
  userId: string,
): Promise<ShownBooking | undefined> {
  const bookingId = sql<string>`coalesce((select booking_id from orders where id = ${id}), ${id}::uuid)`;
  return shownBookings(reader, userId)
    .modifyFront(prepared)
    .where('bookings.id', '=', bookingId)
    .executeTakeFirst();
}

/** Finds a booking with its laptop and its buyer. */
export function findBooking(reader: Reader, id: string): Promise<BookedLaptop | undefined> {
  return bookingsWithLaptops(reader).modifyFront(prepared).where('bookings.id', '=', id).executeTakeFirst();
}

/** How often a seller was notified within a day of a buyer's bookings of a laptop, counted up to `limit`. */
export async function countToldToday(
  reader: Reader,
  { laptop_id, buyer_id, seller_id }: Pick<Row<'bookings'>, 'laptop_id' | 'buyer_id' | 'seller_id'>,
  limit: number,
): Promise<number> {
  const rows = await reader
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', seller_id)
    .where('quoted_id', '=', buyer_id)
    .where('laptop_id', '=', laptop_id)
    .where('topic', '=', 'bookings')
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .limit(sql.lit(limit))
    .execute();
  return rows.length;
}

/** A laptop that a buyer wants to book. */
interface LaptopToBook
  extends Pick<
    Row<'laptops'>,
    'id' | 'name' | 'state' | 'seller_id' | 'resale_price_cents' | 'delivery' | 'ships_from'
  > {
  /** The buyer's booking of it, also a cancelled one; null without one, or when the buyer's sale of it has ended. */
  booking_id: string | null;
  booking_cancelled: boolean;
  /** Whether the account buys: it can have become an admin's since its token was checked. */
  is_buyer: boolean;
  /** Whether the seller has blocked the buyer, and the buyer the seller. */
  seller_blocks: boolean;
  buyer_blocks: boolean;
}

/**
 * Locks the account of a buyer and then the laptop to book with FOR SHARE, so that neither ends or changes before the
 * transaction. One statement, because half of the server's processor time for a booking is writing to sockets.
 * @param productCode the id of the laptop, or of the buyer's wishlist item with it
 * @returns undefined when the account has ended, or there is no such laptop
 */
export async function lockBuyerAndLaptop(
  transaction: Transaction,
  buyerId: string,
  productCode: string,
): Promise<LaptopToBook | undefined> {
  const { rows } = await sql<LaptopToBook>`
    ${prepared}
    with account as materialized (${activeAccountForShare(buyerId)})
    select laptops.id, laptops.name, laptops.state, laptops.seller_id, laptops.resale_price_cents,
           laptops.delivery, laptops.ships_from, (select is_buyer from account), bookings.id as booking_id, bookings.cancelled_at is not null as booking_cancelled,
           exists (select from message_blocks
                    where blocker_id = laptops.seller_id and blocked_id = ${buyerId}) as seller_blocks,
           exists (select from message_blocks
                    where blocker_id = ${buyerId} and blocked_id = laptops.seller_id) as buyer_blocks
      from laptops left join bookings on bookings.laptop_id = laptops.id and bookings.buyer_id = ${buyerId} and bookings.ended_at is null
     where exists (select from account)
       and laptops.id = coalesce(${wishedLaptopId(buyerId, productCode)}, ${productCode})
       for share of laptops`.execute(transaction);
  return rows[0];
}

/** Whether a booking has no order. */
const isUnpaid = sql<boolean>`not exists (select from orders where orders.booking_id = bookings.id)`;

/** The price that a buyer agrees to in a booking, and how the buyer gets the laptop. */
type BookingDetails = Pick<Row<'bookings'>, 'price_cents' | 'phone' | 'delivery' | 'location'>;

/**
 * Inserts a buyer's first booking of a laptop. It waits for a concurrent request of this buyer.
 * @returns the booking's id; undefined when the other request has booked the laptop
 * @throws Refusal when this process still has a former currency in memory
 */
export async function insert(
  transaction: Transaction,
  {
    laptop_id,
    buyer_id,
    seller_id,
    price_cents,
    phone,
    delivery,
    location,
  }: BookingDetails & Record<'laptop_id' | 'buyer_id' | 'seller_id', string>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    ${prepared}
    insert into bookings (laptop_id, buyer_id, seller_id, currency, price_cents, phone, delivery, location)
      values (${laptop_id}, ${buyer_id}, ${seller_id}, ${currency.code}, ${price_cents}, ${phone}, ${delivery}, ${location})
      on conflict (buyer_id, laptop_id) where ended_at is null do nothing
      returning id`
    .execute(transaction)
    .catch(refuseFormerCurrency);
  return rows[0]?.id;
}

/**
 * Makes a cancelled booking a new one. It keeps its row, because the buyer's used payment windows and payments that are under way belong
 * to it.
 * @returns its id; undefined when it is not cancelled any more
 */
export async function bookAgain(
  transaction: Transaction,
  id: string,
  { price_cents, phone, delivery, location }: BookingDetails,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update bookings
       set number = default, price_cents = ${price_cents}, phone = ${phone}, delivery = ${delivery},
           location = ${location}, booked_at = default, notified_price_cents = null, agreed_when_notified_cents = null,
           cancelled_at = null, cancelled_by = null
     where id = ${id} and cancelled_at is not null
     returning id`.execute(transaction);
  return rows[0]?.id;
}

/** Changes a booking. Its laptop must be locked. */
export async function updateBooking(
  transaction: Transaction,
  id: string,
  changes: Updateable<Tables['bookings']>,
): Promise<void> {
  await transaction.updateTable('bookings').set(changes).where('id', '=', id).execute();
}

/** Stores the cancellation of a laptop's bookings by its withdrawal, at the database's time. The laptop must be locked. */
export async function cancelByWithdrawal(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ cancelled_at: sql`clock_timestamp()`, cancelled_by: 'withdrawal' })
    .where('laptop_id', '=', laptopId)
    .where('cancelled_at', 'is', null)
    .where(isUnpaid)
    .execute();
}

/**
 * Records the prices of an email. Does nothing if the price known to the buyer has changed since.
 * @param booking as read before the email was sent; a lowering after that stays due
 */
export async function recordToldPrice(database: Database, booking: BookedLaptop): Promise<void> {
  await database
    .updateTable('bookings')
    .set({
      notified_price_cents: booking.laptop_price_cents,
      agreed_when_notified_cents: booking.price_cents,
    })
    .where('id', '=', booking.id)
    .where(({ fn }) => fn.coalesce('notified_price_cents', 'price_cents'), '=', knownPrice(booking))
    .execute();
}

/** The unpaid bookings of a laptop for sale. */
function unpaidOf(reader: Reader, laptopId: string) {
  return reader
    .selectFrom('bookings')
    .innerJoin('users', 'users.id', 'bookings.buyer_id')
    .where('bookings.laptop_id', '=', laptopId)
    .where('bookings.cancelled_at', 'is', null)
    .where(isUnpaid)
    .where('users.ended_at', 'is', null);
}

/** The ids of the unpaid bookings of a laptop for sale. */
export async function unpaidBookings(reader: Reader, laptopId: string): Promise<string[]> {
  const rows = await unpaidOf(reader, laptopId).select('bookings.id').execute();
  return rows.map(({ id }) => id);
}

/** Counts the unpaid bookings of a laptop for sale by agreed price, from the highest price. */
export async function countByAgreedPrice(
  reader: Reader,
  laptopId: string,
  limit: number,
): Promise<{ price_cents: number; count: number }[]> {
  return unpaidOf(reader, laptopId)
    .select(['bookings.price_cents', sql<number>`count(*)::int`.as('count')])
    .groupBy('bookings.price_cents')
    .orderBy('bookings.price_cents', 'desc')
    .limit(limit)
    .execute();
}

/** Overwrites the telephone number and meeting place in all of a buyer's bookings. */
export async function removeBuyerContacts(transaction: Transaction, buyerId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({
      phone: 'removed',
      location: sql<string | null>`case when delivery = 'meet' then 'removed' end`,
    })
    .where('buyer_id', '=', buyerId)
    .execute();
}
