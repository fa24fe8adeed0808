import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bell,
  card,
  createOwnLaptop,
  newEmail,
  runClockUntilShown,
  startSession,
  startSessionOf,
} from './actions.ts';

/** Stops the page's clock; afterwards it runs only in `runClockUntilShown` and `runFor`. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

test.describe('toasts', () => {
  // Requests can be pending when the connection is lost.
  test.use({ expectedConsoleErrors: /ERR_INTERNET_DISCONNECTED/ });

  test('of success stay 2000 ms, of an error 4000 ms', async ({ page, context }) => {
    const name = await createOwnLaptop('EliteBook');
    await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
    await page.goto('/category/HP');
    await expect(card(page, name)).toBeVisible();
    const messages = page.getByRole('region', { name: 'Messages' });
    await stopClock(page);

    await card(page, name).getByRole('button', { name: 'Add to Wishlist' }).click();
    const success = messages.getByText('Product added to your wishlist. Please Check it on Dashboard.');
    await runClockUntilShown(page, success, 50);
    await page.clock.runFor(1_850);
    await expect(success).toBeVisible();
    await page.clock.runFor(250);
    await expect(success).toHaveCount(0);

    await context.setOffline(true);
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    const error = messages.getByText('You are offline. Please try that again once you are back.');
    await runClockUntilShown(page, error, 50);
    await page.clock.runFor(3_850);
    await expect(error).toBeVisible();
    await page.clock.runFor(250);
    await expect(error).toHaveCount(0);
  });
});

/** Expects that a click on the message reaches it: nothing lies above it, and it is not inert. */
async function expectOnTop(message: Locator): Promise<void> {
  await expect(message).toBeVisible();
  expect(
    await message.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return element === hit;
    }),
  ).toBe(true);
}

test.describe('on a phone, a message lies above', () => {
  test.use({ viewport: { width: 390, height: 844 }, expectedConsoleErrors: /ERR_FAILED/ });

  test('the filter sheet, and is added to a live region that exists before', async ({ page }) => {
    await page.goto('/laptops');
    const regions = page.getByRole('region', { name: 'Messages' }).locator('[aria-live]');
    await expect(regions).toHaveCount(2);
    const assertive = await regions.nth(0).elementHandle();
    await expect(regions.nth(0)).toHaveAttribute('aria-live', 'assertive');
    await expect(regions.nth(1)).toHaveAttribute('aria-live', 'polite');
    await page.getByRole('button', { name: 'Filters' }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await page.route('**/laptops.data**', () => {});
    await stopClock(page);
    await sheet.getByRole('checkbox').first().check();
    const message = page.getByText('That page takes too long to answer. Please try again.');
    await runClockUntilShown(page, message);
    await page.clock.resume();
    await expectOnTop(message);
    expect(await assertive?.textContent()).toContain('That page takes too long');
    await page.getByRole('button', { name: 'Dismiss this message' }).click();
    await expect(message).toHaveCount(0);
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();
  });

  test('the bell that is open, and a menu that opens later', async ({ page }) => {
    await startSessionOf(page, 'seller@coomercio.example');
    await page.goto('/blog');
    await page.route('**/api/notifications/*/seenUntil', (route) => route.abort());
    await bell(page).click();
    await page.clock.install();
    await page.getByRole('button', { name: 'Mark all as seen' }).click();
    const message = page.getByRole('region', { name: 'Messages' }).getByText(/cannot be reached/);
    await expectOnTop(message);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
    await expectOnTop(message);
  });
});

test('a navigation times out after 30 seconds with a message on the current page', async ({ page }) => {
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/');
  // Nothing is answered, neither to the page itself.
  await page.route(/\.data/, () => {});
  await page.clock.install();
  await page.getByRole('link', { name: 'Dell See laptops' }).click();
  const bar = page.getByRole('progressbar', { name: 'Opening the page' });
  await expect(bar).toBeVisible();
  await page.clock.runFor(30_000);
  await expect(page.getByText('That page takes too long to answer. Please try again.')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(page).toHaveURL('/');
});

test.describe('a failed role lookup', () => {
  test.use({ expectedConsoleErrors: /ERR_FAILED/ });

  test('shows a message and is repeated by ‘Try again’', async ({ page }) => {
    await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
    await page.route('**/api/users/**', (route) => route.abort());
    await page.clock.install();
    await page.goto('/dashboard/addProduct');
    await expect(page.getByRole('progressbar', { name: 'Checking your role' })).toBeVisible();
    const failed = page.getByRole('heading', { name: 'We could not check your role' });
    await runClockUntilShown(page, failed);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.unroute('**/api/users/**');
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).last().click();
    await expect(page.getByLabel('Product Name')).toBeVisible();
  });

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } });

    test('shows its message, and the links after a retry', async ({ page }) => {
      await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
      await page.route('**/api/users/**', (route) => route.abort());
      await page.clock.install();
      await page.goto('/dashboard');
      const failed = page.getByText(/^We could not check your role: /).filter({ visible: true });
      await runClockUntilShown(page, failed);
      await page.unroute('**/api/users/**');
      await page.getByRole('button', { name: 'Try again' }).filter({ visible: true }).click();
      await expect(failed).toHaveCount(0);
      await page.getByRole('button', { name: /^Menu: / }).click();
      const links = page.getByRole('navigation', { name: 'Dashboard' });
      await expect(links.getByRole('link', { name: 'My Products' })).toBeVisible();
    });
  });
});
