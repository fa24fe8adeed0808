import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  confirmAddress,
  createLaptop,
  createSeller,
  expectNoOverflow,
  expectToast,
  newEmail,
  newName,
  register,
  signIn,
} from './actions.ts';
import { shownShortly, typed } from './amounts.ts';
import { expectNoViolations, expectNoViolationsInThemes } from './axe.ts';

// The mail catcher's port is the third after the shop's.
const inbox = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 3}`;
const Messages = z.array(z.object({ id: z.int(), subject: z.string(), text: z.nullable(z.string()) }));

/** Waits for an email. @returns its text, and its source with headers unfolded */
async function waitForEmail(email: string, subject: string): Promise<{ text: string; source: string }> {
  const find = async () => {
    const answer = await fetch(`${inbox}/messages.json?to=${encodeURIComponent(email)}`);
    return Messages.parse(await answer.json()).find((message) => message.subject === subject);
  };
  await expect.poll(async () => (await find()) !== undefined, { timeout: 40_000 }).toBe(true);
  const message = await find();
  const source = await (await fetch(`${inbox}/messages/${message?.id}/source`)).text();
  return { text: message?.text ?? '', source: source.replace(/\r?\n[ \t]+/g, ' ') };
}

/** Registers a buyer, whose address is then verified. */
async function registerVerified(page: Page, email: string) {
  await register(page, { name: 'Bea Buyer', email, role: 'Buyer' });
  await confirmAddress(page, email);
}

test.describe('saving a search', () => {
  // The browser logs the refused name.
  test.use({ expectedConsoleErrors: /status of 422/ });

  for (const width of [1440, 390]) {
    test(`at ${width} px a visitor saves a search, is emailed a new match, and stops the emails`, {
      tag: '@long',
    }, async ({ page, openVisitor }) => {
      test.slow();
      await page.setViewportSize({ width, height: 900 });
      const email = newEmail('bea');
      // In another browser: this one is a visitor's.
      await registerVerified(await openVisitor(), email);
      const model = newName('Latitude');

      await page.goto(`/laptops?q=${encodeURIComponent(model)}&max_price=${typed(900)}`);
      await page.getByRole('link', { name: 'Save this search' }).click();
      await expect(page.getByText('Log in to save this search.')).toBeVisible();
      await signIn(page, email);
      const dialog = page.getByRole('dialog', { name: 'Save this search' });
      const searchName = `“${model}”, up to ${shownShortly(900)}`;
      await expect(dialog.getByLabel('Name')).toHaveValue(searchName);
      await expectNoViolationsInThemes(page);
      await dialog.getByLabel('Name').fill('');
      await dialog.getByRole('button', { name: 'Save search' }).click();
      await expect(dialog.getByText('Give the search a name')).toBeVisible();
      await dialog.getByLabel('Name').fill('My next laptop');
      await dialog.getByLabel('At once').check();
      await dialog.getByRole('button', { name: 'Save search' }).click();
      await expectToast(page, 'Your search was saved.');
      await expect(page.getByRole('link', { name: 'Saved: see your saved searches' })).toBeVisible();
      await expect(page).not.toHaveURL(/save=/);

      const id = await createLaptop(await createSeller(), { name: model, price: 500 });
      const { text, source } = await waitForEmail(email, '1 new laptop for “My next laptop”');
      expect(text).toContain(`/laptop/${id}`);
      expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
      const [, url = ''] = /^List-Unsubscribe: <(\S+)>$/m.exec(source) ?? [];

      // A mail scanner opens the link, on a device without a sign-in.
      const scanner = await openVisitor();
      await scanner.goto(url);
      await expect(
        scanner.getByText('Do you want no more emails about your saved search My next laptop?'),
      ).toBeVisible();
      await expectNoViolations(scanner);

      await page.getByRole('link', { name: 'Saved: see your saved searches' }).click();
      const search = page.getByRole('article', { name: 'My next laptop' });
      await expect(search.getByText('Last email:')).toBeVisible();
      await expect(search.getByText(searchName)).toBeVisible();
      await expect(search.getByText('Emails paused')).toBeHidden();
      await expectNoOverflow(page);
      await expectNoViolations(page);

      // A mail program's POST.
      const body = 'List-Unsubscribe=One-Click';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
      expect(response.status).toBe(200);
      await page.reload();
      await expect(search.getByText('Emails paused')).toBeVisible();
      await search.getByRole('button', { name: 'Resume the emails of My next laptop' }).click();
      await expect(search.getByText('Emails paused')).toBeHidden();

      await scanner.getByRole('button', { name: 'Stop the emails' }).click();
      await expect(scanner.getByRole('heading', { name: 'Emails stopped' })).toBeVisible();
      await page.reload();
      await expect(search.getByText('Emails paused')).toBeVisible();

      await search.getByLabel('Emails', { exact: false }).first().selectOption('daily');
      await expectToast(page, 'The email frequency for My next laptop was changed.');
      await search.getByRole('button', { name: 'Delete My next laptop' }).click();
      await page.getByRole('button', { name: 'Yes, delete it!' }).click();
      await expect(page.getByRole('heading', { name: 'You have no saved searches' })).toBeVisible();
      await scanner.reload();
      await expect(scanner.getByRole('heading', { name: 'No more emails' })).toBeVisible();
    });
  }
});

test.describe('an unsubscribe link that is not of this shop', () => {
  test.use({ expectedConsoleErrors: /status of 404/ });

  test('says so', { tag: '@long' }, async ({ page }) => {
    await page.goto(`/unsubscribe/${'x'.repeat(64)}`);
    await expect(
      page.getByText('This link is incomplete or not of this shop, so nothing was stopped.'),
    ).toBeVisible();
  });
});

test('the button works for visitors before scripts run, and is missing without filters', {
  tag: '@long',
}, async ({ page, request }) => {
  const html = async (path: string) => (await request.get(path)).text();
  expect(await html('/laptops?brand=Dell')).toContain('Save this search');
  expect(await html('/laptops')).not.toContain('Save this search');
  await page.goto('/dashboard/savedSearches');
  await expect(page.getByRole('heading', { name: 'Login Now!' })).toBeVisible();
});
