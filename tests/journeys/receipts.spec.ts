import { readFile } from 'node:fs/promises';
import { listReceipts } from '#contract/money/accounting.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { book } from '#contract/sales/bookings.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { confirmWithCard } from '#demo/card.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, createSeller, newEmail, newName, startSession } from './actions.ts';
import { amount, shown, typed } from './amounts.ts';

/** Books a laptop and pays for it without the forms. @returns the order's id */
async function buy({ client }: BrowserSession, productCode: string): Promise<string> {
  const details = { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station' };
  const { insertedId: bookingId = '' } = await client.call(book, { body: { ...details, productCode } });
  const { clientSecret } = await client.call(createPaymentIntent, {
    body: { price: amount(549.99), bookingId },
  });
  const { cards } = await client.call(readSettings, {});
  const access = { url: cards.scriptUrl ?? '', publishableKey: cards.publishableKey };
  const { transactionId } = await confirmWithCard(access, clientSecret);
  await client.call(recordPayment, { body: { bookingId, transactionId } });
  const [receipt] = await client.call(listReceipts, { query: {} });
  return receipt?.orderId ?? '';
}

for (const width of [390, 768, 1440]) {
  test(`at ${width} px: a buyer reads and prints the receipt of a purchase, and a seller the statement of the month`, {
    tag: '@long',
  }, async ({ page, openVisitor }) => {
    await page.setViewportSize({ width, height: 900 });
    const name = newName('=HP 840');
    const seller = await createSeller();
    const productCode = await createLaptop(seller, { name });
    const buyer = await startSession(page, {
      name: 'Bruno Buyer',
      email: newEmail('bruno'),
      role: 'Buyer',
    });
    await page.goto('/dashboard/receipts');
    await expect(page.getByRole('heading', { name: 'No receipts yet' })).toBeVisible();

    const orderId = await buy(buyer, productCode);
    await page.reload();
    await page.getByRole('row').filter({ hasText: name }).getByRole('link').press('Enter');
    const receipt = page.getByRole('article', { name: /^Receipt \d{4}-\d{6}$/ });
    for (const text of ['Bruno Buyer', name, 'Sofia Seller', shown(549.99)]) {
      await expect(receipt).toContainText(text);
    }
    await expect(receipt).not.toContainText('Margin scheme');
    await page.emulateMedia({ media: 'print' });
    await expect(receipt).toBeVisible();
    await expect(page.getByRole('link', { name: 'All receipts' })).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Dashboard' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });

    await test.step('the seller has the statement, also as a file without formulas', async () => {
      await buyer.client.call(confirmOrder, { params: { _id: orderId } });
      const month = new Date().toISOString().slice(0, 7);
      const sales = await openVisitor();
      await sales.setViewportSize({ width, height: 900 });
      await seller.signIn(sales.context());
      await sales.goto('/dashboard/receipts');
      await sales.getByRole('link', { name: 'Monthly statement' }).press('Enter');
      await expect(sales).toHaveURL(`/dashboard/statement/${month}`);
      const line = sales.getByRole('row').filter({ hasText: name });
      await expect(line).toContainText('Sale released');
      await expect(line).toContainText(shown(549.99));
      const download = sales.waitForEvent('download');
      await sales.getByRole('button', { name: 'Download CSV' }).press('Enter');
      const file = await (await download).path();
      const csv = await readFile(file, 'utf8');
      expect(csv).toContain(`"Sale released","'${name}",${orderId},${typed(549.99)}\r\n`);
      expect(csv).toContain(`Owed to you afterwards,,,${typed(549.99)}\r\n`);
      await sales.getByLabel('Month').fill('2025-01');
      await expect(sales.getByRole('heading', { name: 'Statement of January 2025' })).toBeVisible();
      await expect(sales.getByText('Nothing changed in this month.')).toBeVisible();
    });
  });
}

test.describe('a receipt of somebody else', () => {
  // The browser logs each 404.
  test.use({ expectedConsoleErrors: /status of 404/ });

  test('is not shown', { tag: '@long' }, async ({ page }) => {
    await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
    await page.goto('/dashboard/receipt/2020-000001');
    await expect(page.getByRole('heading', { name: 'We cannot find this receipt' })).toBeVisible();
  });
});
