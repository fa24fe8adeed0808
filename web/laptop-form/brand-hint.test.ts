import { expect, test } from 'vitest';
import { brandHint } from './brand-hint.ts';

const brands = ['HP', 'Dell', 'Acer'];

test('says when the name begins with another brand of the shop, or with a maker that is none of them', () => {
  expect(brandHint('dell Latitude 7420', 'HP', brands)).toBe('The name says Dell. Is the brand right?');
  expect(brandHint(' Lenovo ThinkPad T480', 'HP', brands)).toBe(
    'The name says Lenovo, which is none of our brands. Buyers will look for it under HP.',
  );
});

test('says nothing when the brands agree, or the name names none', () => {
  expect(brandHint('HP EliteBook', 'HP', brands)).toBeUndefined();
  expect(brandHint('EliteBook 840', 'Dell', brands)).toBeUndefined();
  expect(brandHint('Hpossible', 'Dell', brands)).toBeUndefined();
  expect(brandHint('', 'Dell', brands)).toBeUndefined();
});
