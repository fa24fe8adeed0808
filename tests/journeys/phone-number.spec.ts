import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { readOwnData } from '#contract/operations/privacy.ts';
import { confirmPhone } from '#contract/people/phone-checks.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  confirmAddress,
  createLaptop,
  expectToast,
  type NewUser,
  newEmail,
  newName,
  newPersonName,
  register,
  startSession,
  startSessionOf,
} from './actions.ts';
import { expectNoViolations } from './axe.ts';

const Texts = z.array(z.object({ text: z.string() }));
// The mail catcher's port is the third after the shop's.
const inbox = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 3}`;

let serial = 0;
/** A Spanish number that no other test uses, in groups as the shop shows it. */
function newPhone(): string {
  serial += 1;
  const digits = `6${String(Date.now()).slice(-6)}${test.info().parallelIndex % 10}${serial % 10}`;
  return `+34 ${digits.slice(0, 3)} ${digits.slice(3, 5)} ${digits.slice(5, 7)} ${digits.slice(7)}`;
}

/** The codes that were sent to a number, newest first. */
async function codesTo(phone: string, atLeast: number): Promise<string[]> {
  const response = await fetch(
    `${inbox}/messages.json?to=${encodeURIComponent(phone.replaceAll(' ', ''))}&atLeast=${atLeast}`,
  );
  return Texts.parse(await response.json()).map(({ text }) => /^(\d{6}) is your code/.exec(text)?.[1] ?? '');
}

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const section = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Phone number' }) });

async function openAccount(page: Page) {
  await page.goto('/dashboard/account');
  await expect(section(page)).toBeVisible();
}

/** Registers a user and confirms the address, which a code needs, in another browser. @returns the session of `page` */
async function startConfirmedSession(page: Page, other: Page, person: NewUser): Promise<BrowserSession> {
  await register(other, person);
  await confirmAddress(other, person.email);
  return startSessionOf(page, person.email);
}

test.describe('a seller', () => {
  // A wrong code and a number in national form are refused with 422.
  test.use({ expectedConsoleErrors: /status of 422/ });

  test('confirms a phone number with the code of a text message; admins see the number, buyers the day', {
    tag: '@long',
  }, async ({ page, openVisitor }) => {
    test.slow();
    const person = { name: newPersonName('Pia'), email: newEmail('pia'), role: 'Seller' as const };
    const session = await startConfirmedSession(page, await openVisitor(), person);
    const laptopId = await createLaptop(session, { name: newName('Ring') });
    const phone = newPhone();
    const part = section(page);

    await test.step('the number is typed in international form, and stays when it is refused', async () => {
      await openAccount(page);
      await part.getByLabel('Phone Number', { exact: true }).fill('612 345 678');
      await part.getByRole('button', { name: 'Send a code' }).click();
      await expect(part.getByText('Begin with + and the country code')).toBeVisible();
      await expect(part.getByLabel('Phone Number', { exact: true })).toHaveValue('612 345 678');
      await expectNoViolations(page);
      await part
        .getByLabel('Phone Number', { exact: true })
        .fill(`\u202A${phone.replaceAll(' ', '\u00A0')}\u202C`);
      await part.getByRole('button', { name: 'Send a code' }).click();
      await expect(part.getByText(`A code was sent to ${phone}. You can type it until`)).toBeVisible();
    });
    await test.step('a wrong code is refused, and the right one confirms', async () => {
      const field = part.getByLabel('Code', { exact: true });
      await expect(field).toBeFocused();
      const [code = ''] = await codesTo(phone, 1);
      await field.fill(wrong(code));
      await part.getByRole('button', { name: 'Confirm the number' }).click();
      await expect(part.getByText('you can try 4 more times')).toBeVisible();
      await expectNoViolations(page);
      // Over a reload the code can still be typed.
      await page.reload();
      await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await field.press('Enter');
      await expectToast(page, 'Your phone number is confirmed.');
      await expect(part.getByText(phone)).toBeVisible();
      await expect(part.getByText(/^Confirmed on /)).toBeVisible();
      await expectNoViolations(page);
    });

    const admin = await openVisitor();
    await test.step('an admin sees the number with its day, and verifies the seller', async () => {
      await startSessionOf(admin, 'admin@coomercio.example');
      await admin.goto(`/dashboard/allSellers?search=${encodeURIComponent(person.email)}`);
      const row = admin.getByRole('row').filter({ hasText: person.email });
      await expect(row.getByText(/^Phone number, /)).toBeVisible();
      await expect(row.getByRole('link', { name: phone })).toBeVisible();
      await expectNoViolations(admin);
      await row.getByRole('button', { name: 'Verify' }).click();
      await admin.getByRole('button', { name: 'Yes, verify', exact: true }).click();
      await admin.getByRole('button', { name: 'OK', exact: true }).click();
    });

    const visitor = await openVisitor();
    const { account } = await session.client.call(readOwnData, {});
    const pages = [`/laptop/${laptopId}`, `/seller/${account.id}`];
    await test.step('a visitor sees the day at the laptop and at the seller, and never the number', async () => {
      for (const path of pages) {
        await visitor.goto(path);
        await expect(visitor.getByText(/Phone number confirmed on [A-Z][a-z]{2} \d+, \d{4}\./)).toBeVisible();
        expect(await visitor.content()).not.toContain(phone.slice(4));
      }
    });
    await test.step('without the number the check is gone at once', async () => {
      await part.getByRole('button', { name: 'Remove the phone number' }).click();
      await expectToast(page, 'Your phone number was removed. Buyers no longer see that it is confirmed.');
      await expect(part.getByLabel('Phone Number', { exact: true })).toBeVisible();
      for (const path of pages) {
        await visitor.goto(path);
        await expect(visitor.getByText('Verified by the shop on')).toBeVisible();
        await expect(visitor.getByText('Phone number confirmed')).toHaveCount(0);
      }
    });
  });

  test('changes the number: the confirmed one stays until the code of the other was typed', {
    tag: '@long',
  }, async ({ page, openVisitor }) => {
    const person = { name: 'Cho Change', email: newEmail('cho'), role: 'Seller' as const };
    const session = await startConfirmedSession(page, await openVisitor(), person);
    const [before, after] = [newPhone(), newPhone()];
    const part = section(page);
    const confirmOver = async (phone: string) => {
      await part.getByLabel('Phone Number', { exact: true }).fill(phone);
      await part.getByRole('button', { name: 'Send a code' }).click();
      await expect(part.getByText(`A code was sent to ${phone}.`)).toBeVisible();
    };
    await openAccount(page);
    await confirmOver(before);
    const [first = ''] = await codesTo(before, 1);
    await session.client.call(confirmPhone, { body: { code: first } });
    await openAccount(page);
    await part.getByRole('button', { name: 'Change the number' }).click();
    await part.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(part.getByLabel('Phone Number', { exact: true })).toHaveCount(0);
    await part.getByRole('button', { name: 'Change the number' }).click();
    await confirmOver(after);
    await expect(part.getByText(before, { exact: true })).toBeVisible();
    const [second = ''] = await codesTo(after, 1);
    await part.getByRole('button', { name: 'Send another code' }).click();
    await expectToast(page, 'Another code is being sent. The previous one no longer works.');
    const [third = ''] = await codesTo(after, 2);
    expect(third).not.toBe('');
    if (second !== third) {
      await part.getByLabel('Code', { exact: true }).fill(second);
      await part.getByRole('button', { name: 'Confirm the number' }).click();
      await expect(part.getByText('This is not the code.')).toBeVisible();
    }
    await part.getByLabel('Code', { exact: true }).fill(third);
    await part.getByRole('button', { name: 'Confirm the number' }).click();
    await expect(part.getByText(after, { exact: true })).toBeVisible();
    await expect(part.getByText(before, { exact: true })).toHaveCount(0);
  });
});

test('a code that could not be sent is said, and the number stays in the field', { tag: '@long' }, async ({
  page,
}) => {
  await startSession(page, { name: 'Finn Failed', email: newEmail('finn'), role: 'Seller' });
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const code = { phone: '+34612345678', state: 'not_sent', expiresAt, attemptsLeft: 5 };
  await page.route('**/api/myPhone', (route) =>
    route.fulfill({ json: { offered: true, confirmed: null, code } }),
  );
  await openAccount(page);
  await expect(section(page).getByText('The code could not be sent to +34612345678')).toBeVisible();
  await expect(section(page).getByLabel('Phone Number', { exact: true })).toHaveValue('+34612345678');
});

test('a buyer, and a seller of a shop that sends no codes, are shown nothing of it', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  await startSession(page, { name: 'Bo Buyer', email: newEmail('bo'), role: 'Buyer' });
  const seller = await openVisitor();
  await startSession(seller, { name: 'Sol Seller', email: newEmail('sol'), role: 'Seller' });
  await seller.route('**/api/myPhone', (route) =>
    route.fulfill({ json: { offered: false, confirmed: null, code: null } }),
  );
  await page.goto('/dashboard/account');
  const answered = seller.waitForResponse('**/api/myPhone');
  await seller.goto('/dashboard/account');
  await answered;
  for (const [other, link] of [
    [page, 'My Orders'],
    [seller, 'My Products'],
  ] as const) {
    // The roles are known, and what follows from them is painted.
    await expect(other.getByRole('link', { name: link })).toBeVisible();
    await expect(other.getByRole('heading', { name: 'Your data' })).toBeVisible();
    await other.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await expect(other.getByRole('heading', { name: 'Phone number' })).toHaveCount(0);
  }
});
