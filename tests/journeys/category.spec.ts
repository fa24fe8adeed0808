import { expect, test } from '#tests/harness/platform/browser.ts';
import { createOwnLaptop, newEmail, openLaptop, startSession } from './actions.ts';

test('a category counts its laptops, links the other brands, and leads to other orders and filters', {
  tag: '@long',
}, async ({ page }) => {
  const name = await createOwnLaptop('Aspire', 'Acer');
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/category/Acer');
  await expect(page.getByText(/^\d+ laptops, newest first$/)).toBeVisible();
  const brands = page.getByRole('navigation', { name: 'Brands' });
  await expect(brands.getByRole('link', { name: 'Acer' })).toHaveAttribute('aria-current', 'page');
  await expect(brands.getByRole('link', { name: 'Dell' })).toHaveAttribute('href', '/category/Dell');

  await openLaptop(page, name);
  await page.goBack();
  await expect(page).toHaveURL(/\/category\/Acer$/);
  await page.getByRole('link', { name: 'All filters' }).click();
  await expect(page).toHaveURL('/laptops?brand=Acer#filters');
  await page.goBack();
  await page.getByRole('link', { name: 'Price, lowest first' }).click();
  await expect(page).toHaveURL('/laptops?brand=Acer&sort=price');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Acer laptops');
});
