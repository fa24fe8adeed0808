import { readSettings } from '#contract/operations/settings.ts';
import type { Client } from '#contract/platform/client.ts';
import { book, listBookings, readBooking } from '#contract/sales/bookings.ts';
import { handOver, readOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { answerReview, readReviewsOfOrder, writeReview } from '#contract/sales/reviews.ts';
import { confirmWithCard } from './card.ts';
import type { DemoSale } from './sold-laptops.ts';

/** The telephone number of the demo's buyers. */
const BUYER_PHONE = '+1 503 555 0199';

interface BookedLaptop {
  laptopId: string;
  /** In dollars. */
  price: number;
  /** Where the two people meet. */
  location: string;
}

/** Books a laptop, unless this buyer has booked it. @returns the booking's id @throws Error when the shop refuses it */
export async function bookLaptop(
  buyer: Client,
  { laptopId, price, location }: BookedLaptop,
): Promise<string> {
  const bookings = await buyer.call(listBookings, { query: {} });
  const known = bookings.find(({ productCode }) => productCode === laptopId);
  if (known !== undefined) return known._id;
  const { insertedId, message } = await buyer.call(book, {
    body: { price, phone: BUYER_PHONE, location, productCode: laptopId },
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

/** Sells a listed laptop: booking, payment and hand-over with the buyer's code. Continues an aborted sale. @returns the order's id */
async function sell({ buyer, seller }: Sides, laptop: BookedLaptop): Promise<string> {
  const bookingId = await bookLaptop(buyer, laptop);
  const params = { _id: bookingId };
  const { state } = await buyer.call(readBooking, { params });
  if (state === 'Unpaid') await payBooking(buyer, bookingId, laptop.price);
  const { order } = await buyer.call(readBooking, { params });
  if (order === undefined) throw new Error('A demo sale was not paid.');
  const { handoverCode: code } = await buyer.call(readOrder, { params: { _id: order._id } });
  if (code !== undefined) await seller.call(handOver, { params: { _id: order._id }, body: { code } });
  return order._id;
}

/** Writes the reviews of both sides and the seller's answer, unless they are written. */
async function review(
  { buyer, seller }: Sides,
  orderId: string,
  { ofSeller: { answer, ...ofSeller }, ofBuyer }: Pick<DemoSale, 'ofSeller' | 'ofBuyer'>,
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

/** Completes a demo sale of a listed laptop, with its reviews. */
export async function completeSale(sides: Sides, laptopId: string, sale: DemoSale): Promise<void> {
  const { laptop, meetingPlace: location } = sale;
  const orderId = await sell(sides, { laptopId, price: laptop.resalePrice, location });
  await review(sides, orderId, sale);
}
