import { describe, expect, test } from 'vitest';
import { type OrderMove, orderMoveNames } from '#contract/money/order-states.ts';
import {
  MAXIMUM_COMPLAINTS,
  MAXIMUM_OFFERS,
  MAXIMUM_OWN_STATEMENTS,
  MAXIMUM_RETURN_DECISIONS,
} from '#contract/sales/complaints.ts';
import {
  answerRefusal,
  type ComplaintMove,
  complaintRefusal,
  decisionNote,
  isOpen,
  isRepeated,
  isWithBuyerAfter,
  latestOffer,
  offerChangedMessage,
  type Party,
  partialRefundRefusal,
  REMINDER_MS,
  type StatementOfComplaint,
  statementRefusal,
  toComplaint,
  toItem,
} from './rules.ts';

const said = (
  party: Party,
  move: ComplaintMove | 'complain' | null,
  amount_cents: number | null = null,
): StatementOfComplaint => ({
  ...{ id: crypto.randomUUID(), said_at: new Date(0), text: '', photos: ['/photos/a'] },
  ...{ party, move, amount_cents },
});
const complained = said('buyer', 'complain');
const offer = (cents: number) => said('seller', 'offer', cents);

test('a missing hand-over can be complained about only while the buyer does not have the laptop', () => {
  const order = { laptop_name: 'X1', laptop_with_buyer: true, delivery: 'meet' as const };
  expect(complaintRefusal(order, 0, 'not_handed_over')).toContain('X1');
  expect(complaintRefusal(order, 0, 'locked')).toBeNull();
  expect(complaintRefusal({ ...order, laptop_with_buyer: false }, 0, 'not_handed_over')).toBeNull();
  expect(complaintRefusal(order, MAXIMUM_COMPLAINTS, 'locked')).toContain('3 times');
});

test('a complaint fits the way in which the laptop comes to the buyer', () => {
  const sent = { laptop_name: 'X1', laptop_with_buyer: false, delivery: 'ship' as const };
  expect(complaintRefusal(sent, 0, 'not_arrived')).toBeNull();
  expect(complaintRefusal(sent, 0, 'not_handed_over')).toMatch(
    /^X1 is sent by parcel, so this cannot be wrong with it\./,
  );
  expect(complaintRefusal({ ...sent, delivery: 'meet' }, 0, 'not_arrived')).toMatch(
    /^X1 is handed over when you meet, so this cannot be wrong with it\./,
  );
  const arrived = { ...sent, laptop_with_buyer: true };
  expect(complaintRefusal(arrived, 0, 'damaged')).toBeNull();
  expect(complaintRefusal(arrived, 0, 'not_arrived')).toMatch(
    /^You have X1 according to this order, so it was delivered\./,
  );
  expect(complaintRefusal({ ...arrived, delivery: 'meet' }, 0, 'not_taken')).toMatch(
    /^You have X1 according to this order, so it was handed over\./,
  );
});

test('of a laptop that the buyer does not have no part of the price can be settled', () => {
  for (const kind of ['not_handed_over', 'not_taken'] as const) {
    expect(answerRefusal([], 'offer', kind)).toContain('does not have the laptop');
    expect(answerRefusal([], 'decide_part', kind)).toContain('does not have the laptop');
    expect(answerRefusal([], 'accept', kind)).toBeNull();
    expect(isWithBuyerAfter('complain', kind)).toBe(false);
    expect(isWithBuyerAfter('decide_release', kind)).toBe(true);
  }
});

test('words are counted by side, and moves do not count', () => {
  const words = Array.from({ length: MAXIMUM_OWN_STATEMENTS }, () => said('buyer', null));
  expect(statementRefusal([complained, ...words], 'buyer')).not.toBeNull();
  expect(statementRefusal([complained, ...words.slice(1)], 'buyer')).toBeNull();
  expect(statementRefusal([complained, ...words], 'seller')).toBeNull();
});

test('offers are counted, and an amount is less than what is left', () => {
  const offers = Array.from({ length: MAXIMUM_OFFERS }, () => offer(100));
  expect(answerRefusal(offers, 'offer', 'locked')).not.toBeNull();
  expect(answerRefusal(offers.slice(1), 'offer', 'locked')).toBeNull();
  expect(answerRefusal(offers, 'accept', 'locked')).toBeNull();
  const order = { price_cents: 50_000, refunded_cents: 7_000, goodwill_cents: 3_000 };
  expect([partialRefundRefusal(order, 39_999), partialRefundRefusal(order, 40_000)]).toEqual([
    null,
    expect.any(String),
  ]);
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

test('each refusal says what is the most that is possible, and what remains', () => {
  const order = { laptop_name: 'X1', laptop_with_buyer: true, delivery: 'meet' as const };
  expect(complaintRefusal(order, MAXIMUM_COMPLAINTS, 'locked')).toMatch(
    /^You have complained 3 times about X1/,
  );
  expect(complaintRefusal(order, 0, 'not_handed_over')).toMatch(/^You have X1 according to this order/);
  const words = Array.from({ length: MAXIMUM_OWN_STATEMENTS }, () => said('buyer', null));
  expect(statementRefusal(words, 'buyer')).toMatch(/^You have added \d+ statements/);
  const offers = Array.from({ length: MAXIMUM_OFFERS }, () => offer(100));
  expect(answerRefusal(offers, 'offer', 'locked')).toMatch(/^You have made \d+ offers/);
  const returns = Array.from({ length: MAXIMUM_RETURN_DECISIONS }, () => said('admin', 'decide_return'));
  expect(answerRefusal(returns, 'decide_return', 'locked')).toMatch(
    /^It was decided \d+ times that the laptop returns/,
  );
  expect(answerRefusal(returns.slice(1), 'decide_return', 'locked')).toBeNull();
  expect(answerRefusal(returns, 'decide_refund', 'locked')).toBeNull();
  expect(answerRefusal(returns, 'decide_part', 'locked')).toBeNull();
  expect(
    partialRefundRefusal({ price_cents: 50_000, refunded_cents: 7_000, goodwill_cents: 3_000 }, 40_000),
  ).toBe('A part of the price is less than $400.00');
});

test('an offer that changed meanwhile is told with its amount', () => {
  expect(offerChangedMessage([offer(1_000), said('buyer', 'decline_offer'), offer(2_550)])).toMatch(
    /^The seller’s offer is \$25\.50 now/,
  );
  expect(offerChangedMessage([complained])).toContain('$0.00');
  expect(latestOffer([complained])).toBeNull();
  expect(latestOffer([offer(1_000), said('buyer', 'decline_offer')])).toBe(1_000);
});

test('the same move of the other side is no repetition, and nothing is one before the first move', () => {
  expect(isRepeated([offer(100)], 'buyer', { move: 'offer', amount: 100 })).toBe(false);
  expect(isRepeated([said('buyer', null)], 'buyer', { move: 'withdraw' })).toBe(false);
  expect(isRepeated([said('buyer', 'withdraw')], 'buyer', { move: 'withdraw' })).toBe(true);
  expect(isRepeated([said('buyer', 'decline_offer')], 'buyer', { move: 'withdraw' })).toBe(false);
});

test('each move says who has the laptop, or changes nothing about it', () => {
  const says = (kind: 'locked' | 'not_handed_over', isWithBuyer: boolean): OrderMove[] =>
    orderMoveNames.filter((move) => isWithBuyerAfter(move, kind) === isWithBuyer);
  const kept = ['take_offer', 'take_offer_late', 'decide_part', 'decide_release'];
  const asComplained = ['complain', 'withdraw', 'decide_return'];
  expect(says('locked', true).sort()).toEqual([...kept, ...asComplained].sort());
  expect(says('locked', false).sort()).toEqual(['collect_return', 'confirm_return', 'report_return']);
  expect(says('not_handed_over', true).sort()).toEqual([...kept].sort());
  expect(says('not_handed_over', false).sort()).toEqual(
    [...asComplained, 'collect_return', 'confirm_return', 'report_return'].sort(),
  );
});

test('a complaint and its statements are shown with their times, their authors and their photos', () => {
  const statement = {
    ...said('seller', 'offer', 1_000),
    id: 's',
    text: 'Sorry.',
    said_at: new Date('2026-12-01T10:00:00Z'),
  };
  const complaint = { id: 'c', nth: 1, kind: 'locked', isOpen: false } as const;
  const url = (photo: string) => `https://shop${photo}`;
  expect(toComplaint({ state: 'offered', disputed_in: null }, complaint, [statement], url)).toEqual({
    ...{ _id: 'c', kind: 'locked', isOpen: false, offered: null },
    statements: [
      {
        ...{
          _id: 's',
          at: '2026-12-01T10:00:00.000Z',
          by: 'seller',
          move: 'offer',
          text: 'Sorry.',
          amount: 10,
        },
        photos: ['https://shop/photos/a'],
      },
    ],
  });
});

test('the admins’ list names laptop, people and deadline', () => {
  const row = {
    ...{ id: 'c', number: '1', order_id: 'order', kind: 'locked' as const, laptop_name: 'X1' },
    ...{ laptop_images: ['/photos/a', '/photos/b'], price_cents: 54_999, state: 'contested' as const },
    ...{ buyer_name: 'Bea Buyer', seller_name: 'Sam Seller', seller_id: 'seller', seller_ended_at: null },
    ...{ seller_reviews: null, seller_stars: null, buyer_reviews: null, buyer_stars: null },
    ...{ complained_at: new Date('2026-12-01T10:00:00Z'), due_at: new Date('2026-12-06T10:00:00Z') },
  };
  const url = (photo: string) => `https://shop${photo}`;
  expect(toItem(row, url)).toMatchObject({
    ...{ _id: 'c', orderId: 'order', kind: 'locked', productName: 'X1', image: 'https://shop/photos/a' },
    ...{ price: 549.99, buyerName: 'Bea Buyer', sellerName: 'Sam Seller', state: 'contested' },
    ...{ complainedAt: '2026-12-01T10:00:00.000Z', dueAt: '2026-12-06T10:00:00.000Z' },
  });
  expect(toItem({ ...row, due_at: null, laptop_images: [] }, url)).toMatchObject({
    ...{ dueAt: null, image: 'https://shop' },
  });
});

test('the audit trail has each decision in words, with its amount', () => {
  expect(decisionNote('decide_return', undefined, 'Broken.')).toBe(
    'the whole price back after the return: Broken.',
  );
  expect(decisionNote('decide_refund', undefined, 'Broken.')).toBe('the whole price back: Broken.');
  expect(decisionNote('decide_part', 2_550, 'A scratch.')).toBe(
    'a part of the price back ($25.50): A scratch.',
  );
  expect(decisionNote('decide_release', undefined, 'It works.')).toBe('for the seller: It works.');
});

test('people are reminded two days before a deadline', () => {
  expect(REMINDER_MS).toBe(2 * 24 * 3_600_000);
});
