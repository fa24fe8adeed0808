import { expect, test } from 'vitest';
import type { FactField } from '#contract/listings/facts.ts';
import { factHint } from './fact-hint.ts';

test.each<[FactField, string, string]>([
  ['Memory', '16 GB DDR4', '16 GB'],
  ['Memory', '16 GB (15.8 GB usable)', '16 GB'],
  ['Storage', '1 TB SSD', '1 TB'],
  ['Display', '15.6″ IPS', '15.6″'],
  ['Processor', 'Intel Core i5, 11th generation', 'Intel Core i5, Intel 11th generation'],
  ['Processor', 'Ryzen 7 5800U', 'AMD Ryzen 7, Ryzen 5000 series'],
  ['Processor', 'Intel Core m3-7Y30', 'Intel Core m, Intel 7th generation'],
  ['Graphics', 'Intel Iris Xe', 'Integrated'],
  ['Battery', '57 Wh, 86 % health', '86 % of its capacity when new'],
  ['Operating', 'Windows 11 Pro', 'Windows 11'],
])('%s “%s” is found under %s', (field, text, values) => {
  expect(factHint(field, text)).toBe(`Buyers find it under: ${values}`);
});

test.each(['plenty', '15.8 GB usable', '8 or 16 GB', 'up to 64 GB'])(
  'the memory “%s” gets an example',
  (text) => {
    expect(factHint('Memory', text)).toBe("Buyers can't filter by this: write a size such as 16 GB");
  },
);

test('a storage of which only the upper bound is written gets an example', () => {
  expect(factHint('Storage', 'slot up to 2 TB')).toBe(
    "Buyers can't filter by this: write a size such as 512 GB",
  );
});

test('an empty field has no hint', () => {
  expect(factHint('Memory', ' ')).toBeUndefined();
});

test('a battery that no filter finds is shown', () => {
  expect(factHint('Battery', '61 % health')).toBe('Buyers see: 61 % of its capacity when new');
});
