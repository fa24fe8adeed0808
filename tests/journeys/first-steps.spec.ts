import type { Page } from '@playwright/test';
import { CLAIM_PATH } from '#contract/operations/first-steps.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createUser,
  expectNoOverflow,
  expectToast,
  longUnless,
  newEmail,
  sendRegistration,
  startSessionOf,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';

const step = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

for (const width of [390, 1440]) {
  test(
    `at ${width} px the first steps say what is done, connect Stripe and try the mail server`,
    longUnless(width === 390),
    async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await startSessionOf(page, 'admin@coomercio.example');
      await page.goto('/dashboard/settings');
      await page.getByRole('main').getByRole('link', { name: 'first steps' }).click();
      await expect(step(page, 'Brands')).toContainText(/Done.*HP/);
      await expect(step(page, 'Backups')).toContainText(/To do.*BACKUP_TO/);
      await expect(
        step(page, 'Your shop').getByRole('link', { name: 'Choose the settings' }),
      ).toHaveAttribute('href', '/dashboard/settings');

      await step(page, 'Email').getByRole('button', { name: 'Send me an email' }).click();
      await expectToast(
        page,
        'The mail server took an email to admin@coomercio.example. See whether it arrives.',
      );
      await step(page, 'Card payments').getByRole('button', { name: 'Connect Stripe' }).click();
      await expect(page.getByText(/sends its events to this shop now|connected already/)).toBeVisible();
      await expectNoOverflow(page);
      expect(await findAxeViolations(page)).toEqual([]);
    },
  );
}

test.describe('the link of a shop that has an admin', () => {
  test.use({ expectedConsoleErrors: /status of (403|409)/ });

  test('leads a stranger through the registration and back', { tag: '@long' }, async ({ page }) => {
    const key = 'x'.repeat(32);
    await page.goto(`${CLAIM_PATH}#${key}`);
    await expect(page.getByText('Register to become the owner of this shop.')).toBeVisible();
    await sendRegistration(page, { name: 'Olga Owner', email: newEmail('olga'), role: 'Buyer' });
    const claim = page.waitForRequest('**/api/shopClaim');
    await page.getByRole('button', { name: 'Become the owner' }).click();
    expect((await claim).postDataJSON()).toEqual({ key });
    await expect(page.getByRole('alert')).toContainText('This link is not from this shop.');
  });

  test('says so, and changes nothing', { tag: '@long' }, async ({ page, context }) => {
    const session = await createUser({ name: 'Late Larry', email: newEmail('larry'), role: 'Buyer' });
    await session.signIn(context);
    await page.goto(CLAIM_PATH);
    await expect(page.getByText('This link is incomplete.')).toBeVisible();
    await page.goto(`${CLAIM_PATH}#${'x'.repeat(32)}`);
    await page.getByRole('button', { name: 'Become the owner' }).click();
    await expect(page.getByRole('alert')).toContainText('This link is not from this shop.');
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
    await expect(page.getByRole('link', { name: 'My Orders' }).first()).toBeVisible();
  });
});
