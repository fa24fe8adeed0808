import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectToast, fillLaptop, newName } from './actions.ts';
import { shown, shownShortly } from './amounts.ts';
import { findAxeViolations } from './axe.ts';
import { addButton, registerSeller } from './photo-form.ts';

test('Add Product offers configuration values, takes any other text, and shows what buyers can filter by', {
  tag: '@long',
}, async ({ page }) => {
  const name = newName('Latitude');
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  await fillLaptop(page, { name, brand: 'Dell' });
  const memory = page.getByLabel('Memory');
  const offered = await memory.evaluate((input: HTMLInputElement) =>
    [...(input.list?.options ?? [])].map(({ value }) => value),
  );
  expect(offered).toContain('16 GB');

  await memory.fill('plenty');
  await expect(memory).toHaveAccessibleDescription("Buyers can't filter by this: write a size such as 16 GB");
  await expect(memory).not.toHaveAttribute('aria-invalid');
  await memory.fill('2 x 8 GB');
  await expect(memory).toHaveAccessibleDescription('Buyers find it under: 16 GB');
  const status = page.getByRole('group', { name: 'Product Configuration' }).getByRole('status');
  await expect(status).not.toContainText('Memory');
  await memory.press('Tab');
  await expect(page.getByLabel('Storage')).toBeFocused();
  await expect(status).toHaveText('Memory: Buyers find it under: 16 GB');

  await page.getByLabel('Storage').fill('1 TB SSD');
  await page.getByLabel('Storage').press('Tab');
  await expect(status).toHaveText('Storage: Buyers find it under: 1 TB');
  await memory.focus();
  await memory.press('Tab');
  await expect(page.getByLabel('Storage')).toBeFocused();
  await expect(status, 'an unchanged hint is not announced again').toHaveText(
    'Storage: Buyers find it under: 1 TB',
  );
  expect(await findAxeViolations(page)).toEqual([]);

  await page.reload();
  await expect(memory).toHaveValue('2 x 8 GB');
  await expect(memory).toHaveAccessibleDescription('Buyers find it under: 16 GB');
  await page.getByLabel('Product Photo').setInputFiles('demo/photos/dell-latitude-7420-open.webp');
  const listed = page.waitForRequest((request) => request.url().endsWith('/api/laptops'));
  await addButton(page).click();
  expect((await listed).postDataJSON().description).toMatchObject({
    Processor: 'AMD Ryzen 5 5625U',
    Memory: '2 x 8 GB',
    Storage: '1 TB SSD',
  });
  await expectToast(page, `${name} is added successfully`);
});

test('on wide screens Add Product shows the tile of the laptop with what is typed', { tag: '@long' }, async ({
  page,
}) => {
  const name = newName('Latitude');
  await page.setViewportSize({ width: 1440, height: 900 });
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await expect(preview).toContainText('Your first photo goes here');
  await expect(preview).not.toContainText('You save');

  await fillLaptop(page, { name, brand: 'Dell', price: 549.99 });
  await page.getByLabel('Original Price').fill(shownShortly(1649));
  await page.getByLabel('Condition').selectOption('Fair');
  await page.getByLabel('Memory').fill('16 GB');
  for (const text of [
    name,
    shown(549.99),
    shown(1649),
    `You save ${shown(1099.01)}`,
    'Fair',
    'Ryzen 5 · 16 GB',
  ]) {
    await expect(preview).toContainText(text);
  }
  await expect(preview.locator('img')).toHaveAttribute('src', /^blob:/);
  await expect(preview).not.toContainText('Your first photo goes here');

  await page.setViewportSize({ width: 768, height: 1024 });
  await expect(preview).toBeHidden();
  await expect(page.getByLabel('Product Name')).toHaveValue(name);
});
