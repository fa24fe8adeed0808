import type { Page } from '@playwright/test';
import { readOrder } from '#contract/sales/orders.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectNoOverflow, expectToast, startSessionOf } from './actions.ts';
import { expectNoViolations } from './axe.ts';
import { createSale, type JourneySale } from './sale.ts';

test.use({
  // Wrong codes, and an order that is not the caller's.
  expectedConsoleErrors: /status of (422|404)/,
});

const phone = { width: 390, height: 844 };

const codeOf = async ({ buyerSession, orderId }: JourneySale) =>
  (await buyerSession.client.call(readOrder, { params: { _id: orderId } })).handoverCode ?? '';

const section = (page: Page, name: string) => page.getByRole('region', { name });
const codeField = (page: Page) => page.getByLabel('The buyer’s code');

test('the buyer shows a code, the seller enters it on a phone, and the money is released', async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await createSale(seller, buyer);
  const code = await codeOf(sale);

  await buyer.goto('/dashboard/myOrders');
  const order = buyer.getByRole('row').filter({ hasText: sale.name });
  await expect(order.getByText('Paid', { exact: true })).toBeVisible();
  await expect(order.getByText('Money held', { exact: true })).toBeVisible();
  await order.getByRole('link', { name: `See the order of ${sale.name}` }).click();
  await expect(buyer.getByText(code, { exact: true })).toBeVisible();
  await expect(buyer.getByRole('img', { name: 'Your code as a QR code' })).toBeVisible();
  await expect(
    buyer.getByText(/^Without a complaint, the money is released to the seller on .*/),
  ).toBeVisible();
  await expect(section(buyer, 'What happened').getByRole('listitem')).toHaveText([/^Paid/]);
  await expect(section(buyer, 'The money')).not.toContainText('commission');
  await expect(section(buyer, 'Something is wrong?')).toContainText('The shop holds your $549.99');
  await expectNoViolations(buyer);

  await seller.goto('/dashboard/myBuyers');
  await seller.getByRole('link', { name: `See the order of ${sale.name}` }).click();
  await expect(section(seller, 'The money')).toContainText('The shop’s commission$0.00For you$549.99');
  await expect(seller.getByText(code, { exact: true })).toHaveCount(0);
  await expectNoViolations(seller);

  await test.step('a wrong code is refused in words', async () => {
    await codeField(seller).fill(code === '000000' ? '000001' : '000000');
    await seller.getByRole('button', { name: 'Hand over' }).click();
    await expect(seller.getByText('This is not the buyer’s code.')).toBeVisible();
    await codeField(seller).fill('12');
    await seller.keyboard.press('Enter');
    await expect(seller.getByText('Enter the six digits that the buyer shows you')).toBeVisible();
  });

  // As it is pasted from a message.
  await codeField(seller).fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await seller.keyboard.press('Enter');
  await expectToast(seller, 'The code is right. The money of this sale is yours.');
  await expect(codeField(seller)).toHaveCount(0);
  await expect(seller.getByText('The money is the seller’s. The buyer can still')).toBeVisible();
  await expectNoOverflow(seller);

  await buyer.reload();
  await expect(section(buyer, 'What happened').getByRole('listitem')).toHaveText([/^Paid/, /^Handed over/]);
  await expect(buyer.getByText(code, { exact: true })).toHaveCount(0);
  await buyer.goto('/dashboard/myOrders');
  await expect(order).toContainText('Released');
  await expect(order).not.toContainText('to agree on a time');
});

test('the seller’s phone reads the QR code: its address has the code, and a button hands over', async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await createSale(seller, buyer);
  await seller.goto(`${sale.path}#code=${await codeOf(sale)}`);
  await seller.getByRole('button', { name: 'Hand over' }).click();
  await expectToast(seller, 'The code is right. The money of this sale is yours.');
});

test('the buyer releases the money without the code, after a confirmation', async ({
  page: buyer,
  openVisitor,
}) => {
  const sale = await createSale(await openVisitor(), buyer);
  await buyer.goto(sale.path);
  await buyer.getByRole('button', { name: 'I have it, and all is well' }).click();
  const dialog = buyer.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  await expect(dialog).toHaveCount(0);
  await buyer.getByRole('button', { name: 'I have it, and all is well' }).press('Enter');
  await expect(dialog).toContainText(`The seller gets the money for ${sale.name}.`);
  await dialog.getByRole('button', { name: 'Yes, release it' }).click();
  await expectToast(buyer, 'Thank you. The money is released to the seller.');
  await expect(section(buyer, 'What happened').getByRole('listitem')).toHaveCount(2);
});

test('an order is there for its people and admins only', async ({ page: buyer, openVisitor }) => {
  const [seller, other, admin] = [await openVisitor(), await openVisitor(), await openVisitor()];
  const sale = await createSale(seller, buyer);
  await startSessionOf(other, 'buyer@coomercio.example');
  await other.goto(sale.path);
  await expect(other.getByRole('heading', { name: 'We cannot find this order' })).toBeVisible();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto(sale.path);
  await expect(section(admin, 'The money')).toContainText('For the seller$549.99');
  await expect(codeField(admin)).toHaveCount(0);
  await expectNoViolations(admin);
});
