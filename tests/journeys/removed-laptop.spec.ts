import { advertiseLaptop, deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, createSeller, newEmail, newName, startSession } from './actions.ts';

// The browser logs the refused call.
test.use({ expectedConsoleErrors: /status of 410/ });

test('Buy Now on a laptop that was just removed shows a message and offers the brand’s other laptops', {
  tag: '@long',
}, async ({ page: buyer }) => {
  const name = newName('Latitude');
  const seller = await createSeller();
  const _id = await createLaptop(seller, { name, brand: 'Dell' });
  await seller.client.call(advertiseLaptop, { params: { _id } });

  await startSession(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await buyer.goto('/');
  const buyNow = buyer
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByRole('link', { name: /^Buy Now/ });
  await expect(buyNow).toBeVisible();
  await seller.client.call(deleteOwnLaptop, { params: { _id } });
  const asked: string[] = [];
  buyer.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await buyNow.click();
  const dialog = buyer.getByRole('alertdialog', { name: 'No longer for sale' });
  await expect(dialog).toContainText('This laptop has left the shop unsold. Other Dell laptops are for sale');
  // The list is fetched once: a brand can have many laptops.
  expect(asked.filter((path) => path === '/api/category/Dell')).toHaveLength(1);
  await dialog.getByRole('button', { name: 'See other Dell laptops' }).click();
  await expect(dialog).toBeHidden();
  await expect(buyer).toHaveURL(/\/category\/Dell$/);
  await expect(buyer.getByRole('article').first()).toBeVisible();
});
