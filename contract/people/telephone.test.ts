import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { telephone } from '#contract/platform/scalars.ts';
import { readPhoneText } from './telephone.ts';

const phone = telephone('Phone Number is required');

test('a telephone number in a request is a text or a number, not empty, and bounded', () => {
  expect(z.parse(phone, ' 912 345 678 ')).toBe('912 345 678');
  expect(z.parse(phone, 912345678)).toBe('912345678');
  for (const missing of ['', ' ', '\u202A\u00A0\u202C', undefined, null, -5]) {
    expect(phone.safeParse(missing).error?.issues).toMatchObject([{ message: 'Phone Number is required' }]);
  }
  expect(phone.safeParse('1'.repeat(500_000)).error?.issues).toMatchObject([
    { message: 'At most 100 characters, please' },
  ]);
});

test.each([
  ['+351 (912) 345-678', '+351 (912) 345-678'],
  ['(555) 010-1234', '(555) 010-1234'],
  ['\u202A+351 912 345 678\u202C', '+351 912 345 678'],
  ['\u2066+351 912 345 678\u2069', '+351 912 345 678'],
  ['\u200E+351\u00A0912\u202F345\u2009678\u200B\uFEFF', '+351 912 345 678'],
  ['＋３５１　９１２　３４５　６７８', '+351 912 345 678'],
  ['٠٩١٢ ۳۴۵ ۶۷۸', '0912 345 678'],
  ['503‑555–0199', '503-555-0199'],
  ['030/1234567', '030-1234567'],
  ['(+351) 912 345 678', '+351 912 345 678'],
  ['00351 912 345 678', '+351 912 345 678'],
  ['tel:+351-912-345-678', '+351-912-345-678'],
  [' TEL: 00351 912 345 678;ext=12', '+351 912 345 678 ext. 12'],
  [`${'('.repeat(93)}555010`, '(555010'],
  [`${'…'.repeat(90)}555 -- 010`, '.555 - 010'],
  ['+351(0)912345678', '+351 912345678'],
  ['00351 (0) 912 345 678', '+351 912 345 678'],
  ['+39 (0)6 6982 1234', '+39 (0)6 6982 1234'],
  ['  912   345\n678 ', '912 345 678'],
  ['+1 503 555 0199, ext. 12', '+1 503 555 0199 ext. 12'],
  ['+1 503 555 0199x12', '+1 503 555 0199 ext. 12'],
  ['503-555-0199 Extension: 12', '503-555-0199 ext. 12'],
])('reads the pasted number %j as %j', (typed, text) => {
  expect(readPhoneText(typed)).toEqual({ text });
  // The text is sent again when a form is filled with it.
  expect(readPhoneText(text)).toEqual({ text });
});

test.each([
  [
    'call 912345678',
    '“c” cannot be in a phone number. Please type digits, with spaces, hyphens or ( ) between them',
  ],
  [
    '912345678\u0000',
    'U+0000 cannot be in a phone number. Please type digits, with spaces, hyphens or ( ) between them',
  ],
  [
    '912 345 678 📱',
    '“📱” cannot be in a phone number. Please type digits, with spaces, hyphens or ( ) between them',
  ],
  ['912+345678', 'A phone number can have one + only, at its beginning'],
  ['++351912345678', 'A phone number can have one + only, at its beginning'],
  ['12', 'A phone number has at least 6 digits'],
  ['12 ext. 345678', 'A phone number has at least 6 digits'],
  [`${'()'.repeat(20)}555010`, 'A phone number has at most 40 characters: please leave some separators out'],
  ['1'.repeat(16), 'A phone number has at most 15 digits'],
])('says what is wrong with %j', (typed, refusal) => {
  expect(readPhoneText(typed)).toEqual({ refusal });
});
