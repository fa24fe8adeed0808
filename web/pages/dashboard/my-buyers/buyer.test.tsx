import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Booking } from '#contract/sales/bookings.ts';
import { Buyer } from './buyer.tsx';

const booking: Booking = {
  currency: 'USD',
  _id: '00000000-0000-4000-8000-000000000001',
  productName: 'HP EliteBook 840 G8',
  price: 549.99,
  buyerName: 'Former account',
  sellerName: 'Sofia Seller',
  image: '/photos/a',
  productCode: '00000000-0000-4000-8000-000000000002',
  paid: true,
  state: 'Paid',
  bookedAt: '2026-11-20T12:00:00Z',
  delivery: 'meet',
};

test('links the buyer’s email address and phone number', () => {
  const contact = { buyerName: 'Bea', email: 'bea@people.example', phone: '+351 912 345 678' };
  const html = renderToStaticMarkup(<Buyer booking={{ ...booking, ...contact }} />);
  expect(html).toContain('href="mailto:bea@people.example"');
  expect(html).toContain('href="tel:+351912345678"');
});

test('shows an ended account, and the buyer of a booking that is over, without links', () => {
  const html = renderToStaticMarkup(<Buyer booking={booking} />);
  expect(html).toContain('Former account');
  expect(html).not.toContain('<a');
});
