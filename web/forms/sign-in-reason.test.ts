import { expect, test } from 'vitest';
import { publicListFor, signInReason } from './sign-in-reason.ts';

test.each([
  ['/category/HP', 'Log in to see HP laptops.'],
  ['/category/Call 555-0199, pay there: this is not a', 'Log in to see these laptops.'],
  ['/category/HP?book=1b9d', 'Log in to book this laptop.'],
  ['/laptop/1b9d/elitebook?wish=yes', 'Log in to add this laptop to your wishlist.'],
  ['/laptop/1b9d/elitebook?report=yes', 'Log in to report this laptop.'],
  ['/seller/1b9d?reportReview=2c8e', 'Log in to report this review.'],
  ['/laptops?brand=HP&save=yes', 'Log in to save this search.'],
  ['/dashboard/savedSearches', 'Log in to see your saved searches.'],
  ['/dashboard/addProduct', 'Log in to sell a laptop.'],
  ['/dashboard/payment/1b9d', 'Log in to pay for your booking.'],
  ['/laptops?q=thinkpad&save=yes', 'Log in to save this search.'],
  ['/dashboard/messages/new?laptop=1b9d&ask=Marta', 'Log in to ask Marta.'],
  ['/dashboard/messages/new?laptop=1b9d&ask=Call 555-0199, pay there: this', 'Log in to ask the seller.'],
  ['/dashboard/order/1b9d', 'Log in to see your order.'],
  ['/dashboard/messages/new?laptop=1b9d', 'Log in to ask the seller about this laptop.'],
  ['/dashboard/messages/1b9d', 'Log in to see your messages.'],
  ['/dashboard/', 'Log in to see your orders.'],
  ['/dashboard/reportedItems', 'Log in to see your dashboard.'],
])('%s needs a sign-in: %s', (from, reason) => {
  expect(signInReason(from)).toBe(reason);
});

test.each(['/', '/laptops?q=thinkpad', '/laptop/1b9d/elitebook', '/category/HP/more', '//['])(
  'has no reason for %s',
  (from) => {
    expect(signInReason(from)).toBeNull();
  },
);

test.each([
  ['/category/HP', 'See HP laptops without an account', '/laptops?brand=HP'],
  [
    '/category/Packard Bell?book=1b9d',
    'See Packard Bell laptops without an account',
    '/laptops?brand=Packard+Bell',
  ],
  ['/category/Call 555-0199, pay there: this is not a', 'See the laptops without an account', '/laptops'],
  ['/dashboard', 'See the laptops without an account', '/laptops'],
  ['/', 'See the laptops without an account', '/laptops'],
])('instead of %s a visitor can: %s', (from, name, to) => {
  expect(publicListFor(from)).toEqual({ name, to });
});
