import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { amountFromCents, Id } from '#contract/platform/scalars.ts';
import type { OrderItem } from '#contract/sales/orders.ts';
import { findPeople } from '#server/people/accounts/steps.ts';
import { type Page, type PageRequest, readPage, rowsToRead } from '#server/platform/database/keyset-page.ts';
import type { Reader, Row } from '#server/platform/database/tables.ts';
import { ordersWithPeople } from './store.ts';

/** The most people whose orders a search lists. */
const MAXIMUM_PEOPLE = 50;

/** An order of the list with its laptop and people. */
export type ListedOrder = Pick<
  Row<'orders'>,
  'id' | 'number' | 'price_cents' | 'state' | 'due_at' | 'placed_at'
> & {
  laptop_name: string;
  laptop_images: string[];
  buyer_name: string;
  seller_name: string;
  seller_ended_at: Date | null;
};

/** The newest orders of some people, as many of each as a page has: more could not be on it. */
function ordersOf(people: readonly string[], page: PageRequest): RawBuilder<unknown> {
  const before = page.after === null ? sql`` : sql`and number < ${page.after}`;
  const newest = (side: 'buyer_id' | 'seller_id') => sql`
    select number from unnest(${people}::uuid[]) as people (id) cross join lateral (
      select number from orders where ${sql.ref(side)} = people.id ${before} order by number desc limit ${sql.lit(rowsToRead(page))}
    ) as newest`;
  return sql`${newest('buyer_id')} union ${newest('seller_id')}`;
}

/** The orders that have a text as one of their numbers. */
function ordersByNumber(search: string): RawBuilder<unknown> {
  const tracking = search.replace(/[\s-]/g, '').toUpperCase();
  const byId = z.safeParse(Id, search.toLowerCase());
  return sql`
    select orders.number from orders where transaction_id = ${search}
    union select orders.number from orders join parcels on parcels.order_id = orders.id where parcels.tracking_number = ${tracking}
    union select orders.number from orders join labels on labels.order_id = orders.id where labels.tracking_number = ${tracking}
    union select orders.number from orders join receipts on receipts.order_id = orders.id where receipt_number = ${search}
    ${byId.success ? sql`union select orders.number from orders where id = ${byId.data}` : sql``}`;
}

/** All orders, or those that a text finds, newest first. @throws Refusal when it is in too many names or email addresses */
export async function listOrders(
  reader: Reader,
  search: string | undefined,
  page: PageRequest,
): Promise<Page<ListedOrder>> {
  const orders = ordersWithPeople(reader).select([
    'orders.id',
    'orders.number',
    'orders.price_cents',
    'orders.state',
    'orders.due_at',
    'orders.placed_at',
    'laptops.images as laptop_images',
    'sellers.ended_at as seller_ended_at',
  ]);
  if (search === undefined) return readPage(orders, 'orders.number', page);
  const people = await findPeople(reader, search, MAXIMUM_PEOPLE);
  const found = sql<string>`(select number from (${ordersByNumber(search)}) as numbered
    union select number from (${ordersOf(people, page)}) as theirs)`;
  return readPage(orders.where('orders.number', 'in', found), 'orders.number', page);
}

/** An order of the list as a response. */
export const toOrderItem = (order: ListedOrder, photoUrl: (photo: string) => string): OrderItem => ({
  _id: order.id,
  productName: order.laptop_name,
  image: order.laptop_images[0] === undefined ? '' : photoUrl(order.laptop_images[0]),
  buyerName: order.buyer_name,
  sellerName: order.seller_name,
  price: amountFromCents(order.price_cents),
  state: order.state,
  dueAt: order.due_at?.toISOString() ?? null,
  ...(order.seller_ended_at !== null && { sellerHasEnded: true }),
  placedAt: order.placed_at.toISOString(),
});
