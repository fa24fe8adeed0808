import { readPayoutAccount } from '#contract/money/payouts.ts';
import { plainAmount } from '#contract/platform/money.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  confirmAddress,
  expectNoOverflow,
  expectToast,
  newEmail,
  password,
  startSession,
  startSessionOf,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';

/** What the shop answers ten minutes after a sign-in. */
const refusal = {
  status: 403,
  contentType: 'application/problem+json',
  json: {
    title: 'Please sign in once more',
    status: 403,
    detail: 'For this, please show once more that it is you.',
    code: 'reauthentication_required',
  },
};

test.use({ expectedConsoleErrors: /status of (401|403)/ });

test('opening a payout account asks for the password when the sign-in is old, and keeps what was chosen', {
  tag: '@long',
}, async ({ page }) => {
  const email = newEmail('olga');
  const seller = await startSession(page, { name: 'Olga', email, role: 'Seller' });
  await confirmAddress(page, email);
  const bodies: unknown[] = [];
  await page.route('**/api/myPayoutAccount/onboarding', async (route) => {
    bodies.push(route.request().postDataJSON());
    if (bodies.length > 2) return route.continue();
    return route.fulfill(refusal);
  });
  await page.goto('/dashboard/money');
  await page.getByLabel('You sell for').selectOption('A company');
  await page.getByLabel('Country of your bank account').selectOption('Germany');
  await page.getByRole('button', { name: 'Open an account' }).click();

  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(dialog.getByLabel('Your Password')).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('please show once more that it is you')).toBeVisible();
  await expect(page.getByLabel('You sell for')).toHaveValue('company');

  await page.getByRole('button', { name: 'Open an account' }).click();
  await dialog.getByLabel('Your Password').fill('Wrong#1Guess');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This is not your password')).toBeVisible();
  await dialog.getByLabel('Your Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('heading', { name: 'Get paid' })).toBeVisible();
  expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ country: 'DE', entityType: 'company' })));
  await page.getByRole('button', { name: 'Pass' }).click();
  await expect(page.getByText('Ready')).toBeVisible();
  await expect(page.getByText('sends nothing to your account for the next 72 hours')).toBeVisible();
  await expect.poll(async () => (await seller.client.call(readPayoutAccount, {})).state).toBe('active');
});

test('recording a payment by hand asks for the password when the sign-in is old, and keeps what was typed', {
  tag: '@long',
}, async ({ page }) => {
  await startSessionOf(page, 'admin@coomercio.example');
  const sellerId = '5b0c0a3e-6f0e-4c7e-9b1e-0d9a5f1f2c3d';
  await page.route('**/api/amountsDue?*', (route) =>
    route.fulfill({
      json: [{ _id: sellerId, sellerName: 'Sally', sellerEmail: 'sally@people.example', due: 522 }],
    }),
  );
  const bodies: unknown[] = [];
  await page.route('**/api/settlements', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    bodies.push(route.request().postDataJSON());
    return bodies.length === 1
      ? route.fulfill(refusal)
      : route.fulfill({ json: { acknowledged: true, insertedId: sellerId } });
  });
  await page.goto('/dashboard/settlements');
  await page.getByRole('button', { name: 'Mark as paid: Sally' }).click();
  const form = page.getByRole('dialog', { name: 'Mark as paid' });
  await form.getByLabel('Reference').fill('SEPA 78');
  await form.getByRole('button', { name: 'Mark as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Your Password').fill(password);
  await dialog.getByLabel('Your Password').press('Enter');
  await expectToast(page, 'The payment to Sally is recorded.');
  expect(bodies).toEqual(
    Array.from({ length: 2 }, () => ({
      ...{ kind: 'paid', sellerId, amount: plainAmount(522), note: 'SEPA 78' },
    })),
  );
});

test('what gives a refund away asks for the password when the sign-in is old, and keeps what was typed', {
  tag: '@long',
}, async ({ page }) => {
  await startSessionOf(page, 'admin@coomercio.example');
  const people = { productName: 'EliteBook', buyerName: 'Bea', sellerName: 'Sally' };
  const common = { ...people, amount: 522, isWithheld: false };
  const since = new Date().toISOString();
  const [failed, waits] = [crypto.randomUUID(), crypto.randomUUID()];
  await page.route('**/api/waitingRefunds?*', (route) =>
    route.fulfill({
      json: [
        { ...common, _id: failed, isFailed: true, why: 'The card was closed.', since },
        { ...common, _id: waits, orderId: crypto.randomUUID(), isFailed: false, why: 'It waits.', since },
      ],
    }),
  );
  const sent: unknown[] = [];
  await page.route(/\/api\/waitingRefunds\/.*\/(pay|payByHand)$/, (route) => {
    const request = route.request();
    sent.push([new URL(request.url()).pathname, request.postDataJSON()]);
    return sent.length % 2 === 1
      ? route.fulfill(refusal)
      : route.fulfill({ json: { acknowledged: true, modifiedCount: 1 } });
  });
  const prove = async () => {
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Your Password').fill(password);
    await dialog.getByLabel('Your Password').press('Enter');
  };
  await page.goto('/dashboard/complaints');
  await page.getByRole('button', { name: 'Paid by hand: Bea' }).click();
  const form = page.getByRole('dialog', { name: 'Paid by hand' });
  await form.getByLabel('Reference').fill('SEPA 79');
  expect(await findAxeViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Paid by hand' }).click();
  await prove();
  await expectToast(page, 'It is recorded.');

  await page.getByRole('button', { name: 'Pay it from the shop’s money now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, pay it' }).click();
  await prove();
  await expectToast(page, 'The refund is on its way.');
  const byHand = [`/api/waitingRefunds/${failed}/payByHand`, { reference: 'SEPA 79' }];
  const now = [`/api/waitingRefunds/${waits}/pay`, null];
  expect(sent).toEqual([byHand, byHand, now, now]);
});
