import { readFile } from 'node:fs/promises';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { fillLaptop, longUnless, newName, plainPicture } from './actions.ts';
import { findAxeViolations } from './axe.ts';
import { addButton, picture, registerSeller, tiles } from './photo-form.ts';

for (const width of [390, 1440]) {
  test(
    `a seller takes guided shots with captions and finds the code for the slip, at ${width} pixels`,
    longUnless(width === 390),
    async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      const name = newName('Latitude');
      await registerSeller(page);
      await page.goto('/dashboard/addProduct');
      await fillLaptop(page, { name, brand: 'Dell' });
      const shots = page.getByRole('region', { name: 'Photos that buyers look for' });
      await expect(shots.getByRole('listitem')).toHaveCount(7);
      await shots.getByLabel('Keyboard: add a photo').setInputFiles(picture('dell-latitude-7420-keys'));
      await expect(tiles(page)).toHaveCount(2);
      await expect(shots.getByLabel(/^Keyboard: add a photo.*One was added$/)).toBeAttached();

      const kind = page.getByRole('combobox', { name: 'What photo 2 shows' });
      await expect(kind).toHaveValue('keyboard');
      await page.getByRole('combobox', { name: 'What photo 1 shows' }).selectOption('Slip with the code');
      const caption = page.getByRole('textbox', { name: 'Caption of photo 2' });
      await caption.focus();
      await page.keyboard.type('The E key is worn');
      expect(await findAxeViolations(page)).toEqual([]);

      await addButton(page).click();
      await page.getByRole('link', { name: `Edit ${name}` }).click();
      await expect(kind).toHaveValue('keyboard');
      await expect(caption).toHaveValue('The E key is worn');
      await expect(shots.getByText(/^[34679ACDEFGHJKMNPQRTUVWXY]{5}$/)).toBeVisible();
    },
  );
}

for (const width of [390, 1440]) {
  test(`a seller gets the code for the slip before listing, and the laptop keeps it, at ${width} pixels`, {
    tag: '@long',
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const name = newName('Latitude');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name, brand: 'Dell' });
    const slipCode = page
      .getByRole('region', { name: 'Photos that buyers look for' })
      .getByText(/^[34679ACDEFGHJKMNPQRTUVWXY]{5}$/);
    await page.getByRole('button', { name: 'Get a code for the slip' }).press('Enter');
    await expect(slipCode).toBeVisible();
    await expect(page.getByText(/^Write on it: /)).toBeFocused();
    const code = (await slipCode.textContent()) ?? '';
    expect(await findAxeViolations(page)).toEqual([]);

    await page.reload();
    await expect(slipCode).toHaveText(code);
    await page
      .getByLabel('Slip with the code: add a photo')
      .setInputFiles(picture('dell-latitude-7420-open'));
    await expect(page.getByText(`The slip must show ${code}`)).toBeVisible();
    await addButton(page).click();
    await page.getByRole('link', { name: `Edit ${name}` }).click();
    await expect(slipCode).toHaveText(code);
  });
}

test('a measurement and the slip share one draft, also when both are requested at once', {
  tag: '@long',
}, async ({ page }) => {
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  let drafts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/laptopDrafts')) drafts += 1;
  });
  await page.getByRole('button', { name: 'Measure this laptop' }).click();
  const [slip, measuring] = ['Get a code for the slip', 'Get a code'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  );
  await Promise.all([
    slip?.evaluate((button: HTMLButtonElement) => button.click()),
    measuring?.evaluate((button: HTMLButtonElement) => button.click()),
  ]);
  await expect(page.getByText(/^Waiting for the report until/)).toBeVisible();
  await expect(page.getByText(/^Write on it: /)).toBeVisible();
  expect(drafts).toBe(1);
});

test.describe('without the server', () => {
  test.use({ expectedConsoleErrors: /ERR_FAILED/ });

  test('a code for the slip that did not arrive can be requested again', { tag: '@long' }, async ({
    page,
  }) => {
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await page.route('**/laptopDrafts', (route) => route.abort(), { times: 1 });
    const button = page.getByRole('button', { name: 'Get a code for the slip' });
    await button.click();
    await expect(page.getByText('There is no code yet.')).toBeVisible();
    await button.click();
    await expect(page.getByText(/^Write on it: /)).toBeVisible();
  });
});

test('a photo under two file names is listed once, and shifts no captions', { tag: '@long' }, async ({
  page,
}) => {
  const name = newName('Latitude');
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  await fillLaptop(page, { name, brand: 'Dell' });
  const buffer = await readFile(plainPicture);
  await page.getByLabel('Product Photo').setInputFiles({ name: 'copy.webp', mimeType: 'image/webp', buffer });
  await page.getByLabel('Keyboard: add a photo').setInputFiles(picture('dell-latitude-7420-keys'));
  await page.getByRole('textbox', { name: 'Caption of photo 3' }).fill('One key is worn');
  await addButton(page).click();
  await page.getByRole('link', { name: `Edit ${name}` }).click();
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'Caption of photo 2' })).toHaveValue('One key is worn');
  await expect(page.getByRole('combobox', { name: 'What photo 2 shows' })).toHaveValue('keyboard');
});

test('kinds and captions outlive a reload with the draft, for the same file', { tag: '@long' }, async ({
  page,
}) => {
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  const lid = page.getByLabel('Lid: add a photo');
  await lid.setInputFiles(picture('dell-latitude-7420-closed'));
  await page.getByRole('textbox', { name: 'Caption of photo 1' }).fill('A scratch');
  await page.reload();
  await page.getByLabel('Product Photo').setInputFiles(picture('dell-latitude-7420-closed'));
  await expect(page.getByRole('combobox', { name: 'What photo 1 shows' })).toHaveValue('lid');
  await expect(page.getByRole('textbox', { name: 'Caption of photo 1' })).toHaveValue('A scratch');
});
