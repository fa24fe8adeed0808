import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { book } from '#contract/sales/bookings.ts';
import type { Purchase } from '../../bookings/use-purchase.ts';
import { exampleLaptop } from '../../laptops/testing/example-laptop.ts';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { fakeShop, mount, signIn } from '../../testing/component.tsx';
import { RequestedBooking } from './requested-booking.tsx';

const laptop = { ...exampleLaptop, facts: {}, description: 'Well kept' };
const path = `/category/HP?book=${laptop._id}`;
const dialog = page.getByRole('dialog', { name: laptop.name });

/** The category page of a buyer, with a button by which the bookings show that the laptop was booked elsewhere. */
function CategoryPage() {
  const [isBooked, setIsBooked] = useState(false);
  const purchase: Purchase = {
    isLoading: false,
    isOwn: () => false,
    isBooked: () => isBooked,
    isWished: () => false,
    unpaidBookingId: () => null,
    addBooked: () => setIsBooked(true),
    pendingWishId: null,
    wish: () => undefined,
  };
  const booking = useDialogParameter('book');
  return (
    <>
      <button type="button" onClick={() => setIsBooked(true)}>
        Book elsewhere
      </button>
      <RequestedBooking booking={booking} laptops={isBooked ? [] : [laptop]} purchase={purchase} />
    </>
  );
}

async function openPage() {
  await signIn();
  const shop = fakeShop();
  const { router } = mount(<CategoryPage />, { path, isSignedIn: true });
  await expect.element(dialog).toBeVisible();
  return { shop, address: () => router.state.location.pathname + router.state.location.search };
}

test('a laptop that the buyer has booked elsewhere goes to its own page, which offers to pay', async () => {
  const { address } = await openPage();
  // The dialog covers the button.
  const elsewhere = page.getByRole('button', { name: 'Book elsewhere', includeHidden: true });
  elsewhere.element().dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await expect.poll(address).toBe(`/laptop/${laptop._id}?book=yes`);
});

test('a booking in the dialog closes it and stays on the page', async () => {
  const { shop, address } = await openPage();
  shop.on(book, () => ({
    acknowledged: true,
    message: '',
    insertedId: '00000000-0000-4000-8000-000000000009',
  }));
  await page.getByLabelText('Phone Number').fill('+351 900 000 000');
  await page.getByLabelText('Meeting Location').fill('Central Station');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(address()).toBe('/category/HP');
});
