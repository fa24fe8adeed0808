import { readOwnLaptop } from '#contract/listings/catalogue.ts';
import { Inserted } from '#contract/platform/scalars.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createSeller,
  expectNoOverflow,
  expectNoOverflowAtAnyWidth,
  expectToast,
  fillLaptop,
  newName,
} from './actions.ts';

// A comma is the decimal separator, and a dot groups thousands.
test.use({ locale: 'de-DE' });

test('a seller types prices with a decimal comma and pastes a telephone number; the form shows what it understood', async ({
  page,
}) => {
  const session = await createSeller();
  await session.signIn(page.context());
  const name = newName('Komma');
  await page.goto('/dashboard/addProduct');
  await fillLaptop(page, { name });
  const price = page.getByLabel('Resale Price');
  const understood = page.getByRole('status').filter({ hasText: '= $' });
  const preview = page.getByRole('complementary', { name: 'Preview' });

  await page.getByLabel('Original Price').fill('1.234');
  await expect(understood).toHaveText('= $1,234.00');
  await price.fill('549,5');
  await expect(understood).toHaveText(['= $1,234.00', '= $549.50']);
  await expect(preview).toContainText('$549.50');
  await expectNoOverflowAtAnyWidth(page);
  await price.fill('549.50');
  await expect(understood).toHaveCount(1);
  await price.fill('549,505');
  await expect(understood).toHaveCount(1);
  const number = page.getByLabel('Mobile Number');
  await number.fill('call me');
  await page.getByRole('button', { name: /^Add/ }).click();
  await expect(page.getByText('A price is in dollars and cents, such as 549,99')).toBeVisible();
  await expect(page.getByText('“c” cannot be in a phone number')).toBeVisible();

  await price.fill('549,50');
  await number.fill('\u202A+351\u00A0912\u00A0345\u00A0678\u202C');
  const listed = page.waitForResponse(
    (response) => response.url().endsWith('/api/laptops') && response.request().method() === 'POST',
  );
  await page.getByRole('button', { name: /^Add/ }).click();
  const { insertedId } = Inserted.parse(await (await listed).json());
  await expectToast(page, `${name} is added successfully`);
  expect(await session.client.call(readOwnLaptop, { params: { _id: insertedId } })).toMatchObject({
    original_price: 1234,
    resale_price: 549.5,
    mobile_number: '+351 912 345 678',
  });
});

test('the bounds of the price are read in the browser’s language', async ({ page }) => {
  await page.goto('/laptops');
  await page.getByLabel('To in dollars').fill('5.500,50');
  await expect(page.getByRole('group', { name: 'Price' }).getByRole('status')).toHaveText('To = $5,500');
  await page.getByLabel('To in dollars').fill('');
  await page.getByLabel('From in dollars').fill('1.234,00');
  await page.getByLabel('From in dollars').press('Enter');
  await expect(page).toHaveURL(/min_price=1234(&|$)/);
  await expect(page.getByLabel('From in dollars')).toHaveValue('1234');
});

test('the bounds of the price have room on a phone with large text', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/laptops');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await page.getByRole('button', { name: /^Filter/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('To in dollars').fill('1.234,50');
  await expect(sheet.getByText('To = $1,234')).toBeVisible();
  await expectNoOverflow(page);
});
