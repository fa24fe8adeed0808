import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { newEmail, password, signIn } from './actions.ts';

/** The live region that announces navigations to screen readers. */
const liveRegion = (page: Page) => page.locator('p[aria-live=polite].sr-only');
const heading = (page: Page, name: RegExp | string) => page.getByRole('heading', { level: 1, name });

/** Opens a page and waits for hydration: before it, links load documents, which browsers announce themselves. */
async function openLogin(page: Page) {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled();
}

test('a navigation announces the page’s title and focuses its heading', async ({ page }) => {
  await openLogin(page);
  await expect(liveRegion(page)).toBeEmpty();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click();
  await expect(liveRegion(page)).toHaveText('Blog · Coomercio');
  await expect(page.locator('h1')).toBeFocused();
  await page.goBack();
  await expect(liveRegion(page)).toHaveText('Login · Coomercio');
  await expect(heading(page, 'Login Now!')).toBeFocused();
});

test('a link to a fragment moves the focus', { tag: '@long' }, async ({ page }) => {
  await openLogin(page);
  await page.getByRole('link', { name: 'Coomercio, home' }).click();
  await expect(heading(page, /BUY AND SELL/)).toBeFocused();
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'Why pre-owned' }).click();
  await expect(page.getByRole('region', { name: 'Why Coomercio' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(footer.getByRole('link').first()).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a link in the sheet of the dashboard moves the focus to the new page, by keyboard too', {
    tag: '@long',
  }, async ({ page }) => {
    await page.goto('/dashboard');
    await signIn(page, 'buyer@coomercio.example');
    const links = page.getByRole('navigation', { name: 'Dashboard' });
    const menu = (current: string) => page.getByRole('button', { name: `Menu: ${current}` });
    await menu('What waits for you').click();
    await links.getByRole('link', { name: 'My Wishlist' }).click();
    await expect(liveRegion(page)).toHaveText('My Wishlist · Coomercio');
    await expect(heading(page, 'My Wishlist')).toBeFocused();
    await expect(links).toHaveCount(0);

    await menu('My Wishlist').press('Enter');
    await expect(links.getByRole('link', { name: 'My Wishlist' })).toHaveAttribute('aria-current', 'page');
    await page.keyboard.press('Escape');
    await expect(links).toHaveCount(0);
    await expect(menu('My Wishlist')).toBeFocused();
    await page.keyboard.press('Enter');
    await links.getByRole('link', { name: 'Account' }).press('Enter');
    await expect(heading(page, 'Account')).toBeFocused();
    await expect(menu('Account')).toBeVisible();
    await page.goBack();
    await expect(menu('My Wishlist')).toBeVisible();
    await expect(links).toHaveCount(0);
  });
});

test.describe('a registration under a name that the shop refuses', () => {
  test('asks for another name at its field, before there is an account', { tag: '@long' }, async ({
    page,
  }) => {
    const signUps: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/sign-up/email')) signUps.push(request.url());
    });
    await page.goto('/register');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Coomercio Support');
    await page.getByLabel('Email', { exact: true }).fill(newEmail('hanna'));
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByText('This name could be taken for the shop itself.')).toHaveCount(1);
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/could be taken for the shop/);
    expect(signUps).toEqual([]);
    await name.fill('Hanna Honest');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByText('User created successfully')).toBeVisible();
    expect(signUps).toHaveLength(1);
  });
});

test.describe('a registration that stops halfway', () => {
  test.use({ expectedConsoleErrors: /ERR_FAILED|status of 403/ });

  test('shows its last step with focus and can be finished', { tag: '@long' }, async ({ page }) => {
    await page.route('**/api/users', (route) => route.abort());
    await page.goto('/register');
    await page.getByLabel('Name', { exact: true }).fill('Hanna Halfway');
    await page.getByLabel('Email', { exact: true }).fill(newEmail('hanna'));
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(heading(page, 'One step left')).toBeFocused();
    await page.unroute('**/api/users');
    await page.getByRole('button', { name: 'Finish registration' }).click();
    await expect(page.getByText('User created successfully')).toBeVisible();
  });
});
