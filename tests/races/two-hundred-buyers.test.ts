import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';

const buyersCount = 200;
const price = 549.99;

let shop: TestShop;
let laptop: string;
let buyers: { person: Person; bookingId: string }[];

beforeAll(async () => {
  shop = await startTestShop();
  laptop = await shop.laptop(await shop.seller());
  buyers = await Promise.all(
    Array.from({ length: buyersCount }, async () => {
      const person = await shop.buyer();
      return { person, bookingId: await shop.booking(person, laptop) };
    }),
  );
});
afterAll(() => shop.close());

const prepare = ({ person, bookingId }: { person: Person; bookingId: string }) =>
  person.client.call(createPaymentIntent, { body: { price, bookingId } });

/** Returns the outcome of a call, retried while the shop is overloaded, as the pages do. */
async function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return 'paid';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 503) return outcomeOf(call);
    expect(error.message.length, error.message).toBeGreaterThan(20);
    return error.code;
  }
}

test('of 200 concurrent requests of a payment window one succeeds and 199 are queued', async () => {
  const answers = await Promise.all(buyers.map((buyer) => outcomeOf(() => prepare(buyer))));
  expect(Object.groupBy(answers, (answer) => answer)).toMatchObject({
    paid: { length: 1 },
    somebody_is_paying: { length: buyersCount - 1 },
  });
  const { rows } = await shop.connection.pool.query('select from payment_queue where laptop_id = $1', [
    laptop,
  ]);
  expect(rows).toHaveLength(buyersCount - 1);
});

test('200 concurrent payments for one laptop make one sale and 199 refunds with a message', async () => {
  // The worst case: all 200 have the card form open, after 199 expired payment windows.
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const ready = [];
  for (const buyer of buyers) {
    await shop.connection.pool.query(
      `update payment_windows set started_at = now() - interval '10 minutes', expires_at = now() - interval '1 second'`,
    );
    await shop.connection.pool.query('delete from payment_queue');
    ready.push({ ...buyer, clientSecret: (await prepare(buyer)).clientSecret });
  }
  const started = performance.now();
  const paid = await Promise.all(
    ready.map(async (buyer) => ({ ...buyer, ...(await shop.pay(buyer.clientSecret)) })),
  );
  const charged = paid.filter(({ status }) => status === 'succeeded');
  expect(charged).toHaveLength(buyersCount);
  await shop.cards.setFaults({});
  const answers = await Promise.all(
    paid.map(({ person, bookingId, transactionId }) =>
      outcomeOf(() => person.client.call(recordPayment, { body: { transactionId, bookingId, price } })),
    ),
  );
  const elapsedMs = performance.now() - started;

  expect(Object.groupBy(answers, (answer) => answer)).toMatchObject({
    paid: { length: 1 },
    refunded: { length: buyersCount - 1 },
  });
  await waitForEmptyQueue(shop.connection.pool);
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(ledger.intents).toHaveLength(buyersCount);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  const kept = ledger.intents.reduce(
    (sum, { receivedCents, refundedCents }) => sum + receivedCents - refundedCents,
    0,
  );
  expect(kept).toBe(54_999);
  const refundEmails = shop.mails.filter(({ text }) => text.includes('sold to another buyer'));
  expect(new Set(refundEmails.map(({ to }) => to)).size).toBe(buyersCount - 1);
  process.stdout.write(
    `200 concurrent buyers: ${charged.length} cards charged, 1 sale, ${buyersCount - 1} refunds, all responses within ${(elapsedMs / 1000).toFixed(1)} s, no amount kept without a sale.\n`,
  );
});
