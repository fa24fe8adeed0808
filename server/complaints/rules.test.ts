import { describe, expect, test } from 'vitest';
import { MAXIMUM_COMPLAINTS, MAXIMUM_OFFERS, MAXIMUM_OWN_STATEMENTS } from '#contract/complaints.ts';
import {
  type Answer,
  answerObjection,
  complaintObjection,
  isOpen,
  isRepeated,
  isWithBuyerAfter,
  latestOffer,
  type Party,
  partObjection,
  type StatementOfComplaint,
  statementObjection,
  toComplaint,
} from './rules.ts';

const said = (
  party: Party,
  move: Answer | 'complain' | null,
  amount_cents: number | null = null,
): StatementOfComplaint => ({
  ...{ id: crypto.randomUUID(), said_at: new Date(0), text: '', photos: ['/photos/a'] },
  ...{ party, move, amount_cents },
});
const complained = said('buyer', 'complain');
const offer = (cents: number) => said('seller', 'offer', cents);

test('a missing hand-over can be complained about only while the buyer does not have the laptop', () => {
  const order = { laptop_name: 'X1', laptop_with_buyer: true };
  expect(complaintObjection(order, 0, 'not_handed_over')).toContain('X1');
  expect(complaintObjection(order, 0, 'locked')).toBeNull();
  expect(complaintObjection({ ...order, laptop_with_buyer: false }, 0, 'not_handed_over')).toBeNull();
  expect(complaintObjection(order, MAXIMUM_COMPLAINTS, 'locked')).toContain('3 times');
});

test('of a laptop that the buyer does not have no part of the price can be settled', () => {
  for (const kind of ['not_handed_over', 'not_taken'] as const) {
    expect(answerObjection([], 'offer', kind)).toContain('does not have the laptop');
    expect(answerObjection([], 'decide_part', kind)).toContain('does not have the laptop');
    expect(answerObjection([], 'accept', kind)).toBeNull();
    expect(isWithBuyerAfter('complain', kind)).toBe(false);
    expect(isWithBuyerAfter('decide_release', kind)).toBe(true);
  }
});

test('words are counted by side, and moves do not count', () => {
  const words = Array.from({ length: MAXIMUM_OWN_STATEMENTS }, () => said('buyer', null));
  expect(statementObjection([complained, ...words], 'buyer')).not.toBeNull();
  expect(statementObjection([complained, ...words.slice(1)], 'buyer')).toBeNull();
  expect(statementObjection([complained, ...words], 'seller')).toBeNull();
});

test('offers are counted, and an amount is less than what is left', () => {
  const offers = Array.from({ length: MAXIMUM_OFFERS }, () => offer(100));
  expect(answerObjection(offers, 'offer', 'locked')).not.toBeNull();
  expect(answerObjection(offers.slice(1), 'offer', 'locked')).toBeNull();
  expect(answerObjection(offers, 'accept', 'locked')).toBeNull();
  const order = { price_cents: 50_000, refunded_cents: 10_000 };
  expect([partObjection(order, 39_999), partObjection(order, 40_000)]).toEqual([null, expect.any(String)]);
});

describe('a repetition', () => {
  const statements = [complained, offer(100), said('buyer', null)];

  test('is the latest move with the same amount by the same side; words between do not matter', () => {
    expect(isRepeated(statements, 'seller', { move: 'offer', amount: 100 })).toBe(true);
    expect(isRepeated(statements, 'seller', { move: 'offer', amount: 200 })).toBe(false);
    expect(isRepeated(statements, 'seller', { move: 'contest' })).toBe(false);
    expect(
      isRepeated([...statements, said('buyer', 'decline_offer')], 'seller', { move: 'offer', amount: 100 }),
    ).toBe(false);
  });
});

test('the latest complaint of an order in a complaint is open, and shows its offer only while it waits', () => {
  const [first, second] = [{ nth: 1 }, { nth: 2 }];
  const order = { in_complaint: true };
  expect(isOpen(order, second, [second, first])).toBe(true);
  expect(isOpen(order, first, [second, first])).toBe(false);
  expect(isOpen({ in_complaint: false }, second, [second, first])).toBe(false);

  const statements = [complained, offer(1_000), said('buyer', 'decline_offer'), offer(2_550)];
  expect(latestOffer(statements)).toBe(2_550);
  const complaint = { id: 'c', nth: 1, kind: 'locked', isOpen: true } as const;
  const url = (photo: string) => `https://shop${photo}`;
  const shown = toComplaint({ state: 'offered', disputed_in: null }, complaint, statements, url);
  expect(shown).toMatchObject({ offered: 25.5, isOpen: true });
  expect(shown.statements.map(({ move, amount }) => [move, amount])).toEqual([
    ['complain', undefined],
    ['offer', 10],
    ['decline_offer', undefined],
    ['offer', 25.5],
  ]);
  expect(shown.statements[0]?.photos).toEqual(['https://shop/photos/a']);
  expect(
    toComplaint({ state: 'contested', disputed_in: null }, complaint, statements, url).offered,
  ).toBeNull();
  // The offer waits for the bank too.
  expect(
    toComplaint({ state: 'charge_disputed', disputed_in: 'offered' }, complaint, statements, url).offered,
  ).toBe(25.5);
});
