import { expect, test } from 'vitest';
import { linkTo, linkToBooking } from './links.ts';

test('a brand’s name is encoded in its link', () => {
  expect(linkTo('category', { id: 'A/B & C' })).toBe('/category/A%2FB%20%26%20C');
});

test('Buy Now leads to the laptop, opened for booking, in its category', () => {
  expect(linkToBooking({ category_Id: 'HP', _id: 'f1' })).toBe('/category/HP?book=f1');
});
