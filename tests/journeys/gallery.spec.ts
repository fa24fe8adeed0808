import type { Locator } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createOwnLaptop,
  createUser,
  expectLoaded,
  expectToast,
  newEmail,
  openListWith,
  password,
  startSession,
} from './actions.ts';
import { anyAmount } from './amounts.ts';
import { findAxeViolations } from './axe.ts';

/** Whether an image has loaded. */
const isDrawn = (image: Locator) =>
  image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a category shows the tiles of every list, with a heart', { tag: '@long' }, async ({ page }) => {
    const name = await createOwnLaptop('EliteBook');
    await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
    await page.goto('/category/HP');
    const tile = card(page, name);
    await expect(tile).toContainText(new RegExp(anyAmount));
    await expect(page.getByText('Product Configuration')).toHaveCount(0);
    const wish = tile.getByRole('button', { name: /^Add to Wishlist/ });
    await wish.click();
    await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
    await expect(wish).toBeDisabled();
    await openListWith(page, '/laptops?brand=HP', name);
    await expect(card(page, name).getByRole('button', { name: /^Add to Wishlist/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/category/HP');
    await expect(page.getByText('Product Configuration').first()).toBeVisible();
  });

  for (const [path, options] of [
    ['/category/Acer', {}],
    ['/laptops?brand=Acer', { tag: '@long' }],
  ] as const) {
    test(`${path} loads without layout shift`, options, async ({ page }) => {
      const name = await createOwnLaptop('Swift', 'Acer');
      await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
      await openListWith(page, path, name);
      // The parser waits for the styles at the script after them.
      expect(await page.locator('link[rel=stylesheet] ~ script:not([src])').count()).toBeGreaterThan(0);
      await page.evaluate(() => {
        let shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value);
          document.documentElement.dataset.shift = String(shift);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // The name beside it says what the photo shows.
      const photo = card(page, name).locator('img');
      await expect(photo).toBeVisible();
      await expect.poll(() => isDrawn(photo)).toBe(true);
      await expectLoaded(page);
      const shift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
      expect(shift).toBeLessThan(0.005);
    });
  }
});

test('the heart of a visitor’s tile leads to the login, and then adds the laptop', { tag: '@long' }, async ({
  page,
}) => {
  const name = await createOwnLaptop('EliteBook');
  const email = newEmail('bruno');
  await createUser({ name: 'Bruno Buyer', email, role: 'Buyer' });
  await openListWith(page, '/laptops?brand=HP', name);
  await card(page, name)
    .getByRole('link', { name: /^Add to Wishlist/ })
    .click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme axe finds nothing`, () => {
    test.use({ colorScheme });

    test('in the viewer', { tag: '@long' }, async ({ page }) => {
      const name = await createOwnLaptop('EliteBook');
      await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
      await page.goto('/category/HP');
      await expectLoaded(page);
      await card(page, name)
        .getByRole('button', { name: /^Enlarge/ })
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('+');
      expect(await findAxeViolations(page)).toEqual([]);
    });
  });
}
