import { book } from '#contract/bookings.ts';
import { expect, test } from '#tests/harness/browser.ts';
import { card, chooseInRow, createLaptop, expectToast, newEmail, newName, startSession } from './actions.ts';

test('a seller sells a deleted laptop again; its earlier booking stays cancelled', async ({
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
  const details = { price: 549.99, phone: '+351 900 000 000', location: 'Central Station' };
  await client.call(book, { body: { ...details, productCode } });

  await seller.goto('/dashboard/myProducts');
  await chooseInRow(seller.getByRole('row').filter({ hasText: name }), `Delete ${name}`);
  await seller.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expectToast(seller, `${name} deleted successfully`);
  const row = seller.getByRole('row').filter({ hasText: name });
  await expect(row).toHaveCount(0);

  await seller.getByText('Deleted laptops', { exact: true }).click();
  await row.getByRole('button', { name: `Sell ${name} again` }).press('Enter');
  await expectToast(seller, `${name} is for sale again.`);
  await expect(row.filter({ hasText: 'Available' })).toHaveCount(1);
  await expect(row).toHaveCount(1);

  await buyer.goto('/dashboard/myOrders');
  await expect(buyer.getByRole('row').filter({ hasText: name })).toContainText('Cancelled');
  await buyer.goto('/category/Dell');
  await expect(card(buyer, name).getByRole('button', { name: 'Book now' })).toBeEnabled();
});
