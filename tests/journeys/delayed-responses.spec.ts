import type { Page } from '@playwright/test';
import { advertiseLaptop } from '#contract/listings/catalogue.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createLaptop,
  createOwnLaptop,
  createSeller,
  expectLoaded,
  expectToast,
  fillLaptop,
  newEmail,
  newName,
  openLaptop,
  startSession,
} from './actions.ts';

/** Delays requests. @returns releases them */
async function holdRequests(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const registerBuyer = (page: Page) =>
  startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
const registerSeller = (page: Page) =>
  startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });

async function fillMeeting(page: Page) {
  await page.getByLabel('Phone Number').fill('+351 900 000 000');
  await page.getByLabel('Meeting Location').fill('Central Station');
}

/** Opens the booking dialog of a laptop. */
async function openBooking(page: Page, name: string) {
  await card(page, name).getByRole('button', { name: 'Book now' }).click();
  await expect(page.getByRole('dialog', { name })).toBeVisible();
}

test('a page reads its parts beside each other, not after each other', async ({ page }) => {
  await registerSeller(page);
  for (const [path, held, others] of [
    [
      '/dashboard/account',
      '**/identity/account',
      ['**/identity/sessions', '**/api/users/me/name', '**/api/myPhone'],
    ],
    ['/dashboard/addProduct', '**/api/brands', ['**/api/sellers/*']],
  ] as const) {
    const release = await holdRequests(page, held);
    const asked = Promise.all([held, ...others].map((url) => page.waitForRequest(url)));
    await page.goto(path);
    await asked;
    release();
    await expectLoaded(page);
    await page.unroute(held);
  }
});

test.describe('a response that arrives on another page', () => {
  test.use({ expectedConsoleErrors: /status of 503/ });

  test('for an added laptop shows a toast and does not navigate', { tag: '@long' }, async ({ page }) => {
    const name = newName('EliteBook');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name });
    const release = await holdRequests(page, '**/photos?**');
    await page.getByRole('button', { name: 'Add Product' }).click();
    await expect(page.getByRole('progressbar').first()).toBeVisible();
    await page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: 'My Orders' })
      .click();
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
    release();
    const toast = page.getByText(`${name} is added successfully`);
    await expect(toast).toBeVisible();
    // By then the response has been handled.
    await expect(toast).toHaveCount(0);
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
    await page.goto('/dashboard/addProduct');
    await expect(page.getByLabel('Product Name')).toHaveValue('');
  });

  test('for a failed listing shows a toast and keeps the form’s values', { tag: '@long' }, async ({
    page,
  }) => {
    const name = newName('ProBook');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name });
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    await page.route('**/photos?**', async (route) => {
      await left;
      await route.fulfill({ status: 503, body: 'The disk is full.' });
    });
    await page.getByRole('button', { name: 'Add Product' }).click();
    await page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: 'My Orders' })
      .click();
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
    leave();
    await expectToast(
      page,
      `${name} was not added, and your text is on Add Product: Not all of its photos were uploaded.`,
    );
    await page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: 'Add Product' })
      .click();
    await expect(page.getByLabel('Product Name')).toHaveValue(name);
  });

  test('for a booking from the wishlist shows a toast and does not navigate', { tag: '@long' }, async ({
    page,
  }) => {
    const name = await createOwnLaptop('Latitude', 'Dell');
    await registerBuyer(page);
    await page.goto('/category/Dell');
    await card(page, name).getByRole('button', { name: 'Add to Wishlist' }).click();
    await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
    await page.goto('/dashboard/myWishlist');
    await page.getByRole('link', { name: 'Buy' }).click();
    await fillMeeting(page);
    const release = await holdRequests(page, '**/api/bookings');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
    release();
    await expectToast(page, 'Booking Successful. Now pay the bill.');
    await expect(page).toHaveURL(/\/dashboard\/account$/);
  });
});

test('a response for one laptop leaves the dialog of another open with its values', { tag: '@long' }, async ({
  page,
}) => {
  const [first, second] = [newName('Swift 3'), newName('Spin 5')];
  const seller = await createSeller();
  for (const name of [first, second]) await createLaptop(seller, { name, brand: 'Acer' });
  await registerBuyer(page);
  await page.goto('/category/Acer');

  await test.step('of a booking', async () => {
    const release = await holdRequests(page, '**/api/bookings');
    await openBooking(page, first);
    await fillMeeting(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await openBooking(page, second);
    await page.getByLabel('Meeting Location').fill('The café at the park');
    release();
    await expectToast(page, 'Booking Successful. Please check your dashboard for payment.');
    await expect(page.getByRole('dialog', { name: second })).toBeVisible();
    await expect(page.getByLabel('Meeting Location')).toHaveValue('The café at the park');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('of a report', async () => {
    const release = await holdRequests(page, '**/api/reports');
    const report = async (name: string) => {
      await openLaptop(page, name);
      await page.getByRole('button', { name: /^Report this item/ }).click();
    };
    await report(first);
    await page.getByLabel('Reason').selectOption('Not as described');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goBack();
    // The page of the first laptop shows the second one as well.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Acer laptops');
    await report(second);
    await page.getByLabel('Note').fill('The photo shows another laptop.');
    release();
    await expect(page.getByRole('region', { name: 'Messages' }).getByText(/Thank you/)).toBeVisible();
    await expect(page.getByLabel('Note')).toHaveValue('The photo shows another laptop.');
  });
});

test.describe('the history', () => {
  test('has no entries of closed dialogs', { tag: '@long' }, async ({ page }) => {
    const name = await createOwnLaptop('EliteBook');
    await registerBuyer(page);
    await page.goto('/blog');
    await page.goto('/category/HP');
    const book = card(page, name).getByRole('button', { name: 'Book now' });
    const dialog = page.getByRole('dialog');
    for (const close of ['Escape', 'Close'] as const) {
      await book.click();
      await expect(page).toHaveURL(/\?book=/);
      await expect(dialog.getByLabel('Phone Number')).toBeFocused();
      if (close === 'Escape') await page.keyboard.press('Escape');
      else await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page).toHaveURL(/\/category\/HP$/);
      await expect(book).toBeFocused();
    }

    await book.click();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await page.goForward();
    // It takes keys from then on.
    await expect(dialog.getByLabel('Phone Number')).toBeFocused();
    // Two key presses during the navigation back must not leave the page.
    await page.evaluate(() => {
      for (let count = 0; count < 2; count += 1) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      }
    });
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/category\/HP$/);
    await page.goBack();
    await expect(page).toHaveURL('/blog');
  });

  test('back from a dialog opened by a link shows the previous page', { tag: '@long' }, async ({ page }) => {
    const name = newName('Aspire');
    const seller = await createSeller();
    const _id = await createLaptop(seller, { name, brand: 'Acer' });
    await seller.client.call(advertiseLaptop, { params: { _id } });
    await registerBuyer(page);
    await page.goto('/');
    await page
      .getByRole('region', { name: 'Advertise Laptops' })
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('link', { name: /^Buy Now/ })
      .click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(new RegExp(`/laptop/${_id}/[^?]+$`));
    await page.goBack();
    await expect(page).toHaveURL('/');
  });

  test('back from My Orders shows the wishlist, not the submitted form', { tag: '@long' }, async ({
    page,
  }) => {
    const name = await createOwnLaptop('ProBook');
    await registerBuyer(page);
    await page.goto('/category/HP');
    await card(page, name).getByRole('button', { name: 'Add to Wishlist' }).click();
    await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
    await page.goto('/dashboard/myWishlist');
    await page.getByRole('link', { name: 'Buy' }).click();
    await fillMeeting(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard\/myWishlist$/);
  });
});
