import { type Insertable, sql, type Updateable } from 'kysely';
import type { OrderState } from '#contract/money/order-states.ts';
import type { PayoutAfter } from '#contract/platform/shop-settings.ts';
import type { ParcelWay } from '#contract/sales/labels.ts';
import { owedCents } from '#server/money/payouts/steps.ts';
import type { Database, Reader, Tables, Transaction } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import type { OrderedLaptop } from '../orders/rules.ts';
import { isClaim } from '../orders/steps.ts';
import { hasCarrierScanned, type LabelRow, type LabelSeller } from './label-rules.ts';

const labelsWithOrders = (reader: Reader) =>
  reader.selectFrom('labels').innerJoin('orders', 'orders.id', 'labels.order_id');

export const labelsOf = (reader: Reader, orderId: string): Promise<LabelRow[]> =>
  reader.selectFrom('labels').selectAll().where('order_id', '=', orderId).orderBy('number').execute();

export const findLabel = (reader: Reader, id: string): Promise<LabelRow | undefined> =>
  reader.selectFrom('labels').selectAll().where('id', '=', id).executeTakeFirst();

/** What the shop still awaits of labels of a seller's sales: a carrier's answer, or an insurance's; null for nothing. */
export async function unsettledLabels(
  reader: Reader,
  sellerId: string,
): Promise<'carrier' | 'insurance' | null> {
  const labels = await labelsWithOrders(reader)
    .select(isClaim.as('is_claim'))
    .where('orders.seller_id', '=', sellerId)
    .where(({ or, eb }) => or([eb('labels.state', 'in', ['buying', 'bought', 'voiding']), isClaim]))
    .execute();
  return labels.some(({ is_claim }) => is_claim) ? 'insurance' : labels.length > 0 ? 'carrier' : null;
}

/** The label of the latest parcel of an order: of two only that one decides. Undefined for a parcel without a label of the shop. */
export const labelOfLatestParcel = (
  reader: Reader,
  orderId: string,
  way: ParcelWay,
): Promise<LabelRow | undefined> =>
  reader
    .selectFrom('labels')
    .selectAll()
    .where('order_id', '=', orderId)
    .where(
      'tracking_number',
      '=',
      sql<string>`(select tracking_number from parcels where order_id = ${orderId} and way = ${way} order by nth desc limit 1)`,
    )
    .executeTakeFirst();

/** Whether the latest parcel in which the laptop of a locked order returns goes back to its buyer, and the order did not move by that. */
export async function isTurnedBack(reader: Reader, orderId: string): Promise<boolean> {
  const label = await labelOfLatestParcel(reader, orderId, 'back');
  if (label?.tracking !== 'return_to_sender') return false;
  const known = await reader
    .selectFrom('parcels')
    .innerJoin('order_events', 'order_events.order_id', 'parcels.order_id')
    .select('nth')
    .where('tracking_number', '=', label.tracking_number)
    .where('event', '=', 'turn_back')
    .whereRef('happened_at', '>', 'sent_at')
    .limit(1)
    .executeTakeFirst();
  return known === undefined;
}

/** The way of the parcel that must be sent in a state. */
const awaitedWays: Partial<Record<OrderState, ParcelWay>> = { to_ship: 'out', awaiting_return: 'back' };

/** Whether the deadline of a locked order waits, once, for the first scan of a printed label: its parcel can be under way. */
export async function isScanAwaited(
  reader: Reader,
  { id, state, is_put_off }: Pick<OrderedLaptop, 'id' | 'state' | 'is_put_off'>,
): Promise<boolean> {
  const way = awaitedWays[state];
  if (way === undefined || is_put_off) return false;
  const row = await reader
    .selectFrom('labels')
    .select('id')
    .where('order_id', '=', id)
    .where('way', '=', way)
    .where('state', '=', sql.lit('bought'))
    .where('printed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reads a label of a locked order and locks it. */
export const selectLabelForUpdate = (transaction: Transaction, id: string): Promise<LabelRow | undefined> =>
  transaction.selectFrom('labels').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Stores the prices of a label of a locked order, instead of earlier ones. @returns null while a label is bought */
export async function insertQuote(
  transaction: Transaction,
  quote: Insertable<Tables['labels']>,
): Promise<string | null> {
  await transaction
    .deleteFrom('labels')
    .where('order_id', '=', quote.order_id)
    .where('way', '=', quote.way)
    .where('state', '=', 'quoted')
    .execute();
  const row = await transaction
    .insertInto('labels')
    .values(quote)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function updateLabel(
  transaction: Transaction,
  id: string,
  changes: Updateable<Tables['labels']>,
): Promise<void> {
  await transaction.updateTable('labels').set(changes).where('id', '=', id).execute();
}

/**
 * Records where the unused labels of a locked order lead whose address is changed: to the former one. A label that leads to the new
 * address is right again.
 */
export async function setFormerAddress(
  transaction: Transaction,
  orderId: string,
  { from, to }: Record<'from' | 'to', string>,
): Promise<void> {
  await transaction
    .updateTable('labels')
    .set({ former_address: sql`nullif(coalesce(former_address, ${from}), ${to})` })
    .where('order_id', '=', orderId)
    .where('way', '=', 'out')
    .where('state', '!=', 'used')
    .execute();
}

/** The former address to which a parcel of an order went, the latest one that its carrier has scanned; null without one. */
export async function formerAddressOf(reader: Reader, orderId: string): Promise<string | null> {
  const labels = await labelsOf(reader, orderId);
  const misdirected = labels.findLast(
    ({ former_address, tracking }) => former_address !== null && hasCarrierScanned(tracking),
  );
  return misdirected?.former_address ?? null;
}

/** Deletes the prices of labels of a locked order: it is sent from or to another address. */
export async function deleteQuotes(transaction: Transaction, orderId: string): Promise<void> {
  await transaction
    .deleteFrom('labels')
    .where('order_id', '=', orderId)
    .where('state', '=', 'quoted')
    .execute();
}

/** Whether a tracking number is that of a label with which a parcel of an order cannot be sent: of another one, or given back. */
export async function isNumberOfOther(
  reader: Reader,
  { orderId, way, trackingNumber }: Record<'orderId' | 'way' | 'trackingNumber', string>,
): Promise<boolean> {
  const row = await reader
    .selectFrom('labels')
    .select(['order_id', 'way', 'state'])
    .where('tracking_number', '=', trackingNumber)
    .executeTakeFirst();
  return (
    row !== undefined &&
    (row.order_id !== orderId || row.way !== way || row.state === 'voiding' || row.state === 'voided')
  );
}

/** The ids of labels about which the shop asks the carrier now. */
export async function labelsToCheck(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom('labels')
    .select('id')
    .where('next_check_at', '<=', now)
    .where(isNotPostponed('labels', sql.ref('labels.id'), now))
    .orderBy('next_check_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The ids of labels that are not needed any more: their order was not sent, or no laptop returns. Whatever ended the order, it need
 * not know of labels.
 */
export async function unneededLabels(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await labelsWithOrders(database)
    .select('labels.id')
    // Not by parameters, as below: a plan for all parameters could not use the indexes of such labels.
    .where(sql<boolean>`labels.state in ('buying', 'bought')`)
    .where(
      sql<boolean>`case way when 'out' then orders.state not in ('to_ship', 'charge_disputed')
                        else orders.state not in ('awaiting_return', 'charge_disputed') end`,
    )
    // Somebody said that its parcel is with the carrier, which has not scanned it yet.
    .where(
      sql<boolean>`not exists (select from parcels where parcels.tracking_number = labels.tracking_number)`,
    )
    .where(isNotPostponed('labels', sql.ref('labels.id'), now))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes prices that nobody took. */
export async function deleteOldQuotes(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('labels')
    .where('state', '=', sql.lit('quoted'))
    .where('quoted_at', '<', before)
    .execute();
}

/** The labels that somebody can print: of sales, or of a return. @param label one of them; null for all unprinted ones */
export function printableLabels(
  reader: Reader,
  userId: string,
  label: string | null,
  limit: number,
): Promise<LabelRow[]> {
  const labels = labelsWithOrders(reader)
    .selectAll('labels')
    .where('labels.state', '=', sql.lit('bought'))
    .where(sql<boolean>`case way when 'out' then orders.seller_id else orders.buyer_id end = ${userId}`);
  return (label === null ? labels.where('printed_at', 'is', null) : labels.where('labels.id', '=', label))
    .orderBy('labels.number')
    .limit(limit)
    .execute();
}

/** What stands behind the seller of a label. @param orderId the order of the label */
export async function labelSeller(
  reader: Reader,
  { seller_id, id: orderId }: { seller_id: string; id: string },
  payoutAfter: PayoutAfter,
): Promise<LabelSeller> {
  const { rows } = await sql<LabelSeller>`
    select email_verified as "isEmailConfirmed",
           verified or address_checked_at is not null or identity_checked_at is not null
             or coalesce(paid_cents, 0) > 0 as "isKnown",
           coalesce(payout_accounts.state = 'active', false) as "hasAccount",
           (${owedCents(payoutAfter)})::float8 as "owedCents",
           bought.*
      from users
      left join seller_balances on seller_balances.seller_id = users.id
      left join payout_accounts on payout_accounts.seller_id = users.id
     cross join lateral (
           select (count(*) filter (where orders.id <> ${orderId} and labels.state <> 'voiding'
                                      and orders.state in ('to_ship', 'shipped')))::int as open,
                  count(*)::int as recent
             from labels join orders on orders.id = labels.order_id
            where orders.seller_id = users.id and way = 'out' and quoted_at > now() - interval '30 days'
              and labels.state in ('buying', 'bought', 'used', 'voiding', 'kept')) as bought
     where users.id = ${seller_id}`.execute(reader);
  const [seller] = rows;
  if (seller === undefined) throw new Error('an order without a seller');
  return seller;
}

/** How many labels a seller has bought and not printed. */
export async function countUnprinted(reader: Reader, sellerId: string): Promise<number> {
  const { count } = await labelsWithOrders(reader)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('labels.state', '=', sql.lit('bought'))
    .where('way', '=', 'out')
    .where('printed_at', 'is', null)
    .where('orders.seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function markPrinted(database: Database, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await database.updateTable('labels').set({ printed_at: now }).where('id', 'in', ids).execute();
}

/** How many labels wait for their purchase and for their money, and how many claims for an admin. */
export async function countLabels(
  reader: Reader,
): Promise<{ buying: number; voiding: number; claims: number }> {
  const {
    buying,
    voiding,
    claims: open,
  } = await labelsWithOrders(reader)
    .select(sql<number>`(count(*) filter (where labels.state = 'buying'))::int`.as('buying'))
    .select(sql<number>`(count(*) filter (where labels.state = 'voiding'))::int`.as('voiding'))
    .select(sql<number>`(count(*) filter (where ${isClaim}))::int`.as('claims'))
    .where(sql<boolean>`(next_check_at is not null or claim in ('open', 'paid'))`)
    .executeTakeFirstOrThrow();
  return { buying, voiding, claims: open };
}

/** The labels of shipments; none for those of another shop. */
/** Sums what the shop owes carriers, in hundredths. Further callers wait until this transaction has ended. */
export async function lockOwedToCarriers(transaction: Transaction): Promise<number> {
  // The only row of it. Postings lock it for their keys only, and go on.
  await transaction.selectFrom('shop_currency').select('code').forNoKeyUpdate().execute();
  const { owed } = await transaction
    .selectFrom('ledger_entries')
    .select(sql<number>`coalesce(-sum(amount_cents), 0)::float8`.as('owed'))
    .where('account', '=', 'carrier_payable')
    .executeTakeFirstOrThrow();
  return owed;
}

export const labelsOfShipments = (reader: Reader, shipmentIds: readonly string[]): Promise<LabelRow[]> =>
  shipmentIds.length === 0
    ? Promise.resolve([])
    : reader.selectFrom('labels').selectAll().where('shipment_id', 'in', shipmentIds).execute();
