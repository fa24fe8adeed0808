import { expect } from 'vitest';
import { agreeToPrice, cancelBooking, closePaymentWindow, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { changeListing } from '../listings/change-listing.ts';
import { findMoneyViolations } from '../money/money-invariants.ts';
import { readProcessorLedger } from '../money/processor-ledger.ts';
import type { Person, SharedShop } from '../operations/shop.ts';
import { waitForEmptyQueue } from '../platform/job-queue.ts';
import { inOneHour } from './payment-shop.ts';

/**
 * Books a laptop at $549.99 for a new buyer.
 * @param listed the seller's laptop; a new one by default
 * @returns what the seller and the buyer can do about its price
 */
export async function bookOneLaptop(shop: SharedShop, seller: Person, listed?: string) {
  const laptop = listed ?? (await shop.laptop(seller));
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, laptop);
  const params = { _id: bookingId };
  return {
    buyer,
    laptop,
    bookingId,
    reprice: (resale_price: number) => changeListing(seller, laptop, { resale_price }),
    prepare: (price: number) => buyer.client.call(createPaymentIntent, { body: { price, bookingId } }),
    release: () => buyer.client.call(closePaymentWindow, { params }),
    report: (transactionId: string) =>
      buyer.client.call(recordPayment, { body: { transactionId, bookingId } }),
    agree: (price: number) => buyer.client.call(agreeToPrice, { params, body: { price } }),
    cancel: () => buyer.client.call(cancelBooking, { params }),
    read: () => buyer.client.call(readBooking, { params }),
  };
}

/** Lets everything under way end, and expects that money was kept only for a sale at the laptop's price. */
export async function expectMoneyInOrder(shop: SharedShop, laptop: string): Promise<void> {
  const { pool } = shop.connection;
  await shop.cards.setFaults({});
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(pool);
  await shop.reconcile(inOneHour());
  await waitForEmptyQueue(pool);
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(pool, ledger, [laptop])).toEqual([]);
}

/** The subject of the email about a laptop's new price. */
export const priceSubject = (price: string) => `New price for EliteBook 840 G8: ${price}`;

/** The texts of the emails about a laptop's price to a person, oldest first. Each line break is a space. */
export const priceTexts = (shop: SharedShop, { email }: Person): string[] =>
  shop.mails
    .filter(({ to, subject }) => to === email && subject.startsWith('New price'))
    .map(({ text }) => text.replaceAll(/\s+/g, ' '));

/** The subjects of the emails to a person, oldest first. */
export const subjectsTo = (shop: SharedShop, { email }: Person): string[] =>
  shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
