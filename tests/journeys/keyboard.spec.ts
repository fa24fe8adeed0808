import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createSeller,
  createUser,
  newEmail,
  newName,
  password,
  startSession,
} from './actions.ts';

test('a menu opens with the arrow keys and Enter, at its first or last item, and returns the focus', async ({
  page,
}) => {
  const laptop = await createLaptop(await createSeller(), { name: newName('Latitude') });
  await startSession(page, { name: 'Kim Keys', email: newEmail('kim'), role: 'Buyer' });
  await page.goto(`/dashboard/messages/new?laptop=${laptop}`);
  const button = page.getByRole('button', { name: 'More actions' });
  const items = page.getByRole('menuitem');
  for (const [key, at] of [
    ['ArrowDown', 0],
    ['ArrowUp', -1],
    ['Enter', 0],
  ] as const) {
    await button.press(key);
    await expect(items.nth(at), key).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(items).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await button.click();
  await expect(page.getByRole('menu')).toBeFocused();
  await button.click();
  await expect(items).toHaveCount(0);
});

test('a pending action keeps the focus of its button, and Enter does not repeat it', async ({ page }) => {
  const email = newEmail('kim');
  await createUser({ name: 'Kim Keys', email, role: 'Buyer' });
  await page.goto('/login');
  let requests = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/sign-in/email', async (route) => {
    requests += 1;
    await released;
    await route.continue();
  });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).press('Enter');
  const pending = page.getByRole('button', { name: 'Logging in' });
  await expect(pending).toBeFocused();
  await expect(pending).toBeDisabled();
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await pending.dblclick({ force: true });
  release();
  await expect(page.getByText('Welcome back Kim Keys')).toBeVisible();
  expect(requests).toBe(1);
});
