import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { plainAmount } from '#contract/platform/money.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectLoaded, expectNoOverflow, longUnless, startSessionOf } from './actions.ts';
import { amount, currency, shown } from './amounts.ts';

const money = {
  currency: currency.code,
  heldCents: amount(54_999),
  dueCents: amount(175_000),
  owedCents: amount(28_790),
  releasedCents: amount(98_750),
  paidOutCents: amount(100_000),
  refundsDueCents: 0,
  disputedCents: 0,
  commissionCents: amount(2_750),
  feesCents: amount(1_595),
  lostDisputesCents: 0,
  goodwillCents: 0,
  shippingCents: 0,
  labelAdvancesCents: 0,
  carrierPayableCents: 0,
  writtenOffCents: amount(1_250),
  reservedCents: 0,
  suspenseCents: amount(7_700),
  processorCents: amount(54_904),
  openComplaints: 2,
  openDisputes: 1,
  months: ['2026-09', '2026-10', '2026-11'].map((month, index) => ({
    month,
    salesCents: amount(54_999) * (index + 1),
    refundsCents: amount(10_000) * index,
    commissionCents: amount(1_000),
    feesCents: amount(500),
    paidOutCents: amount(50_000) * index,
  })),
  comparedAt: '2026-11-20T08:00:00.000Z',
  differences: [
    {
      _id: '00000000-0000-4000-8000-000000000001',
      kind: 'missing_in_ledger',
      movement: 'payment',
      reference: 'pi_3QabcdefghijklmnopQRSTUV',
      ledgerCents: 0,
      processorCents: amount(54_999),
      detail: '',
      foundAt: '2026-11-20T08:00:00.000Z',
    },
    {
      _id: '00000000-0000-4000-8000-000000000002',
      kind: 'unknown_movement',
      movement: 'other',
      reference: 'txn_3QabcdefghijklmnopQRSTUV',
      ledgerCents: 0,
      processorCents: amount(7_700),
      detail: 'other_adjustment',
      foundAt: '2026-11-20T08:00:00.000Z',
    },
  ],
  openDifferences: 2,
};

/** Answers the page's request with these figures. */
const answerWith = (page: Page, answer: object) =>
  page.route('**/api/shopMoney', (route) => route.fulfill({ json: answer }));

for (const width of [390, 768, 1440]) {
  test(
    `/dashboard/shopMoney at ${width} px: an admin reads balances, months and differences`,
    longUnless(width === 390),
    async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await startSessionOf(page, 'admin@coomercio.example');
      await answerWith(page, money);
      await page.goto('/dashboard/shopMoney');
      await expectLoaded(page);
      const main = page.getByRole('main');
      for (const [name, value] of [
        ['Held', shown(549.99)],
        ['Due', shown(1750)],
        ['Owed by sellers', shown(287.9)],
        ['Unexplained', shown(77)],
        ['Commission', shown(27.5)],
        ['Open complaints', '2'],
      ] as const) {
        await expect(main.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })).toBeVisible();
        await expect(main.getByRole('definition').filter({ hasText: value }).first()).toBeVisible();
      }
      await expect(main.getByRole('definition').getByRole('link', { name: 'Settlements' })).toHaveAttribute(
        'href',
        '/dashboard/settlements',
      );
      await expect(main.getByRole('definition').getByRole('link', { name: 'Complaints' })).toHaveAttribute(
        'href',
        '/dashboard/complaints',
      );
      const months = page.getByRole('table', { name: 'The shop’s money by month' });
      await expect(months.getByRole('row').nth(1)).toContainText('November 2026');
      await expect(months.getByRole('row').nth(1)).toContainText(shown(1649.97));
      const differences = page.getByRole('table', { name: 'Differences from the card processor' });
      await expect(differences).toContainText('Payment pi_3QabcdefghijklmnopQRSTUV');
      await expect(differences).toContainText(shown(549.99));
      await expectNoOverflow(page);

      await test.step('explains a movement that the shop does not know', async () => {
        await page.route('**/api/ledgerDifferences/*/explanation', (route) =>
          route.fulfill({ json: { acknowledged: true, modifiedCount: 1 } }),
        );
        await page.getByRole('button', { name: 'Explain txn_3QabcdefghijklmnopQRSTUV' }).press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Explain the movement' });
        await expect(dialog).toContainText('other_adjustment');
        await dialog.getByLabel('This was').selectOption('own_money');
        await dialog.getByLabel('How you know it').fill('An insurance paid it in.');
        const request = page.waitForRequest('**/api/ledgerDifferences/*/explanation');
        await dialog.getByRole('button', { name: 'Explain' }).press('Enter');
        expect((await request).postDataJSON()).toEqual({
          explanation: 'own_money',
          note: 'An insurance paid it in.',
        });
        await expect(dialog).toBeHidden();
      });

      await test.step('downloads the journal of a period, and reads its receipts', async () => {
        await page.getByRole('textbox', { name: 'From' }).fill('2020-01-01');
        await page.getByRole('textbox', { name: 'Until' }).fill('2020-01-31');
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Journal as CSV' }).press('Enter');
        const file = await download;
        expect(file.suggestedFilename()).toBe('coomercio-journal-2020-01-01-2020-01-31.csv');
        expect(await readFile(await file.path(), 'utf8')).toBe(
          `\uFEFFPosting,Date,Kind,Reference,Account,Debit in ${currency.code},Credit in ${currency.code},Order,Seller id\r\nTotal,,,,,${plainAmount(0)},${plainAmount(0)},,\r\n`,
        );
        await page.getByRole('link', { name: 'Receipts of the period' }).press('Enter');
        await expect(page.getByRole('heading', { name: 'All Receipts' })).toBeVisible();
        await expect(page.getByText('None was issued in this period.')).toBeVisible();
      });
    },
  );
}

test('a shop without sales says so, and its real figures load', { tag: '@long' }, async ({ page }) => {
  await startSessionOf(page, 'admin@coomercio.example');
  await page.goto('/dashboard/shopMoney');
  await expect(page.getByRole('heading', { name: 'Differences from the card processor' })).toBeVisible();
  await answerWith(page, { ...money, months: [], differences: [], openDifferences: 0, comparedAt: null });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No money has moved yet' })).toBeVisible();
  await expect(page.getByText('The ledger was not compared with the card processor yet.')).toBeVisible();
});

test.describe('figures that cannot be loaded', () => {
  test.use({ expectedConsoleErrors: /status of 500/ });

  test('are asked for again with a button', { tag: '@long' }, async ({ page }) => {
    await startSessionOf(page, 'admin@coomercio.example');
    let isBroken = true;
    await page.route('**/api/shopMoney', (route) =>
      isBroken
        ? route.fulfill({
            status: 500,
            contentType: 'application/problem+json',
            json: { title: 'Broken', status: 500, detail: 'The figures are broken.', code: 'internal' },
          })
        : route.fulfill({ json: money }),
    );
    await page.goto('/dashboard/shopMoney');
    const alert = page.getByRole('alert').filter({ hasText: 'We could not load the shop’s money' });
    await expect(alert).toContainText('The figures are broken.');
    isBroken = false;
    await alert.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'By month' })).toBeVisible();
  });
});
