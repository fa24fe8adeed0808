// Updates of an intent, a refund or a dispute end in the same state in every order, and each step is notified at most
// once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRefundById, insertRefund } from '#server/money/refunds/steps.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import { applyRefund } from './apply-refund.ts';
import type { CardDispute, CardRefund } from './card-processor.ts';
import { applyDispute } from './disputes.ts';
import { endIntent } from './store.ts';

let shop: TestShop;
let booking: BookedLaptop;
let serial = 0;

beforeAll(async () => {
  shop = await startTestShop();
  const id = await shop.booking(await shop.buyer(), await shop.laptop(await shop.seller()));
  const found = await findBooking(shop.connection.database, id);
  if (found === undefined) throw new Error('There is no booking.');
  booking = found;
});
afterAll(() => shop.close());

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** Dependencies that collect the queued emails. */
function dependencies() {
  const emails: string[] = [];
  return {
    emails,
    database: shop.connection.database,
    logger: shop.logger,
    enqueue: async (_transaction: unknown, { name }: { name: string }) => {
      emails.push(name);
    },
  };
}

async function auditActionsOf(transactionId: string): Promise<string[]> {
  const { rows } = await shop.connection.pool.query<{ act: string }>(
    'select act from audit_entries where right(subject, length($1)) = $1 order by number',
    [transactionId],
  );
  return rows.map(({ act }) => act);
}

function nextId(kind: string): string {
  serial += 1;
  return `${kind}_${serial}`;
}

type DisputeUpdate = CardDispute['state'];

/** The states that a dispute passes through. */
const courses: DisputeUpdate[][] = [
  ['inquiry', 'inquiry_closed'],
  ['inquiry', 'disputed', 'won'],
  ['inquiry', 'disputed', 'lost'],
  ['disputed', 'lost'],
  ['inquiry', 'inquiry_closed', 'disputed', 'won'],
];
const auditActionOf: Record<DisputeUpdate, string> = {
  inquiry: 'Dispute opened',
  inquiry_closed: 'Inquiry closed',
  disputed: 'Dispute escalated',
  won: 'Dispute won',
  lost: 'Dispute lost',
};

async function disputeAfter(
  order: readonly DisputeUpdate[],
  how: 'sequentially' | 'concurrently',
): Promise<{ state: string; actions: string[]; emails: string[] }> {
  const { emails, ...needed } = dependencies();
  const [disputeId, transactionId] = [nextId('du'), nextId('pi_disputed')];
  const apply = (state: DisputeUpdate) =>
    applyDispute(needed, booking, {
      disputeId,
      transactionId,
      amountCents: 54_999,
      reason: 'fraudulent',
      state,
      evidenceDueAt: null,
    });
  if (how === 'concurrently') await Promise.all(order.map(apply));
  else for (const state of order) await apply(state);
  const { rows } = await shop.connection.pool.query('select state from disputes where card_dispute_id = $1', [
    disputeId,
  ]);
  return { state: rows[0]?.state, actions: await auditActionsOf(transactionId), emails };
}

describe.each(courses.map((course) => [course.join(', '), course] as const))('a dispute: %s', (_, course) => {
  const orders = permutations(course);
  const doubled = orders.flatMap((order) => [order, [...order, ...order], [...order, ...order.toReversed()]]);

  test.each(doubled.map((order) => [order.join(', '), order] as const))(
    'sequentially: %s',
    async (_name, order) => {
      const { state, actions, emails } = await disputeAfter(order, 'sequentially');
      expect(state).toBe(course.at(-1));
      expect(actions[0]).toBe('Dispute opened');
      expect(new Set(actions).size).toBe(actions.length);
      const expected = course.map((step) => auditActionOf[step]);
      expect(actions.slice(1).every((act) => expected.includes(act))).toBe(true);
      if (course.at(-1) !== 'disputed') expect(actions.at(-1)).toBe(auditActionOf[course.at(-1) ?? 'won']);
      expect(emails).toHaveLength(actions.length);
    },
  );

  test('concurrently, ten times', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { state, actions } = await disputeAfter([...course, ...course], 'concurrently');
      expect(state).toBe(course.at(-1));
      expect(new Set(actions).size).toBe(actions.length);
    }
  });
});

type RefundStatus = CardRefund['status'];

describe.each<[string, RefundStatus[], string, string[]]>([
  ['that succeeds', ['pending', 'succeeded'], 'done', ['refunded']],
  ['that fails', ['pending', 'failed'], 'failed', ['failed']],
  ['that fails after it succeeded', ['pending', 'succeeded', 'failed'], 'failed', ['failed']],
])('a refund %s', (_, course, final, notified) => {
  const orders = permutations(course).flatMap((order) => [order, [...order, ...order.toReversed()]]);
  test.each(orders.map((order) => [order.join(', '), order] as const))('%s', async (_name, order) => {
    const { emails, ...needed } = dependencies();
    const { database } = needed;
    const transactionId = nextId('pi_refunded');
    const id = await database.transaction().execute((transaction) =>
      insertRefund(transaction, {
        booking_id: booking.id,
        transaction_id: transactionId,
        amount_cents: 54_999,
        reason: 'paid_twice',
      }),
    );
    const refund = await findRefundById(database, id);
    if (refund === undefined) throw new Error('There is no refund.');
    // Each status was requested while the refund was in its first state.
    for (const status of order) {
      await applyRefund(needed, refund, { status, failureReason: 'declined', pendingReason: null });
    }
    expect((await findRefundById(database, id))?.state).toBe(final);
    const once = (email: string) => emails.filter((each) => each === email).length;
    if (notified.includes('failed')) expect(once('payments.refund-failed')).toBe(1);
    expect(once('payments.refunded')).toBeLessThanOrEqual(1);
    expect(await auditActionsOf(transactionId)).toEqual(final === 'failed' ? ['Refund failed'] : []);
  });
});

describe.each([['sold'], ['refunded']] as const)('an attempt that was closed and then paid: %s', (end) => {
  test.each(
    permutations(['closed', end, 'closed'] as const).map((order) => [order.join(', '), order] as const),
  )('%s', async (_name, order) => {
    const { database } = shop.connection;
    const transactionId = nextId('pi_attempt');
    await shop.connection.pool.query(
      'insert into payment_intents (booking_id, amount_cents, transaction_id) values ($1, 54999, $2)',
      [booking.id, transactionId],
    );
    for (const state of order) await endIntent(database, transactionId, state);
    const { rows } = await shop.connection.pool.query(
      'select state from payment_intents where transaction_id = $1',
      [transactionId],
    );
    expect(rows).toEqual([{ state: end }]);
  });
});
