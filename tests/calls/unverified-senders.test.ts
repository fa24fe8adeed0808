import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/catalogue.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { dismissReports, reportLaptop, takeDownLaptop } from '#contract/reports.ts';
import { waitForEmptyQueue } from '#tests/harness/job-queue.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

const GOOD_CARD = '4242424242424242';
const DISPUTED_CARD = '4000000000000259';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

/** Triggers every email between a seller and buyers with these claims. @returns the emails' contents */
async function collectEmails(claims: { email_verified: boolean }): Promise<string[]> {
  const advertisement = 'Visit www.prize.example now';
  const admin = await shop.admin();
  const seller = await shop.seller(advertisement, claims);
  const buyer = () => shop.buyer(advertisement, claims);
  const laptop = () => shop.laptop(seller, { name: advertisement });
  const book = async (person: Person, laptopId: string) =>
    shop.booking(person, laptopId, { location: advertisement });
  const charge = async (person: Person, bookingId: string, card = GOOD_CARD) => {
    const body = { price: 549.99, bookingId };
    const { clientSecret } = await person.client.call(createPaymentIntent, { body });
    const { transactionId } = await shop.pay(clientSecret, card);
    return () => person.client.call(recordPayment, { body: { ...body, transactionId } });
  };
  const report = (person: Person, productCode: string) =>
    person.client.call(reportLaptop, { body: { productCode, reason: 'Other', note: advertisement } });

  const [sold, refunded, dismissed, takenDown] = [
    await laptop(),
    await laptop(),
    await laptop(),
    await laptop(),
  ];
  const [first, second] = [await buyer(), await buyer()];
  await (await charge(first, await book(first, sold), DISPUTED_CARD))();
  await shop.cards.runDelayedOutcomes();
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const recordLate = await charge(second, await book(second, refunded));
  await seller.client.call(deleteOwnLaptop, { params: { _id: refunded } });
  await expect(recordLate()).rejects.toMatchObject({ code: 'refunded' });
  await shop.cards.setFaults({});
  await report(first, dismissed);
  await admin.client.call(dismissReports, { params: { _id: dismissed }, body: {} });
  await book(second, takenDown);
  await report(first, takenDown);
  await admin.client.call(takeDownLaptop, { params: { _id: takenDown }, body: { note: 'A reason' } });
  await waitForEmptyQueue(shop.connection.pool);
  // Emails always contain the other user's address, which the harness derives from the name.
  return shop.mails
    .splice(0)
    .map(({ subject, text, html }) =>
      `${subject}\n${text}\n${html}`.replaceAll(/[\w.]+@people\.example/g, ''),
    );
}

test('emails do not quote users whose email addresses are not verified', async () => {
  const messages = await collectEmails({ email_verified: false });
  // One for each kind: booked, paid (twice), cancelled, refunded, disputed, report resolved, taken down.
  expect(messages.length).toBeGreaterThanOrEqual(8);
  for (const message of messages) expect(message).not.toMatch(/prize|Visit/);
});

test('emails quote users with verified addresses, with links defused', async () => {
  const messages = await collectEmails({ email_verified: true });
  expect(messages.filter((message) => message.includes('Visit www[.]prize[.]example now'))).toHaveLength(
    messages.length,
  );
  for (const message of messages) expect(message).not.toContain('prize.example');
});
