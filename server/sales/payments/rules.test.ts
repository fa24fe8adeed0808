import { describe, expect, test } from 'vitest';
import { payableWaits, type RefundReason, refundReference, UNKNOWN_MS } from '#server/money/refunds/rules.ts';
import {
  ABANDONED_MS,
  decidePayment,
  EVENT_RETENTION_MS,
  formatReason,
  isCancelledForBuyer,
  isKeyForgotten,
  NOTIFY_WAITING_AFTER_MS,
  nextCheck,
  nextRefundCheck,
  paymentSubject,
  refundSentence,
  refundStateSentences,
  toWaitingRefund,
} from './rules.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const until = (next: Date | null) => next && next.getTime() - now.getTime();

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;
const pending = { created_at: ago(0), done_at: null, attempt: 1, card_refund_id: 're_1' };

test.each([
  ['a new one after 30 s', pending, 30 * second],
  ['one pending for days hourly', { ...pending, created_at: ago(3 * day) }, hour],
  [
    'a further attempt without a refund id after 30 s, however old the first attempt is',
    { ...pending, created_at: ago(3 * day), attempt: 2, card_refund_id: null },
    30 * second,
  ],
  [
    'a first attempt without a refund id hourly',
    { ...pending, created_at: ago(3 * day), card_refund_id: null },
    hour,
  ],
  ['a further attempt with its id as the first', { ...pending, created_at: ago(3 * day), attempt: 2 }, hour],
  [
    'a done first attempt whose id is not known daily',
    { ...pending, created_at: ago(3 * day), done_at: ago(day), card_refund_id: null },
    day,
  ],
  ['a done one daily', { ...pending, done_at: ago(29 * day) }, day],
  ['one done 30 days ago never again', { ...pending, done_at: ago(30 * day) }, null],
])('checks a refund: %s', (_title, refund, expected) => {
  expect(until(nextRefundCheck(refund, now))).toBe(expected);
});

test.each([
  ['a new one after 30 s', 0, 30 * second],
  ['a young one after 30 s', 60 * second, 30 * second],
  ['an older one after half its age', 10 * 60 * second, 5 * 60 * second],
  ['one of two hours hourly', 2 * hour, hour],
  ['an old one hourly', 23 * hour, hour],
])('checks an attempt: %s', (_title, age, expected) => {
  expect(until(nextCheck(ago(age), now))).toBe(expected);
});

test('an attempt is abandoned after a day, and events are remembered for longer than they are repeated', () => {
  expect(ABANDONED_MS).toBe(day);
  expect(EVENT_RETENTION_MS).toBe(31 * day);
});

test.each<[RefundReason, RegExp]>([
  ['sold_to_another', /^EliteBook was sold to another buyer/],
  ['left_the_shop', /^EliteBook left the shop/],
  ['booking_cancelled', /^You cancelled your booking of EliteBook/],
  ['lock_found', /^A lock was found on EliteBook/],
  ['paid_twice', /^EliteBook is yours already; this was a second payment/],
  ['price_changed', /^The price of EliteBook changed/],
  ['order_cancelled', /^The seller of EliteBook could not/],
  ['not_delivered', /^EliteBook was not delivered to you/],
  ['complaint', /EliteBook ended with the whole price/],
  ['partial', /EliteBook ended with a part of the price/],
  ['wrong_amount', /^The amount that arrived for EliteBook was not its price/],
  ['charged_back', /^Your bank took a part of the price of EliteBook back/],
  ['by_admin', /^The shop gives you money back for EliteBook\.$/],
  ['made_at_processor', /^The shop gives you money back for EliteBook\.$/],
  ['goodwill', /^The shop gives you money back for EliteBook, at its own cost/],
  ['unexplained', /^The shop sent money for EliteBook/],
])('tells the buyer why a refund is made: %s', (reason, sentence) => {
  expect(refundSentence(reason, 'EliteBook')).toMatch(sentence);
});

test('reasons and subjects are written as words', () => {
  expect(formatReason('expired_or_canceled_card')).toBe('expired or canceled card');
  expect(paymentSubject('EliteBook', 'pi_1')).toBe('EliteBook, pi_1');
});

test('the buyer is emailed about a cancellation by others only', () => {
  const booking = {
    ...{ order_id: null, cancelled_at: now, cancelled_by: 'withdrawal' as const, buyer_ended_at: null },
    laptop_state: 'withdrawn' as const,
  };
  expect(isCancelledForBuyer(booking)).toBe(true);
  expect(isCancelledForBuyer({ ...booking, cancelled_by: 'buyer' })).toBe(false);
  expect(isCancelledForBuyer({ ...booking, buyer_ended_at: now })).toBe(false);
  const open = { ...booking, cancelled_at: null, cancelled_by: null };
  expect(isCancelledForBuyer({ ...open, laptop_state: 'available' })).toBe(false);
  expect(isCancelledForBuyer({ ...open, laptop_state: 'taken_down' })).toBe(true);
});

describe('decidePayment', () => {
  const intent = { receivedCents: 54_999, currency: 'usd' };
  const booking = {
    price_cents: 54_999,
    laptop_price_cents: 54_999,
    order_id: null,
    ended_at: null,
    cancelled_by: null,
    buyer_ended_at: null,
  };
  const laptop = { state: 'available' } as const;

  test('accepts the exact price for an available laptop', () => {
    expect(decidePayment(intent, booking, laptop, 54_999)).toEqual({ kind: 'sale', priceCents: 54_999 });
  });

  test('accepts a lowered price without another agreement', () => {
    const lowered = { ...booking, price_cents: 49_999, laptop_price_cents: 49_999 };
    const decision = decidePayment({ ...intent, receivedCents: 49_999 }, lowered, laptop, 49_999);
    expect(decision).toEqual({ kind: 'sale', priceCents: 49_999 });
  });

  test.each([
    ['a second payment of a booking', intent, { ...booking, order_id: 'order' }, laptop, 'paid_twice'],
    [
      'a payment of a booking whose order has ended',
      intent,
      { ...booking, order_id: 'order', ended_at: now },
      laptop,
      'left_the_shop',
    ],
    [
      'a second payment of a booking whose laptop is sold to its buyer',
      intent,
      { ...booking, order_id: 'order' },
      { state: 'sold' } as const,
      'paid_twice',
    ],
    [
      'a payment of a booking that its buyer cancelled',
      intent,
      { ...booking, cancelled_by: 'buyer' as const },
      laptop,
      'booking_cancelled',
    ],
    [
      'a payment of a booking made before the laptop was withdrawn and listed again',
      intent,
      { ...booking, cancelled_by: 'withdrawal' as const },
      laptop,
      'left_the_shop',
    ],
    ['a payment for a sold laptop', intent, booking, { state: 'sold' } as const, 'sold_to_another'],
    ['a payment for a withdrawn laptop', intent, booking, { state: 'withdrawn' } as const, 'left_the_shop'],
    [
      'a payment for a laptop on which a lock was found',
      intent,
      booking,
      { state: 'blocked' } as const,
      'lock_found',
    ],
    ['a payment for a taken down laptop', intent, booking, { state: 'taken_down' } as const, 'left_the_shop'],
    [
      'a payment of a buyer whose account ended',
      intent,
      { ...booking, buyer_ended_at: now },
      laptop,
      'left_the_shop',
    ],
    ['a cent too much', { ...intent, receivedCents: 55_000 }, booking, laptop, 'wrong_amount'],
    [
      'the agreed price after the laptop’s was lowered',
      intent,
      { ...booking, price_cents: 49_999, laptop_price_cents: 49_999 },
      laptop,
      'price_changed',
    ],
  ])('refunds %s', (_title, received, booked, listed, reason) => {
    expect(decidePayment(received, booked, listed, 54_999)).toEqual({ kind: 'refund', reason });
  });
});

test('each attempt at a refund has a name of its own', () => {
  expect(refundReference({ id: 'refund', attempt: 2 })).toBe('refund-2');
});

test('an idempotency key may be forgotten an hour before a day is over', () => {
  expect(isKeyForgotten({ created_at: ago(22 * hour) }, now)).toBe(false);
  expect(isKeyForgotten({ created_at: ago(23 * hour) }, now)).toBe(false);
  expect(isKeyForgotten({ created_at: ago(23 * hour + 1) }, now)).toBe(true);
});

test('a waiting refund is told after an hour; unknown refunds are looked for during 35 days', () => {
  expect(NOTIFY_WAITING_AFTER_MS).toBe(hour);
  expect(UNKNOWN_MS).toBe(35 * day);
});

test.each<[string, Parameters<typeof payableWaits>, number[]]>([
  ['nothing while the seller has it all', [[{ amountCents: 100, overpaidCents: 100 }], 100], [0]],
  ['what came back for its own order', [[{ amountCents: 100, overpaidCents: 30 }], 30], [70]],
  ['nothing more than its amount', [[{ amountCents: 100, overpaidCents: 0 }], 0], [100]],
  ['nothing below zero', [[{ amountCents: 100, overpaidCents: 150 }], 150], [0]],
  [
    'what other sales paid of the debt, to the first that waits',
    [
      [
        { amountCents: 100, overpaidCents: 100 },
        { amountCents: 200, overpaidCents: 200 },
      ],
      170,
    ],
    [100, 30],
  ],
  [
    'what came back for each order first, and the rest in turn',
    [
      [
        { amountCents: 100, overpaidCents: 60 },
        { amountCents: 200, overpaidCents: 50 },
      ],
      40,
    ],
    [100, 160],
  ],
])('of waiting refunds can be paid: %s', (_title, parameters, expected) => {
  expect(payableWaits(...parameters)).toEqual(expected);
});

test('the admins’ list says why a refund waits', () => {
  const row = {
    ...{ id: 'refund', order_id: 'order', laptop_name: 'EliteBook', amount_cents: 2_550, created_at: now },
    ...{
      buyer_name: 'Bea Buyer',
      seller_name: 'Sam Seller',
      failure: null,
      was_transferred: true,
      is_account_closed: false,
      is_withheld: false,
    },
    failure_reason: null,
  };
  expect(toWaitingRefund(row)).toEqual({
    ...{ _id: 'refund', orderId: 'order', productName: 'EliteBook', amount: 25.5, since: now.toISOString() },
    isFailed: false,
    isWithheld: false,
    ...{ buyerName: 'Bea Buyer', sellerName: 'Sam Seller' },
    why: 'It is being taken back from the seller’s account.',
  });
  expect(toWaitingRefund({ ...row, was_transferred: false }).why).toMatch(/^The seller was paid outside/);
  expect(toWaitingRefund({ ...row, failure: 'No money.' }).why).toBe(
    'The seller’s account could not give it back: No money.',
  );
  expect(toWaitingRefund({ ...row, is_withheld: true })).toMatchObject({
    isWithheld: true,
    why: 'The buyer’s bank has the money until it has decided a dispute.',
  });
  const failed = toWaitingRefund({ ...row, order_id: null, failure_reason: 'lost_or_stolen_card' });
  expect(failed).toMatchObject({
    isFailed: true,
    why: 'The buyer’s bank or the card processor did not take it: lost or stolen card.',
  });
  expect(failed).not.toHaveProperty('orderId');
});

test('each state of a refund has its sentence for the buyer', () => {
  expect(refundStateSentences).toEqual({
    waiting: expect.stringMatching(/is not on its way to your card yet/),
    pending: expect.stringMatching(/is on its way back to your card/),
    done: expect.stringMatching(/is on its way back to your card/),
    failed: expect.stringMatching(/has failed; it is still yours/),
    paid_by_bank: expect.stringMatching(/^Your bank gave the money back/),
    paid_by_hand: expect.stringMatching(/^The shop has paid the money to you another way/),
  });
});
