import { listOwnSales } from '#contract/money/payouts.ts';
import { currency, formatAmount, plainAmount } from '#contract/platform/money.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createUser,
  expectLoaded,
  expectNoOverflowAtAnyWidth,
  expectToast,
  newEmail,
  newName,
  newPersonName,
  startSession,
  startSessionOf,
} from './actions.ts';
import { amount, shown, typed } from './amounts.ts';
import { findAxeViolations } from './axe.ts';
import { buyLaptop } from './sale.ts';

// An amount that is more than is due is answered with 409.
test.use({ expectedConsoleErrors: /status of 409/ });

test('an admin records the repayment of a debt and writes another one off; the seller reads how to repay', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  const debt = {
    _id: '00000000-0000-4000-8000-000000000001',
    sellerName: 'Dora Debt',
    sellerEmail: 'dora@sellers.example',
    owed: amount(287.9),
  };
  await startSessionOf(page, 'admin@coomercio.example');
  await page.route(/\/api\/debts(\?|$)/, (route) => route.fulfill({ json: [debt] }));
  await page.route('**/api/settlements', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { acknowledged: true, insertedId: debt._id } })
      : route.continue(),
  );
  await page.goto('/dashboard/settlements');
  await expect(page.getByRole('row').filter({ hasText: 'Dora Debt' })).toContainText(shown(287.9));

  await page.getByRole('button', { name: 'Record repayment: Dora Debt' }).press('Enter');
  const repayment = page.getByRole('dialog', { name: 'Record repayment' });
  await repayment.getByLabel('Reference').fill('SEPA 78');
  const recorded = () =>
    page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/settlements'),
    );
  const repaid = recorded();
  await repayment.getByRole('button', { name: 'Record repayment' }).press('Enter');
  expect((await repaid).postDataJSON()).toEqual({
    kind: 'repaid',
    sellerId: debt._id,
    amount: plainAmount(amount(287.9)),
    note: 'SEPA 78',
  });
  await expectToast(page, 'The repayment of Dora Debt is recorded.');

  await page.getByRole('button', { name: 'Write off: Dora Debt' }).press('Enter');
  const writeOff = page.getByRole('dialog', { name: 'Write off' });
  await writeOff.getByLabel('Amount').fill(typed(87.9));
  await writeOff.getByLabel('Reason').fill('The seller cannot be reached.');
  const writtenOff = recorded();
  await writeOff.getByRole('button', { name: 'Write off' }).press('Enter');
  expect((await writtenOff).postDataJSON()).toEqual({
    kind: 'written_off',
    sellerId: debt._id,
    amount: typed(87.9),
    note: 'The seller cannot be reached.',
  });
  await expectToast(page, 'The debt of Dora Debt is written off.');
  await expectNoOverflowAtAnyWidth(page);
  expect(await findAxeViolations(page)).toEqual([]);

  const seller = await openVisitor();
  await startSession(seller, { name: 'Dora Debt', email: newEmail('dora'), role: 'Seller' });
  await seller.route('**/api/myMoney', (route) =>
    route.fulfill({
      json: {
        ...{ currency: currency.code, held: 0, due: 0, paid: amount(500), owed: amount(287.9) },
        repayment: { payTo: 'PT50 0002 0123', reference: 'SELLER-1234567890AB' },
      },
    }),
  );
  await seller.goto('/dashboard/money');
  const panel = seller.getByRole('region', { name: `You owe the shop ${shown(287.9)}` });
  await expect(panel).toContainText('PT50 0002 0123');
  await expect(panel).toContainText('SELLER-1234567890AB');
  await expectNoOverflowAtAnyWidth(seller);
});

test('a seller follows the money of a sale, and an admin pays it by hand', async ({ page, openVisitor }) => {
  test.slow();
  const sellerName = newPersonName('Mona');
  const seller = await startSession(page, { name: sellerName, email: newEmail('mona'), role: 'Seller' });
  await page.goto('/dashboard/money');
  await expect(page.getByRole('heading', { name: 'No sales yet' })).toBeVisible();
  const laptop = newName('ThinkPad');
  const productCode = await createLaptop(seller, { name: laptop, price: 549.99 });

  const buyer = await createUser({ name: 'Bo', email: newEmail('bo'), role: 'Buyer' });
  await buyLaptop(buyer, productCode);

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: laptop });
  await expect(row.getByText('Held by the shop')).toBeVisible();
  const [sale] = await seller.client.call(listOwnSales, { query: {} });
  const proceeds = formatAmount(sale?.proceeds ?? 0);
  await expect(page.getByRole('definition').filter({ hasText: proceeds })).toHaveCount(1);
  await expect(row.getByRole('link', { name: laptop })).toHaveAttribute(
    'href',
    `/dashboard/order/${sale?._id}`,
  );
  await buyer.client.call(confirmOrder, { params: { _id: sale?._id ?? '' } });
  await page.reload();
  await expect(row.getByText('To be paid')).toBeVisible();

  const admin = await openVisitor();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto('/dashboard/settlements');
  await admin.getByRole('button', { name: `Sales of ${sellerName}` }).click();
  await expect(admin.getByRole('dialog').getByText(laptop)).toBeVisible();
  await admin.keyboard.press('Escape');

  await admin.getByRole('button', { name: `Mark as paid: ${sellerName}` }).click();
  const dialog = admin.getByRole('dialog', { name: 'Mark as paid' });
  await expect(dialog.getByLabel('Amount')).toHaveValue(plainAmount(sale?.proceeds ?? 0));
  await dialog.getByLabel('Amount').fill(typed(49999));
  await dialog.getByLabel('Reference').fill('SEPA 77');
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(dialog.getByText('was not recorded')).toBeVisible();
  await dialog.getByLabel('Amount').fill(plainAmount(sale?.proceeds ?? 0));
  await dialog.getByLabel('Reference').press('Enter');
  await expectToast(admin, `The payment to ${sellerName} is recorded.`);
  await expect(admin.getByRole('button', { name: `Mark as paid: ${sellerName}` })).toHaveCount(0);
  await expect(admin.getByRole('row').filter({ hasText: 'SEPA 77' }).first()).toContainText(sellerName);
  const download = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^coomercio-amounts-due-.*\.csv$/);

  await page.reload();
  await expect(row.getByText('Paid', { exact: true })).toBeVisible();
  for (const opened of [page, admin]) {
    await expectLoaded(opened);
    expect(await findAxeViolations(opened)).toEqual([]);
  }
});

test('released money waits for the account that its seller has not opened', {
  tag: '@long',
}, async ({ page }) => {
  await startSession(page, { name: newPersonName('Nora'), email: newEmail('nora'), role: 'Seller' });
  await page.route('**/api/myMoney', (route) =>
    route.fulfill({ json: { currency: currency.code, held: 0, due: amount(947), paid: 0, owed: 0 } }),
  );
  let state = 'none';
  await page.route('**/api/myPayoutAccount', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), method: 'card_processor', state } });
  });
  await page.goto('/dashboard/money');
  const total = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('..');
  await expect(total('Waiting for your account')).toContainText(shown(947));
  await expect(total('On its way')).toHaveCount(0);
  await total('Waiting for your account').getByRole('link', { name: 'Open your account' }).press('Enter');
  await expect(page).toHaveURL(/#payout-method$/);
  await expect(page.getByRole('heading', { name: 'How you are paid' })).toBeInViewport();
  expect(await findAxeViolations(page)).toEqual([]);
  await expectNoOverflowAtAnyWidth(page);
  state = 'active';
  await page.reload();
  await expect(total('On its way')).toContainText(shown(947));
});

test('a seller reads what is paid later and what is held back, and an admin why it cannot be paid yet', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  await startSession(page, { name: newPersonName('Wanda'), email: newEmail('wanda'), role: 'Seller' });
  // The shop of the journeys pays at the release, so these answers are invented.
  await page.route('**/api/myMoney', (route) =>
    route.fulfill({
      json: {
        ...{ currency: currency.code, held: amount(100), due: 0, paid: 0, owed: 0 },
        waiting: { amount: amount(522), from: '2026-12-10T12:00:00.000Z' },
        stopped: { amount: amount(411), isDisputed: true },
      },
    }),
  );
  await page.route('**/api/myPayoutAccount', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), payoutAfter: 'completed' } });
  });
  await page.goto('/dashboard/money');
  const total = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('..');
  await expect(total('Paid later')).toContainText(shown(522));
  await expect(total('Paid later')).toContainText('Dec 10, 2026');
  await expect(total('Held back')).toContainText('A buyer’s bank disputes the payment');
  await expectLoaded(page);
  expect(await findAxeViolations(page)).toEqual([]);
  await expectNoOverflowAtAnyWidth(page);

  const admin = await openVisitor();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.route('**/api/amountsDue**', (route) =>
    route.fulfill({
      json: [
        {
          ...{
            _id: '00000000-0000-4000-8000-000000000001',
            sellerName: 'Wanda',
            sellerEmail: 'w@sellers.example',
          },
          ...{ due: 0, waiting: amount(522), stopped: { amount: amount(411), isDisputed: false } },
        },
      ],
    }),
  );
  await admin.goto('/dashboard/settlements');
  const row = admin.getByRole('row').filter({ hasText: 'Wanda' });
  await expect(row).toContainText('complaints are possible');
  await expect(row).toContainText('a complaint is open');
  await expect(row.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0);
  expect(await findAxeViolations(admin)).toEqual([]);
  await expectNoOverflowAtAnyWidth(admin);
});
