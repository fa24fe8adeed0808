import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { card, createOwnLaptop, expectLoaded, newEmail, newName, startSession } from './actions.ts';
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
  await expect(viewer).toBeVisible();
  const photo = viewer.getByRole('button', { name: /^(Enlarge|Show whole): / });
  await expect(photo).toBeFocused();
  const width = async () => (await photo.boundingBox())?.width ?? 0;
  const scrolled = () =>
    photo.evaluate(({ parentElement: stage }) => [stage?.scrollLeft ?? 0, stage?.scrollTop ?? 0]);
  const whole = await width();

  await page.keyboard.press('+');
  await expect.poll(width).toBeCloseTo(whole * 1.5, 0);
  await page.keyboard.press('-');
  await expect.poll(width).toBeCloseTo(whole, 0);
  await page.keyboard.press('Enter');
  await expect.poll(width).toBeCloseTo(whole * 2, 0);
  const middle = await scrolled();
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await scrolled())[1]).toBe((middle[1] ?? 0) + 80);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await scrolled())[0]).toBe((middle[0] ?? 0) + 80);
  const moved = await scrolled();
  expect(await viewer.getByText('1 of 3').isVisible()).toBe(true);

  await page.mouse.move(600, 400);
  await page.mouse.down();
  await page.mouse.move(600, 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await scrolled())[1]).toBe((moved[1] ?? 0) + 100);
  // A drag is not a click. A click shows the whole photo again.
  expect(await width()).toBeCloseTo(whole * 2, 0);
  await page.mouse.click(600, 400);
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

  test('a swipe shows the next photo, and a double tap zooms in', async ({ page, openVisitor }) => {
    const name = newName('Alienware');
    const listed = await openListed(await openVisitor(), page, name);
    await expect(page.getByRole('radio', { name: 'Compact grid' })).toBeChecked();
    await page.getByRole('radio', { name: 'Large cards' }).check();
    const strip = listed.getByRole('button', { name: 'Enlarge photo 1 of 3' });
    await strip.scrollIntoViewIfNeeded();
    const box = await strip.boundingBox();
    if (box === null) throw new Error('The photo is nowhere.');
    await swipe(page, { x: box.x + box.width * 0.8, y: box.y + box.height / 2 }, -0.7 * box.width);
    await expect(listed.getByText('2 of 3')).toBeVisible();
    await expect
      .poll(() => isDrawn(listed.getByRole('button', { name: 'Enlarge photo 2 of 3' }).getByRole('img')))
      .toBe(true);

    await listed.getByRole('button', { name: 'Enlarge photo 2 of 3' }).tap();
    const viewer = page.getByRole('dialog', { name });
    const photo = viewer.getByRole('button', { name: /^(Enlarge|Show whole): / });
    await expect(photo).toBeVisible();
    // Some browsers navigate back on a swipe that scrolls nothing.
    await expect(page.locator('html')).toHaveCSS('overscroll-behavior-x', 'none');
    await swipe(page, { x: 300, y: 420 }, -220);
    await expect(viewer.getByText('3 of 3')).toBeVisible();
    await swipe(page, { x: 80, y: 420 }, 220);
    await expect(viewer.getByText('2 of 3')).toBeVisible();
    await expect(page).toHaveURL(/\/category\/Dell$/);
    const width = async () => (await photo.boundingBox())?.width ?? 0;
    const whole = await width();
    await photo.tap();
    expect(await width()).toBeCloseTo(whole, 0);
    // On a busy machine two taps may come too far apart to be one double tap.
    await expect(async () => {
      await page.touchscreen.tap(195, 420);
      await page.touchscreen.tap(195, 420);
      await expect.poll(width, { timeout: 1_000 }).toBeCloseTo(whole * 2, 0);
    }).toPass();
  });
});

test('the compact grid persists over a reload and has the functions of the large cards', async ({ page }) => {
  const name = await createOwnLaptop('EliteBook');
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/category/HP');
  await expect(page.getByRole('radio', { name: 'Large cards' })).toBeChecked();
  await expect(page.getByText('Product Configuration').first()).toBeVisible();
  await page.getByRole('radio', { name: 'Compact grid' }).check();
  await expect(page.getByText('Product Configuration')).toHaveCount(0);
  await page.reload();
  const compact = card(page, name);
  await expect(compact).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Compact grid' })).toBeChecked();
  await expect(page.getByText('Product Configuration')).toHaveCount(0);

  await expect(compact).toContainText(/\$\d/);
  const wish = compact.getByRole('button', { name: /^Add to Wishlist/ });
  await wish.click();
  await expect(page.getByText('Product added to your wishlist. Please Check it on Dashboard.')).toBeVisible();
  await expect(wish).toBeDisabled();
  await compact.getByRole('button', { name: /^Enlarge/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(compact.getByRole('button', { name: /^Enlarge/ })).toBeFocused();
  await compact.getByRole('button', { name: 'Book now' }).click();
  await expect(page.getByRole('dialog').getByLabel('Phone Number')).toBeVisible();
});

test('the compact grid loads without layout shift', async ({ page }) => {
  const name = await createOwnLaptop('Swift', 'Acer');
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/category/Acer');
  await page.getByRole('radio', { name: 'Compact grid' }).check();
  await page.reload();
  await page.evaluate(() => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value);
      document.documentElement.dataset.shift = String(shift);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const photo = card(page, name).getByRole('img');
  await expect(photo).toBeVisible();
  await expect.poll(() => isDrawn(photo)).toBe(true);
  const shift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
  expect(shift).toBeLessThan(0.005);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme axe finds nothing`, () => {
    test.use({ colorScheme });

    test('on the compact grid and in the viewer', async ({ page }) => {
      const name = await createOwnLaptop('EliteBook');
      await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
      await page.goto('/category/HP');
      await page.getByRole('radio', { name: 'Compact grid' }).check();
      await expectLoaded(page);
      expect(await findAxeViolations(page)).toEqual([]);
      await card(page, name)
        .getByRole('button', { name: /^Enlarge/ })
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('+');
      expect(await findAxeViolations(page)).toEqual([]);
    });
  });
}
