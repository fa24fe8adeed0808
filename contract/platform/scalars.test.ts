import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Name } from '#contract/identity/schemas.ts';
import {
  amountFromCents,
  centsFromAmount,
  Email,
  formatAmount,
  line,
  listOf,
  normalizeEmail,
  optionalLine,
  optionalText,
  price,
  text,
} from './scalars.ts';

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

test('converts every amount of cents to JSON dollars and back without loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000_000 }), (cents) => {
      const wire: unknown = JSON.parse(JSON.stringify(amountFromCents(cents)));
      expect(centsFromAmount(Number(wire))).toBe(cents);
    }),
  );
});

test('writes dollars in JSON as the specification does, and formats them for display with a $ prefix', () => {
  expect(JSON.stringify([amountFromCents(54_999), amountFromCents(50_000), amountFromCents(5)])).toBe(
    '[549.99,500,0.05]',
  );
  expect(formatAmount(1249)).toBe('$1,249.00');
});

const messagesOf = (schema: z.ZodMiniType, value: unknown) =>
  z.safeParse(schema, value).error?.issues.map(({ message }) => message);

test.each([
  [549.99, 54_999],
  ['549.99', 54_999],
  ['1200', 120_000],
  [' 1200.5 ', 120_050],
  ['549.9900', 54_999],
  ['0.29', 29],
  ['50000.00', 5_000_000],
])('parses the price %j as %i cents', (input, cents) => {
  expect(z.parse(price('Resale Price is required'), input)).toBe(cents);
});

test('parses every price to the same cents from a number and from text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000_000 }), (cents) => {
      const schema = price('Resale Price is required');
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      expect([z.parse(schema, text), z.parse(schema, amountFromCents(cents))]).toEqual([cents, cents]);
    }),
  );
});

test.each([
  ['Original Price is required', [undefined, null, '', '   ']],
  ['A price must be more than $0', [0, -1, '0', '0.00', '-5']],
  ['A price can be at most $50,000.00', [50_000.01, '50000.01', 999_999_999]],
  [
    'A price is in dollars, with at most two decimals, such as 549.99',
    [0.001, '549.999', 1e21, Number.NaN, Number.POSITIVE_INFINITY, '1,200', '$5', '1e3', '0x10', '1 2', '.'],
  ],
  [
    'A price is in dollars, with at most two decimals, such as 549.99',
    ['9'.repeat(5_000), true, {}, [], [5]],
  ],
])('rejects with "%s" the prices %j', (message, values) => {
  const schema = price('Original Price is required');
  expect(values.map((value) => messagesOf(schema, value))).toEqual(values.map(() => [message]));
});

test('rejects a list that is too long with a single message, even if its items are invalid', () => {
  const list = listOf(3, text(5, 'Each item is required'), 'This is a list', 'At most 3 items');
  expect(z.parse(list, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  expect(messagesOf(list, Array(100_000).fill(1))).toEqual(['At most 3 items']);
  expect(messagesOf(list, 'a')).toEqual(['This is a list']);
});

test('trims a text, and rejects one that is blank, too long or contains a NUL byte', () => {
  const name = text(5, 'Product Name is required');
  expect(['   ', 'abcdef', 'a\u0000b'].map((value) => accepts(name, value))).toEqual([false, false, false]);
  expect(z.parse(name, ' abc ')).toBe('abc');
});

test('a text of characters that show nothing counts as missing', () => {
  for (const blank of ['\u200b', '\u200f\u200e', '\u3164', '\u2800', '\u{e0041}', '\ufe0f\u200d']) {
    for (const schema of [text(9, 'Required'), line(9, 'Required')]) {
      expect(schema.safeParse(blank).error?.issues).toMatchObject([{ message: 'Required' }]);
    }
    expect(optionalText(9).parse(blank)).toBeUndefined();
    expect(optionalLine(9).parse(blank)).toBeUndefined();
    expect(Name.safeParse(blank).success).toBe(false);
  }
  expect(line(9, 'Required').parse('👩\u200d💻')).toBe('👩\u200d💻');
  expect(Name.parse('')).toBe('');
});

test.each([
  ['Jorg@BÜCHER.example', 'jorg@xn--bcher-kva.example'],
  ['jorg@bu\u0308cher.example', 'jorg@xn--bcher-kva.example'],
  ['jorg@bücher\u3002example', 'jorg@xn--bcher-kva.example'],
  ['jorg@xn--bcher-kva.example', 'jorg@xn--bcher-kva.example'],
  ['jörg@ＭＡＩＬ.example', 'jörg@mail.example'],
  // Whatever would end the host name of a URL is left for the check of the address.
  ['a@bücher.example/b', 'a@bücher.example/b'],
  ['a@ü.example:80', 'a@ü.example:80'],
])('writes the email address %s as %s', (typed, email) => {
  expect(normalizeEmail(typed)).toBe(email);
});

test('normalizes an email address to lower case and rejects invalid ones', () => {
  expect(z.parse(Email, ' Ada@Example.ORG ')).toBe('ada@example.org');
  const wrong = [
    'ada',
    'ada@',
    'a b@c.d',
    'a@b',
    '<a@b.c>',
    'a\u0000@b.example',
    'a@b..c',
    'a@b@c.d',
    'a@b.',
  ];
  expect(accepts(Email, 'o.hara+shop@mail.example.org')).toBe(true);
  expect(wrong.filter((value) => accepts(Email, value))).toEqual([]);
});

test.each(['\u202E', '\u2066', '\u0000', '\u009F', '\uD800', '\uDFFF'])(
  'rejects %j, which hides or reorders text or is half a character, in every schema',
  (hidden) => {
    for (const schema of [line(10, 'x'), optionalLine(10), text(10, 'x'), optionalText(10)]) {
      expect(accepts(schema, `a${hidden}b`)).toBe(false);
    }
  },
);

test.each(['\n', '\r', '\t', '\u2028'])(
  'rejects %j in a single line and accepts it in a text',
  (separator) => {
    for (const schema of [line(10, 'x'), optionalLine(10)])
      expect(accepts(schema, `a${separator}b`)).toBe(false);
    for (const schema of [text(10, 'x'), optionalText(10)])
      expect(accepts(schema, `a${separator}b`)).toBe(true);
  },
);

test('accepts names in any script, including direction marks', () => {
  for (const name of ['Zoë Ångström', 'محمد\u200F', 'שרה\u200E כהן', '👩🏽‍💻 Ada', '李小龍']) {
    expect(accepts(line(40, 'x'), name)).toBe(true);
  }
});
