import { expect, test } from 'vitest';
import { nextRefundCheck } from './rules.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const until = (next: Date | null) => next && next.getTime() - now.getTime();

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;
const pending = { created_at: ago(0), done_at: null, attempt: 1, card_refund_id: 're_1' };

test.each([
  ['a fresh one soon', pending, 30 * second],
  ['one that takes days hourly', { ...pending, created_at: ago(3 * day) }, hour],
  [
    'a further attempt that the card processor has not taken soon, however old the first is',
    { ...pending, created_at: ago(3 * day), attempt: 2, card_refund_id: null },
    30 * second,
  ],
  ['one that was done a day later', { ...pending, done_at: ago(29 * day) }, day],
  ['one that was done a month ago never', { ...pending, done_at: ago(30 * day) }, null],
])('a refund is asked about again: %s', (_when, refund, expected) => {
  expect(until(nextRefundCheck(refund, now))).toBe(expected);
});
