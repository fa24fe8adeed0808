import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { OwnData } from '#contract/operations/privacy.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bookLaptop,
  card,
  createLaptop,
  createOwnLaptop,
  newEmail,
  newName,
  newPersonName,
  openPayment,
  password,
  signIn,
  startSession,
  startSessionOf,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';

const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });

async function openDeletion(page: Page) {
  await page.goto('/dashboard/account');
  await region(page, 'Delete your account').getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function deleteAccount(page: Page, email: string) {
  const dialog = await openDeletion(page);
  await dialog.getByLabel('Your Email').fill(email);
  await dialog.getByLabel('Your Password').fill(password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  return dialog;
}

test.describe('one’s own data', () => {
  test.use({ expectedConsoleErrors: /ERR_FAILED/ });

  test('are downloaded as a file, with a busy state and a message on failure', { tag: '@long' }, async ({
    page,
  }) => {
    const name = await createOwnLaptop('EliteBook');
    const email = newEmail('dana');
    await startSession(page, { name: 'Dana Download', email, role: 'Buyer' });
    await page.goto('/category/HP');
    await card(page, name).getByRole('button', { name: 'Add to Wishlist' }).click();
    await expect(page.getByText(/Product added to your wishlist/)).toBeVisible();

    await page.goto('/dashboard/account');
    const data = region(page, 'Your data');
    await page.route('**/api/myData', (route) => route.abort());
    await data.getByRole('button', { name: 'Download my data' }).click();
    await expect(data.getByRole('alert')).toContainText('The shop cannot be reached');

    await page.unroute('**/api/myData');
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/myData', async (route) => {
      await gate.promise;
      await route.continue();
    });
    const coming = page.waitForEvent('download');
    await data.getByRole('button', { name: 'Download my data' }).click();
    await expect(data.getByRole('button', { name: 'Gathering your data' })).toBeDisabled();
    gate.resolve();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^coomercio-my-data-\d{4}-\d\d-\d\d\.json$/);
    const file = z.parse(OwnData, JSON.parse(await readFile(await download.path(), 'utf8')));
    expect(file.account).toMatchObject({ name: 'Dana Download', email });
    expect(file.wishlist).toHaveLength(1);
    await expect(data.getByRole('status')).toHaveText(/in your browser’s downloads/);
  });
});

test.describe('one’s own account', () => {
  test.use({ expectedConsoleErrors: /status of (401|403|409|422)/ });

  test('is deleted only with the right address and password; the next page lists the kept data', async ({
    page,
    openVisitor,
  }) => {
    const seller = { name: newPersonName('Sal'), email: newEmail('sal'), role: 'Seller' as const };
    const laptop = newName('Swift');
    const session = await startSession(page, seller);
    await createLaptop(session, { name: laptop, brand: 'Acer' });

    const dialog = await openDeletion(page);
    await expect(dialog).toContainText('Deleted immediately');
    await expect(dialog).toContainText('Kept for bookkeeping');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog.getByText('Your email address is required')).toBeVisible();
    await expect(dialog.getByText('Your password is required')).toBeVisible();
    await dialog.getByLabel('Your Email').fill('somebody@people.example');
    await expect(dialog.getByText('This is not the email address of your account')).toBeVisible();
    await dialog.getByLabel('Your Email').fill(seller.email.toUpperCase());
    await dialog.getByLabel('Your Password').fill('Wrong#Password1');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog.getByText('This is not your password')).toBeVisible();
    await expect(dialog.getByLabel('Your Email')).toHaveValue(seller.email.toUpperCase());

    const other = await openVisitor();
    await other.goto('/dashboard/account');
    await signIn(other, seller.email);
    await expect(other.getByRole('heading', { name: 'Your data' })).toBeVisible();

    await page.evaluate(() => localStorage.setItem('coomercioRecentlySeen', '[]'));
    await dialog.getByLabel('Your Password').fill(password);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page).toHaveURL(/\/account-deleted$/);
    expect(await page.evaluate(() => localStorage.getItem('coomercioRecentlySeen'))).toBeNull();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
    await expect(page.getByText('No personal data is kept.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();

    // The end of its stream of changes tells the other browser.
    await expect(other).toHaveURL(/\/login$/);
    await page.goto('/login');
    await signIn(page, seller.email);
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);

    const buyer = await openVisitor();
    await startSession(buyer, { name: 'Bo Buyer', email: newEmail('bo'), role: 'Buyer' });
    await buyer.goto('/category/Acer');
    await expect(buyer.getByRole('article').first()).toBeVisible();
    await expect(card(buyer, laptop)).toHaveCount(0);
  });

  test('of a seller cannot be deleted while a buyer is paying', { tag: '@long' }, async ({
    page,
    openVisitor,
  }) => {
    const seller = { name: newPersonName('Sue'), email: newEmail('sue'), role: 'Seller' as const };
    const laptop = newName('Nitro');
    const session = await startSession(page, seller);
    await createLaptop(session, { name: laptop, brand: 'Acer' });
    const buyer = await openVisitor();
    await startSession(buyer, { name: 'Bob Buyer', email: newEmail('bob'), role: 'Buyer' });
    await buyer.goto('/category/Acer');
    await bookLaptop(buyer, laptop);
    await openPayment(buyer, laptop);
    await expect(buyer.getByRole('button', { name: /^Pay\b/ })).toBeVisible();

    const dialog = await deleteAccount(page, seller.email);
    await expect(dialog.getByRole('alert').filter({ hasText: /paying for a laptop of yours/ })).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep my account' }).click();
    await page.getByRole('link', { name: 'My Products' }).click();
    await expect(page.getByRole('row').filter({ hasText: laptop })).toBeVisible();
  });

  test('of the only owner cannot be deleted', { tag: '@long' }, async ({ page }) => {
    await startSessionOf(page, 'admin@coomercio.example');
    const dialog = await deleteAccount(page, 'admin@coomercio.example');
    await expect(dialog.getByRole('alert').filter({ hasText: /You are the only owner/ })).toBeVisible();
  });
});

test('/account-deleted shows nothing without a deletion', { tag: '@long' }, async ({ page }) => {
  await page.goto('/account-deleted');
  await expect(page.getByRole('heading', { name: 'No account was deleted' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, expectedConsoleErrors: /status of (401|403)/ });

    test('axe finds nothing in the deletion dialog and on the page after it', { tag: '@long' }, async ({
      page,
    }) => {
      const email = newEmail('axel');
      await startSession(page, { name: 'Axel Leaving', email, role: 'Buyer' });
      const dialog = await openDeletion(page);
      await dialog.getByRole('button', { name: 'Delete my account' }).click();
      await expect(dialog.getByText('Your password is required')).toBeVisible();
      expect(await findAxeViolations(page), 'the dialog').toEqual([]);
      await dialog.getByLabel('Your Email').fill(email);
      await dialog.getByLabel('Your Password').fill(password);
      await dialog.getByRole('button', { name: 'Delete my account' }).click();
      await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
      expect(await findAxeViolations(page), 'the page afterwards').toEqual([]);
    });
  });
}
