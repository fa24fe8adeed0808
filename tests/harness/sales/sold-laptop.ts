import type * as z from 'zod/mini';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { recordSettlement } from '#contract/money/settlements.ts';
import type { Address } from '#contract/sales/addresses.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { moveOrder, selectOrderForUpdate } from '#server/sales/orders/steps.ts';
import type { Person, SharedShop } from '../operations/shop.ts';

/** A sale whose money is held. */
export interface Sale {
  orderId: string;
  /** The buyer's six digits. */
  code: string;
  laptopId: string;
  bookingId: string;
  transactionId: string;
  seller: Person;
  buyer: Person;
}

/** An address in the first country of the tests' shops. */
export const sampleAddress = {
  name: 'Bea Buyer',
  line1: '1200 NE Broadway',
  city: 'Portland',
  region: 'OR',
  postalCode: '97232',
  country: 'US',
};

/**
 * Sells a laptop: it is booked and paid.
 * @param parts what exists already; the rest is new
 * @param parts.price
 * @param parts.card the number of the card that pays
 * @param parts.address where the laptop is sent; without it both meet
 */
export async function sellLaptop(
  shop: SharedShop,
  parts: {
    seller?: Person;
    buyer?: Person;
    laptopId?: string;
    bookingId?: string;
    price?: number;
    card?: string;
    address?: z.input<typeof Address>;
  } = {},
): Promise<Sale> {
  const seller = parts.seller ?? (await shop.seller());
  const buyer = parts.buyer ?? (await shop.buyer());
  const price = parts.price ?? 549.99;
  const delivery = parts.address === undefined ? 'meet' : 'ship';
  const laptopId = parts.laptopId ?? (await shop.laptop(seller, { resale_price: price, delivery }));
  const bookingId = parts.bookingId ?? (await shop.booking(buyer, laptopId, { price }, parts.address));
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret, parts.card);
  await buyer.client.call(recordPayment, { body: { bookingId, transactionId } });
  const { rows } = await shop.connection.pool.query<{ id: string; handover_code: string }>(
    'select id, handover_code from orders where booking_id = $1',
    [bookingId],
  );
  const [order] = rows;
  if (order === undefined) throw new Error('The payment opened no order.');
  return {
    orderId: order.id,
    code: order.handover_code,
    laptopId,
    bookingId,
    transactionId,
    seller,
    buyer,
  };
}

/** Lets the time for complaints about a released order end. Until then neither account can be deleted. */
export function completeOrder({ connection, enqueue }: SharedShop, orderId: string): Promise<void> {
  return connection.database.transaction().execute(async (transaction) => {
    const order = await selectOrderForUpdate(transaction, orderId);
    const moved = order && (await moveOrder(transaction, enqueue, order, 'complete'));
    if (!moved) throw new Error('The order is not released.');
  });
}

/** Releases a sale and pays its seller by hand. An account cannot be deleted while the shop holds money for it. */
export async function payOutSale({ buyer, seller, orderId }: Sale, admin: Person): Promise<void> {
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  const { due } = await seller.client.call(readOwnMoney, {});
  await admin.client.call(recordSettlement, {
    body: { kind: 'paid', sellerId: seller.userId, amount: due, note: orderId },
  });
}
