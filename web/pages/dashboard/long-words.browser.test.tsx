import { Route, Routes } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { readWishlistItem, type WishlistItem } from '#contract/listings/wishlist.ts';
import { type Booking, listBookings, readBooking } from '#contract/sales/bookings.ts';
import { fakeShop, mount, signIn } from '../../testing/component.tsx';
import Buy from './buy/page.tsx';
import MyOrders from './my-orders/page.tsx';
import Payment from './payment/page.tsx';

const id = '00000000-0000-4000-8000-000000000001';
const name = 'HP_EliteBook_840_G8_i5-1145G7_16GB_512GB_SSD_Windows_11_Pro'.padEnd(120, '_');
const sellerName = 'Maximiliane_Oppenheimer_Schwarzenberg_Hohenzollern_Sigmaringen';

const booking: Booking = {
  ...{ _id: id, productCode: id, productName: name, price: 549.99, currency: 'USD', image: '' },
  ...{ buyerName: 'Bruno Buyer', sellerName, sellerId: id, phone: '+351 900 000 000' },
  ...{ delivery: 'meet', location: name, deliveries: ['meet'], paid: false, state: 'Unpaid' },
  bookedAt: '2026-11-18T10:24:05Z',
};

const item: WishlistItem = {
  ...{ _id: id, productCode: id, productName: name, price: 549.99, image: '', sellerName, sellerId: id },
  ...{ email: 'bruno@people.example', paid: false, condition: 'Excellent', delivery: 'meet', facts: {} },
  ...{ level: 'word', sellerVerified: false, state: 'Available' },
};

test.each([
  ['booked', Buy],
  ['paid', Payment],
  ['listed', MyOrders],
])('a laptop whose name is one long word fits a phone where it is %s', async (_, Page) => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1280, 720));
  await signIn();
  const shop = fakeShop();
  shop.on(readWishlistItem, () => item);
  shop.on(readBooking, () => booking);
  shop.on(listBookings, () => [booking]);
  const routes = (
    <Routes>
      <Route path=":id" element={<Page />} />
    </Routes>
  );
  mount(routes, { path: `/${id}`, isSignedIn: true });
  await expect.element(page.getByText(name).first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});
