import type { Page } from '@playwright/test';
import { readSettings } from '#contract/operations/settings.ts';
import { book, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { confirmWithCard } from '#demo/card.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, newEmail, newName, startSession } from './actions.ts';
import { amount } from './amounts.ts';

/** A sale between the signed-in users of two pages. */
export interface JourneySale {
  name: string;
  laptopId: string;
  orderId: string;
  /** The path of the order's page. */
  path: string;
  sellerSession: BrowserSession;
  buyerSession: BrowserSession;
}

/** Books a laptop and pays for it without pages. @returns the order's id */
export function buyLaptop({ client }: BrowserSession, laptopId: string): Promise<string> {
  return test.step('buys the laptop', async () => {
    const { insertedId: bookingId = '' } = await client.call(book, {
      body: {
        price: amount(549.99),
        phone: '+351 900 000 000',
        location: 'Central Station',
        productCode: laptopId,
      },
    });
    return payBooking({ client }, bookingId);
  });
}

/** Pays for a booking at $549.99 without pages. @returns the order's id */
export function payBooking({ client }: Pick<BrowserSession, 'client'>, bookingId: string): Promise<string> {
  return test.step('pays for the laptop', async () => {
    const { cards } = await client.call(readSettings, {});
    const { clientSecret } = await client.call(createPaymentIntent, {
      body: { price: amount(549.99), bookingId },
    });
    const { transactionId, response } = await confirmWithCard(
      { url: cards.scriptUrl ?? '', publishableKey: cards.publishableKey },
      clientSecret,
    );
    expect(response.ok).toBe(true);
    await client.call(recordPayment, { body: { transactionId, bookingId } });
    const { order } = await client.call(readBooking, { params: { _id: bookingId } });
    return order?._id ?? '';
  });
}

/**
 * Registers a seller and a buyer, signs their pages in, and sells a laptop at $549.99.
 * @param beforeSale runs when the laptop is listed
 */
export async function createSale(
  seller: Page,
  buyer: Page,
  beforeSale: (session: BrowserSession, laptopId: string) => Promise<void> = async () => undefined,
): Promise<JourneySale> {
  const name = newName('Latitude 7420');
  const sellerSession = await startSession(seller, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  const laptopId = await createLaptop(sellerSession, { name, brand: 'Dell' });
  await beforeSale(sellerSession, laptopId);
  const buyerSession = await startSession(buyer, {
    name: 'Bruno Buyer',
    email: newEmail('bruno'),
    role: 'Buyer',
  });
  const orderId = await buyLaptop(buyerSession, laptopId);
  return { name, laptopId, orderId, path: `/dashboard/order/${orderId}`, sellerSession, buyerSession };
}
