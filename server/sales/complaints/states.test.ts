// A model of an order, made of the rules that the server applies, without a database. All states that any moves of people,
// deadlines and banks can reach are visited, and random walks with random amounts check the money.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Delivery,
  deadlineMs,
  deliveries,
  isTimed,
  MAXIMUM_PARCELS,
  type OrderMove,
  type OrderState,
  orderDeadlines,
  orderMoves,
  orderStates,
} from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import {
  buyerAnswers,
  type ComplaintKind,
  decisionsOfComplaint,
  sellerAnswers,
} from '#contract/sales/complaints.ts';
import {
  disputeLostPosting,
  disputeOpenedPosting,
  disputeWonPosting,
  type Entry,
  salePosting,
} from '#server/money/ledger/rules.ts';
import {
  deadlinesAfter,
  moveEffects,
  type OrderedLaptop,
  parcelTimesAfter,
  toLedgerOrder,
} from '#server/sales/orders/rules.ts';
import {
  answerRefusal,
  type ComplaintMove,
  complaintRefusal,
  isWithBuyerAfter,
  type StatementOfComplaint,
} from './rules.ts';

const PRICE_CENTS = 54_999;

/** An order with what was done about its present complaint. */
interface Model {
  order: OrderedLaptop;
  complaints: number;
  /** How often a parcel was sent. */
  parcels: number;
  /** How often a return turned back. */
  turnBacks: number;
  kind: ComplaintKind;
  statements: StatementOfComplaint[];
  refunds: number;
  disputes: number;
}

const newModel = (priceCents = PRICE_CENTS, commissionCents = 2_749, delivery: Delivery = 'meet'): Model => ({
  order: {
    ...{ id: 'order', number: '1', booking_id: 'b', laptop_id: 'l', buyer_id: 'buyer', seller_id: 'seller' },
    ...{ transaction_id: 'pi', price_cents: priceCents, commission_cents: commissionCents },
    ...{ delivery, state: delivery === 'ship' ? 'to_ship' : 'held', reminded_in: null, is_put_off: false },
    ...{ shipped_at: null, delivered_at: null, ship_name: null, ship_line1: null, ship_line2: null },
    ...{ ship_city: null, ship_region: null, ship_postal_code: null, ship_country: null },
    ...{
      due_at: null,
      promised_until: new Date(0),
      disputed_in: null,
      cancel_reason: null,
      in_complaint: false,
      released_at: null,
    },
    ...{ placed_at: new Date(0), state_since: new Date(0), stands: true, laptop_with_buyer: false },
    ...{ refunded_cents: 0, goodwill_cents: 0, handover_code: '123456', wrong_codes: 0 },
    ...{ codes_locked_until: null, laptop_name: 'L', laptop_images: [], has_certificate: false },
    ...{ news: null, is_measured: false, buyer_name: 'B', seller_name: 'S', seller_ended_at: null },
    ...{ seller_reviews: null, seller_stars: null, buyer_reviews: null, buyer_stars: null },
  },
  complaints: 0,
  parcels: 0,
  turnBacks: 0,
  kind: 'does_not_work',
  statements: [],
  refunds: 0,
  disputes: 0,
});

const answers: readonly string[] = [...buyerAnswers, ...sellerAnswers, ...decisionsOfComplaint];
const isAnswer = (move: OrderMove): move is ComplaintMove & OrderMove => answers.includes(move);
/** Refunds beside a complaint are possible from every state that is not refunded, and end an order. */
const isRefundBeside = (move: OrderMove) => move === 'refund_rest' || move === 'refund_outside';
const allMoves = Object.keys(orderMoves) as OrderMove[];

/** How many disputes the model allows: a bank can open others as it likes. */
const DISPUTES = 2;

/** How many returns turn back in the model: a seller can refuse others. */
const TURN_BACKS = 1;

/** Whether a move is of an order whose complaint is open, or makes one. */
const isOfComplaint = (move: OrderMove) =>
  isAnswer(move) ||
  [
    ...['complain', 'accept_late', 'take_offer_late', 'decide_late', 'keep_laptop', 'assume_return'],
    ...['collect_return', 'not_addressed'],
  ].includes(move);

/** Applies a move as the actions do. @returns null when they refuse it */
function apply(
  model: Model,
  move: OrderMove,
  { amountCents, kind }: { amountCents: number; kind: ComplaintKind },
  now = new Date(0),
): { model: Model; entries: Entry[] } | null {
  const { order } = model;
  if (move === 'complain' && complaintRefusal(order, model.complaints, kind) !== null) return null;
  if (isAnswer(move) && answerRefusal(model.statements, move, model.kind) !== null) return null;
  if (move === 'dispute' && model.disputes >= DISPUTES) return null;
  if (move === 'turn_back' && model.turnBacks >= TURN_BACKS) return null;
  if (move === 'send_again' && model.parcels >= MAXIMUM_PARCELS) return null;
  const isHandOver = move === 'hand_over' || move === 'confirm' || move === 'receive';
  const isWithBuyer = isOfComplaint(move)
    ? isWithBuyerAfter(move, move === 'complain' ? kind : model.kind)
    : isHandOver || undefined;
  const effects = moveEffects(order, move, {
    amountCents: move === 'lose_dispute' ? order.price_cents - order.refunded_cents : amountCents,
    ...(isWithBuyer !== undefined && { isWithBuyer }),
  });
  if (effects === null) return null;
  const next: OrderedLaptop = {
    ...order,
    ...parcelTimesAfter(order, effects.to, now),
    state: effects.to,
    ...deadlinesAfter(order, effects.to, now),
    disputed_in: effects.disputedIn,
    laptop_with_buyer: effects.isWithBuyer,
    refunded_cents: order.refunded_cents + effects.returnedCents,
    released_at: effects.isCredited ? now : order.released_at,
  };
  const said: StatementOfComplaint = {
    ...{ id: '', said_at: now, party: 'buyer', text: '', amount_cents: null, photos: [] },
    move: isAnswer(move) ? move : null,
  };
  const disputeId = `dispute ${model.disputes + (move === 'dispute' ? 1 : 0)}`;
  const wasOpened = order.state === 'charge_disputed';
  const bank = {
    dispute: [disputeOpenedPosting(disputeId, order.price_cents)],
    win_dispute: [disputeWonPosting(disputeId, order.price_cents)],
    lose_dispute: [
      ...(wasOpened ? [] : [disputeOpenedPosting(disputeId, order.price_cents)]),
      disputeLostPosting(disputeId, order.price_cents, toLedgerOrder(order)),
    ],
  };
  const bankPostings = move in bank ? bank[move as keyof typeof bank] : [];
  return {
    model: {
      order: next,
      complaints: model.complaints + (move === 'complain' ? 1 : 0),
      parcels: model.parcels + (move === 'ship' || move === 'collect' ? 1 : 0),
      turnBacks: model.turnBacks + (move === 'turn_back' ? 1 : 0),
      kind: move === 'complain' ? kind : model.kind,
      statements: move === 'complain' ? [] : isAnswer(move) ? [...model.statements, said] : model.statements,
      refunds: model.refunds + (effects.refundCents > 0 ? 1 : 0),
      disputes: model.disputes + (move === 'dispute' ? 1 : 0),
    },
    entries: [...effects.postings, ...bankPostings].flatMap(({ entries }) => entries),
  };
}

/** Everything about a model on which its future depends. */
function keyOf({ order, complaints, kind, statements, ...model }: Model): string {
  const count = (move: ComplaintMove) => statements.filter((said) => said.move === move).length;
  const { state, delivery, disputed_in, laptop_with_buyer, released_at, refunded_cents } = order;
  return JSON.stringify([
    ...[state, disputed_in, laptop_with_buyer, released_at === null, refunded_cents, complaints],
    ...[delivery, order.shipped_at === null, order.delivered_at === null, model.parcels],
    ...[complaints > 0 ? kind : '', count('offer'), count('decide_return'), model.refunds, model.disputes],
    model.turnBacks,
  ]);
}

const kinds = ['does_not_work', 'not_taken', 'not_arrived'] as const;

/** The models that can follow a model. @param moves only by these */
function following(model: Model, moves: readonly OrderMove[] = allMoves): Model[] {
  return moves.flatMap((move) =>
    (move === 'complain' ? kinds : [model.kind]).flatMap((kind) => {
      const applied = apply(model, move, { amountCents: 1_000, kind });
      return applied === null ? [] : [applied.model];
    }),
  );
}

/** Every model that can be reached from a sale of either delivery. */
function reachable(): Map<string, Model> {
  const found = new Map(
    deliveries.map((delivery) => {
      const model = newModel(PRICE_CENTS, 2_749, delivery);
      return [keyOf(model), model];
    }),
  );
  for (const model of found.values()) {
    for (const next of following(model)) if (!found.has(keyOf(next))) found.set(keyOf(next), next);
  }
  return found;
}

const all = reachable();
const deadlineMoveOf = (state: OrderState): OrderMove | null =>
  isTimed(state) ? orderDeadlines[state].move : null;
const waitOf = (state: OrderState) => (isTimed(state) ? deadlineMs(state) : 0);

/** Calculates for each model the longest time until its order ends. @throws Error for a way round a circle */
function longestDays(nextOf: (model: Model) => Model[]): Map<string, number> {
  const known = new Map<string, number | 'open'>();
  const measure = (model: Model): number => {
    const key = keyOf(model);
    const days = known.get(key);
    if (days === 'open') throw new Error(`The order can come back to ${key}.`);
    if (days !== undefined) return days;
    known.set(key, 'open');
    const longest = waitOf(model.order.state) / DAY_MS + Math.max(0, ...nextOf(model).map(measure));
    known.set(key, longest);
    return longest;
  };
  for (const model of all.values()) measure(model);
  return new Map([...known].flatMap(([key, days]) => (days === 'open' ? [] : [[key, days]])));
}

describe('every state that can be reached', () => {
  test('is among thousands that cover all states of an order', () => {
    expect(all.size).toBeGreaterThan(1_000);
    expect(new Set([...all.values()].map(({ order }) => order.state)).size).toBe(orderStates.length);
  });

  test('waits for a bank, is final, or has a deadline whose move is possible', () => {
    for (const model of all.values()) {
      const { state } = model.order;
      const move = deadlineMoveOf(state);
      if (move !== null) expect(following(model, [move]), keyOf(model)).toHaveLength(1);
      else if (state === 'charge_disputed')
        expect(following(model, ['win_dispute', 'lose_dispute'])).toHaveLength(2);
      else
        expect(
          following(
            model,
            allMoves.filter((name) => orderMoves[name].by !== 'bank' && !isRefundBeside(name)),
          ),
        ).toEqual([]);
    }
  });

  test('ends within 42 days when nobody does anything', () => {
    const days = longestDays((model) => {
      const move = deadlineMoveOf(model.order.state);
      return move === null ? [] : following(model, [move]);
    });
    // Contested, then awaiting return, then released.
    expect(Math.max(...days.values())).toBe(42);
  });

  test('ends whatever people do: no way leads back to it', () => {
    const longest = Math.max(...longestDays((model) => following(model)).values());
    // Three complaints with all offers, denials and decisions at the last moment.
    expect(longest).toBeLessThan(2 * 365);
  });

  test('refunded a part per complaint and the rest once at most, and never more than the price', () => {
    for (const { refunds, order, complaints } of all.values()) {
      expect(refunds).toBeLessThanOrEqual(complaints + 1);
      expect(order.refunded_cents).toBeLessThanOrEqual(order.price_cents);
    }
  });

  test('leaves the laptop with the seller when it was returned or never handed over', () => {
    for (const model of all.values()) {
      const { order } = model;
      if (order.state === 'return_reported') expect(order.laptop_with_buyer).toBe(false);
      if (order.state === 'awaiting_return') expect(order.laptop_with_buyer).toBe(true);
      if (['held', 'to_ship', 'shipped'].includes(order.state))
        expect(order.laptop_with_buyer, keyOf(model)).toBe(false);
      if (order.state === 'completed') expect(order.laptop_with_buyer, keyOf(model)).toBe(true);
    }
  });
});

test('whatever happens, the books balance and nobody gets more than was paid', () => {
  const step = fc.record({
    move: fc.constantFrom(...allMoves),
    share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    kind: fc.constantFrom(...kinds),
  });
  const sale = fc.record({
    price: fc.integer({ min: 200, max: 5_000_000 }),
    percent: fc.integer({ min: 0, max: 100 }),
    delivery: fc.constantFrom(...deliveries),
  });
  fc.assert(
    fc.property(sale, fc.array(step, { maxLength: 60 }), ({ price, percent, delivery }, steps) => {
      let model = newModel(price, Math.floor((price * percent) / 100), delivery);
      const entries: Entry[] = [...salePosting(toLedgerOrder(model.order), 'pi').entries];
      const sum = (account: Entry['account']) =>
        entries.reduce((total, entry) => (entry.account === account ? total + entry.amountCents : total), 0);
      for (const { move, share, kind } of steps) {
        const amountCents = Math.max(1, Math.floor(price * share));
        const applied = apply(model, move, { amountCents, kind });
        if (applied === null) continue;
        ({ model } = applied);
        entries.push(...applied.entries);
        const { order } = model;
        const left = price - order.refunded_cents;
        expect(entries.reduce((total, { amountCents: cents }) => total + cents, 0)).toBe(0);
        // What is not given back is held, or the seller's and the shop's.
        expect(0 - sum('held') - sum('payable') - sum('commission')).toBe(left);
        expect(sum('held') + 0).toBe(order.released_at === null ? -left + 0 : 0);
        expect(0 - sum('payable')).toBeGreaterThanOrEqual(0);
        expect(-sum('commission')).toBeGreaterThanOrEqual(0);
        expect(-sum('refunds_due')).toBeLessThanOrEqual(price);
      }
    }),
    { numRuns: 500 },
  );
});
