// Model-based test: random interleavings of the actions of buyers, sellers, admins and the card processor, against the
// real server, the real database and the card processor stand-in. After each action the books must balance, after each run
// the money invariants must hold, nobody may have paid a price without an agreement, every open booking must be payable, and
// no periodic task of the shop may fail.
//
// With LONG_SECONDS it goes on for so long from a random seed. A failure prints its seed, path and replay path, which SEED,
// MODEL_PATH and MODEL_REPLAY repeat.
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { explainMovement } from '#contract/money/accounting.ts';
import { agreeToPrice, book, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { compareWithProcessor } from '#server/money/accounting/actions.ts';
import { createPayoutProcessor } from '#server/providers/stripe-connect.ts';
import { retryRefund } from '#server/sales/payments/refunds.ts';
import { invoiceDifferences, parseInvoice } from '#server/sales/shipping/invoice.ts';
import { commission } from '#tests/harness/money/connected-seller.ts';
import { type ProcessorLedger, readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { signInAgain } from '#tests/harness/people/sign-in-again.ts';
import { testSeeds } from '#tests/harness/platform/property-seeds.ts';
import { startTestCarriers, type TestCarriers } from '#tests/harness/sales/carriers.ts';
import { generateRuns } from './model/commands.ts';
import { findPriceViolations, installPriceChecks } from './model/price-checks.ts';
import {
  bookingKey,
  createModel,
  createWorld,
  expirePaymentWindow,
  failedRefunds,
  findPaymentWindowViolations,
  findRunViolations,
  installPaymentWindowChecks,
  type Model,
  type World,
  waitUntilIdle,
  winDisputes,
} from './model/world.ts';

/** Add each seed with which a run fails. */
const seeds = [532_703_054];
/** For `npm run test:all`. */
const furtherSeeds = [1, 2, 3];
const runsPerSeed = process.env.ALL_SEEDS === undefined ? 3 : 5;
const SHRINKING_MS = 60_000;
const { MODEL_PATH, MODEL_REPLAY } = process.env;

/** What the shop logs as an error, one JSON text each. A periodic task logs an item that fails and goes on with the next. */
const loggedErrors: string[] = [];
const logger = pino({ level: 'error' }, { write: (line) => void loggedErrors.push(line) });

let shop: TestShop;
let admin: Person;
let carriers: TestCarriers;

beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission },
    dependencies: async (context) => {
      carriers = await startTestCarriers(context);
      return { logger, carriers: carriers.carriers };
    },
  });
  admin = await shop.admin();
  await installPaymentWindowChecks(shop);
  await installPriceChecks(shop);
});
afterAll(async () => {
  await shop.close();
  await carriers.close();
});

/** Pays every booking that is still payable. */
async function completeOpenBookings(model: Model, world: World): Promise<void> {
  for (const [buyer, { userId, client }] of world.buyers.entries()) {
    for (const laptop of world.laptops.keys()) {
      const booking = model.bookings.get(bookingKey(buyer, laptop));
      if (booking === undefined) continue;
      const { rows } = await shop.connection.pool.query(
        `select from bookings join laptops on laptops.id = laptop_id join users on users.id = buyer_id
         where bookings.id = $1 and state = 'available' and users.ended_at is null
           and bookings.ended_at is null and cancelled_at is null`,
        [booking.bookingId],
      );
      if (rows.length === 0) continue;
      await shop.connection.pool.query(
        `update payment_windows set started_at = now() - interval '1 minute', expires_at = now() where buyer_id = $1`,
        [userId],
      );
      await expirePaymentWindow(world, laptop, { usedUp: false, queue: 'emptied' });
      const { bookingId } = booking;
      const params = { _id: bookingId };
      const { price: agreed, newPrice: price = agreed } = await client.call(readBooking, { params });
      await client.call(agreeToPrice, { params, body: { price } });
      const { clientSecret } = await client.call(createPaymentIntent, { body: { price, bookingId } });
      const { transactionId, status } = await shop.pay(clientSecret);
      expect(status).toBe('succeeded');
      await client.call(recordPayment, { body: { price, bookingId, transactionId } });
    }
  }
}

/** Every active buyer books every laptop that is for sale, unless the buyer has a booking of it. */
async function bookAvailable(world: World): Promise<void> {
  for (const { userId, client } of world.buyers) {
    const { rows } = await shop.connection.pool.query<{ id: string; price: string }>(
      `select laptops.id, resale_price_cents / 100.0 as price from laptops, users
        where laptops.id = any($1) and state = 'available' and users.id = $2 and ended_at is null
          and not exists (select from bookings where laptop_id = laptops.id and buyer_id = users.id
                             and bookings.ended_at is null and cancelled_at is null)`,
      [world.laptops, userId],
    );
    for (const { id: productCode, price } of rows) {
      const body = { price: Number(price), phone: '+351 900 000 000', location: 'Station', productCode };
      expect(await client.call(book, { body })).toMatchObject({ acknowledged: true });
    }
  }
}

const figures = {
  ...{ runs: 0, actions: 0, charged: 0, refunded: 0, sold: 0, failed: 0, disputed: 0 },
  ...{ transferred: 0, reversed: 0, labels: 0 },
};
let before: ProcessorLedger;

/** Retries every failed refund, after winning its disputes and with cards that accept refunds. */
async function completeFailedRefunds(world: World): Promise<void> {
  const failed = await failedRefunds(shop, world.laptops);
  figures.failed += failed.length;
  await winDisputes(world);
  for (const transactionId of failed) await retryRefund(shop.connection.database, transactionId);
  await waitUntilIdle(world, 'good');
  expect(await failedRefunds(shop, world.laptops)).toEqual([]);
}

/**
 * What the card processor holds, and each movement there, equals the ledger. What nothing explains is in the account `suspense`, and
 * leaves it when an admin explains it.
 */
async function requireEqualBalances(): Promise<void> {
  const { cards, connection, enqueue } = shop;
  const balance = createPayoutProcessor({ secretKey: cards.secretKey, apiUrl: new URL(cards.origin) });
  const dependencies = { database: connection.database, enqueue, balance };
  // An earlier comparison read until a time that is still to come.
  await connection.pool.query('update balance_reading set read_until = null');
  const later = new Date(Date.now() + 2 * 3_600_000);
  const { rows } = await compareWithProcessor(dependencies, later);
  expect(rows.filter(({ kind }) => kind !== 'unknown_movement')).toEqual([]);
  const client = await signInAgain(shop, admin);
  for (const { id, movement } of rows) {
    expect(['dispute', 'refund']).toContain(movement);
    const body = { explanation: 'shop_loss' as const, note: 'Nobody else’s.' };
    await client.call(explainMovement, { params: { _id: id }, body });
  }
  expect((await compareWithProcessor(dependencies, later)).rows).toEqual([]);
  const { available, pending } = await cards.stripe.balance.retrieve();
  const heldCents = [...available, ...pending].reduce((sum, { amount }) => sum + amount, 0);
  const { rows: sums } = await connection.pool.query<{ account: string; cents: number }>(
    `select account, sum(amount_cents)::int as cents from ledger_entries
      where account in ('processor', 'suspense') group by account having sum(amount_cents) <> 0`,
  );
  expect(sums).toEqual([{ account: 'processor', cents: heldCents }]);
}

/** The carriers bill the labels that the shop knows, each once. */
async function requireBilledLabels(): Promise<void> {
  const lines = parseInvoice(await carriers.invoice());
  expect(new Set(lines.map(({ shipmentId }) => shipmentId)).size).toBe(lines.length);
  expect(await invoiceDifferences(shop.connection.database, lines)).toEqual([]);
  const { rows } = await shop.connection.pool.query('select from labels where bought_at is not null');
  expect(rows).toHaveLength(lines.length);
  figures.labels = lines.length;
}

/** After all disturbances have ended, each periodic task runs without a failure, also of a single item. */
async function requireWorkingTasks(): Promise<void> {
  loggedErrors.length = 0;
  expect(await shop.runTasks()).toEqual([]);
  expect(loggedErrors).toEqual([]);
}

/**
 * Executes the commands with new users and laptops, waits until the shop is idle, and completes open bookings and failed
 * refunds.
 */
async function executeRun(commands: Iterable<fc.AsyncCommand<Model, World>>): Promise<void> {
  const world = await createWorld(shop, { admin, carriers, before });
  const model = createModel();
  try {
    await fc.asyncModelRun(() => ({ model, real: world }), commands);
  } finally {
    await waitUntilIdle(world);
  }
  expect((await findRunViolations(world)).violations).toEqual([]);
  await requireBilledLabels();
  expect(await findPaymentWindowViolations(shop)).toEqual([]);
  await bookAvailable(world);
  await completeOpenBookings(model, world);
  await completeFailedRefunds(world);
  const { violations, ledger } = await findRunViolations(world);
  expect(violations).toEqual([]);
  await requireEqualBalances();
  await requireWorkingTasks();
  expect(await findPriceViolations(shop)).toEqual([]);
  before = ledger;
  figures.transferred = ledger.transfers.length;
  figures.reversed = ledger.transfers.filter(({ reversedCents }) => reversedCents > 0).length;
  const kept = ledger.intents.filter(({ receivedCents, refundedCents }) => receivedCents > refundedCents);
  figures.runs += 1;
  figures.actions += model.actions;
  figures.charged += ledger.intents.filter(({ status }) => status === 'succeeded').length;
  figures.refunded += ledger.intents.filter(
    ({ receivedCents, refundedCents }) => refundedCents > 0 && refundedCents === receivedCents,
  ).length;
  figures.disputed += ledger.intents.filter(({ dispute }) => dispute !== null).length;
  figures.sold += kept.length;
}

const property =
  'after any interleaving a laptop is sold once, every other charge is refunded, and the books balance after each act';

testSeeds(
  property,
  seeds,
  async (seed) => {
    before = await readProcessorLedger(shop.cards.stripe);
    let shrinkingEnd = Number.POSITIVE_INFINITY;
    await fc.assert(
      fc.asyncProperty(generateRuns(MODEL_REPLAY), async (commands) => {
        if (performance.now() > shrinkingEnd) return;
        await executeRun(commands).catch((failure: unknown) => {
          shrinkingEnd = Math.min(shrinkingEnd, performance.now() + SHRINKING_MS);
          throw failure;
        });
      }),
      { seed, numRuns: runsPerSeed, ...(MODEL_PATH !== undefined && { path: MODEL_PATH }) },
    );
    process.stdout.write(
      `Model: ${figures.runs} interleavings of ${figures.actions} actions, ${figures.charged} cards charged, ` +
        `${figures.sold} laptops sold, ${figures.refunded} payments refunded, ${figures.failed} of them after ` +
        `a failure, ${figures.disputed} disputed, ${figures.transferred} transfers to sellers, ` +
        `${figures.reversed} of them reversed, ${figures.labels} labels bought, no violation.\n`,
    );
    expect(figures.runs).toBeGreaterThan(0);
    expect(figures.charged).toBe(figures.sold + figures.refunded);
  },
  furtherSeeds,
);
