import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../platform/durations.ts';
import {
  AFTER_DISPUTE_MS,
  AFTER_MEETING_MS,
  deadlineDays,
  deadlineMs,
  isTimed,
  latestMeeting,
  type OrderFacts,
  type OrderState,
  orderDeadlines,
  orderMoves,
  orderMovesOf,
  orderStateAfter,
  orderStates,
  parcelStates,
  RETURN_PARCEL_MS,
  releaseTime,
} from './order-states.ts';

/** The states in which a bank can dispute the payment. */
const disputable: readonly OrderState[] = orderMoves.dispute.from;
const facts = [true, false].flatMap((isWithBuyer) =>
  [true, false].flatMap((isReleased) =>
    disputable.flatMap((disputedIn) =>
      (['held', ...parcelStates] as const).map((handOverState) => ({
        isWithBuyer,
        isReleased,
        disputedIn,
        handOverState,
      })),
    ),
  ),
);
const final: OrderState[] = ['completed', 'refunded', 'charged_back'];

/** The states that can follow a state by moves of these actors. */
function statesAfter(from: OrderState, actors: readonly Parameters<typeof orderMovesOf>[0][]): OrderState[] {
  return actors
    .flatMap((actor) => orderMovesOf(actor, from))
    .flatMap((move) => facts.map((fact) => orderStateAfter(move, from, fact)))
    .filter((state) => state !== null);
}

describe.each(orderStates)('the state %s', (state) => {
  test('ends by itself in a final state, or is final, or waits for a bank', () => {
    const seen = new Set<OrderState>([state]);
    const waiting = [state];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const after of statesAfter(next, ['deadline', 'bank']))
        if (!seen.has(after)) {
          seen.add(after);
          waiting.push(after);
        }
    }
    expect([...seen].some((reached) => final.includes(reached))).toBe(true);
    if (isTimed(state)) {
      const { move } = orderDeadlines[state];
      for (const fact of facts) expect(orderStateAfter(move, state, fact)).not.toBeNull();
    } else expect([...final, 'charge_disputed']).toContain(state);
  });

  test('is reached from a new order', () => {
    const seen = new Set<OrderState>(['held', 'to_ship']);
    for (let size = 0; size < seen.size; ) {
      size = seen.size;
      for (const from of [...seen])
        for (const to of statesAfter(from, ['buyer', 'seller', 'admin', 'deadline', 'bank'])) seen.add(to);
    }
    expect(seen).toContain(state);
  });
});

test('a refunded or charged back order never moves again', () => {
  for (const name of Object.keys(orderMoves) as (keyof typeof orderMoves)[])
    for (const state of ['refunded', 'charged_back'] as const)
      expect(
        orderStateAfter(name, state, {
          isWithBuyer: true,
          isReleased: true,
          disputedIn: null,
          handOverState: 'held' as const,
        }),
      ).toBeNull();
});

test('a laptop that the buyer has returns before the money', () => {
  const withBuyer = {
    isWithBuyer: true,
    isReleased: false,
    disputedIn: null,
    handOverState: 'held' as const,
  };
  expect(orderStateAfter('accept', 'complaint', withBuyer)).toBe('awaiting_return');
  expect(orderStateAfter('accept', 'complaint', { ...withBuyer, isWithBuyer: false })).toBe('refunded');
});

test('a dispute that the bank decides for the shop changes nothing', () => {
  for (const disputedIn of disputable)
    expect(
      orderStateAfter('win_dispute', 'charge_disputed', {
        isWithBuyer: true,
        isReleased: true,
        disputedIn,
        handOverState: 'held',
      }),
    ).toBe(disputedIn);
});

test('a return that turns back is contested, after the bank has decided if it disputes the payment', () => {
  const facts = {
    isWithBuyer: false,
    isReleased: false,
    disputedIn: null,
    handOverState: 'delivered' as const,
  };
  expect(orderStateAfter('turn_back', 'return_reported', facts)).toBe('contested');
  expect(orderStateAfter('turn_back', 'released', facts)).toBeNull();
  const disputed = (disputedIn: OrderState) =>
    orderStateAfter('turn_back', 'charge_disputed', { ...facts, disputedIn });
  expect(disputed('return_reported')).toBe('charge_disputed');
  expect(disputed('released')).toBeNull();
});

test('a complaint that is taken back before the hand-over does not release the money', () => {
  const facts = { isWithBuyer: false, isReleased: false, disputedIn: null, handOverState: 'held' as const };
  const after = (known: Partial<OrderFacts>) =>
    orderStateAfter('withdraw', 'complaint', { ...facts, ...known });
  expect(after({})).toBe('held');
  for (const handOverState of parcelStates) expect(after({ handOverState })).toBe(handOverState);
  expect(after({ isWithBuyer: true, handOverState: 'delivered' })).toBe('released');
  expect(after({ isReleased: true })).toBe('released');
});

test('each actor makes the own moves of a state, and no other', () => {
  expect(orderMovesOf('seller', 'held')).toEqual(['hand_over', 'cancel']);
  expect(orderMovesOf('buyer', 'held')).toEqual(['confirm', 'complain']);
  expect(orderMovesOf('deadline', 'held')).toEqual(['release', 'not_handed_over']);
  expect(orderMovesOf('carrier', 'held')).toEqual([]);
  expect(orderMovesOf('seller', 'refunded')).toEqual([]);
});

test('the days of a deadline are those of its state', () => {
  expect(deadlineDays('held')).toBe(7);
  expect(deadlineDays('released')).toBe(14);
  expect(deadlineMs('return_reported')).toBe(5 * DAY_MS);
  expect([RETURN_PARCEL_MS, AFTER_MEETING_MS, AFTER_DISPUTE_MS]).toEqual([
    14 * DAY_MS,
    3 * DAY_MS,
    3 * DAY_MS,
  ]);
});

test('money is held until three days after the meeting, which is within 30 days, and never for less than promised', () => {
  const since = new Date('2026-11-01T12:00:00Z');
  const inDays = (days: number) => new Date(since.getTime() + days * DAY_MS);
  const held = { since, promised: inDays(7) };
  expect(latestMeeting(since)).toEqual(inDays(30));
  expect(releaseTime(held, null)).toEqual(inDays(7));
  expect(releaseTime(held, inDays(2))).toEqual(inDays(7));
  expect(releaseTime(held, inDays(16))).toEqual(inDays(19));
  expect(releaseTime(held, inDays(40))).toEqual(inDays(33));
});
