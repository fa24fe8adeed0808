import { expect, test } from 'vitest';
import type { LaptopDetails } from '#contract/listings/laptop-schemas.ts';
import { exampleLaptop as laptop } from '../../../laptops/testing/example-laptop.ts';
import { compareRows } from './compare-rows.ts';

const rows = (...laptops: LaptopDetails[]) =>
  new Map(compareRows(laptops).map(({ name, ...row }) => [name, row]));

test('marks the rows whose values differ', () => {
  const table = rows(laptop, { ...laptop, resale_price: 499, condition: 'Good' });
  expect(table.get('Resale price')).toEqual({
    values: ['$549.99', '$499.00'],
    best: [null, 'lowest price'],
    differs: true,
  });
  expect(table.get('Condition')).toEqual({
    values: ['Excellent', 'Good'],
    best: ['best condition', null],
    differs: true,
  });
  expect(table.get('Use time')).toEqual({
    values: ['2 years', '2 years'],
    best: [null, null],
    differs: false,
  });
});

test('the seller is named with the rating, and leads to the seller’s page', () => {
  const rated = { ...laptop, seller_rating: { reviews: 12, average: 4.7 } };
  expect(rows(rated, laptop).get('Seller')).toEqual({
    values: ['Nadia · 4.7/5 (12), verified', 'Nadia, verified'],
    best: [null, null],
    differs: true,
    paths: [`/seller/${laptop.seller_id}`, `/seller/${laptop.seller_id}`],
  });
});

test('a seller whose account has ended leads nowhere', () => {
  expect(rows({ ...laptop, sellerHasEnded: true }).get('Seller')).toMatchObject({
    values: ['Nadia, has left the shop'],
    paths: [undefined],
  });
});

test('an unknown value does not differ from a known one', () => {
  const table = rows(laptop, { ...laptop, description: 'Well kept', facts: {} });
  expect(table.get('Memory')).toEqual({
    values: ['16 GB DDR4', ''],
    best: [null, null],
    differs: false,
  });
});

test('a measured battery replaces what the seller wrote', () => {
  const written = { ...laptop, description: { Battery: '57 Wh, 95 %' }, facts: { battery: 95 } };
  const measured = { ...written, facts: { battery: 91, batteryMeasured: true as const } };
  expect(rows(written, measured, { ...laptop, facts: { battery: 88 } }).get('Battery')?.values).toEqual([
    '57 Wh, 95 %',
    '91 %, measured',
    '88 %',
  ]);
});

test('takes a fact where the seller wrote no text, and leaves out what is unknown for all', () => {
  const table = rows(laptop);
  expect(table.get('Memory')?.values).toEqual(['16 GB DDR4']);
  expect(table.get('Storage')?.values).toEqual(['1 TB']);
  expect(table.has('Battery')).toBe(false);
});

test('several laptops share what is best, and nothing is best where all are as good', () => {
  const large = { ...laptop, facts: { memory: 32 }, description: { Memory: '32 GB' } };
  const table = rows(laptop, large, large);
  expect(table.get('Memory')?.best).toEqual([null, 'most memory', 'most memory']);
  expect(table.get('Checked')?.best).toEqual([null, null, null]);
});

test('lists what is the same for all last', () => {
  const names = [...rows(laptop, { ...laptop, use_time: '1 year' }).keys()];
  expect(names[0]).toBe('Use time');
  expect(names[1]).toBe('Resale price');
});
