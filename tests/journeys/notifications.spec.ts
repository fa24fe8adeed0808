import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { book } from '#contract/sales/bookings.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { bell, createLaptop, createUser, expectToast, newEmail, newName, startSession } from './actions.ts';
import { amount } from './amounts.ts';

const newest = (page: Page) => page.getByRole('region', { name: 'Newest notifications' });

const expectUnseen = (page: Page, count: number) =>
  expect(bell(page)).toHaveAccessibleName(count === 0 ? 'Notifications' : `Notifications, ${count} unseen`);

/** Signs a seller in. @returns the seller, and a function with which a new buyer books one of the seller's laptops */
async function startSeller(page: Page) {
  const person = { name: 'Nora Seller', email: newEmail('nora'), role: 'Seller' } as const;
  const seller = await startSession(page, person);
  const names: string[] = [];
  const ids: string[] = [];
  for (let number = 0; number < 2; number += 1) {
    const name = newName(`Nitro ${number}`);
    names.push(name);
    ids.push(await createLaptop(seller, { name }));
  }
  const buyer = await createUser({ name: 'Bo Buyer', email: newEmail('bo'), role: 'Buyer' });
  return {
    seller,
    email: person.email,
    names,
    book: (number: number) => bookLaptop(buyer, ids[number] ?? ''),
  };
}

async function bookLaptop({ client }: BrowserSession, productCode: string): Promise<void> {
  const { acknowledged } = await client.call(book, {
    body: { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station', productCode },
  });
  expect(acknowledged).toBe(true);
}

test('a booking appears in the seller’s bell in every tab and browser without a reload, and disappears everywhere when it is seen', async ({
  page,
  context,
  openVisitor,
}) => {
  const { seller, book } = await startSeller(page);
  const tab = await context.newPage();
  const elsewhere = await openVisitor();
  await seller.signIn(elsewhere.context());
  const pages = [page, tab, elsewhere];
  for (const each of pages) {
    await each.goto('/blog');
    await expectUnseen(each, 0);
  }
  await book(0);
  for (const each of pages) await expectUnseen(each, 1);
  await book(1);
  for (const each of pages) await expectUnseen(each, 2);

  await bell(page).click();
  const entries = newest(page).getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('Unseen: HP laptop was booked');
  await entries.first().getByRole('link').click();
  await expect(page).toHaveURL('/dashboard/myBuyers');
  await expect(newest(page)).toBeHidden();
  // Both lead to this page.
  for (const each of pages) await expectUnseen(each, 0);
});

test.describe('without the stream of changes', () => {
  test.use({ expectedConsoleErrors: /ERR_FAILED .*live|Failed to load resource/ });

  test('the bell counts what is new nevertheless', { tag: '@long' }, async ({ page }) => {
    const { book } = await startSeller(page);
    await page.route(/\/api\/live$/, (route) => route.abort());
    await page.clock.install();
    await page.goto('/blog');
    await expectUnseen(page, 0);
    await book(0);
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return bell(page).getAttribute('aria-label');
      })
      .toBe('Notifications, 1 unseen');
  });
});

test('a page to which a notification leads shows what it tells, and marks it as seen', {
  tag: '@long',
}, async ({ page }) => {
  const { names, book } = await startSeller(page);
  await page.goto('/dashboard/myBuyers');
  await expectUnseen(page, 0);
  await book(0);
  await expect(page.getByRole('row', { name: new RegExp(names[0] ?? '') })).toBeVisible();
  await expectUnseen(page, 0);
  await bell(page).click();
  await expect(newest(page).getByRole('listitem')).toHaveCount(1);
  await expect(newest(page)).not.toContainText('Unseen');
});

test('the bell is opened and closed by keyboard, and marks all as seen', { tag: '@long' }, async ({
  page,
}) => {
  const { book } = await startSeller(page);
  await page.goto('/blog');
  await bell(page).focus();
  await page.keyboard.press('Enter');
  await expect(newest(page)).toContainText('Nothing yet.');
  await page.keyboard.press('Escape');
  await expect(newest(page)).toBeHidden();
  await expect(bell(page)).toBeFocused();
  await book(0);
  await expectUnseen(page, 1);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expectUnseen(page, 0);
  await expect(newest(page).getByRole('listitem')).toHaveCount(1);
});

test.describe('offline and back', () => {
  // The browser logs each request that fails.
  test.use({ expectedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

  test('the bell shows what happened meanwhile', { tag: '@long' }, async ({ page, context }) => {
    const { book } = await startSeller(page);
    await page.goto('/blog');
    await expectUnseen(page, 0);
    await context.setOffline(true);
    await book(0);
    await bell(page).click();
    await expect(newest(page)).toContainText('You are offline.');
    await context.setOffline(false);
    await expectUnseen(page, 1);
    await expect(newest(page).getByRole('listitem')).toHaveCount(1);
    await book(1);
    await expectUnseen(page, 2);
  });
});

test('the page of notifications lists all, marks them as seen, and keeps the settings', {
  tag: '@long',
}, async ({ page }) => {
  const { book } = await startSeller(page);
  await book(0);
  await book(1);
  await page.goto('/dashboard/notifications');
  const all = page.getByRole('region', { name: 'All notifications' }).getByRole('listitem');
  await expect(all).toHaveCount(2);
  await expectUnseen(page, 2);
  await page.getByRole('main').getByRole('button', { name: 'Mark all as seen' }).click();
  await expectUnseen(page, 0);
  await expect(all.first()).not.toContainText('Unseen');
  await expect(all.first()).toContainText('HP laptop was booked');

  const bookings = page.getByLabel('Bookings', { exact: true });
  await expect(bookings).toHaveValue('now');
  await bookings.selectOption('Once a day');
  await expectToast(page, 'Emails about bookings: once a day.');
  await page.reload();
  await expect(bookings).toHaveValue('daily');
  await expect(page.getByLabel('Your listings', { exact: true })).toHaveValue('now');
});

test('a signed-out tab has neither a bell nor a stream', { tag: '@long' }, async ({ page }) => {
  await startSeller(page);
  const opened = page.waitForRequest(/\/api\/live$/);
  await page.goto('/blog');
  await expectUnseen(page, 0);
  const stream = await opened;
  const ended = page.waitForEvent('requestfailed', (request) => request === stream);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await ended;
  await expect(bell(page)).toHaveCount(0);
});

/** Waits for an email about a booking. @returns the unsubscribe link of its headers */
async function readUnsubscribeLink(email: string): Promise<string> {
  const inbox = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 3}`;
  const Messages = z.array(z.object({ id: z.int(), subject: z.string() }));
  let id: number | undefined;
  await expect
    .poll(async () => {
      const answer = await fetch(`${inbox}/messages.json?to=${encodeURIComponent(email)}`);
      const messages = Messages.parse(await answer.json());
      id = messages.find(({ subject }) => subject.includes('booked'))?.id;
      return id;
    })
    .toBeDefined();
  const source = await (await fetch(`${inbox}/messages/${id}/source`)).text();
  const [, link = ''] = /^List-Unsubscribe: <(\S+)>$/m.exec(source.replaceAll(/\r?\n[ \t]+/g, ' ')) ?? [];
  return link;
}

test('the link of an email stops the emails of its topic, and the settings say so', { tag: '@long' }, async ({
  page,
  openVisitor,
}) => {
  const { email, book } = await startSeller(page);
  await book(0);
  const reader = await openVisitor();
  await reader.goto(await readUnsubscribeLink(email));
  await expect(reader.getByText('Do you want no more emails about bookings?')).toBeVisible();
  await reader.getByRole('button', { name: 'Stop the emails' }).click();
  await expect(reader.getByRole('heading', { name: 'Emails stopped' })).toBeVisible();
  await expect(reader.getByText('We send you no more emails about bookings.')).toBeVisible();
  await page.goto('/dashboard/notifications');
  await expect(page.getByLabel('Bookings', { exact: true })).toHaveValue('off');
});
