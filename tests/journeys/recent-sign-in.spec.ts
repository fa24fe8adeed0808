import { readPayoutAccount } from '#contract/payouts.ts';
import { expect, test } from '#tests/harness/browser.ts';
import { expectNoOverflow, newEmail, password, startSession } from './actions.ts';
import { findAxeViolations } from './axe.ts';

test.use({ expectedConsoleErrors: /status of (401|403)/ });

test('opening a payout account asks for the password when the sign-in is old, and keeps what was chosen', async ({
  page,
}) => {
  const seller = await startSession(page, { name: 'Olga', email: newEmail('olga'), role: 'Seller' });
  const bodies: unknown[] = [];
  await page.route('**/api/myPayoutAccount/onboarding', async (route) => {
    bodies.push(route.request().postDataJSON());
    if (bodies.length > 2) return route.continue();
    // As the shop answers after ten minutes.
    return route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: {
        title: 'Please sign in once more',
        status: 403,
        detail: 'For this, please show once more that it is you.',
        code: 'reauthentication_required',
      },
    });
  });
  await page.goto('/dashboard/money');
  await page.getByLabel('You sell for').selectOption('A company');
  await page.getByLabel('Country of your bank account').selectOption('Germany');
  await page.getByRole('button', { name: 'Open an account' }).click();

  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(dialog.getByLabel('Your Password')).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('please show once more that it is you')).toBeVisible();
  await expect(page.getByLabel('You sell for')).toHaveValue('company');

  await page.getByRole('button', { name: 'Open an account' }).click();
  await dialog.getByLabel('Your Password').fill('Wrong#1Guess');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This is not your password')).toBeVisible();
  await dialog.getByLabel('Your Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('heading', { name: 'Get paid' })).toBeVisible({ timeout: 15_000 });
  expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ country: 'DE', entityType: 'company' })));
  await page.getByRole('button', { name: 'Pass' }).click();
  await expect(page.getByText('Ready')).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('sends nothing to your account for the next 72 hours')).toBeVisible();
  await expect.poll(async () => (await seller.client.call(readPayoutAccount, {})).state).toBe('active');
});
