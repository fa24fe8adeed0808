import { readSettings } from '#contract/operations/settings.ts';
import type { Client } from '#contract/platform/client.ts';
import { book, listBookings, readBooking } from '#contract/sales/bookings.ts';
import { confirmOrder, handOver, readOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { answerReview, readReviewsOfOrder, writeReview } from '#contract/sales/reviews.ts';
import { receiveParcel, shipParcel } from '#contract/sales/shipping.ts';
import { confirmWithCard } from './card.ts';
import type { DemoSale } from './sold-laptops.ts';

/** The telephone number of the demo's buyers. */
const BUYER_PHONE = '+1 503 555 0199';

interface BookedLaptop {
  laptopId: string;
  /** In the shop’s currency. */
  price: number;
  /** Where the two people meet, or the parcel. */
  way: DemoSale['way'];
}

/** Books a laptop, unless this buyer has booked it. @returns the booking's id @throws Error when the shop refuses it */
export async function bookLaptop(buyer: Client, { laptopId, price, way }: BookedLaptop): Promise<string> {
  const bookings = await buyer.call(listBookings, { query: {} });
  const known = bookings.find(({ productCode }) => productCode === laptopId);
  if (known !== undefined) return known._id;
  const { insertedId, message } = await buyer.call(book, {
    body: {
      price,
      phone: BUYER_PHONE,
      productCode: laptopId,
      ...(typeof way === 'string' ? { location: way } : { delivery: 'ship', address: way.address }),
    },
  });
  if (insertedId === undefined) throw new Error(message);
  return insertedId;
}

/** Pays a booking with a test card at the card processor stand-in. @throws Error when there is no stand-in */
export async function payBooking(buyer: Client, bookingId: string, price: number): Promise<void> {
  const { cards } = await buyer.call(readSettings, {});
  if (cards.scriptUrl === null) throw new Error('Demo payments require the card processor stand-in.');
  const { clientSecret } = await buyer.call(createPaymentIntent, { body: { price, bookingId } });
  const processor = { url: cards.scriptUrl, publishableKey: cards.publishableKey };
  const { transactionId, response } = await confirmWithCard(processor, clientSecret);
  if (!response.ok) throw new Error(`The card was declined: ${await response.text()}`);
  await buyer.call(recordPayment, { body: { transactionId, bookingId } });
}

/** The two people of a sale. */
interface Sides {
  buyer: Client;
  seller: Client;
}

/** Hands the laptop of a paid order over or sends it, as far as that is not done. @param isOver whether the buyer confirms a parcel */
async function deliver(
  { buyer, seller }: Sides,
  _id: string,
  { way, isOver }: { way: DemoSale['way']; isOver: boolean },
): Promise<void> {
  const params = { _id };
  const { handoverCode: code, state } = await buyer.call(readOrder, { params });
  if (typeof way === 'string') {
    if (code !== undefined) await seller.call(handOver, { params, body: { code } });
    return;
  }
  const { carrier, trackingNumber } = way;
  if (state === 'to_ship') await seller.call(shipParcel, { params, body: { carrier, trackingNumber } });
  if (!isOver || state === 'released') return;
  await buyer.call(receiveParcel, { params });
  await buyer.call(confirmOrder, { params });
}

/** Sells a listed laptop: booking, payment and delivery. Continues an aborted sale. @returns the order's id */
async function sell({ buyer, seller }: Sides, laptop: BookedLaptop, isOver: boolean): Promise<string> {
  const bookingId = await bookLaptop(buyer, laptop);
  const params = { _id: bookingId };
  const { state } = await buyer.call(readBooking, { params });
  if (state === 'Unpaid') await payBooking(buyer, bookingId, laptop.price);
  const { order } = await buyer.call(readBooking, { params });
  if (order === undefined) throw new Error('A demo sale was not paid.');
  await deliver({ buyer, seller }, order._id, { way: laptop.way, isOver });
  return order._id;
}

/** Writes the reviews of both sides and the seller's answer, unless they are written. */
async function review(
  { buyer, seller }: Sides,
  orderId: string,
  { ofSeller: { answer, ...ofSeller }, ofBuyer }: NonNullable<DemoSale['reviews']>,
): Promise<void> {
  const params = { _id: orderId };
  for (const [client, body] of [
    [buyer, ofSeller],
    [seller, ofBuyer],
  ] as const) {
    const { canWrite } = await client.call(readReviewsOfOrder, { params });
    if (canWrite) await client.call(writeReview, { params, body });
  }
  if (answer === undefined) return;
  const { reviews } = await seller.call(readReviewsOfOrder, { params });
  const open = reviews.find(({ actions }) => actions.includes('answer'));
  if (open !== undefined) {
    await seller.call(answerReview, { params: { _id: open._id }, body: { text: answer } });
  }
}

/** Makes a demo sale of a listed laptop, with its reviews if it is over. */
export async function completeSale(sides: Sides, laptopId: string, sale: DemoSale): Promise<void> {
  const { laptop, way, reviews } = sale;
  const orderId = await sell(sides, { laptopId, price: laptop.resalePrice, way }, reviews !== undefined);
  if (reviews !== undefined) await review(sides, orderId, reviews);
}
