import { expect, test } from 'vitest';
import { bookingUrl } from './booking-url.ts';

test('leads to the brand’s page with the laptop to book', () => {
  expect(bookingUrl({ category_Id: 'HP', _id: 'f1' })).toBe('/category/HP?book=f1');
});
