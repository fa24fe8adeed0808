import { expect, test } from 'vitest';
import { describePriceChange } from './price-note.ts';

const laptop = {
  resale_price: 950,
  unpaidBookings: [
    { agreedPrice: 950, count: 1 },
    { agreedPrice: 900, count: 2 },
  ],
};

test('says who has booked while the price stays', () => {
  const sentences = [
    '1 buyer has a booking that is valid at $950.00.',
    '2 buyers have bookings that are valid at $900.00.',
  ];
  expect(describePriceChange(laptop, 950)).toEqual(sentences);
  expect(describePriceChange(laptop, null)).toEqual(sentences);
});

test('says which buyers have to agree to a higher price and which pay it', () => {
  expect(describePriceChange(laptop, 920)).toEqual([
    '1 buyer has a booking that is valid at $950.00. This buyer will be told of the new price and pay $920.00. If you raise the price later, they have to agree to it before they pay.',
    '2 buyers have bookings that are valid at $900.00. They will be asked to agree to $920.00, and can cancel instead.',
  ]);
});

test('says that everybody pays a lower price', () => {
  for (const sentence of describePriceChange(laptop, 850)) expect(sentence).toContain('pay $850.00');
});
