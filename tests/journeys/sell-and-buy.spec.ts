import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bookLaptop,
  card,
  expectToast,
  listLaptop,
  newEmail,
  newName,
  openPayment,
  payButton,
  recordBodies,
  register,
  typeCard,
} from './actions.ts';
import { shown } from './amounts.ts';

/** Delays a page's requests. @returns releases them */
async function hold(page: Page, address: string): Promise<{ release: () => void }> {
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released.promise;
    await route.continue();
  });
  return { release: released.resolve };
}

test('a seller lists a laptop, “{name} is added successfully”; a buyer finds it under its brand, books it and pays, “Payment successful”; it is Paid and Sold', async ({
  page: seller,
  openVisitor,
}) => {
  const name = newName('Swift 3');
  const bySeller = recordBodies(seller);
  await register(seller, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  await listLaptop(seller, { name, brand: 'Acer' });
  await expect(seller.getByRole('row').filter({ hasText: name })).toContainText('Available');

  const buyer = await openVisitor();
  const byBuyer = recordBodies(buyer);
  await register(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await buyer.goto('/');
  await buyer.getByRole('link', { name: 'Acer See laptops' }).click();
  await expect(card(buyer, name)).toContainText('Not Verified');
  await expect(card(buyer, name)).toContainText('AMD Ryzen 5 5625U');
  await expect(card(buyer, name).getByRole('img').first()).toHaveJSProperty('complete', true);
  await bookLaptop(buyer, name);
  await expect(card(buyer, name).getByRole('button', { name: 'Book now' })).toBeDisabled();

  const secret = await hold(buyer, '**/api/create-payment-intent');
  await openPayment(buyer, name);
  await expect(buyer.getByText(`Please pay ${shown(549.99)} for ${name}`, { exact: true })).toBeVisible();
  const summary = buyer.getByRole('region', { name: 'Your order' });
  for (const text of [name, 'Sofia Seller', `Total${shown(549.99)}`])
    await expect(summary).toContainText(text);
  const step = buyer.getByRole('list', { name: 'Steps of your order' }).locator('[aria-current=step]');
  await expect(step).toContainText('Pay');
  await expect(buyer.getByRole('contentinfo')).toHaveCount(0);
  await test.step('Pay is disabled until the client secret arrives, and while processing', async () => {
    await typeCard(buyer, '4242424242424242');
    await expect(payButton(buyer)).toBeDisabled();
    secret.release();
    const processing = await hold(buyer, '**/v1/payment_intents/*/confirm');
    await payButton(buyer).click();
    await expect(buyer.getByRole('button', { name: 'Paying' })).toBeDisabled();
    processing.release();
  });
  await expectToast(buyer, 'Payment successful');
  await expect(
    buyer.getByRole('heading', { name: 'Congrats! Your payment completed', exact: true }),
  ).toBeVisible();
  await expect(buyer.getByText(/pi_\w+/)).toBeVisible();
  await expect(buyer.getByText(`${name} is yours. We’ve told Sofia Seller.`)).toBeVisible();
  await expect(step).toContainText('Hand-over');

  await test.step('on a phone what comes next stands above what was bought; a time is proposed at the place of the booking', async () => {
    await buyer.setViewportSize({ width: 390, height: 844 });
    const propose = buyer.getByRole('link', { name: 'Propose a time' });
    const [button, bought] = [await propose.boundingBox(), await summary.boundingBox()];
    expect(button?.y).toBeLessThan(bought?.y ?? 0);
    await propose.click();
    const meeting = buyer.getByRole('region', { name: 'Meeting' });
    await expect(meeting.getByLabel('Place')).toHaveValue('Central Station, main hall');
    await expect(meeting.getByRole('button', { name: 'Propose', exact: true })).toBeVisible();
    await buyer.setViewportSize({ width: 1280, height: 800 });
  });

  await buyer.goto('/dashboard/myOrders');
  const order = buyer.getByRole('row').filter({ hasText: name });
  await expect(order).toContainText('Paid');
  await expect(order.getByRole('link', { name: `Agree on a time: ${name}` })).toBeVisible();
  await expect(order.getByRole('link', { name: '+351 912 345 678' })).toHaveAttribute(
    'href',
    'tel:+351912345678',
  );
  await expect(order.getByRole('link', { name: /^Show on a map: / })).toHaveAttribute(
    'href',
    `https://www.openstreetmap.org/search?query=${encodeURIComponent('Central Station, main hall')}`,
  );
  await expect(order.getByRole('link', { name: 'Pay' })).toHaveCount(0);
  await buyer.goto('/category/Acer');
  await expect(buyer.getByRole('article').first()).toBeVisible();
  await expect(card(buyer, name)).toHaveCount(0);

  await seller.goto('/dashboard/myProducts');
  const product = seller.getByRole('region', { name: 'Sold' }).getByRole('row').filter({ hasText: name });
  await expect(product).toContainText('Sold');
  await expect(product.getByRole('button', { name: 'Advertise' })).toHaveCount(0);
  await expect(product.getByRole('cell')).toHaveCount(3);
  await seller.getByRole('link', { name: 'Unsold', exact: true }).click();
  await expect(seller.getByRole('heading', { name: 'Nothing for sale now' })).toBeVisible();
  await expect(product).toHaveCount(0);
  await seller.goto('/dashboard/myBuyers');
  const bought = seller.getByRole('row').filter({ hasText: name });
  await expect(bought).toContainText('Bruno Buyer');
  await expect(bought.getByRole('cell').last()).toContainText(/Bought.* 20\d\d \d+:\d\d [AP]M/);

  await test.step('the pages send what the calls table names', () => {
    expect(bySeller.get('POST /users')).toEqual(['email', 'name', 'role', 'status']);
    expect(bySeller.get('POST /laptops')).toEqual(
      expect.arrayContaining([
        ...['category_Id', 'condition', 'description', 'image', 'location', 'mobile_number', 'name'],
        ...['original_price', 'posted_time', 'resale_price', 'use_time'],
      ]),
    );
    expect(byBuyer.get('POST /bookings')).toEqual([
      ...['buyerName', 'email', 'image', 'location', 'phone', 'price', 'productCode', 'productName'],
    ]);
    expect(byBuyer.get('POST /create-payment-intent')).toEqual(['bookingId', 'price']);
    expect(byBuyer.get('POST /payments')).toEqual([
      ...['bookingId', 'email', 'price', 'productCode', 'productName', 'transactionId'],
    ]);
  });
});
