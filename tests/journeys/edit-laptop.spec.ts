import { changeLaptop, readOwnLaptop } from '#contract/listings/catalogue.ts';
import { book } from '#contract/sales/bookings.ts';
import { GOOD_CARD } from '#demo/card.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createSeller,
  expectLoaded,
  expectNoOverflowAtAnyWidth,
  expectToast,
  newEmail,
  newName,
  openPayment,
  payButton,
  startSession,
  typeCard,
} from './actions.ts';
import { amount, shown, typed } from './amounts.ts';
import { findAxeViolations } from './axe.ts';

const details = { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station' };
const newBuyer = (name: string) => ({ name: `${name} Buyer`, email: newEmail(name), role: 'Buyer' }) as const;

/** Changes a laptop's price without the form. */
async function setPrice({ client }: BrowserSession, _id: string, resale_price: number) {
  const own = await client.call(readOwnLaptop, { params: { _id } });
  const { version, images, image, name, category_Id, location, description, original_price } = own;
  const { use_time, condition, mobile_number = '' } = own;
  const texts = { name, category_Id, location, description, use_time, condition, mobile_number };
  const body = { ...texts, image, images, original_price, version, resale_price };
  await client.call(changeLaptop, { params: { _id }, body });
}

test('a seller raises a price; one buyer agrees and pays it, another cancels', async ({
  page: seller,
  openVisitor,
}) => {
  const name = newName('Latitude 5420');
  const session = await createSeller();
  await session.signIn(seller.context());
  const productCode = await createLaptop(session, { name, brand: 'Dell' });
  const [payer, leaver] = [await openVisitor(), await openVisitor()];
  for (const [page, person] of [
    [payer, newBuyer('bruno')],
    [leaver, newBuyer('berta')],
  ] as const) {
    const { client } = await startSession(page, person);
    await client.call(book, { body: { ...details, productCode } });
  }

  const visitor = await openVisitor();
  await startSession(visitor, newBuyer('vera'));
  await visitor.goto(`/laptop/${productCode}?book=yes`);
  await visitor.getByLabel('Phone Number').fill(details.phone);
  await visitor.getByLabel('Meeting Location').fill(details.location);

  await seller.goto('/dashboard/myProducts');
  await seller.getByRole('link', { name: `Edit ${name}` }).click();
  await expect(seller.getByRole('heading', { level: 1, name: 'Edit Product' })).toBeVisible();
  const note = seller.getByText(`2 buyers have bookings that are valid at ${shown(549.99)}.`);
  await expect(note).toBeVisible();
  await seller.getByLabel('Resale Price').fill(typed(600));
  await expect(note).toContainText(`They will be asked to agree to ${shown(600)}`);
  await seller.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(seller, `${name} is changed.`);
  await expect(seller.getByRole('row').filter({ hasText: name })).toContainText(shown(600));

  await test.step('who books at the former price reads the new one on the whole page', async () => {
    await visitor.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    const now = `The price of ${name} is ${shown(600)} now. Please have another look before you book it.`;
    await expectToast(visitor, now);
    await expect(visitor.getByRole('definition').first()).toHaveText(shown(600));
  });

  await test.step('the payment page asks for the agreement as well', async () => {
    await payer.goto('/dashboard/myOrders');
    const row = payer.getByRole('row').filter({ hasText: name });
    await expect(row).toContainText(`${shown(600)} was ${shown(549.99)}`);
    await expect(row).toContainText('The seller has raised the price.');
    await expect(row.getByRole('link', { name: `Pay for ${name}` })).toHaveCount(0);
    await row.getByRole('button', { name: `Agree to ${shown(600)} for ${name}` }).click();
    await expectToast(payer, `You agreed to ${shown(600)} for ${name}. You can pay now.`);
    await openPayment(payer, name);
    await expect(payer.getByText(`Please pay ${shown(600)}`)).toBeVisible();
    await payer.goto('/dashboard/myOrders');
  });

  await leaver.goto('/dashboard/myOrders');
  await leaver.getByRole('button', { name: `Cancel booking of ${name}` }).click();
  await leaver.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expect(leaver.getByRole('row').filter({ hasText: name })).toContainText('Cancelled');

  await openPayment(payer, name);
  await typeCard(payer, GOOD_CARD);
  await payButton(payer).click();
  await expect(payer.getByRole('heading', { name: 'Congrats! Your payment completed' })).toBeVisible();
});

test('a price that changes while the payment page is open is shown there, with both ways on', {
  tag: '@long',
}, async ({ page: buyer }) => {
  const name = newName('Pavilion 15');
  const session = await createSeller();
  const productCode = await createLaptop(session, { name });
  const { client } = await startSession(buyer, newBuyer('bruno'));
  const { insertedId: bookingId } = await client.call(book, { body: { ...details, productCode } });
  await setPrice(session, productCode, amount(600));
  await buyer.goto(`/dashboard/payment/${bookingId}`);
  await expect(buyer.getByRole('heading', { name: 'The price was raised' })).toBeVisible();
  await expect(buyer.getByRole('button', { name: `Cancel booking of ${name}` })).toBeVisible();
  expect(await findAxeViolations(buyer)).toEqual([]);
  await buyer.getByRole('button', { name: `Agree to ${shown(600)} for ${name}` }).click();
  await expect(buyer.getByText(`Please pay ${shown(600)}`)).toBeVisible();
});

test('a price that is lowered and raised again is asked for; the buyer agrees on the payment page and pays', {
  tag: '@long',
}, async ({ page: buyer }) => {
  const name = newName('ThinkPad T14');
  const session = await createSeller();
  const productCode = await createLaptop(session, { name });
  const { client } = await startSession(buyer, newBuyer('bela'));
  const { insertedId } = await client.call(book, { body: { ...details, productCode } });
  const row = buyer.getByRole('row').filter({ hasText: name });

  await setPrice(session, productCode, amount(500));
  await buyer.goto('/dashboard/myOrders');
  await expect(row).toContainText(shown(500));
  await expect(row.getByRole('link', { name: `Pay for ${name}` })).toBeVisible();
  await expect(row).not.toContainText('was');

  await setPrice(session, productCode, amount(530));
  await buyer.reload();
  await expect(row).toContainText(`${shown(530)} was ${shown(500)}`);
  await expect(row.getByRole('button', { name: `Agree to ${shown(530)} for ${name}` })).toBeVisible();
  await expect(row.getByRole('button', { name: `Cancel booking of ${name}` })).toBeVisible();
  await expect(row.getByRole('link', { name: `Pay for ${name}` })).toHaveCount(0);
  expect(await findAxeViolations(buyer)).toEqual([]);

  await buyer.goto(`/dashboard/payment/${insertedId}`);
  const summary = buyer.getByRole('region', { name: 'Your order' });
  await expect(buyer.getByText(`It was ${shown(500)}.`)).toBeVisible();
  await expect(summary).toContainText(`Total${shown(530)} was ${shown(500)}`);
  await buyer.getByRole('button', { name: `Agree to ${shown(530)} for ${name}` }).click();
  await expect(buyer.getByText(`Please pay ${shown(530)}`)).toBeVisible();
  await typeCard(buyer, GOOD_CARD);
  await payButton(buyer).click();
  await expect(buyer.getByRole('heading', { name: 'Congrats! Your payment completed' })).toBeVisible();
  await expect(summary).toContainText(`Paid${shown(530)}`);

  await test.step('the order says once that it is paid, and the page of the laptop no saving', async () => {
    await buyer.goto('/dashboard/myOrders');
    await expect(row.getByText('Paid', { exact: true })).toHaveCount(1);
    await expect(row.getByText('Held until the hand-over', { exact: true })).toHaveCount(1);
    await buyer.goto(`/laptop/${productCode}`);
    // Not the similar laptops below it, which are for sale.
    const laptop = buyer.getByRole('article', { name, exact: true });
    await expect(laptop.getByText('Resale Price')).toBeVisible();
    await expect(laptop.getByText(/You save/)).toHaveCount(0);
  });
});

test.describe('a refused change', () => {
  // The browser itself logs the refusal.
  test.use({ expectedConsoleErrors: /409 \(Conflict\)/ });

  test('the form keeps what was typed over a reload, a refusal and another edit', { tag: '@long' }, async ({
    page: seller,
  }) => {
    const name = newName('Swift 3');
    const session = await createSeller();
    await session.signIn(seller.context());
    const _id = await createLaptop(session, { name, brand: 'Acer' });
    await seller.goto(`/dashboard/editProduct/${_id}`);
    const price = seller.getByLabel('Resale Price');
    await expect(price).toHaveValue(typed(549.99));
    await expect(seller.getByLabel('Memory')).toHaveValue('16 GB');
    await seller.getByLabel('Location', { exact: true }).fill('Porto');
    await seller.reload();
    await expect(seller.getByLabel('Location', { exact: true })).toHaveValue('Porto');

    await setPrice(session, _id, amount(500));
    await seller.getByRole('button', { name: 'Save changes' }).click();
    await expect(
      seller.getByRole('heading', { name: 'This laptop was changed in the meantime' }),
    ).toBeVisible();
    await expect(seller.getByLabel('Location', { exact: true })).toHaveValue('Porto');
    await seller.getByRole('button', { name: 'Load what was saved' }).click();
    await expect(price).toHaveValue(typed(500));
    await expect(seller.getByLabel('Location', { exact: true })).toHaveValue('Lisbon');
    await seller.getByLabel('Location', { exact: true }).fill('Faro');

    await setPrice(session, _id, amount(510));
    await seller.reload();
    const conflict = seller.getByRole('heading', { name: 'This laptop was changed in the meantime' });
    await expect(conflict).toBeVisible();
    await seller.getByRole('button', { name: 'Keep my version' }).click();
    await expect(conflict).toHaveCount(0);
    // The choice is kept without a keystroke after it.
    await seller.reload();
    await expect(seller.getByLabel('Location', { exact: true })).toHaveValue('Faro');
    await expect(conflict).toHaveCount(0);
    await seller.getByRole('button', { name: 'Save changes' }).click();
    await expectToast(seller, `${name} is changed.`);
    await seller.goto(`/laptop/${_id}`);
    await expect(seller.getByText('Faro').first()).toBeVisible();
  });
});

test('photos are added and reordered; the form is accessible and fits narrow screens', {
  tag: '@long',
}, async ({ page: seller }) => {
  const name = newName('Aspire 5');
  const session = await createSeller();
  await session.signIn(seller.context());
  const _id = await createLaptop(session, { name, brand: 'Acer' });
  await seller.goto(`/dashboard/editProduct/${_id}`);
  await expectLoaded(seller);
  await expectNoOverflowAtAnyWidth(seller);
  expect(await findAxeViolations(seller)).toEqual([]);

  const before = await session.client.call(readOwnLaptop, { params: { _id } });
  await seller.getByLabel('Product Photo').setInputFiles('demo/photos/acer-nitro-5-an515-58-keys.webp');
  await seller
    .getByRole('button', { name: /earlier/i })
    .last()
    .click();
  await seller.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(seller, `${name} is changed.`);
  const after = await session.client.call(readOwnLaptop, { params: { _id } });
  expect(after.images).toHaveLength(2);
  expect(after.images[1]).toBe(before.images[0]);
});
