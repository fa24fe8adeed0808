import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { book } from '#contract/sales/bookings.ts';
import { answerAsSeller, complain } from '#contract/sales/complaints.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/certification/inspections/testing/measure.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createLaptop,
  deleteInRow,
  expectNoOverflow,
  expectToast,
  newEmail,
  newName,
  shopOrigin,
  startSession,
} from './actions.ts';
import { amount } from './amounts.ts';
import { expectNoViolations } from './axe.ts';
import { createSale } from './sale.ts';

test('a seller sells a deleted laptop again; its earlier booking stays cancelled', { tag: '@long' }, async ({
  page: seller,
  openVisitor,
}) => {
  const name = newName('Inspiron 14');
  const session = await startSession(seller, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  const productCode = await createLaptop(session, { name, brand: 'Dell' });
  const buyer = await openVisitor();
  const { client } = await startSession(buyer, {
    name: 'Bruno Buyer',
    email: newEmail('bruno'),
    role: 'Buyer',
  });
  const details = { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station' };
  await client.call(book, { body: { ...details, productCode } });

  await seller.goto('/dashboard/myProducts');
  await deleteInRow(seller.getByRole('row').filter({ hasText: name }), name);
  await seller.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expectToast(seller, `${name} deleted successfully`);
  const row = seller.getByRole('row').filter({ hasText: name });
  await expect(row).toHaveCount(0);

  await seller.getByText('Deleted and returned laptops', { exact: true }).click();
  await row.getByRole('button', { name: `Sell again: ${name}` }).press('Enter');
  await expectToast(seller, `${name} is for sale again.`);
  await expect(row.filter({ hasText: 'Available' })).toHaveCount(1);
  await expect(row).toHaveCount(1);

  await buyer.goto('/dashboard/myOrders');
  await expect(buyer.getByRole('row').filter({ hasText: name })).toContainText('Cancelled');
  await buyer.goto('/category/Dell');
  await expect(card(buyer, name).getByRole('button', { name: 'Book now' })).toBeEnabled();
});

test('a laptop that its buyer found not working is measured before it is sold again', {
  tag: '@long',
}, async ({ page: seller, openVisitor }) => {
  await seller.setViewportSize({ width: 390, height: 844 });
  const measure = async ({ client }: BrowserSession, _id: string) => {
    const { code } = await client.call(createMeasurementCode, { params: { _id } });
    await sendReport(shopOrigin(), createReport(thinkpad, code));
  };
  const sale = await createSale(seller, await openVisitor(), measure);
  const params = { _id: sale.orderId };
  const complaint = { kind: 'does_not_work' as const, text: 'The screen stays dark.' };
  await sale.buyerSession.client.call(complain, { params, body: complaint });
  for (const move of ['accept', 'confirm_return'] as const) {
    await sale.sellerSession.client.call(answerAsSeller, { params, body: { move } });
  }

  await seller.goto('/dashboard/myProducts');
  await seller.getByText('Deleted and returned laptops', { exact: true }).click();
  const row = seller.getByRole('row').filter({ hasText: sale.name });
  await expect(row).toContainText('A buyer sent it back or did not take it.');
  await expect(row.getByRole('button', { name: `Sell again: ${sale.name}` })).toHaveCount(0);
  await expectNoOverflow(seller);
  await expectNoViolations(seller);
  await row.getByRole('link', { name: `Measure ${sale.name}` }).click();
  await expect(seller.getByText('this measurement does not count any more')).toBeVisible();
  await expectNoOverflow(seller);
  await expectNoViolations(seller);

  await measure(sale.sellerSession, sale.laptopId);
  await seller.goto('/dashboard/myProducts');
  await seller.getByText('Deleted and returned laptops', { exact: true }).click();
  await row.getByRole('button', { name: `Sell again: ${sale.name}` }).click();
  await expectToast(seller, `${sale.name} is for sale again.`);
});
