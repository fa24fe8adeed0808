import { expect, test } from '#tests/harness/browser.ts';
import { card, createLaptop, expectToast, newEmail, newName, startSession } from './actions.ts';

test('a seller changes the own name: the session and lists show the new one', async ({ page }) => {
  const laptop = newName('Swift 3');
  const session = await startSession(page, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  await createLaptop(session, { name: laptop, brand: 'Acer' });
  await page.goto('/dashboard/account');
  const field = page.getByLabel('Name', { exact: true });
  await expect(field).toHaveValue('Sofia Seller');

  await field.fill(' ');
  await field.press('Enter');
  await expect(page.getByText('Name is required')).toBeVisible();

  await field.fill('Renata Renamed');
  await field.press('Enter');
  await expectToast(page, 'Your name was changed.');
  await page.reload();
  await expect(field).toHaveValue('Renata Renamed');

  await page.goto('/category/Acer');
  await expect(card(page, laptop)).toContainText('Renata Renamed');
});
