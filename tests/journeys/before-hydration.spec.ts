import type { Page } from '@playwright/test';
import { blockScripts, expect, gotoBeforeHydration, test } from '#tests/harness/platform/browser.ts';
import { createUser, longUnless, newEmail, password, signIn } from './actions.ts';
import { publicPages } from './public-pages.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test.describe('on a phone, before any script has arrived', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const path of publicPages) {
    // The same menu. Only the home page has a video and a second search.
    const tested = longUnless(path === '/' || path === '/laptops');
    test(`the menu of ${path} opens, switches the theme and navigates`, tested, async ({ page }) => {
      const release = await blockScripts(page);
      await gotoBeforeHydration(page, path);
      const button = page.getByRole('button', { name: 'Menu', exact: true });
      const menu = page.getByRole('navigation', { name: 'Menu' });
      await button.click();
      await expect(menu).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await button.click();
      await expect(menu).toBeVisible();
      await menu.getByRole('button', { name: 'Switch between light and dark' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

      // The menu stays open during hydration.
      await release();
      await expect(menu).toBeVisible();
      await menu.getByRole('button', { name: 'Switch between light and dark' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
      await menu.getByRole('link', { name: path === '/blog' ? 'Home' : 'Blog' }).click();
      await expect(page).toHaveURL(path === '/blog' ? '/home' : '/blog');
      await expect(menu).toBeHidden();
    });
  }

  test('a link of the menu navigates without scripts', { tag: '@long' }, async ({ page }) => {
    await blockScripts(page);
    await gotoBeforeHydration(page, '/');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Blog' }).click();
    await expect(page).toHaveURL('/blog');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});

test('the theme can be switched before hydration and persists over navigation', { tag: '@long' }, async ({
  page,
}) => {
  await blockScripts(page);
  await gotoBeforeHydration(page, '/');
  await page.getByRole('button', { name: 'Switch between light and dark' }).first().click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await gotoBeforeHydration(page, '/login');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Switch between light and dark' }).first().click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('the navbar’s home link works on each public page before hydration', { tag: '@long' }, async ({
  page,
}) => {
  await blockScripts(page);
  for (const path of publicPages) {
    await gotoBeforeHydration(page, path);
    await page.getByRole('link', { name: 'Coomercio, home' }).click();
    await expect(page, path).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('BUY AND SELL');
  }
});

test('the search keeps words typed before hydration', async ({ page }) => {
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/');
  const box = page.getByLabel('Search laptops', { exact: true });
  await box.fill('latitude');
  await release();
  // Suggestions are loaded by the first focus after hydration.
  await expect(async () => {
    await box.blur();
    await box.focus();
    await expect(box).toHaveRole('combobox', { timeout: 1_000 });
  }).toPass();
  await expect(box).toHaveValue('latitude');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/laptops?q=latitude');
});

test('filters chosen before hydration are applied', async ({ page }) => {
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/laptops?memory=16');
  const filters = page.getByRole('form', { name: 'Filters' });
  await filters.getByRole('checkbox', { name: /^HP / }).check();
  await filters.getByLabel('From in dollars').fill('100');
  await release();
  await expect(page).toHaveURL('/laptops?brand=HP&memory=16&min_price=100');
  await expect(filters.getByRole('checkbox', { name: /^HP / })).toBeChecked();
});

test('what needs an account leads over the login page back to itself when chosen before hydration', async ({
  page,
}) => {
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/laptops?memory=16');
  await page.getByRole('link', { name: 'Save this search' }).click();
  await expect(page).toHaveURL('/laptops?memory=16&save=yes');
  await release();
  await expect(page.getByText('Log in to save this search.')).toBeVisible();
  const email = newEmail('sara');
  await createUser({ name: 'Sara Searcher', email, role: 'Buyer' });
  await signIn(page, email);
  await expect(page.getByRole('dialog', { name: 'Save this search' })).toBeVisible();
});

test('/register keeps and submits input typed before hydration', { tag: '@long' }, async ({ page }) => {
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/register');
  const email = newEmail('early');
  await field(page, 'Name').fill('Erin Early');
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await page.getByLabel('Register As').selectOption('Seller');
  const submit = page.getByRole('button', { name: 'Register', exact: true });
  await expect(submit).toBeDisabled();
  // Enter must not submit either: the browser would put the password in the page's URL.
  await field(page, 'Password').press('Enter');
  await expect(page).toHaveURL('/register');
  await release();
  await submit.click();
  await expect(page.getByText('User created successfully')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: 'Add Product' })).toBeVisible();
});

test('/login keeps and submits input typed before hydration', async ({ page }) => {
  const email = newEmail('lara');
  await createUser({ name: 'Lara Login', email, role: 'Buyer' });
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/login');
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  for (const name of ['Login', 'Continue with Google', 'Sign in with a passkey', 'Show the password']) {
    await expect(page.getByRole('button', { name, exact: true }), name).toBeDisabled();
  }
  await release();
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Welcome back Lara Login')).toBeVisible();
});

test('/reset-password keeps and submits input typed before hydration', { tag: '@long' }, async ({ page }) => {
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/reset-password');
  const email = newEmail('fay');
  await field(page, 'Email').fill(email);
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeDisabled();
  await release();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible();
});

test('buttons of public pages that need scripts are disabled before hydration', { tag: '@long' }, async ({
  page,
}) => {
  await blockScripts(page);
  for (const path of publicPages) {
    await gotoBeforeHydration(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const alive = page.locator(
      'button:enabled:visible:not([popovertarget], [data-theme-switch], form[method=get] button, [form=filter-form])',
    );
    expect(await alive.evaluateAll((all) => all.map((button) => button.outerHTML)), path).toEqual([]);
  }
});

test('words typed into the search box before hydration get suggestions after it', { tag: '@long' }, async ({
  page,
}) => {
  const release = await blockScripts(page);
  await gotoBeforeHydration(page, '/blog');
  const box = page.getByRole('banner').getByLabel('Search laptops');
  await box.click();
  await box.pressSequentially('elitebo');
  await release();
  await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()).toBeVisible();
  await expect(box).toHaveValue('elitebo');
});
