import type { Page } from '@playwright/test';
import { book } from '#contract/sales/bookings.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bookLaptop,
  createLaptop,
  createSeller,
  expectRed,
  newEmail,
  newName,
  openPayment,
  payButton,
  startSession,
  typeCard,
} from './actions.ts';
import { amount, shown } from './amounts.ts';
import { findAxeViolations } from './axe.ts';

// The browser logs each refused call to the card processor.
test.use({ expectedConsoleErrors: /status of 40[29]|api\/payments|ERR_FAILED/ });

/** Registers a buyer, books a laptop without the form and opens its payment page. */
async function openPaymentOf(page: Page, name: string, productCode: string): Promise<void> {
  const { client } = await startSession(page, { name, email: newEmail('buyer'), role: 'Buyer' });
  const { insertedId = '' } = await client.call(book, {
    body: { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station', productCode },
  });
  await page.goto(`/dashboard/payment/${insertedId}`);
  await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
}

/** Lists and books a new laptop and opens its payment page. */
async function openNewPayment(
  buyer: Page,
): Promise<{ seller: BrowserSession; name: string; laptopId: string }> {
  const name = newName('Latitude');
  const seller = await createSeller();
  const laptopId = await createLaptop(seller, { name, brand: 'Dell' });
  await openPaymentOf(buyer, 'Bruno Buyer', laptopId);
  return { seller, name, laptopId };
}

test('a payment that never reached the card processor is asked for again by itself, and is not said to be declined', async ({
  page: buyer,
}) => {
  await openNewPayment(buyer);
  await typeCard(buyer, '4000000000000002');
  await payButton(buyer).click();
  await expect(buyer.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible();
  await typeCard(buyer, '4242424242424242');
  const calls = '**/v1/payment_intents/**';
  await buyer.context().route(calls, (route) => route.abort());
  await payButton(buyer).click();
  await expect(buyer.getByText('We are waiting for the card processor')).toBeVisible();
  await buyer.context().unroute(calls);
  await buyer.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(buyer.getByText('The payment was not completed. You have not been charged.')).toBeVisible();
  await payButton(buyer).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
});

test('a refused card shows the reason in red, and another card can be used', async ({ page: buyer }) => {
  const { name } = await openNewPayment(buyer);
  const refusals = [
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000000069', 'Your card has expired.'],
    ['4000000000000127', "Your card's security code is incorrect."],
    ['4000000000000119', 'An error occurred while processing your card. Try again in a little bit.'],
  ] as const;
  for (const [number, sentence] of refusals) {
    await typeCard(buyer, number);
    await payButton(buyer).click();
    const refusal = buyer.getByRole('alert').filter({ hasText: sentence });
    await expect(refusal).toHaveText(sentence);
    await expectRed(refusal);
  }
  await typeCard(buyer, '4242424242424242');
  await payButton(buyer).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
  await buyer.goto('/dashboard/myOrders');
  await buyer.goBack();
  await expect(buyer.getByText(`Please pay ${shown(549.99)} for ${name}`)).toHaveCount(0);
  await expect(payButton(buyer)).toHaveCount(0);
});

test('a card that requires authentication is charged only when the authentication succeeds', async ({
  page: buyer,
}) => {
  await openNewPayment(buyer);
  const dialog = buyer.frameLocator('dialog iframe');

  await typeCard(buyer, '4000002760003184');
  await payButton(buyer).click();
  await dialog.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(
    buyer.getByRole('alert').filter({ hasText: 'We are unable to authenticate your payment method.' }),
  ).toBeVisible();

  await typeCard(buyer, '4000002760003184');
  await payButton(buyer).click();
  await dialog.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
});

test('an order is paid although the browser is closed right after the charge', { tag: '@long' }, async ({
  page: buyer,
}) => {
  const { name } = await openNewPayment(buyer);
  // The report to the shop is lost: only the card processor's webhook can settle the sale.
  await buyer.route('**/api/payments', (route) => route.abort());
  await typeCard(buyer, '4242424242424242');
  // The page begins to report as soon as the card has been charged.
  const charged = buyer.waitForRequest('**/api/payments');
  await payButton(buyer).click();
  await charged;
  const context = buyer.context();
  await buyer.close();
  const again = await context.newPage();
  await again.goto('/dashboard/myOrders');
  await expect(again.getByRole('row').filter({ hasText: name })).toContainText('Paid');
});

test('a second buyer sees that another is paying and keeps the booking', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const { laptopId } = await openNewPayment(buyer);
  const other = await openVisitor();
  await openPaymentOf(other, 'Olga Other', laptopId);
  await expect(other.getByText(/Somebody is paying for .* right now/)).toBeVisible();
  await expect(
    other.getByRole('heading', { name: 'Somebody is paying right now, you are next' }),
  ).toBeVisible();
  await expect(payButton(other)).toBeDisabled();
});

test('the paying buyer sees that another waits and until when the laptop is held', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const { laptopId } = await openNewPayment(buyer);
  const other = await openVisitor();
  await openPaymentOf(other, 'Olga Other', laptopId);
  await expect(other.getByText('You are next in line.')).toBeVisible();
  await buyer.reload();
  await expect(
    buyer.getByText(/Another buyer waits to pay for this laptop. It is held for you until/),
  ).toBeVisible();
});

test('with two held laptops the page of a third names them and can release one', { tag: '@long' }, async ({
  page: buyer,
}) => {
  const { seller, name } = await openNewPayment(buyer);
  const [second, third] = [name.replace('Latitude', 'Precision'), name.replace('Latitude', 'Vostro')];
  for (const more of [second, third]) {
    await createLaptop(seller, { name: more, brand: 'Dell' });
    await buyer.goto('/category/Dell');
    await bookLaptop(buyer, more);
  }
  for (const held of [name, second]) {
    const turn = buyer.waitForResponse('**/api/create-payment-intent');
    await openPayment(buyer, held);
    expect((await turn).status()).toBe(200);
  }
  await openPayment(buyer, third);
  await expect(buyer.getByRole('heading', { name: 'You are paying for two other laptops' })).toBeVisible();
  await expect(buyer.getByRole('link', { name, exact: true })).toBeVisible();
  await expect(payButton(buyer)).toBeDisabled();
  expect(await findAxeViolations(buyer)).toEqual([]);

  await buyer.getByRole('button', { name: `Release ${second}` }).click();
  await expect(buyer.getByRole('heading', { name: 'You are paying for two other laptops' })).toBeHidden();
  await typeCard(buyer, '4242424242424242');
  await payButton(buyer).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
});
