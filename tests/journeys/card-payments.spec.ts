import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/browser.ts';
import {
  bookLaptop,
  expectRed,
  listLaptop,
  newEmail,
  openPayment,
  payButton,
  register,
  typeCard,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';

// The browser itself notes each refused call of the card processor.
test.use({ expectedConsoleErrors: /status of 40[29]|api\/payments/ });

/** A buyer in front of the payment page of a laptop that was listed just for this. */
async function inFrontOfPayment(
  seller: Page,
  openVisitor: () => Promise<Page>,
): Promise<{ buyer: Page; name: string }> {
  const name = `Latitude ${Date.now()}${Math.floor(Math.random() * 1000)}`;
  await register(seller, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  await listLaptop(seller, { name, brand: 'Dell' });
  const buyer = await openVisitor();
  await register(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await buyer.goto('/category/Dell');
  await bookLaptop(buyer, name);
  await openPayment(buyer, name);
  return { buyer, name };
}

test('each refused card says why in red, charges nothing, and another card can be tried at once', async ({
  page,
  openVisitor,
}) => {
  const { buyer, name } = await inFrontOfPayment(page, openVisitor);
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
  await buyer.goBack();
  await buyer.goForward();
  await expect(buyer.getByText(`Please pay $549.99 for ${name}`)).toHaveCount(0);
  await expect(payButton(buyer)).toHaveCount(0);
});

test('a card that asks for authentication pays when it is passed, and not when it is failed', async ({
  page,
  openVisitor,
}) => {
  const { buyer } = await inFrontOfPayment(page, openVisitor);
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

test('a browser that is closed right after the card was charged leaves a paid order behind', async ({
  page,
  openVisitor,
}) => {
  const { buyer, name } = await inFrontOfPayment(page, openVisitor);
  // The report to the shop never arrives: only the card processor's own message can settle the sale.
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

test('while one buyer pays, another is told so, with the booking kept', async ({ page, openVisitor }) => {
  const { name } = await inFrontOfPayment(page, openVisitor);
  const other = await openVisitor();
  await register(other, { name: 'Olga Other', email: newEmail('olga'), role: 'Buyer' });
  await other.goto('/category/Dell');
  await bookLaptop(other, name);
  await openPayment(other, name);
  await expect(other.getByText(/Somebody is paying for .* right now/)).toBeVisible();
  await expect(
    other.getByRole('heading', { name: 'Somebody is paying right now, you are next' }),
  ).toBeVisible();
  await expect(payButton(other)).toBeDisabled();
});

test('the buyer who pays is told that another waits, and until when the laptop is held', async ({
  page,
  openVisitor,
}) => {
  const { buyer, name } = await inFrontOfPayment(page, openVisitor);
  const other = await openVisitor();
  await register(other, { name: 'Olga Other', email: newEmail('olga'), role: 'Buyer' });
  await other.goto('/category/Dell');
  await bookLaptop(other, name);
  await openPayment(other, name);
  await expect(other.getByText('You are next in line.')).toBeVisible();
  await buyer.reload();
  await expect(
    buyer.getByText(/Another buyer waits to pay for this laptop. It is held for you until/),
  ).toBeVisible();
});

test('a buyer pays for two laptops at the same time; the third one’s page says which, and lets one go', async ({
  page,
  openVisitor,
}) => {
  const { buyer, name } = await inFrontOfPayment(page, openVisitor);
  const [second, third] = [name.replace('Latitude', 'Precision'), name.replace('Latitude', 'Vostro')];
  for (const more of [second, third]) {
    await listLaptop(page, { name: more, brand: 'Dell' });
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

  await buyer.getByRole('button', { name: `Let ${second} go` }).click();
  await expect(buyer.getByRole('heading', { name: 'You are paying for two other laptops' })).toBeHidden();
  await typeCard(buyer, '4242424242424242');
  await payButton(buyer).click();
  await expect(buyer.getByText('Congrats! Your payment completed')).toBeVisible();
});
