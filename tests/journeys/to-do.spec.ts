import type { Page } from '@playwright/test';
import { reportLaptop } from '#contract/listings/reports.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation, sendMessage } from '#contract/sales/messages.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createUser,
  expectLoaded,
  expectNoOverflow,
  expectNoOverflowAtAnyWidth,
  newEmail,
  newName,
  newPersonName,
  startSession,
  startSessionOf,
} from './actions.ts';
import { expectNoViolations, findAxeViolations } from './axe.ts';
import { createSale } from './sale.ts';

/** The line about something on the first page of the dashboard. */
const line = (page: Page, text: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: text }) });

const drawer = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });

test('a sale waits for both people, a question about a sold laptop for the seller until it is read, and the drawer counts it', {
  tag: '@long',
}, async ({ page: seller, openVisitor }) => {
  test.slow();
  const buyer = await openVisitor();
  const { name, buyerSession } = await createSale(seller, buyer);
  await seller.goto('/dashboard');
  await expect(seller.getByRole('heading', { level: 1 })).toHaveText('What waits for you');
  const handOver = line(seller, `Hand ${name} over to`);
  const toAgree = line(seller, `Agree with Bruno on a time to hand over ${name}`);
  await expect(toAgree).toContainText(/Without a complaint, the money is released to you on \w+ \d+, \d{4}/);
  await expect(drawer(seller).getByRole('link', { name: 'My Buyers' })).toHaveText(/1 waiting$/);
  await expect(seller.getByRole('heading', { name: 'My Orders' })).toBeVisible();

  await test.step('what the buyer writes and proposes arrives without a reload', async () => {
    const { client } = buyerSession;
    const [booking] = await client.call(listBookings, { query: {} });
    const { insertedId: _id } = await client.call(openConversation, { body: { bookingId: booking?._id } });
    await client.call(sendMessage, { params: { _id }, body: { text: 'Is the charger included?' } });
    await expect(line(seller, `who wrote about ${name}`)).toBeVisible();
    await client.call(proposeMeeting, {
      params: { _id },
      body: { place: 'Station', startsAt: new Date(Date.now() + 30 * 3_600_000).toISOString() },
    });
    await expect(line(seller, `who proposes to meet about ${name}`)).toBeVisible();
    await expect(drawer(seller).getByRole('link', { name: 'Messages' })).toHaveText(/2 waiting$/);
  });
  await expectLoaded(seller);
  await expectNoViolations(seller);
  await expectNoOverflowAtAnyWidth(seller);

  await test.step('done is gone', async () => {
    await line(seller, `who wrote about ${name}`).getByRole('link').click();
    await seller.getByRole('button', { name: 'Agree' }).click();
    await seller.getByRole('textbox', { name: /^Message to/ }).fill('It is.');
    await seller.keyboard.press('Enter');
    await expect(drawer(seller).getByRole('link', { name: 'Messages' })).toHaveText('Messages');
    await drawer(seller).getByRole('link', { name: 'What waits for you' }).click();
    await expect(handOver).toContainText('You meet on');
    await expect(toAgree).toHaveCount(0);
    await expect(line(seller, `wrote about ${name}`)).toHaveCount(0);
  });

  await test.step('on a phone with large text the links are in a sheet', async () => {
    await seller.setViewportSize({ width: 390, height: 844 });
    await seller.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    const menu = seller.getByRole('button', { name: /^Menu: What waits for you/ });
    await menu.press('Enter');
    await expect(drawer(seller).getByRole('link', { name: 'My Products' })).toBeVisible();
    await expectNoOverflow(seller);
    expect(await findAxeViolations(seller)).toEqual([]);
    await drawer(seller).getByRole('link', { name: 'Account' }).click();
    await expect(seller.getByRole('heading', { level: 1 })).toHaveText('Account');
  });

  await test.step('the buyer reads what to do next', async () => {
    await buyer.goto('/dashboard');
    await expect(line(buyer, `look at ${name}, then show your code`)).toContainText('You meet on');
    await expect(line(buyer, 'Read what')).toHaveCount(1);
    await expectNoViolations(buyer);
  });
});

test('a new buyer reads that nothing waits, and an admin what to decide', { tag: '@long' }, async ({
  page,
  openVisitor,
}) => {
  const person = { name: newPersonName('Bea'), email: newEmail('bea'), role: 'Buyer' as const };
  const { client } = await startSession(page, person);
  await page.goto('/dashboard');
  await expect(page.getByText('Nothing waits for you at the moment.')).toBeVisible();
  const seller = await createUser({ name: newPersonName('Ria'), email: newEmail('ria'), role: 'Seller' });
  const productCode = await createLaptop(seller, { name: newName('Swift') });
  await client.call(reportLaptop, { body: { productCode, reason: 'Other', note: 'Look at it, please.' } });

  const admin = await openVisitor();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto('/dashboard');
  await expect(line(admin, /^Decide about \d+\+? reported laptops?$/)).toBeVisible();
  await expect(drawer(admin).getByRole('link', { name: 'Reported Items' })).toHaveText(/\d+\+? waiting$/);
  await expectLoaded(admin);
  await expectNoViolations(admin);
  await expectNoOverflowAtAnyWidth(admin);
  await line(admin, /^Decide about/)
    .getByRole('link')
    .first()
    .click();
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Reported Items');
});
