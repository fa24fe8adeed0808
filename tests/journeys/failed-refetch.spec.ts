import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { card, createOwnLaptop, newEmail, runClockUntilShown, startSession } from './actions.ts';
import { confirmPassword, totpCode } from './authenticator.ts';

test.use({ expectedConsoleErrors: /ERR_FAILED/ });

const staleNotice = (page: Page) => page.getByText(/^This may be out of date\. /);

test('recovery codes stay visible when the refetch after the setup fails', { tag: '@long' }, async ({
  page,
}) => {
  await startSession(page, { name: 'Rita Recovery', email: newEmail('rita'), role: 'Buyer' });
  await page.goto('/dashboard/account');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await confirmPassword(page);
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  const key = (await page.locator('code').textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Code' }).fill(totpCode(key));

  await page.route(/\/identity\/(account|sessions)$/, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  await page.clock.install();
  await page.getByRole('button', { name: 'Turn it on' }).click();
  const codes = page.getByRole('alertdialog', { name: 'Your recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await runClockUntilShown(page, staleNotice(page));
  await expect(codes).toHaveCount(10);
  await page.getByRole('button', { name: 'I have stored them' }).click();
  // Account and sessions are still shown, below one notice for both.
  await expect(staleNotice(page)).toHaveCount(1);
  await expect(page.getByText('This device', { exact: true })).toBeVisible();

  await page.unroute(/\/identity\/(account|sessions)$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('10 left')).toBeVisible();
  await expect(staleNotice(page)).toHaveCount(0);
});

test('a booking form stays open when the refetch of the list behind it fails', { tag: '@long' }, async ({
  page,
}) => {
  const name = await createOwnLaptop('EliteBook');
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/category/HP');
  await card(page, name).getByRole('button', { name: 'Book now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone Number').fill('+351 900 000 000');
  await page.route('**/api/category/**', (route) => route.abort());
  await page.clock.install();
  // The event of a return to the tab.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await runClockUntilShown(page, staleNotice(page));
  await expect(dialog.getByLabel('Phone Number')).toHaveValue('+351 900 000 000');
});
