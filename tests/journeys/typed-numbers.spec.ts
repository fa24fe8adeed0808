import { readOwnLaptop } from '#contract/listings/catalogue.ts';
import { amountHint } from '#contract/platform/money.ts';
import { Inserted } from '#contract/platform/scalars.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createSeller, expectNoOverflow, expectToast, fillLaptop, newName } from './actions.ts';
import { amount, currency, shown } from './amounts.ts';

const isWhole = currency.smallestAmount === 100;

// A comma is the decimal separator, and a dot groups thousands.
test.use({ locale: 'de-DE' });

test('a seller types prices with a decimal comma and pastes a telephone number; the form shows what it understood', {
  tag: '@long',
}, async ({ page }) => {
  const session = await createSeller();
  await session.signIn(page.context());
  const name = newName('Komma');
  await page.goto('/dashboard/addProduct');
  await fillLaptop(page, { name });
  const price = page.getByLabel('Resale Price');
  const understood = page.getByRole('status').filter({ hasText: `= ${currency.sign}` });
  const preview = page.getByRole('complementary', { name: 'Preview' });

  await page.getByLabel('Original Price').fill(isWhole ? '123.400' : '1.234');
  await expect(understood).toHaveText(`= ${shown(1234)}`);
  await price.fill(isWhole ? '54.950' : '549,5');
  await expect(understood).toHaveText([`= ${shown(1234)}`, `= ${shown(549.5)}`]);
  await expect(preview).toContainText(shown(549.5));
  await price.fill(isWhole ? '54950' : '549.50');
  await expect(understood).toHaveCount(1);
  await price.fill(isWhole ? '54950,5' : '549,505');
  await expect(understood).toHaveCount(1);
  const number = page.getByLabel('Mobile Number');
  await number.fill('call me');
  await page.getByRole('button', { name: /^Add/ }).click();
  await expect(page.getByText(`A price is ${amountHint().replace('.', ',')}`)).toBeVisible();
  await expect(page.getByText('“c” cannot be in a phone number')).toBeVisible();

  await price.fill(isWhole ? '54950' : '549,50');
  await number.fill('\u202A+351\u00A0912\u00A0345\u00A0678\u202C');
  const listed = page.waitForResponse(
    (response) => response.url().endsWith('/api/laptops') && response.request().method() === 'POST',
  );
  await page.getByRole('button', { name: /^Add/ }).click();
  const { insertedId } = Inserted.parse(await (await listed).json());
  await expectToast(page, `${name} is added successfully`);
  expect(await session.client.call(readOwnLaptop, { params: { _id: insertedId } })).toMatchObject({
    original_price: amount(1234),
    resale_price: amount(549.5),
    mobile_number: '+351 912 345 678',
  });
});

test('the bounds of the price are read in the browser’s language', { tag: '@long' }, async ({ page }) => {
  await page.goto('/laptops');
  await page.getByLabel(`To in ${currency.name}`).fill('5.500,50');
  await expect(page.getByRole('group', { name: 'Price' }).getByRole('status')).toHaveText(
    `To = ${currency.sign}5,500`,
  );
  await page.getByLabel(`To in ${currency.name}`).fill('');
  await page.getByLabel(`From in ${currency.name}`).fill('1.234,00');
  await page.getByLabel(`From in ${currency.name}`).press('Enter');
  await expect(page).toHaveURL(/min_price=1234(&|$)/);
  await expect(page.getByLabel(`From in ${currency.name}`)).toHaveValue('1234');
});

test('the bounds of the price have room on a phone with large text', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/laptops');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await page.getByRole('button', { name: /^Filter/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel(`To in ${currency.name}`).fill('1.234,50');
  await expect(sheet.getByText(`To = ${currency.sign}1,234`)).toBeVisible();
  await expectNoOverflow(page);
});
