import { expect, test } from 'vitest';
import { warningsOf } from './warnings.ts';

test.each([
  ['See https://pay.example/offer', ['link']],
  ['Look at WWW.offers.example', ['link']],
  ['All photos are on my-laptops.shop, cheaper', ['link']],
  ['write to ana@mail.com', ['link']],
  ['my-laptops\u200b.\u200bcom', ['link']],
  ['ｗｗｗ．ｓｈｏｐ．ｃｏｍ', ['link']],
  ['смотри на ноутбуки.com', ['link']],
  ['Please send it by wire transfer.', ['payment']],
  ['P\u0301ay-Pa\u0327l me', ['payment']],
  ['Western\nUnion is safest', ['payment']],
  ['Pay-Pal, Friends & Family or PayPal?', ['payment']],
  ['buy a gift\u00adcard', ['payment']],
  ['My account: DE89 3704 0044 0532 0130 00', ['payment']],
  ['PT50000201231234567890154', ['payment']],
  ['Pay me in Bitcoin at https://coins.example', ['link', 'payment']],
] as const)('%j deserves a warning', (text, expected) => {
  expect(warningsOf(text)).toEqual(expected);
});

test.each([
  'Is the battery new? It says 92 %, i.e. good.',
  'Let’s meet at 5.30 pm. Is that ok?',
  'It has 16 GB of memory and a Core i5-1145G7.',
  'The gift for my son; card reader works.',
  'I paid here in the shop.',
])('%j is an ordinary sentence', (text) => {
  expect(warningsOf(text)).toEqual([]);
});

test('no text takes much longer to read than an ordinary one of its length', () => {
  const repeated = ['wire', 'pay me', 'a.', 'ab12', '\u200b', '://', 'www.', ' ', 'x'].map(
    (part) => [`only ${JSON.stringify(part)}`, part.repeat(2_000 / part.length)] as const,
  );
  const fastest = (text: string) =>
    Math.min(
      ...Array.from({ length: 20 }, () => {
        const start = performance.now();
        warningsOf(text);
        return performance.now() - start;
      }),
    );
  const ordinary = fastest('Isn’t it still there… '.repeat(90));
  for (const [name, text] of [
    ['ligatures of 18 letters', '\ufdfa'.repeat(2000)],
    ['squares with a unit of six', '\u33af'.repeat(2000)],
    ['accents to be sorted', `a${'\u0315\u0300\u05ae\u0327'.repeat(499)}`],
    ...repeated,
  ] as const) {
    expect(fastest(text) / ordinary, name).toBeLessThan(12);
  }
});
