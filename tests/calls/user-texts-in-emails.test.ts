import { beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { dismissReports, reportLaptop, takeDownLaptop } from '#contract/listings/reports.ts';
import { listNotifications } from '#contract/people/notifications.ts';
import { cancelSale, complain, sayAboutComplaint } from '#contract/sales/complaints.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation, sendMessage } from '#contract/sales/messages.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { answerReview, writeReview } from '#contract/sales/reviews.ts';
import { enqueueReminders } from '#server/sales/messages/meetings.ts';
import { enqueueUnreadNotifications } from '#server/sales/messages/notifications.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

const GOOD_CARD = '4242424242424242';
const DISPUTED_CARD = '4000000000000259';

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

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

test('emails do not name users whose email addresses are not verified, nor their laptops', async () => {
  const messages = await collectEmails({ email_verified: false });
  // One for each kind: booked, paid (twice), cancelled, refunded, disputed, report resolved, taken down.
  expect(messages.length).toBeGreaterThanOrEqual(8);
  for (const message of messages) expect(message).not.toMatch(/prize|Visit/);
});

test('emails name users with verified addresses and their laptops, with links defused', async () => {
  const messages = await collectEmails({ email_verified: true });
  expect(messages.filter((message) => message.includes('Visit www[.]prize[.]example now'))).toHaveLength(
    messages.length,
  );
  for (const message of messages) expect(message).not.toContain('prize.example');
});

test('neither emails nor notifications quote what another person wrote, also one with a verified address', async () => {
  // What a stranger would like the shop to say: without a link, so that nothing of it is defused.
  const bait = 'Your payment failed. Call the shop at +1 900 555 0100.';
  const words = (text: string) => /payment failed|900 555/.test(text);
  const [seller, buyer] = [await shop.seller('Sofia Marques'), await shop.buyer('Bruno Costa')];
  shop.mails.splice(0);

  const [first, second] = [
    await sellLaptop(shop, { seller, buyer }),
    await sellLaptop(shop, { seller, buyer }),
  ];
  const third = await shop.booking(buyer, await shop.laptop(seller), { location: bait });
  const { insertedId: conversation } = await buyer.client.call(openConversation, {
    body: { bookingId: third },
  });
  const ofConversation = { params: { _id: conversation } };
  for (const { client } of [buyer, seller]) {
    await client.call(sendMessage, { ...ofConversation, body: { text: bait, photos: [] } });
    await waitForEmptyQueue(shop.connection.pool);
    await enqueueUnreadNotifications(
      { database: shop.connection.database, enqueue: shop.enqueue },
      new Date(Date.now() + 3_600_000),
    );
    // Who answers has read what was written before, and is not told of it any more.
    await waitForEmptyQueue(shop.connection.pool);
  }
  const startsAt = new Date(Date.now() + 48 * 3_600_000).toISOString();
  const { insertedId: meeting } = await buyer.client.call(proposeMeeting, {
    ...ofConversation,
    body: { place: bait, startsAt },
  });
  await waitForEmptyQueue(shop.connection.pool);
  await seller.client.call(answerMeeting, { ...ofConversation, body: { meeting, answer: 'agree' } });
  await enqueueReminders(
    { database: shop.connection.database, enqueue: shop.enqueue },
    new Date(Date.now() + 30 * 3_600_000),
  );
  await waitForEmptyQueue(shop.connection.pool);

  const ofFirst = { params: { _id: first.orderId } };
  await seller.client.call(cancelSale, { ...ofFirst, body: { text: bait } });
  const ofSecond = { params: { _id: second.orderId } };
  await buyer.client.call(confirmOrder, ofSecond);
  for (const [author, subject] of [
    [buyer, seller],
    [seller, buyer],
  ] as const) {
    const { insertedId: _id } = await author.client.call(writeReview, {
      ...ofSecond,
      body: { stars: 5, text: bait },
    });
    if (author === seller) {
      await subject.client.call(answerReview, { params: { _id }, body: { text: bait } });
    }
  }
  await buyer.client.call(complain, { ...ofSecond, body: { kind: 'does_not_work', text: bait, photos: [] } });
  for (const { client } of [buyer, seller]) {
    await client.call(sayAboutComplaint, { ...ofSecond, body: { text: bait, photos: [] } });
  }
  await waitForEmptyQueue(shop.connection.pool);

  const subjects = shop.mails.map(({ subject }) => subject);
  for (const subject of [
    'EliteBook 840 G8 was booked',
    'EliteBook 840 G8 is sold',
    'Bruno Costa wrote to you about EliteBook 840 G8',
    'Bruno Costa proposes a meeting about EliteBook 840 G8',
    'Sofia Marques agrees to meet about EliteBook 840 G8',
    'You meet Bruno Costa about EliteBook 840 G8 within a day',
    'The buyer is content: EliteBook 840 G8',
    'The reviews of EliteBook 840 G8 are shown',
    'Your review about EliteBook 840 G8 was answered',
    'A statement about your order of EliteBook 840 G8',
    'A statement about your sale of EliteBook 840 G8',
  ]) {
    expect(subjects).toContain(subject);
  }
  for (const { subject, text, html } of shop.mails) {
    expect([subject, text, html].filter(words), subject).toEqual([]);
  }
  // Push messages show these titles and texts.
  for (const { client } of [buyer, seller]) {
    const entries = await client.call(listNotifications, { query: {} });
    expect(entries.filter(({ title, body }) => words(`${title} ${body}`))).toEqual([]);
  }
});
