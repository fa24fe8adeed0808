import { expect, test } from '#tests/harness/browser.ts';
import { newEmail, register, signIn } from './actions.ts';

test('the search for people keeps a letter that is typed while its address changes', async ({ page }) => {
  await page.goto('/dashboard/allBuyers');
  await signIn(page, 'admin@coomercio.example');
  const field = page.getByLabel('Search by name or email');
  await expect(field).toBeVisible();
  await page.evaluate(() => {
    const input = document.querySelector('input[name=search]');
    const replace = history.replaceState.bind(history);
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    // As fast as nobody types by hand: in the very moment in which the address is new and nothing is drawn yet.
    history.replaceState = (...entry) => {
      replace(...entry);
      history.replaceState = replace;
      if (!(input instanceof HTMLInputElement)) return;
      set?.call(input, `${input.value}n`);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
  });
  await field.fill('jo');
  await expect(page).toHaveURL(/search=jon$/);
  await expect(field).toHaveValue('jon');
  await field.pressSequentially('as', { delay: 320 });
  await expect(field).toHaveValue('jonas');
  await expect(page).toHaveURL(/search=jonas$/);
  await page.getByLabel('Sort by').selectOption('name');
  await expect(page).toHaveURL(/search=jonas&sort=name$/);

  // An address that somebody else has changed is followed.
  await field.fill('nobody is called like this');
  await page.getByRole('button', { name: 'Show everybody' }).click();
  await expect(field).toHaveValue('');
  await expect(page).toHaveURL(/\/allBuyers\?sort=name$/);
});

test.describe('messages', () => {
  test.use({ expectedConsoleErrors: /ERR_INTERNET_DISCONNECTED/ });

  test('go on to disappear after one of them was dismissed by keyboard, which goes back to where it was', async ({
    page,
    context,
  }) => {
    await register(page, { name: 'Kim Keys', email: newEmail('kim'), role: 'Buyer' });
    await page.goto('/category/HP');
    await expect(page.getByRole('article').first()).toBeVisible();
    await context.setOffline(true);
    const messages = page.getByRole('region', { name: 'Messages' });
    const dismiss = messages.getByRole('button', { name: 'Dismiss this message' });
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' });
    await link.focus();
    // One after the other: a second visit to the same page cancels the first one.
    for (const count of [1, 2]) {
      await page.keyboard.press('Enter');
      await expect(dismiss).toHaveCount(count);
    }
    await dismiss.first().focus();
    await page.keyboard.press('Enter');
    await expect(dismiss).toHaveCount(1);
    await expect(dismiss).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dismiss).toHaveCount(0);
    await expect(link).toBeFocused();
    // A later one ends by itself.
    await page.keyboard.press('Enter');
    await expect(dismiss).toHaveCount(1);
    await expect(dismiss).toHaveCount(0);
    await context.setOffline(false);
  });
});

test('of five tabs that are opened at once one renews the tokens, and the others take them', async ({
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
  // Ten minutes later the ID token is old enough to be looked after.
  const later = Date.now() + 10 * 60_000;
  await context.clock.setSystemTime(later);
  const tabs = await Promise.all(Array.from({ length: 5 }, () => context.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto('/dashboard/myOrders')));
  for (const tab of tabs) await expect(tab.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await expect.poll(() => asked.filter((path) => path === '/identity/token')).toHaveLength(1);
  for (const tab of tabs) await tab.waitForLoadState('networkidle');
  expect(asked.filter((path) => path === '/identity/token')).toHaveLength(1);
  // Once for the ID token that was there, and once for the new one.
  expect(asked.filter((path) => path === '/api/jwt').length).toBeLessThanOrEqual(2);
});
