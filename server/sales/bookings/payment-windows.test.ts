import { describe, expect, test } from 'vitest';
import {
  decidePaymentWindow,
  MAXIMUM_PAYMENT_WINDOWS,
  PAYMENT_WINDOW_MILLISECONDS,
  PAYMENT_WINDOW_PAUSE_MILLISECONDS,
  type PaymentWindow,
  type PaymentWindowRequest,
  QUEUE_PLACE_MILLISECONDS,
  TIME_TO_PAY_MILLISECONDS,
} from './payment-windows.ts';

const start = new Date('2026-11-20T12:00:00Z');
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const windowUntil = (expiresAt: Date, bookingId = 'mine'): PaymentWindow => ({
  bookingId,
  startedAt: start,
  expiresAt,
});
const waits = (bookingId: string, expiresAt = later(QUEUE_PLACE_MILLISECONDS)) => ({ bookingId, expiresAt });

const ask = (request: Partial<PaymentWindowRequest>) =>
  decidePaymentWindow({
    bookingId: 'mine',
    now: start,
    current: null,
    use: null,
    queue: [],
    otherWindows: 0,
    ...request,
  });

const short = later(PAYMENT_WINDOW_MILLISECONDS);
const used = windowUntil(later(TIME_TO_PAY_MILLISECONDS));

describe('a payment window', () => {
  test('is short at first', () => {
    expect(ask({})).toEqual({ kind: 'open', paymentWindow: windowUntil(short), waiting: 0 });
  });

  test('excludes other buyers until it expires, then the next one can start', () => {
    const current = windowUntil(short, 'other');
    expect(ask({ current, now: later(PAYMENT_WINDOW_MILLISECONDS - 1) })).toEqual({
      kind: 'busy',
      until: short,
      place: 1,
    });
    expect(ask({ current, now: short })).toMatchObject({
      kind: 'open',
      paymentWindow: { bookingId: 'mine', startedAt: short },
    });
  });

  test('is renewed by its buyer, up to 20 minutes in total', () => {
    const now = later(TIME_TO_PAY_MILLISECONDS - 60_000);
    expect(ask({ current: windowUntil(later(TIME_TO_PAY_MILLISECONDS - 30_000)), now })).toEqual({
      kind: 'open',
      paymentWindow: used,
      waiting: 0,
    });
  });

  test('is not renewed while another buyer waits', () => {
    const answer = ask({ current: windowUntil(short), now: later(60_000), queue: [waits('other')] });
    expect(answer).toEqual({ kind: 'open', paymentWindow: windowUntil(short), waiting: 1 });
    // A place of one's own, from before, is no reason.
    expect(ask({ current: windowUntil(short), now: later(60_000), queue: [waits('mine')] })).toMatchObject({
      paymentWindow: { expiresAt: later(60_000 + PAYMENT_WINDOW_MILLISECONDS) },
    });
  });

  test('is refused to a buyer who has two others, but an existing one is kept', () => {
    expect(ask({ otherWindows: MAXIMUM_PAYMENT_WINDOWS })).toEqual({ kind: 'too_many' });
    expect(ask({ otherWindows: MAXIMUM_PAYMENT_WINDOWS - 1 })).toMatchObject({ kind: 'open' });
    expect(ask({ current: windowUntil(short), otherWindows: MAXIMUM_PAYMENT_WINDOWS })).toMatchObject({
      kind: 'open',
    });
    expect(ask({ current: windowUntil(short, 'other'), otherWindows: MAXIMUM_PAYMENT_WINDOWS })).toEqual({
      kind: 'too_many',
    });
  });
});

describe('the queue', () => {
  const current = windowUntil(start, 'other');

  test('reserves the laptop for its first buyer until that place expires', () => {
    const first = waits('first', later(40_000));
    expect(ask({ current, queue: [first] })).toEqual({ kind: 'busy', until: first.expiresAt, place: 2 });
    expect(ask({ current, queue: [first, waits('mine')] })).toMatchObject({ kind: 'busy', place: 2 });
    expect(ask({ bookingId: 'first', current, queue: [first, waits('mine')] })).toMatchObject({
      kind: 'open',
      waiting: 1,
    });
  });

  test('is joined at the end, and a buyer who asks again keeps the place', () => {
    const live = windowUntil(short, 'other');
    const queue = [waits('first'), waits('second')];
    expect(ask({ current: live, queue })).toEqual({ kind: 'busy', until: short, place: 3 });
    expect(ask({ bookingId: 'second', current: live, queue })).toEqual({
      kind: 'busy',
      until: short,
      place: 2,
    });
  });
});

describe('the total of 20 minutes', () => {
  const end = later(TIME_TO_PAY_MILLISECONDS);
  const half = { usedMilliseconds: TIME_TO_PAY_MILLISECONDS / 2, endedAt: start };

  test('once used up, gives no exclusive payment window, even without other buyers', () => {
    expect(ask({ current: used, now: end })).toEqual({ kind: 'not_exclusive' });
    expect(ask({ bookingId: 'other', current: used, now: end })).toMatchObject({ kind: 'open' });
    const anew = later(TIME_TO_PAY_MILLISECONDS + PAYMENT_WINDOW_PAUSE_MILLISECONDS);
    expect(ask({ current: used, now: anew })).toMatchObject({
      kind: 'open',
      paymentWindow: { startedAt: anew },
    });
  });

  test('continues after a payment window was released and acquired again', () => {
    const answer = ask({ current: windowUntil(later(60_000)), now: later(120_000) });
    expect(answer).toMatchObject({ kind: 'open', paymentWindow: { startedAt: later(60_000) } });
    expect(ask({ use: half, now: later(1000) })).toMatchObject({
      paymentWindow: { startedAt: later(1000 - TIME_TO_PAY_MILLISECONDS / 2) },
    });
  });

  test('shortens a payment window when less than its usual duration is left', () => {
    const use = { usedMilliseconds: TIME_TO_PAY_MILLISECONDS - 5000, endedAt: start };
    expect(ask({ use })).toMatchObject({ paymentWindow: { expiresAt: later(5000) } });
  });

  test('does not restart while other buyers wait or have the payment window, regardless of time', () => {
    const use = { usedMilliseconds: TIME_TO_PAY_MILLISECONDS, endedAt: start };
    const now = later(60 * 60_000);
    const other = waits('other', later(61 * 60_000));
    expect(ask({ use, now })).toMatchObject({ kind: 'open' });
    expect(ask({ use, now, queue: [other] })).toEqual({ kind: 'busy', until: other.expiresAt, place: null });
    const current = { ...windowUntil(later(62 * 60_000), 'other'), startedAt: now };
    expect(ask({ use, now, current })).toEqual({ kind: 'busy', until: current.expiresAt, place: null });
  });
});
