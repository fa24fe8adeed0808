import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createOwnLaptop,
  createUser,
  expectLoaded,
  expectToast,
  longUnless,
  newEmail,
  newName,
  openListWith,
  password,
  startSession,
} from './actions.ts';
import { anyAmount } from './amounts.ts';
import { findAxeViolations } from './axe.ts';
import { addButton, fillThree, registerSeller } from './photo-form.ts';

/** Lists a laptop with three photos and opens its brand's page as a buyer. */
async function openListed(seller: Page, buyer: Page, name: string): Promise<Locator> {
  await registerSeller(seller);
  await seller.goto('/dashboard/addProduct');
  await fillThree(seller, name);
  await addButton(seller).click();
  await expect(seller.getByText(`${name} is added successfully`)).toBeVisible();
  await startSession(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await buyer.goto('/category/Dell');
  await expect(card(buyer, name)).toBeVisible();
  return card(buyer, name);
}

/** Swipes horizontally by a distance in pixels. */
async function swipe(page: Page, from: { x: number; y: number }, distance: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', x: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y: from.y }] });
  await touch('touchStart', from.x);
  for (let step = 1; step <= 12; step += 1) await touch('touchMove', from.x + (distance * step) / 12);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Moves two fingers apart around a point. */
async function pinch(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', distance: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [
        { x: x - distance, y, id: 0 },
        { x: x + distance, y, id: 1 },
      ],
    });
  await touch('touchStart', 20);
  for (let step = 1; step <= 12; step += 1) await touch('touchMove', 20 + 8 * step);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** The photo that the viewer shows. */
const shownPhoto = (viewer: Locator) => viewer.locator('.yarl__slide_current').getByRole('img');

/** Reads where the viewer's photo is, in pixels. */
function trackPhoto(viewer: Locator) {
  const read = async () => (await shownPhoto(viewer).boundingBox()) ?? { x: 0, width: 0 };
  return { left: async () => (await read()).x, width: async () => (await read()).width };
}

/** Whether an image has loaded. */
const isDrawn = (image: Locator) =>
  image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0);

test('a card’s gallery is navigated by buttons, keys and thumbnails and shows the position', async ({
  page: seller,
  openVisitor,
}) => {
  const name = newName('Precision');
  const listed = await openListed(seller, await openVisitor(), name);
  const page = listed.page();
  const photo = (number: number) => listed.getByRole('button', { name: `Enlarge photo ${number} of 3` });
  await expect(listed.getByText('1 of 3')).toBeVisible();
  // Only the first photo is fetched at first.
  await expect(photo(1).getByRole('img')).toHaveCount(1);
  await expect(photo(2).getByRole('img')).toHaveCount(0);

  await listed.getByRole('button', { name: 'Next photo' }).click();
  await expect(listed.getByText('2 of 3')).toBeVisible();
  await expect(photo(2)).toBeInViewport({ ratio: 0.3 });
  await expect.poll(() => isDrawn(photo(2).getByRole('img'))).toBe(true);

  await photo(2).focus();
  await page.keyboard.press('ArrowRight');
  await expect(photo(3)).toBeFocused();
  await expect(listed.getByText('3 of 3')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(photo(3)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(photo(1)).toBeFocused();
  await expect(listed.getByText('1 of 3')).toBeVisible();
  await page.keyboard.press('End');
  await expect(listed.getByText('3 of 3')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(listed.getByText('2 of 3')).toBeVisible();

  await listed.getByRole('button', { name: 'Show photo 3' }).click();
  await expect(listed.getByText('3 of 3')).toBeVisible();
  await expect(listed.getByRole('button', { name: 'Show photo 3' })).toHaveAttribute('aria-current', 'true');
  await expect(listed.getByRole('button', { name: 'Next photo' })).toHaveAttribute('aria-disabled', 'true');
});

test('the photo viewer zooms and pans by keys and pointer, and returns the focus when it closes', async ({
  page: seller,
  openVisitor,
}) => {
  const name = newName('OptiBook');
  const listed = await openListed(seller, await openVisitor(), name);
  const page = listed.page();
  await listed.getByRole('button', { name: 'Enlarge photo 1 of 3' }).focus();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog', { name });
  await expect(viewer.getByText('1 of 3')).toBeVisible();
  const { left, width } = trackPhoto(viewer);
  await expect.poll(() => isDrawn(shownPhoto(viewer))).toBe(true);
  const whole = await width();

  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(whole * 1.5);
  const middle = await left();
  await page.keyboard.press('ArrowRight');
  await expect.poll(left).toBeLessThan(middle - 40);
  const moved = await left();
  await page.mouse.move(600, 400);
  await page.mouse.down();
  await page.mouse.move(700, 400, { steps: 4 });
  await page.mouse.up();
  await expect.poll(left).toBeGreaterThan(moved + 40);
  // Arrow keys pan an enlarged photo.
  await expect(viewer.getByText('1 of 3')).toBeVisible();
  await viewer.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(width).toBeLessThan(whole * 1.5);
  await page.keyboard.press('0');
  await expect.poll(width).toBeCloseTo(whole, 0);

  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByText('2 of 3')).toBeVisible();
  await viewer.getByRole('button', { name: 'Next photo' }).click();
  await expect(viewer.getByText('3 of 3')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(listed.getByRole('button', { name: 'Enlarge photo 3 of 3' })).toBeFocused();
  await expect(listed.getByText('3 of 3')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a swipe shows the next photo, and two fingers zoom in', async ({ page, openVisitor }) => {
    const name = newName('Alienware');
    const listed = await openListed(await openVisitor(), page, name);
    await listed.getByRole('link', { name, exact: true }).click();
    const gallery = page.getByRole('group', { name: `Photos of ${name}` });
    const strip = gallery.getByRole('button', { name: 'Enlarge photo 1 of 3' });
    await strip.scrollIntoViewIfNeeded();
    const box = await strip.boundingBox();
    if (box === null) throw new Error('The photo is nowhere.');
    await swipe(page, { x: box.x + box.width * 0.8, y: box.y + box.height / 2 }, -0.7 * box.width);
    await expect(gallery.getByText('2 of 3')).toBeVisible();
    await expect
      .poll(() => isDrawn(gallery.getByRole('button', { name: 'Enlarge photo 2 of 3' }).getByRole('img')))
      .toBe(true);

    await gallery.getByRole('button', { name: 'Enlarge photo 2 of 3' }).tap();
    const viewer = page.getByRole('dialog', { name });
    await expect(viewer.getByText('2 of 3')).toBeVisible();
    // Some browsers navigate back on a swipe that scrolls nothing.
    await expect(page.locator('html')).toHaveCSS('overscroll-behavior-x', 'none');
    await swipe(page, { x: 300, y: 420 }, -220);
    await expect(viewer.getByText('3 of 3')).toBeVisible();
    await swipe(page, { x: 80, y: 420 }, 220);
    await expect(viewer.getByText('2 of 3')).toBeVisible();
    const { width } = trackPhoto(viewer);
    await expect.poll(() => isDrawn(shownPhoto(viewer))).toBe(true);
    const whole = await width();
    await pinch(page, { x: 195, y: 420 });
    await expect.poll(width).toBeGreaterThan(whole * 1.2);
  });

  test('a category shows the tiles of every list, with a heart', async ({ page }) => {
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

  for (const path of ['/category/Acer', '/laptops?brand=Acer']) {
    test(`${path} loads without layout shift`, async ({ page }) => {
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

    test('in the viewer', longUnless(colorScheme === 'light'), async ({ page }) => {
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
