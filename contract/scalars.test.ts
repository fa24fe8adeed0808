import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  centsFromDollars,
  dollarsFromCents,
  Email,
  formatDollars,
  price,
  telephone,
  text,
} from './scalars.ts';

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

test('every amount of cents survives the way over the wire', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000_000 }), (cents) => {
      const wire: unknown = JSON.parse(JSON.stringify(dollarsFromCents(cents)));
      expect(centsFromDollars(Number(wire))).toBe(cents);
    }),
  );
});

test('dollars look on the wire as the specification writes them, and to people have a $ prefix', () => {
  expect(JSON.stringify([dollarsFromCents(54_999), dollarsFromCents(50_000), dollarsFromCents(5)])).toBe(
    '[549.99,500,0.05]',
  );
  expect(formatDollars(1249)).toBe('$1,249.00');
});

test.each([0, -1, 0.001, 549.999, 50_000.01, 1e21, Number.NaN, Number.POSITIVE_INFINITY, '549.99', null, {}])(
  'a price of %s is refused',
  (value) => {
    expect(accepts(price('Resale Price is required'), value)).toBe(false);
  },
);

test('a text of spaces, one too long and one with a NUL byte are refused; spaces around one are dropped', () => {
  const name = text(5, 'Product Name is required');
  expect(['   ', 'abcdef', 'a\u0000b'].map((value) => accepts(name, value))).toEqual([false, false, false]);
  expect(z.parse(name, ' abc ')).toBe('abc');
});

test('an e-mail address is known in lower case only', () => {
  expect(z.parse(Email, ' Ada@Example.ORG ')).toBe('ada@example.org');
  const wrong = ['ada', 'ada@', 'a b@c.d', 'a@b', '<a@b.c>', 'a\u0000@b.example'];
  expect(wrong.filter((value) => accepts(Email, value))).toEqual([]);
});

test('a mobile number may come as a number or as people write it', () => {
  const mobile = telephone('Mobile Number is required');
  expect([z.parse(mobile, 912345678), z.parse(mobile, '+351 (912) 345-678')]).toEqual([
    '912345678',
    '+351 (912) 345-678',
  ]);
  expect(['', '12', 'call me', '1'.repeat(40), -5].map((value) => accepts(mobile, value))).toEqual(
    Array(5).fill(false),
  );
});
