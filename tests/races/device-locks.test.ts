// A report that finds a lock arrives while a payment for the laptop settles. Whatever is first, the laptop is sold and its
// report refused, or blocked and the money refunded; never both, and no money is lost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOwnLaptops } from '#contract/listings/catalogue.ts';
import { writeReport } from '#server/certification/certificates/testing/measure.ts';
import { sendReport } from '#server/certification/inspections/testing/measure.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { bookOneLaptop, expectMoneyInOrder } from '#tests/harness/sales/booked-laptop.ts';
import { heldWebhooks, inOneHour } from '#tests/harness/sales/payment-shop.ts';

const price = 549.99;
/** In each round, the later act starts after so many queries of the database. Negative: the payment is the later one. */
const delays = [-30, -8, -3, 0, 3, 8, 30];

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

type Booked = Awaited<ReturnType<typeof bookOneLaptop>>;

async function chargedBooking() {
  const booking = await bookOneLaptop(shop, seller);
  await shop.cards.setFaults(heldWebhooks);
  const { transactionId } = await shop.pay((await booking.prepare(price)).clientSecret);
  return { ...booking, transactionId };
}

async function after(queries: number, act: () => Promise<unknown>): Promise<unknown> {
  for (let count = 0; count < queries; count += 1) await shop.connection.pool.query('select 1');
  return act();
}

/** Lets a lock be found on a laptop while a payment settles. @returns whether the report was taken */
async function race({ laptop }: Booked, delay: number, settle: () => Promise<unknown>): Promise<boolean> {
  const report = await writeReport(seller, laptop, { locked: true });
  const [answer] = await Promise.all([
    after(delay, () => sendReport(shop.origin, report)),
    // A payment that is refused says so to the buyer; the money is looked at below.
    after(-delay, () => settle().catch(() => undefined)),
  ]);
  await expectMoneyInOrder(shop, laptop);
  return !/Nothing was kept/.test(String(answer));
}

async function stateOf(laptop: string): Promise<{ state: string; locks: number }> {
  const [own] = (await seller.client.call(listOwnLaptops, { query: {} })).filter(({ _id }) => _id === laptop);
  const { rowCount } = await shop.connection.pool.query(
    `select from measurements where laptop_id = $1 and machine->'locks'->>'firmwarePassword' = 'locked'`,
    [laptop],
  );
  return { state: own?.state ?? 'missing', locks: rowCount ?? 0 };
}

/** Expects a sale without a refund and without a lock, or a refund of everything and a blocked laptop. */
async function expectOneOutcome({ laptop, read }: Booked, transactionId: string, isTaken: boolean) {
  const found = await stateOf(laptop);
  const refunded = await shop.cards.refundedCents(transactionId);
  const order = (await read()).state;
  if (isTaken) expect({ found, refunded, order }).toEqual(blocked);
  else expect({ found, refunded, order }).toEqual(sold);
}
const blocked = { found: { state: 'Blocked', locks: 1 }, refunded: 54_999, order: 'Paused' };
const sold = { found: { state: 'Sold', locks: 0 }, refunded: 0, order: 'Paid' };

const settlements: [string, (booking: Booked & { transactionId: string }) => Promise<unknown>][] = [
  ['the buyer’s report of it', ({ report, transactionId }) => report(transactionId)],
  [
    'the card processor’s event',
    async () => {
      await shop.cards.deliverEvents({});
      // The webhook only stores the event; a job reads the payment.
      await waitForEmptyQueue(shop.connection.pool);
    },
  ],
  ['reconciliation', () => shop.reconcile(inOneHour())],
  [
    'all of them at once',
    ({ report, transactionId }) =>
      Promise.allSettled([
        report(transactionId),
        shop.cards.deliverEvents({ copies: 2, order: 'reversed' }),
        shop.reconcile(inOneHour()),
      ]),
  ],
];

describe.each(settlements)('a lock and %s', (_name, settle) => {
  test('at the same time: sold, or blocked and refunded', async () => {
    for (const delay of delays) {
      const booking = await chargedBooking();
      const isTaken = await race(booking, delay, () => settle(booking));
      await expectOneOutcome(booking, booking.transactionId, isTaken);
    }
  });

  test('one after the other: what is first decides', { tags: 'long' }, async () => {
    const first = await chargedBooking();
    const late = await writeReport(seller, first.laptop, { locked: true });
    await settle(first);
    expect(await sendReport(shop.origin, late)).toContain('Nothing was kept');
    await expectMoneyInOrder(shop, first.laptop);
    await expectOneOutcome(first, first.transactionId, false);

    const second = await chargedBooking();
    await sendReport(shop.origin, await writeReport(seller, second.laptop, { locked: true }));
    await settle(second).catch(() => undefined);
    await expectMoneyInOrder(shop, second.laptop);
    await expectOneOutcome(second, second.transactionId, true);
  });
});

test('a lock and the card’s confirmation: sold, or blocked without a charge that is kept', async () => {
  for (const delay of delays) {
    const booking = await bookOneLaptop(shop, seller);
    const { clientSecret } = await booking.prepare(price);
    let transactionId = '';
    let status = '';
    const isTaken = await race(booking, delay, async () => {
      ({ transactionId, status } = await shop.pay(clientSecret));
    });
    if (status === 'succeeded') await expectOneOutcome(booking, transactionId, isTaken);
    else expect(await stateOf(booking.laptop)).toEqual(blocked.found);
  }
});
