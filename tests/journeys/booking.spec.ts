import type { Page } from '@playwright/test';
import { deadlineDays } from '#contract/money/order-states.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createLaptop,
  createSeller,
  expectNoOverflow,
  expectToast,
  newEmail,
  newName,
  startSession,
} from './actions.ts';
import { shown } from './amounts.ts';

// The browser logs the refused call.
test.use({ expectedConsoleErrors: /status of 503/ });

const bookButton = (page: Page, name: string) => card(page, name).getByRole('button', { name: 'Book now' });

async function fillAndSubmit(page: Page) {
  await page.getByLabel('Phone Number').fill('+351 900 000 000');
  await page.getByLabel('Meeting Location').fill('Central Station');
  await page.getByRole('dialog').getByRole('button', { name: 'Submit', exact: true }).click();
}

test('the booking modal shows the laptop and the buyer and requires the other fields; a failure is an error toast with the server’s message, and closes it', async ({
  page,
  context,
}) => {
  const [name, another] = [newName('EliteBook'), newName('ProBook')];
  const seller = await createSeller();
  for (const laptop of [name, another]) await createLaptop(seller, { name: laptop });
  const email = newEmail('bruno');
  await startSession(page, { name: 'Bruno Buyer', email, role: 'Buyer' });
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto('/category/HP');
  for (const tab of [page, other]) await bookButton(tab, name).click();
  const dialog = page.getByRole('dialog', { name, exact: true });
  const inOtherTab = other.getByRole('dialog', { name, exact: true });

  await test.step('product name and price; name and email prefilled and read-only; phone and meeting location required', async () => {
    await expect(dialog.getByText(shown(549.99), { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Bruno Buyer');
    await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(email);
    for (const label of ['Name', 'Email']) {
      await expect(dialog.getByLabel(label, { exact: true })).not.toBeEditable();
    }
    await expect(dialog.getByLabel('Phone Number')).toBeFocused();
    await dialog.getByRole('button', { name: 'Submit', exact: true }).click();
    await expect(dialog.getByText('Phone Number is required', { exact: true })).toBeVisible();
    await expect(dialog.getByText('Meeting Location is required', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Phone Number')).toBeFocused();
  });

  await fillAndSubmit(page);
  await expectToast(page, 'Booking Successful. Please check your dashboard for payment.');
  await expect(dialog).toBeHidden();
  await expect(bookButton(page, name)).toBeDisabled();

  await expect(inOtherTab).toBeVisible();
  await fillAndSubmit(other);
  await expectToast(other, `You already booked ${name}. Can't book it again.`);
  await expect(inOtherTab).toBeHidden();

  await page.route('**/api/bookings', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      json: { title: 'Busy', status: 503, code: 'busy', detail: 'Please come back in a minute.' },
    }),
  );
  await bookButton(page, another).click();
  await fillAndSubmit(page);
  await expectToast(page, 'Please come back in a minute.');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bookButton(page, another)).toBeEnabled();
});

test('the booking dialog says what a booking is, and has the phone number and place of the last one', {
  tag: '@long',
}, async ({ page }) => {
  const [first, second] = [newName('Spectre'), newName('Omen')];
  const seller = await createSeller();
  for (const name of [first, second]) await createLaptop(seller, { name });
  await startSession(page, { name: 'Bina Buyer', email: newEmail('bina'), role: 'Buyer' });
  await page.goto('/category/HP');
  await expect(card(page, first).getByRole('list', { name: 'What protects you' })).toBeVisible();
  await bookButton(page, first).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('does not reserve the laptop: the first to pay gets it.');
  await expect(dialog.getByRole('list', { name: 'What protects you' }).getByRole('listitem')).toHaveText([
    /^You pay the shop, not \S+$/,
    'You look before you give the code',
    `${deadlineDays('released')} days to complain after that`,
  ]);
  await test.step('on a phone with large text it fits', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await fillAndSubmit(page);
  await expect(dialog).toBeHidden();

  // As on another device.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await bookButton(page, second).click();
  await expect(dialog.getByLabel('Phone Number')).toHaveValue('+351 900 000 000');
  await expect(dialog.getByLabel('Meeting Location')).toHaveValue('Central Station');
  await dialog.getByRole('button', { name: 'Submit', exact: true }).click();
  await expectToast(page, 'Booking Successful. Please check your dashboard for payment.');
});

test('a reload keeps the booking dialog; that of a laptop which is not on the first page is on its own page', {
  tag: '@long',
}, async ({ page }) => {
  const name = newName('Swift');
  const id = await createLaptop(await createSeller(), { name, brand: 'Acer' });
  await startSession(page, { name: 'Bina Buyer', email: newEmail('bina'), role: 'Buyer' });
  const dialog = page.getByRole('dialog', { name, exact: true });
  await page.goto(`/category/Acer?book=${id}`);
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(`/category/Acer?book=${id}`);

  await page.route('**/api/category/Acer?limit=12', async (route) => {
    const response = await route.fetch();
    const laptops: { name: string }[] = await response.json();
    await route.fulfill({
      json: laptops.filter((laptop) => laptop.name !== name).slice(0, 1),
      headers: { link: '</api/category/Acer?limit=12&cursor=1>; rel="next"' },
    });
  });
  await page.reload();
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/laptop/${id}/[^?]+\\?book=yes$`));
});
