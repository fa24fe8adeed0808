import { expect, test } from 'vitest';
import { signInReason } from './sign-in-reason.ts';

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
  ['/dashboard/savedSearches', 'Log in to see your saved searches.'],
  ['/dashboard/messages/new?laptop=1b9d&ask=Marta', 'Log in to ask Marta.'],
  ['/dashboard/messages/new?laptop=1b9d&ask=Call 555-0199, pay there: this', 'Log in to ask the seller.'],
  ['/dashboard/messages/1b9d', 'Log in to see your messages.'],
  ['/dashboard/order/1b9d', 'Log in to see your order.'],
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
