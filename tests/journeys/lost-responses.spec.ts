import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createLaptop,
  createOwnLaptop,
  deleteInRow,
  expectToast,
  fillLaptop,
  newEmail,
  newName,
  openLaptop,
  plainPicture,
  startSession,
} from './actions.ts';

test.use({ expectedConsoleErrors: /ERR_FAILED/ });

/** Forwards the next call of this kind to the shop and drops the response. */
async function loseAnswer(page: Page, method: string, path: string): Promise<void> {
  let dropped = false;
  await page.route(`**/api${path}`, async (route) => {
    if (dropped || route.request().method() !== method) return route.fallback();
    dropped = true;
    expect((await route.fetch()).status()).toBe(200);
    await route.abort();
  });
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a laptop whose response is lost is listed once by a retry after a reload; the same one again is another', async ({
  page,
}) => {
  await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  const add = page.getByRole('button', { name: 'Add Product' });
  const lost = page.getByText(/The shop cannot be reached\..*Everything you typed is still here/);

  const name = newName('Aspire');
  await page.goto('/dashboard/addProduct');
  await fillLaptop(page, { name });
  await loseAnswer(page, 'POST', '/laptops');
  await add.click();
  await expect(lost).toBeVisible();
  await page.reload();
  await page.getByLabel('Product Photo').setInputFiles(fileURLToPath(plainPicture));
  await add.click();
  await expectToast(page, `${name} is added successfully`);
  await expect(row(page, name)).toHaveCount(1);

  await test.step('the same laptop listed again after a response is another one', async () => {
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name });
    await add.click();
    await expectToast(page, `${name} is added successfully`);
    await expect(row(page, name)).toHaveCount(2);
  });
});

test('a booking, a wish and a report whose response is lost are made once by a retry', {
  tag: '@long',
}, async ({ page }) => {
  const name = await createOwnLaptop('Spectre');
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/category/HP');
  const laptop = card(page, name);
  const unreachable = 'The shop cannot be reached. Please check your connection and try again.';

  await test.step('a wish', async () => {
    await loseAnswer(page, 'POST', '/wishlists');
    await laptop.getByRole('button', { name: 'Add to Wishlist' }).click();
    await expectToast(page, unreachable);
    await laptop.getByRole('button', { name: 'Add to Wishlist' }).click();
    await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
  });

  await test.step('a booking', async () => {
    const dialog = page.getByRole('dialog', { name });
    await loseAnswer(page, 'POST', '/bookings');
    await laptop.getByRole('button', { name: 'Book now' }).click();
    await dialog.getByLabel('Phone Number').fill('+351 900 000 000');
    await dialog.getByLabel('Meeting Location').fill('Central Station');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
    await laptop.getByRole('button', { name: 'Book now' }).click();
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expectToast(page, 'Booking Successful. Please check your dashboard for payment.');
  });

  await test.step('a report', async () => {
    const dialog = page.getByRole('dialog', { name: 'Report this item' });
    await openLaptop(page, name);
    await loseAnswer(page, 'POST', '/reports');
    await page.getByRole('button', { name: /^Report this item/ }).click();
    await dialog.getByLabel('Reason').selectOption('Other');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(dialog.getByRole('alert')).toContainText('What you wrote is still here.');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expectToast(page, `Thank you. An admin will look at ${name}.`);
  });

  await page.goto('/dashboard/myOrders');
  await expect(row(page, name)).toHaveCount(1);
  await page.goto('/dashboard/myWishlist');
  await expect(row(page, name)).toHaveCount(1);
});

test('a booking from the wishlist whose response is lost is made by a retry', { tag: '@long' }, async ({
  page,
}) => {
  const name = await createOwnLaptop('Latitude', 'Dell');
  await startSession(page, { name: 'Bina Buyer', email: newEmail('bina'), role: 'Buyer' });
  await page.goto('/category/Dell');
  await card(page, name).getByRole('button', { name: 'Add to Wishlist' }).click();
  await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
  await page.goto('/dashboard/myWishlist');
  await page.getByRole('link', { name: 'Buy' }).click();
  await page.getByLabel('Phone Number').fill('+351 900 000 000');
  await page.getByLabel('Meeting Location').fill('Central Station');
  await loseAnswer(page, 'POST', '/bookings');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The shop cannot be reached.');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Booking Successful. Now pay the bill.');
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('a retry of a deletion whose response is lost reports success', { tag: '@long' }, async ({ page }) => {
  const name = newName('Nitro');
  const seller = await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  await createLaptop(seller, { name });
  await page.goto('/dashboard/myProducts');
  await expect(row(page, name)).toBeVisible();
  await page.route('**/api/myProducts?**', (route) => route.abort());
  await loseAnswer(page, 'DELETE', '/myProducts/*');
  const confirm = async () => {
    await deleteInRow(row(page, name), name);
    await page.getByRole('button', { name: 'Yes, delete it!' }).click();
  };
  await confirm();
  await expectToast(page, 'The shop cannot be reached. Please check your connection and try again.');
  await expect(page.getByText(/^This may be out of date\./)).toHaveCount(1);
  await page.unroute('**/api/myProducts?**');
  await confirm();
  await expectToast(page, `${name} was deleted already.`);
  await expect(row(page, name)).toHaveCount(0);
});
