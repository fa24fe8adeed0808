import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createOwnLaptop,
  expectToast,
  newEmail,
  openPayment,
  payButton,
  recordBodies,
  startSession,
  typeCard,
} from './actions.ts';
import { shown } from './amounts.ts';

test('a wished laptop is bought from the wishlist and shown as Purchased', async ({ page: buyer }) => {
  const name = await createOwnLaptop('Nitro 5', 'Acer');
  const sent = recordBodies(buyer);
  const email = newEmail('bruno');
  await startSession(buyer, { name: 'Bruno Buyer', email, role: 'Buyer' });
  await buyer.goto('/category/Acer');
  const wish = card(buyer, name).getByRole('button', { name: 'Add to Wishlist' });
  await wish.click();
  await expectToast(buyer, 'Product added to your wishlist. Please Check it on Dashboard.');
  expect(sent.get('POST /wishlists')).toEqual(['email', 'image', 'price', 'productCode', 'productName']);
  await expect(wish).toBeDisabled();
  await buyer.reload();
  await expect(wish).toBeVisible();
  await expect(wish).toBeDisabled();

  await buyer.goto('/dashboard/myWishlist');
  const item = buyer.getByRole('row').filter({ hasText: name });
  for (const text of [shown(549.99), 'i5 · 16 GB', 'Excellent', 'Available']) {
    await expect(item).toContainText(text);
  }
  await item.getByRole('link', { name: 'Buy' }).click();
  await expect(buyer).toHaveURL(/\/dashboard\/buy\/[0-9a-f-]+$/);
  await expect(buyer.getByLabel('Name', { exact: true })).toHaveValue('Bruno Buyer');
  await expect(buyer.getByLabel('Email', { exact: true })).toHaveValue(email);
  for (const label of ['Name', 'Email']) {
    await expect(buyer.getByLabel(label, { exact: true })).not.toBeEditable();
  }
  const submit = buyer.getByRole('button', { name: 'Submit' });
  await submit.click();
  await expect(buyer.getByText('Phone Number is required')).toBeVisible();
  await expect(buyer.getByText('Meeting Location is required')).toBeVisible();
  await expect(buyer.getByLabel('Phone Number')).toBeFocused();

  await buyer.getByLabel('Phone Number').fill('+351 900 000 000');
  await buyer.getByLabel('Meeting Location').fill('Central Station');
  const address = buyer.url();
  await submit.click();
  await expectToast(buyer, 'Booking Successful. Now pay the bill.');
  expect(sent.get('POST /bookings')).toEqual([
    ...['buyerName', 'email', 'image', 'location', 'phone', 'price', 'productCode', 'productName'],
  ]);
  await expect(buyer).toHaveURL(/\/dashboard\/myOrders$/);

  await test.step('the booking page, not acknowledged: an error toast, and My Orders all the same', async () => {
    await buyer.goto(address);
    await buyer.getByLabel('Phone Number').fill('+351 900 000 000');
    await buyer.getByLabel('Meeting Location').fill('Central Station');
    await submit.click();
    await expectToast(buyer, `You already booked ${name}. Can't book it again.`);
    await expect(buyer).toHaveURL(/\/dashboard\/myOrders$/);
  });

  await openPayment(buyer, name);
  await typeCard(buyer, '4242424242424242');
  await payButton(buyer).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
  await buyer.goto('/dashboard/myWishlist');
  await expect(item.getByText('Purchased', { exact: true })).toBeVisible();
  await expect(item.getByRole('link', { name: 'Buy' })).toHaveCount(0);
});

test('a wishlist failure is an error toast with the server’s message: “You already added {productName} to your wishlist.”', {
  tag: '@long',
}, async ({ page: buyer }) => {
  const name = await createOwnLaptop('Nitro 7', 'Acer');
  await startSession(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  const other = await buyer.context().newPage();
  // This tab does not see the wish made in the other one.
  await other.route('**/api/wishlists?**', (route) => route.fulfill({ json: [] }));
  for (const tab of [buyer, other]) {
    await tab.goto('/category/Acer');
    await expect(card(tab, name).getByRole('button', { name: 'Add to Wishlist' })).toBeEnabled();
  }
  await card(buyer, name).getByRole('button', { name: 'Add to Wishlist' }).click();
  await expect(card(buyer, name)).toContainText('It is on your wishlist.');
  await card(other, name).getByRole('button', { name: 'Add to Wishlist' }).click();
  await expectToast(other, `You already added ${name} to your wishlist.`);
});

test.describe(() => {
  test.use({ expectedConsoleErrors: /ERR_FAILED/ });

  test('Remove takes a laptop off the wishlist; a failure keeps it', { tag: '@long' }, async ({
    page: buyer,
  }) => {
    const [kept, removed] = [
      await createOwnLaptop('Aspire 3', 'Acer'),
      await createOwnLaptop('Aspire 5', 'Acer'),
    ];
    await startSession(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
    await buyer.goto('/category/Acer');
    for (const name of [kept, removed]) {
      await card(buyer, name).getByRole('button', { name: 'Add to Wishlist' }).click();
      await expect(card(buyer, name)).toContainText('It is on your wishlist.');
    }
    await buyer.goto('/dashboard/myWishlist');
    const remove = buyer.getByRole('button', { name: `Remove ${removed}` });

    await buyer.route('**/api/wishlists/*', (route) => route.abort());
    await remove.press('Enter');
    await expectToast(buyer, 'The shop cannot be reached. Please check your connection and try again.');
    await expect(remove).toBeEnabled();
    await buyer.unroute('**/api/wishlists/*');

    await remove.press('Enter');
    await expectToast(buyer, `${removed} was removed from your wishlist.`);
    await expect(remove).toHaveCount(0);
    await expect(buyer.getByRole('row').filter({ hasText: kept })).toBeVisible();
    // The focus stays at the list: the next Tab reaches its first control.
    await buyer.keyboard.press('Tab');
    await expect(buyer.getByRole('link', { name: kept, exact: true })).toBeFocused();

    await buyer.goto('/category/Acer');
    await expect(card(buyer, removed).getByRole('button', { name: 'Add to Wishlist' })).toBeEnabled();
  });
});
