import { expect, onTestFinished, test } from 'vitest';
import { deadlineDays } from '#contract/money/order-states.ts';
import { defaultDeadlines } from '#contract/platform/deadlines.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { answerAsBuyer, answerAsSeller, complain } from '#contract/sales/complaints.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import { confirmOrder, readOrder } from '#contract/sales/orders.ts';
import { startTestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';
const dueAt = async ({ buyer, orderId }: Sale) =>
  (await buyer.client.call(readOrder, { params: { _id: orderId } })).dueAt ?? '';
const daysUntil = (date: string) => Math.round((Date.parse(date) - Date.now()) / DAY_MS);

test('chosen deadlines apply to later sales, within bounds, and orders keep their dates', async () => {
  const shop = await startTestShop();
  onTestFinished(() => shop.close());
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  /** After how many days the money of an order is released. */
  const daysOf = async (_id: string) => {
    const { dueAt, timeline } = await buyer.client.call(readOrder, { params: { _id } });
    const paidAt = timeline.find(({ event }) => event === 'paid')?.at ?? '';
    return Math.round((Date.parse(dueAt ?? '') - Date.parse(paidAt)) / DAY_MS);
  };
  const { orderId: before } = await sellLaptop(shop, { seller, buyer });
  expect(await daysOf(before)).toBe(7);

  await shop.changeSettings({ deadlines: { ...defaultDeadlines, hold: 3, looking: 60 } });
  const { orderId: after } = await sellLaptop(shop, { seller, buyer });
  expect(await daysOf(after)).toBe(3);
  expect(await daysOf(before)).toBe(7);
  // What sentences say.
  expect(deadlineDays('released')).toBe(60);

  const short = { ...defaultDeadlines, looking: 2 };
  await expect(shop.changeSettings({ deadlines: short })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: { 'settings.deadlines.looking': 'This is a whole number of days from 3 to 60' },
  });
});

test('a shorter setting shortens nothing that an order was promised', { tags: 'long' }, async () => {
  const shop = await startTestShop();
  onTestFinished(() => shop.close());
  await shop.changeSettings({ deadlines: { ...defaultDeadlines, hold: 30, looking: 60 } });
  const [released, held] = [await sellLaptop(shop), await sellLaptop(shop)];
  const params = { _id: released.orderId };
  await released.buyer.client.call(confirmOrder, { params });
  const promised = [await dueAt(released), await dueAt(held)];
  expect(promised.map(daysUntil)).toEqual([60, 30]);

  await shop.changeSettings({ deadlines: { ...defaultDeadlines, hold: 3, looking: 3 } });
  const complaint = { kind: 'does_not_work', text: 'It does not start.' } as const;
  await released.buyer.client.call(complain, { params, body: complaint });
  const offer = { move: 'offer', amount: 100, text: 'It is old.' } as const;
  await released.seller.client.call(answerAsSeller, { params, body: offer });
  await released.buyer.client.call(answerAsBuyer, { params, body: { move: 'take_offer', amount: 100 } });

  const { insertedId } = await held.buyer.client.call(openConversation, {
    body: { bookingId: held.bookingId },
  });
  const startsAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
  const { insertedId: meeting } = await held.seller.client.call(proposeMeeting, {
    params: { _id: insertedId },
    body: { place: 'Station', startsAt },
  });
  const answer = { params: { _id: insertedId }, body: { meeting, answer: 'agree' } } as const;
  await held.buyer.client.call(answerMeeting, answer);
  expect([await dueAt(released), await dueAt(held)]).toEqual(promised);
});

test('a dispute that is won after the time for complaints leaves the buyer three days', async () => {
  const shop = await startTestShop();
  onTestFinished(() => shop.close());
  const sale = await sellLaptop(shop, { card: DISPUTED_CARD });
  await sale.buyer.client.call(confirmOrder, { params: { _id: sale.orderId } });
  const hear = async () => {
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
  };
  await shop.cards.runDelayedOutcomes();
  await hear();
  expect(await dueAt(sale)).toBe('');
  await shop.connection.pool.query(
    `update orders set promised_until = now() - interval '20 days' where id = $1`,
    [sale.orderId],
  );
  const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
  const evidence = { uncategorized_text: 'winning_evidence' };
  await shop.cards.stripe.disputes.update(dispute?.id ?? '', { evidence });
  await hear();
  expect(daysUntil(await dueAt(sale))).toBe(3);
});
