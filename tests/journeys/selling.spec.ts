import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createLaptop,
  expectToast,
  fillLaptop,
  newEmail,
  newName,
  signIn,
  startSession,
} from './actions.ts';
import { shown, typed } from './amounts.ts';

const addButton = (page: Page) => page.getByRole('button', { name: /^Add(ing|\b)/ });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

function startSellerSession(page: Page, email = newEmail('sofia')) {
  return startSession(page, { name: 'Sofia Seller', email, role: 'Seller' });
}

test('/dashboard/addProduct says what is missing, to the letter, and begins with HP and Excellent', async ({
  page,
}) => {
  await startSellerSession(page);
  await page.goto('/dashboard/addProduct');
  await expect(page.getByLabel('Brand')).toHaveValue('HP');
  await expect(
    page
      .getByLabel('Brand')
      .getByRole('option')
      .filter({ hasText: /^(?:HP|Dell|Acer)$/ }),
  ).toHaveText(['HP', 'Dell', 'Acer'], {
    ignoreCase: false,
  });
  await expect(page.getByLabel('Condition')).toHaveValue('Excellent');
  await expect(page.getByLabel('Condition').getByRole('option')).toHaveText(['Excellent', 'Good', 'Fair']);
  await addButton(page).click();
  for (const message of [
    'Product Name is required',
    'Original Price is required',
    'Resale Price is required',
    'Use time is required',
    'Location is required',
    'Mobile Number is required',
    'Product photo is required',
    'Product description is required',
  ]) {
    await test.step(`“${message}”`, () => expect(page.getByText(message, { exact: true })).toBeVisible());
  }
  await expect(page.getByLabel('Product Photo')).toBeFocused();
});

test.describe('when adding fails', () => {
  test.use({ expectedConsoleErrors: /status of (401|503)|api\/laptops/ });

  test('at the image host or at the shop, the form keeps its values and shows the failure', async ({
    page,
  }) => {
    const name = newName('EliteBook');
    await startSellerSession(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name });

    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/photos?**', async (route) => {
      arrived.resolve();
      await released.promise;
      await route.fulfill({ status: 503, body: 'The disk is full.' });
    });
    await addButton(page).click();
    await arrived.promise;
    await expect(page.getByRole('button', { name: 'Adding....' })).toBeDisabled();
    released.resolve();
    await expect(page.getByText('The image host did not keep the photo. Please try again.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add Product' })).toBeEnabled();
    await expect(page.getByLabel('Product Name')).toHaveValue(name);
    await page.unroute('**/photos?**');

    await test.step('an upload that does not report success', async () => {
      await page.route('**/photos?**', (route) => route.fulfill({ json: { success: false } }));
      const asked = page.waitForRequest('**/photos?**');
      await addButton(page).click();
      await asked;
      await expect(page.getByText('The image host did not keep the photo. Please try again.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Add Product' })).toBeEnabled();
      await expect(page).toHaveURL(/addProduct$/);
      await page.unroute('**/photos?**');
    });

    await page.route('**/api/laptops', (route) => route.abort());
    await addButton(page).click();
    await expect(
      page.getByText(/The shop cannot be reached\..*Everything you typed is still here/),
    ).toBeVisible();
    await expect(page.getByLabel('Processor')).toHaveValue('AMD Ryzen 5 5625U');
    await page.unroute('**/api/laptops');

    await addButton(page).click();
    await expectToast(page, `${name} is added successfully`);
    await expect(page).toHaveURL(/\/dashboard\/myProducts$/);
    await expect(row(page, name)).toContainText('Available');
    await page.goto('/dashboard/addProduct');
    await expect(page.getByLabel('Product Name')).toHaveValue('');
  });

  test('because the session has ended, the login page shows the reason and leads back to the form without the photo', {
    tag: '@long',
  }, async ({ page }) => {
    const name = newName('ProBook');
    const email = newEmail('sofia');
    await startSellerSession(page, email);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name, brand: 'Dell', price: 489.5 });
    await page.route('**/api/laptops', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        json: { title: 'Please sign in', status: 401, code: 'not_signed_in', detail: 'You were signed out.' },
      }),
    );
    await addButton(page).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('main').getByText('You were signed out.', { exact: true })).toBeVisible();
    await page.unroute('**/api/laptops');

    await signIn(page, email);
    await expect(page).toHaveURL(/\/dashboard\/addProduct$/);
    await expect(page.getByText(/Your text was restored\. Photos cannot be stored/)).toBeVisible();
    await expect(page.getByLabel('Product Name')).toHaveValue(name);
    await expect(page.getByLabel('Brand')).toHaveValue('Dell');
    await expect(page.getByLabel('Resale Price')).toHaveValue(typed(489.5));
    await addButton(page).click();
    await expect(page.getByText('Product photo is required')).toBeVisible();

    await page.getByRole('button', { name: 'Clear the form' }).click();
    await expect(page.getByLabel('Product Name')).toHaveValue('');
    await expect(page.getByLabel('Product Name')).toBeFocused();
    await page.reload();
    await expect(page.getByLabel('Product Name')).toHaveValue('');
  });
});

test('advertising says “Advertisement Successful!” in a dialog, cannot be done twice, and shows the laptop on the home page', async ({
  page,
  openVisitor,
}) => {
  const name = newName('Latitude');
  await createLaptop(await startSellerSession(page), { name, brand: 'Dell' });
  await page.goto('/dashboard/myProducts');
  await row(page, name).getByRole('button', { name: 'Advertise' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Advertisement Successful!', exact: true });
  await expect(
    dialog.getByText(`The advertisement of ${name} will show in Homepage`, { exact: true }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(row(page, name)).toContainText('On Advertise');
  await expect(row(page, name).getByRole('button', { name: 'Advertise' })).toHaveCount(0);

  const visitor = await openVisitor();
  await visitor.goto('/home');
  await expect(visitor.getByRole('heading', { name: 'Advertise Laptops' })).toBeVisible();
  await expect(visitor.getByRole('listitem').filter({ hasText: name })).toContainText(shown(549.99));
});

test('deleting in the row asks “Are you sure?”: Cancel keeps the laptop, “Yes, delete it!” takes it out of the shop', async ({
  page,
}) => {
  const name = newName('Swift');
  await createLaptop(await startSellerSession(page), { name, brand: 'Acer' });
  await page.goto('/dashboard/myProducts');
  const remove = row(page, name).getByRole('button', { name: `Delete ${name}` });
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?', exact: true });

  await remove.press('Enter');
  await expect(dialog).toContainText("You won't be able to revert this!");
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await expect(row(page, name)).toBeVisible();

  await remove.click();
  await dialog.getByRole('button', { name: 'Yes, delete it!', exact: true }).click();
  await expectToast(page, `${name} deleted successfully`);
  await expect(row(page, name)).toHaveCount(0);
  await page.goto('/category/Acer');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(card(page, name)).toHaveCount(0);
});
