import { advertiseLaptop, deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, createSeller, newEmail, newName, startSession } from './actions.ts';

// The browser logs the refused call.
test.use({ expectedConsoleErrors: /status of 410/ });

test('Buy Now on a laptop that was just removed says so, and leads to others', {
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
  await buyNow.click();
  await expect(buyer.getByRole('heading', { level: 1 })).toHaveText('No longer for sale');
  await expect(buyer.getByRole('main')).toContainText('This laptop has left the shop unsold.');
  await buyer.getByRole('link', { name: 'Choose another laptop' }).click();
  await expect(buyer.getByRole('article').first()).toBeVisible();
});
