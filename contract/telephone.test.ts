import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { telephone } from './telephone.ts';

const phone = telephone('Phone Number is required');
const messageOf = (typed: unknown) => z.safeParse(phone, typed).error?.issues.map(({ message }) => message);

test.each([
  [912345678, '912345678'],
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
  ['  912   345\n678 ', '912 345 678'],
  ['+1 503 555 0199, ext. 12', '+1 503 555 0199 ext. 12'],
  ['+1 503 555 0199x12', '+1 503 555 0199 ext. 12'],
  ['503-555-0199 Extension: 12', '503-555-0199 ext. 12'],
])('reads the pasted number %j as %j', (typed, text) => {
  expect(z.parse(phone, typed)).toBe(text);
  // The text is sent again when a form is filled with it.
  expect(z.parse(phone, text)).toBe(text);
});

test.each([
  ['', 'Phone Number is required'],
  ['\u202A\u00A0\u202C', 'Phone Number is required'],
  [undefined, 'Phone Number is required'],
  [-5, 'Phone Number is required'],
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
  ['12', 'A phone number has at least 6 digits, and this one has 2'],
  ['12 ext. 345678', 'A phone number has at least 6 digits, and this one has 2'],
  ['1'.repeat(16), 'A phone number has at most 15 digits, and this one has 16'],
  ['1'.repeat(500_000), 'A phone number has at most 15 digits'],
])('says what is wrong with %j', (typed, message) => {
  expect(messageOf(typed)).toEqual([message]);
});
