import { expect, test } from '#tests/harness/platform/browser.ts';
import { bell, newEmail, register, signIn } from './actions.ts';

test('the user search keeps a letter typed while the URL changes', { tag: '@long' }, async ({ page }) => {
  await page.goto('/dashboard/allBuyers');
  await signIn(page, 'admin@coomercio.example');
  const field = page.getByLabel('Search by name or email');
  await expect(field).toBeVisible();
  await page.evaluate(() => {
    const input = document.querySelector('input[name=search]');
    const replace = history.replaceState.bind(history);
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    // Types between the change of the URL and the next render.
    history.replaceState = (...entry) => {
      replace(...entry);
      history.replaceState = replace;
      if (!(input instanceof HTMLInputElement)) return;
      set?.call(input, `${input.value}n`);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
  });
  await field.fill('jo');
  await expect(page).toHaveURL(/search=jon&sort=newest$/);
  await expect(field).toHaveValue('jon');
  await field.pressSequentially('as', { delay: 320 });
  await expect(field).toHaveValue('jonas');
  await expect(page).toHaveURL(/search=jonas&sort=newest$/);
  await page.getByLabel('Sort by').selectOption('name');
  await expect(page).toHaveURL(/search=jonas&sort=name$/);

  // The field follows other changes of the URL.
  await field.fill('nobody is called like this');
  await page.getByRole('link', { name: 'Show everybody' }).click();
  await expect(field).toHaveValue('');
  await expect(page).toHaveURL(/\/allBuyers\?sort=name$/);
});

test('the user search keeps the sort order to which Back leads while something is typed', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/dashboard/allBuyers?sort=name');
  await signIn(page, 'admin@coomercio.example');
  const sort = page.getByLabel('Sort by');
  await expect(sort).toHaveValue('name');
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'All Buyers' }).click();
  await expect(sort).toHaveValue('newest');
  await page.evaluate(() => {
    const input = document.querySelector('input[name=search]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'jo');
    input?.dispatchEvent(new Event('input', { bubbles: true }));
    history.back();
  });
  await expect(page).toHaveURL(/\/allBuyers\?search=jo&sort=name$/);
  await expect(sort).toHaveValue('name');
});

test('of five tabs opened concurrently one renews the tokens for all', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await register(page, { name: 'Tara Tabs', email: newEmail('tara'), role: 'Buyer' });
  await page.close();
  const asked: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/identity/token' || pathname === '/api/jwt') asked.push(pathname);
  });
  // After ten minutes the ID token is due for renewal.
  const later = Date.now() + 10 * 60_000;
  await context.clock.setSystemTime(later);
  const tabs = await Promise.all(Array.from({ length: 5 }, () => context.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto('/dashboard/myOrders')));
  for (const tab of tabs) await expect(tab.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await expect.poll(() => asked.filter((path) => path === '/identity/token')).toHaveLength(1);
  // It appears when the tokens are there.
  for (const tab of tabs) await expect(bell(tab)).toBeVisible();
  expect(asked.filter((path) => path === '/identity/token')).toHaveLength(1);
  // Once for the old ID token and once for the new one.
  expect(asked.filter((path) => path === '/api/jwt').length).toBeLessThanOrEqual(2);
});
