import { expect, test } from 'vitest';
import { bookingUrl } from './booking-url.ts';

test('returns the URL of the brand’s page with the booking dialog of the laptop', () => {
  expect(bookingUrl({ category_Id: 'HP', _id: 'f1' })).toBe('/category/HP?book=f1');
});
