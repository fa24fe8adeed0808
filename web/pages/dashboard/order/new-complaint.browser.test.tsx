import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Problem } from '#contract/platform/client.ts';
import { complain } from '#contract/sales/complaints.ts';
import type { Order } from '#contract/sales/orders.ts';
import { fakeShop, mount, signIn } from '../../../testing/component.tsx';
import { NewComplaint } from './new-complaint.tsx';

const id = '00000000-0000-4000-8000-000000000001';
const order: Order = {
  ...{ _id: id, bookingId: id, productCode: id, productName: 'OptiBook', image: '', hasCertificate: false },
  ...{ buyerName: 'Bruno Buyer', sellerName: 'Sol Seller', role: 'buyer' },
  ...{ price: 500, currency: 'USD', refunded: 0, goodwill: 0, refunds: [], state: 'held', dueAt: null },
  ...{ delivery: 'meet', parcels: [], packingPhotos: [], laptopWithBuyer: false, timeline: [] },
  payoutAfter: 'completed',
  ...{ isMeasured: false, laptopChecks: [], laptopCode: null, moves: ['complain'] },
};

const words = page.getByLabelText('What is wrong', { exact: true });
const chosen = page.getByRole('radio', { name: 'It does not work' });
const send = page.getByRole('button', { name: 'Send the complaint' });

test('a typed complaint outlives the end of the session and a reload, until it was sent', async () => {
  await signIn();
  const shop = fakeShop();
  const ended = mount(<NewComplaint order={order} />, { isSignedIn: true });
  await page.getByText('Complain', { exact: true }).click();
  await page.getByRole('radio', { name: 'Yes' }).click();
  await chosen.click();
  await words.fill('Two keys fail.');
  shop.on(complain, () => {
    throw new Problem({ status: 401, code: 'not_signed_in', detail: 'Please log in again.' });
  });
  await send.click();
  await expect.element(words).not.toBeInTheDocument();
  ended.unmount();

  await signIn();
  const { unmount } = mount(<NewComplaint order={order} />, { isSignedIn: true });
  await expect.element(chosen).toBeChecked();
  await expect.element(words).toHaveValue('Two keys fail.');
  shop.on(complain, () => ({ acknowledged: true, insertedId: id }));
  await send.click();
  await expect.element(page.getByText('Your complaint is with the seller.')).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
  unmount();

  mount(<NewComplaint order={order} />, { isSignedIn: true });
  await page.getByText('Complain', { exact: true }).click();
  await page.getByRole('radio', { name: 'Yes' }).click();
  await chosen.click();
  await expect.element(words).toHaveValue('');
});
