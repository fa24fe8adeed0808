import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { fillLaptop, newName } from './actions.ts';
import { findAxeViolations } from './axe.ts';
import { addButton, fillThree, picture, registerSeller, three, tiles } from './photo-form.ts';

/** The files of the chosen photos, in their order. */
const chosen = async (page: Page) =>
  tiles(page)
    .getByRole('img')
    .evaluateAll((images) =>
      images.map((image) => image.getAttribute('alt')?.replace(/^Photo \d: |\.webp$/g, '')),
    );

test('photos can be reordered with buttons and by dragging, and removed', async ({ page }) => {
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  const input = page.getByLabel('Product Photo');
  await input.setInputFiles(three.slice(0, 2));
  await input.setInputFiles(three.slice(1));
  await expect(tiles(page)).toHaveCount(3);
  await expect
    .poll(() => chosen(page))
    .toEqual(['dell-latitude-7420-open', 'dell-xps-13-9310-open', 'hp-omen-16-open']);
  await expect(page.getByText('Shown first')).toHaveCount(1);

  const later = page.getByRole('button', { name: 'Move later: photo 1' });
  await later.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => chosen(page))
    .toEqual(['dell-xps-13-9310-open', 'dell-latitude-7420-open', 'hp-omen-16-open']);
  await expect(page.getByRole('status').getByText('Photo 1 is now photo 2 of 3.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Move later: photo 2' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Move later: photo 3' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Move later: photo 3' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect
    .poll(() => chosen(page))
    .toEqual(['dell-xps-13-9310-open', 'hp-omen-16-open', 'dell-latitude-7420-open']);

  const pictureOf = (index: number) => tiles(page).nth(index).getByRole('img');
  await pictureOf(2).dragTo(pictureOf(0));
  await expect
    .poll(() => chosen(page))
    .toEqual(['dell-latitude-7420-open', 'dell-xps-13-9310-open', 'hp-omen-16-open']);
  await expect(page.getByRole('status').getByText('Photo 3 is now photo 1 of 3, shown first.')).toBeVisible();

  await page.getByRole('button', { name: 'Remove: photo 2' }).click();
  await expect.poll(() => chosen(page)).toEqual(['dell-latitude-7420-open', 'hp-omen-16-open']);
  await input.setInputFiles(picture('dell-xps-13-9310-open'));
  await expect(tiles(page)).toHaveCount(3);
});

test.describe('when the browser cannot show a chosen photo', () => {
  // Playwright's trace fetches the picture that could not be shown, which the page's policy forbids.
  test.use({ expectedConsoleErrors: /Connecting to 'blob:/ });

  test('a HEIC photo is shown by its name, uploaded, and served as WebP', { tag: '@long' }, async ({
    page,
  }) => {
    const name = newName('Latitude');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name, brand: 'Dell' });
    await page.getByRole('button', { name: 'Remove: photo 1' }).click();
    await page.getByLabel('Product Photo').setInputFiles('server/listings/photos/tiles.sample.heic');
    const tile = tiles(page).first();
    await expect(tile).toContainText('tiles.sample.heic');
    await expect(tile).toContainText('This browser cannot show it before it is uploaded.');
    await expect(tile.getByRole('img')).toHaveCount(0);
    const listed = page.waitForRequest((request) => request.url().endsWith('/api/laptops'));
    await addButton(page).click();
    const { image }: { image: string } = (await listed).postDataJSON();
    await expect(page.getByText(`${name} is added successfully`)).toBeVisible();
    expect((await page.request.get(image)).headers()['content-type']).toBe('image/webp');
  });
});

test('photos can be dropped on the form; other files are named and left out', { tag: '@long' }, async ({
  page,
}) => {
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  await expect(page.getByLabel('Product Photo')).toBeEnabled();
  const pictures = await Promise.all(three.slice(1).map((path) => readFile(path, 'base64')));
  const dropped = await page.evaluateHandle((encoded) => {
    const transfer = new DataTransfer();
    for (const [index, picture] of encoded.entries()) {
      const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
      transfer.items.add(new File([bytes], `${index}.webp`, { type: 'image/webp' }));
    }
    transfer.items.add(new File(['%PDF-1.7'], 'invoice.pdf', { type: 'application/pdf' }));
    return transfer;
  }, pictures);
  await page.getByLabel('Product Photo').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByText('2 photos of 8 chosen. Left out: invoice.pdf.')).toBeVisible();
});

test('each photo is uploaded once, in order, with a progress bar', { tag: '@long' }, async ({ page }) => {
  const name = newName('Vostro');
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  await fillThree(page, name);
  await page.getByRole('button', { name: 'Move earlier: photo 3' }).click();
  await page.getByRole('button', { name: 'Move earlier: photo 2' }).click();
  const released = Promise.withResolvers<void>();
  await page.route('**/photos?**', async (route) => {
    await released.promise;
    await route.continue();
  });
  const listed = page.waitForRequest((request) => request.url().endsWith('/api/laptops'));
  await addButton(page).click();
  const bars = page.getByRole('progressbar', { name: 'Uploading this photo' });
  await expect(bars).toHaveCount(2);
  await expect(bars.first()).toHaveAttribute('aria-valuenow', /^\d+$/);
  await expect(page.getByRole('button', { name: 'Remove: photo 1' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  released.resolve();
  const body: { image: string; images: string[] } = (await listed).postDataJSON();
  expect(body.images).toHaveLength(3);
  expect(body.image).toBe(body.images[0]);
  await expect(page.getByText(`${name} is added successfully`)).toBeVisible();
});

test.describe('when one of several photos is not stored', () => {
  test.use({ expectedConsoleErrors: /status of 503/ });

  test('that photo shows the failure and can be retried, and the others are not uploaded again', async ({
    page,
  }) => {
    const name = newName('Inspiron');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillThree(page, name);
    let sent = 0;
    await page.route('**/photos?**', async (route) => {
      sent += 1;
      if (sent === 2) await route.fulfill({ status: 503, body: 'The disk is full.' });
      else await route.continue();
    });
    await addButton(page).click();
    const failed = tiles(page).filter({
      hasText: 'The image host did not keep the photo. Please try again.',
    });
    await expect(failed).toHaveCount(1);
    await expect(tiles(page).getByText('Uploaded')).toHaveCount(2);
    const again = failed.getByRole('button', { name: 'Try again: photo 2' });
    await expect(again).toBeFocused();
    await again.click();
    await expect(tiles(page).getByText('Uploaded')).toHaveCount(3);
    await addButton(page).click();
    await expect(page.getByText(`${name} is added successfully`)).toBeVisible();
    expect(sent).toBe(4);
  });
});

test.describe('when others in the same network upload photos', () => {
  test.use({ expectedConsoleErrors: /status of 429/ });

  test('the photo is sent again when the image host says', { tag: '@long' }, async ({ page }) => {
    const name = newName('Swift');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name, brand: 'Dell' });
    let sent = 0;
    await page.route('**/photos?**', async (route) => {
      sent += 1;
      if (sent === 1) await route.fulfill({ status: 429, headers: { 'retry-after': '1' } });
      else await route.continue();
    });
    await addButton(page).click();
    await expect(page.getByText(`${name} is added successfully`)).toBeVisible();
    expect(sent).toBe(2);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme axe finds nothing`, () => {
    test.use({ colorScheme });

    test('on chosen photos', { tag: '@long' }, async ({ page }) => {
      await registerSeller(page);
      await page.goto('/dashboard/addProduct');
      await page.getByLabel('Product Photo').setInputFiles(three);
      await expect(tiles(page)).toHaveCount(3);
      expect(await findAxeViolations(page)).toEqual([]);
    });
  });
}
