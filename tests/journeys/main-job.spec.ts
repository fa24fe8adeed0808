import { expect, test } from '#tests/harness/browser.ts';
import {
  bookLaptop,
  card,
  listLaptop,
  newEmail,
  openPayment,
  payButton,
  register,
  typeCard,
} from './people.ts';

test('a seller lists a laptop; a buyer finds it under its brand, books it and pays; it is Paid and Sold', async ({
  page: seller,
  openVisitor,
}) => {
  const name = `Swift 3 ${Date.now()}`;
  await register(seller, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  await listLaptop(seller, { name, brand: 'Acer' });
  await expect(seller.getByRole('row').filter({ hasText: name })).toContainText('Available');

  const buyer = await openVisitor();
  await register(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await buyer.goto('/');
  await buyer.getByRole('link', { name: 'Acer See laptops' }).click();
  await expect(card(buyer, name)).toContainText('Not Verified');
  await expect(card(buyer, name)).toContainText('AMD Ryzen 5 5625U');
  await expect(card(buyer, name).getByRole('img').first()).toHaveJSProperty('complete', true);
  await bookLaptop(buyer, name);
  await expect(card(buyer, name).getByRole('button', { name: 'Book now' })).toBeDisabled();

  await openPayment(buyer, name);
  await expect(buyer.getByText(`Please pay $549.99 for ${name}`)).toBeVisible();
  await typeCard(buyer, '4242424242424242');
  await payButton(buyer).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
  await expect(buyer.getByText('Payment successful')).toBeVisible();
  await expect(buyer.getByText(/pi_\w+/)).toBeVisible();

  await buyer.goto('/dashboard/myOrders');
  const order = buyer.getByRole('row').filter({ hasText: name });
  await expect(order).toContainText('Paid');
  await expect(order.getByRole('link', { name: 'Pay' })).toHaveCount(0);
  await buyer.goto('/category/Acer');
  await expect(buyer.getByRole('article').first()).toBeVisible();
  await expect(card(buyer, name)).toHaveCount(0);

  await seller.goto('/dashboard/myProducts');
  const product = seller.getByRole('row').filter({ hasText: name });
  await expect(product).toContainText('Sold');
  await expect(product.getByRole('button', { name: 'Advertise' })).toHaveCount(0);
  await seller.goto('/dashboard/myBuyers');
  const bought = seller.getByRole('row').filter({ hasText: name });
  await expect(bought).toContainText('Bruno Buyer');
  await expect(bought.getByRole('cell').last()).toContainText(/Bought.* 20\d\d \d+:\d\d [AP]M/);
});
