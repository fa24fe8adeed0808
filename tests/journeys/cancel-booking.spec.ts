import { book } from '#contract/sales/bookings.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { card, createLaptop, createSeller, expectToast, newEmail, newName, startSession } from './actions.ts';
import { amount } from './amounts.ts';

test('a buyer cancels an unpaid booking and books the laptop again', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const name = newName('Vostro 15');
  const seller = await createSeller();
  const productCode = await createLaptop(seller, { name, brand: 'Dell' });
  const { client } = await startSession(buyer, {
    name: 'Bruno Buyer',
    email: newEmail('bruno'),
    role: 'Buyer',
  });
  const details = { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station' };
  await client.call(book, { body: { ...details, productCode } });

  await buyer.goto('/dashboard/myOrders');
  const row = buyer.getByRole('row').filter({ hasText: name });
  const cancel = row.getByRole('button', { name: `Cancel booking of ${name}` });
  const dialog = buyer.getByRole('alertdialog', { name: 'Cancel this booking?' });

  await cancel.press('Enter');
  await expect(dialog).toContainText('The seller is told');
  await dialog.getByRole('button', { name: 'Keep the booking' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(cancel).toBeFocused();
  await expect(row.getByRole('link', { name: `Pay for ${name}` })).toBeVisible();

  await cancel.press('Enter');
  await dialog.getByRole('button', { name: 'Yes, cancel it' }).press('Enter');
  await expectToast(buyer, `Your booking of ${name} was cancelled.`);
  await expect(row).toContainText('Cancelled');
  await expect(row.getByRole('link', { name: `Pay for ${name}` })).toHaveCount(0);
  await expect(cancel).toHaveCount(0);
  await expect(dialog).toHaveCount(0);

  await test.step('the seller sees it too', async () => {
    const page = await openVisitor();
    await seller.signIn(page.context());
    await page.goto('/dashboard/myBuyers');
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Cancelled');
  });

  await buyer.goto('/category/Dell');
  await expect(card(buyer, name).getByRole('button', { name: 'Book now' })).toBeEnabled();
  await client.call(book, { body: { ...details, productCode } });
  await buyer.goto('/dashboard/myOrders');
  await expect(row).toHaveCount(1);
  await expect(row.getByRole('link', { name: `Pay for ${name}` })).toBeVisible();
});
