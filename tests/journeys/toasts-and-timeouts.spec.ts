import { expect, test } from '#tests/harness/platform/browser.ts';
import { newEmail, runClockUntilShown, startSession } from './actions.ts';

test('a navigation times out after 30 seconds with a message on the current page', async ({ page }) => {
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/');
  // Nothing is answered, neither to the page itself.
  await page.route(/\.data/, () => {});
  await page.clock.install();
  await page.getByRole('link', { name: 'Dell See laptops' }).click();
  const bar = page.getByRole('progressbar', { name: 'Opening the page' });
  await expect(bar).toBeVisible();
  await page.clock.runFor(30_000);
  await expect(page.getByText('That page takes too long to answer. Please try again.')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(page).toHaveURL('/');
});

test.describe('a failed role lookup', () => {
  test.use({ expectedConsoleErrors: /ERR_FAILED/ });

  test('shows a message and is repeated by ‘Try again’', async ({ page }) => {
    await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
    await page.route('**/api/users/**', (route) => route.abort());
    await page.clock.install();
    await page.goto('/dashboard/addProduct');
    await expect(page.getByRole('progressbar', { name: 'Checking your role' })).toBeVisible();
    const failed = page.getByRole('heading', { name: 'We could not check your role' });
    await runClockUntilShown(page, failed);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.unroute('**/api/users/**');
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).last().click();
    await expect(page.getByLabel('Product Name')).toBeVisible();
  });

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } });

    test('shows its message, and the links after a retry', { tag: '@long' }, async ({ page }) => {
      await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
      await page.route('**/api/users/**', (route) => route.abort());
      await page.clock.install();
      await page.goto('/dashboard');
      const failed = page.getByText(/^We could not check your role: /).filter({ visible: true });
      await runClockUntilShown(page, failed);
      await page.unroute('**/api/users/**');
      await page.getByRole('button', { name: 'Try again' }).filter({ visible: true }).click();
      await expect(failed).toHaveCount(0);
      await page.getByRole('button', { name: /^Menu: / }).click();
      const links = page.getByRole('navigation', { name: 'Dashboard' });
      await expect(links.getByRole('link', { name: 'My Products' })).toBeVisible();
    });
  });
});
