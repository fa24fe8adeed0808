import { expect, test } from 'vitest';
import { warningsOf } from './warnings.ts';

test.each([
  ['See https://pay.example/offer', ['link']],
  ['Look at WWW.offers.example', ['link']],
  ['All photos are on my-laptops.shop, cheaper', ['link']],
  ['write to ana@mail.com', ['link']],
  ['my-laptops\u200b.\u200bcom', ['link']],
  ['ｗｗｗ．ｓｈｏｐ．ｃｏｍ', ['link']],
  ['Please send it by wire transfer.', ['payment']],
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
