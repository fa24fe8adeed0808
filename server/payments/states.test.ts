// Every order in which news about an intent, a refund or a dispute can arrive ends in the same state, and tells of each
// step at most once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { CardDispute, CardRefund } from './cards.ts';
import { applyDispute } from './disputes.ts';
import { findRefundById, insertRefund } from './refund-store.ts';
import { applyRefund } from './refunds.ts';
import { disputeStates, intentStates, refundStates, statesBefore } from './states.ts';
import { endIntent } from './store.ts';

let shop: TestShop;
let booking: BookedLaptop;
let admin: string;
let serial = 0;

beforeAll(async () => {
  shop = await startTestShop();
  admin = (await shop.admin()).userId;
  const id = await shop.booking(await shop.buyer(), await shop.laptop(await shop.seller()));
  const found = await findBooking(shop.connection.database, id);
  if (found === null) throw new Error('There is no booking.');
  booking = found;
});
afterAll(() => shop.close());

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** What applying news needs, and which letters it asked for. */
function dependencies() {
  const letters: string[] = [];
  return {
    letters,
    database: shop.connection.database,
    enqueue: async (_transaction: unknown, _job: unknown, data: object) => {
      letters.push(
        'tell' in data ? String(data.tell) : 'adminId' in data ? `failed ${data.adminId}` : 'refunded',
      );
    },
  };
}

async function actsOf(transactionId: string): Promise<string[]> {
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

describe('the orders', () => {
  test.each([
    ['intents', intentStates],
    ['refunds', refundStates],
    ['disputes', disputeStates],
  ])(
    'of %s are partial orders: nothing follows itself, and what follows a follower follows as well',
    (_, order) => {
      const follows: Record<string, readonly string[]> = order;
      for (const [state, later] of Object.entries(follows)) {
        expect(later).not.toContain(state);
        for (const next of later) for (const last of follows[next] ?? []) expect(later).toContain(last);
      }
    },
  );

  test('name the states before a state', () => {
    expect(statesBefore(disputeStates, 'chargeback')).toEqual(['open', 'inquiry', 'inquiry_closed']);
    expect(statesBefore(intentStates, 'open')).toEqual([]);
  });
});

type DisputeNews = CardDispute['state'];

/** The course of a dispute, and what the audit trail says at most. */
const courses: DisputeNews[][] = [
  ['inquiry', 'inquiry_closed'],
  ['inquiry', 'chargeback', 'won'],
  ['inquiry', 'chargeback', 'lost'],
  ['chargeback', 'lost'],
  ['inquiry', 'inquiry_closed', 'chargeback', 'won'],
];
const actOf: Record<DisputeNews, string> = {
  inquiry: 'Dispute opened',
  inquiry_closed: 'Inquiry closed',
  chargeback: 'Dispute escalated',
  won: 'Dispute won',
  lost: 'Dispute lost',
};

async function disputeAfter(
  order: readonly DisputeNews[],
  how: 'in turn' | 'at once',
): Promise<{ state: string; acts: string[]; letters: string[] }> {
  const { letters, ...needed } = dependencies();
  const [disputeId, transactionId] = [nextId('du'), nextId('pi_disputed')];
  const apply = (state: DisputeNews) =>
    applyDispute(needed, booking, {
      disputeId,
      transactionId,
      amountCents: 54_999,
      reason: 'fraudulent',
      state,
      evidenceDueAt: null,
    });
  if (how === 'at once') await Promise.all(order.map(apply));
  else for (const state of order) await apply(state);
  const { rows } = await shop.connection.pool.query('select state from disputes where card_dispute_id = $1', [
    disputeId,
  ]);
  return { state: rows[0]?.state, acts: await actsOf(transactionId), letters };
}

describe.each(courses.map((course) => [course.join(', '), course] as const))('a dispute: %s', (_, course) => {
  const orders = permutations(course);
  const doubled = orders.flatMap((order) => [order, [...order, ...order], [...order, ...order.toReversed()]]);

  test.each(doubled.map((order) => [order.join(', '), order] as const))(
    'in turn: %s',
    async (_name, order) => {
      const { state, acts, letters } = await disputeAfter(order, 'in turn');
      expect(state).toBe(course.at(-1));
      expect(acts[0]).toBe('Dispute opened');
      expect(new Set(acts).size).toBe(acts.length);
      const expected = course.map((step) => actOf[step]);
      expect(acts.slice(1).every((act) => expected.includes(act))).toBe(true);
      if (course.at(-1) !== 'chargeback') expect(acts.at(-1)).toBe(actOf[course.at(-1) ?? 'won']);
      expect(letters).toHaveLength(acts.length);
    },
  );

  test('all at the same moment, ten times', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { state, acts } = await disputeAfter([...course, ...course], 'at once');
      expect(state).toBe(course.at(-1));
      expect(new Set(acts).size).toBe(acts.length);
    }
  });
});

type RefundNews = CardRefund['status'];

describe.each<[string, RefundNews[], string, string[]]>([
  ['that comes through', ['pending', 'succeeded'], 'done', ['refunded']],
  ['that fails', ['pending', 'failed'], 'failed', ['failed']],
  ['that fails after it had come through', ['pending', 'succeeded', 'failed'], 'failed', ['failed']],
])('a refund %s', (_, course, final, told) => {
  const orders = permutations(course).flatMap((order) => [order, [...order, ...order.toReversed()]]);
  test.each(orders.map((order) => [order.join(', '), order] as const))('%s', async (_name, order) => {
    const { letters, ...needed } = dependencies();
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
    // Each answer was asked for while the refund was as it was at first.
    for (const status of order) await applyRefund(needed, refund, { status, failureReason: 'declined' });
    expect((await findRefundById(database, id))?.state).toBe(final);
    const once = (letter: string) => letters.filter((one) => one === letter).length;
    if (told.includes('failed')) expect([once('failed null'), once(`failed ${admin}`)]).toEqual([1, 1]);
    expect(once('refunded')).toBeLessThanOrEqual(1);
    expect(await actsOf(transactionId)).toEqual(final === 'failed' ? ['Refund failed'] : []);
  });
});

describe.each([['settled'], ['refunded']] as const)(
  'an attempt that was given up and paid all the same: %s',
  (end) => {
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
  },
);
