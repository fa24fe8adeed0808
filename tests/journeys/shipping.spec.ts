import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { book, listBookings } from '#contract/sales/bookings.ts';
import { answerAsSeller, complain } from '#contract/sales/complaints.ts';
import {
  buyLabel,
  listClaims,
  listOrderLabels,
  quoteLabel,
  recordClaimPayment,
} from '#contract/sales/labels.ts';
import { type BrowserSession, openBrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  confirmAddress,
  createLaptop,
  expectNoOverflowAtAnyWidth,
  expectToast,
  newEmail,
  newName,
  password,
  plainPicture,
  shopOrigin,
  startSession,
  startSessionOf,
} from './actions.ts';
import { amount, shown, typed } from './amounts.ts';
import { expectNoViolations, expectNoViolationsInThemes } from './axe.ts';
import { payBooking } from './sale.ts';

test.use({
  // A postal code that is none, and a tracking number that is too short; prices and a claim that have changed; the listing of a
  // laptop that its seller has back.
  expectedConsoleErrors: /status of (409|410|422)/,
});

const address = {
  name: 'Bruno Buyer',
  line1: '1200 NE Broadway',
  city: 'Portland',
  region: 'OR',
  postalCode: '97232',
  country: 'US',
};

/** Registers a seller with a confirmed address whom an admin has verified, and signs the browser in: the shop buys labels for those. */
async function startKnownSeller(page: Page): Promise<BrowserSession> {
  const email = newEmail('sofia');
  const session = await startSession(page, { name: 'Sofia Seller', email, role: 'Seller' });
  await confirmAddress(page, email);
  const admin = await openBrowserSession(shopOrigin(), ({ signIn }) =>
    signIn('admin@coomercio.example', password),
  );
  await admin.client.call(verifySeller, { params: { email }, query: {} });
  return session;
}

/** Lets the stand-in for carriers report something of the latest parcel of an order. */
async function report(orderId: string, status: string): Promise<void> {
  const carriers = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 5}`;
  const shipments: { id: string; reference: string; tracking_code: string | null }[] = await (
    await fetch(`${carriers}/shipments.json`)
  ).json();
  const parcel = shipments.findLast(
    ({ reference, tracking_code }) => reference === orderId && tracking_code !== null,
  );
  await fetch(`${carriers}/control/shipments/${parcel?.id}/${status}`, { method: 'POST' });
}

interface ParcelSale {
  name: string;
  orderId: string;
  sellerSession: BrowserSession;
  buyerSession: BrowserSession;
}

/** Sells a laptop that is sent. The seller's page is signed in, and the buyer's. */
async function createParcelSale(seller: Page, buyer: Page): Promise<ParcelSale> {
  const name = newName('Latitude 7440');
  const sellerSession = await startKnownSeller(seller);
  const productCode = await createLaptop(sellerSession, { name, brand: 'Dell', delivery: 'ship' });
  const buyerSession = await startSession(buyer, {
    name: 'Bruno Buyer',
    email: newEmail('bruno'),
    role: 'Buyer',
  });
  return { name, orderId: await buyParcel(buyerSession, productCode), sellerSession, buyerSession };
}

/** Books and pays for a laptop that is sent, without pages. @returns the order's id */
async function buyParcel(buyer: BrowserSession, productCode: string): Promise<string> {
  const { insertedId = '' } = await buyer.client.call(book, {
    body: {
      price: amount(549.99),
      phone: '+351 912 345 678',
      productCode,
      delivery: 'ship',
      address,
    },
  });
  return payBooking(buyer, insertedId);
}

/** Buys a label without pages, and waits until it is bought. */
async function buyLabelOf(carrier: string, orderId: string, { client }: BrowserSession): Promise<void> {
  const params = { _id: orderId };
  const quote = () =>
    client.call(quoteLabel, { params, body: { sender: { ...address, phone: '+1 503 555 0100' } } });
  // The shop knows of a confirmed address a moment after the page.
  await expect(quote).toPass();
  const { _id, rates } = await quote();
  const rate = rates.find((each) => each.carrier === carrier);
  await client.call(buyLabel, { params: { _id }, body: { rate: rate?._id ?? '', price: rate?.price ?? 0 } });
  const isBought = async () => (await client.call(listOrderLabels, { params })).labels[0]?.state;
  await expect.poll(isBought).toBe('bought');
}

const parcel = (page: Page) => page.getByRole('region', { name: 'The parcel' });
const state = (page: Page) => page.getByRole('region', { name: 'State' });

test('a label is bought and printed, and the carrier moves the order', async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const seller = await openVisitor();
  const { orderId } = await createParcelSale(seller, buyer);
  const path = `/dashboard/order/${orderId}`;

  await test.step('the seller buys the label at the price that was shown', async () => {
    await seller.goto(path);
    const form = parcel(seller);
    await form.getByLabel('Sender').fill('Sofia Seller');
    await form.getByLabel('Street and number').fill('Townsend Street');
    await form.getByLabel('City').fill('San Francisco');
    await form.getByLabel('State').fill('CA');
    await form.getByLabel('ZIP code').fill('94107');
    await form.getByLabel('Phone').fill('+1 415 555 0100');
    // The shop knows of a confirmed address a moment after the page.
    await expect(async () => {
      await form.getByRole('button', { name: 'Show the prices' }).click();
      await expect(form.getByText('House number is missing').first()).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await form.getByLabel('Street and number').fill('388 Townsend Street');
    await form.getByRole('button', { name: 'Show the prices' }).click();
    await expect(form.getByRole('radio', { name: /USPS Priority/ })).toBeVisible();
    await expectNoViolationsInThemes(seller);
    const buy = form.getByRole('button', { name: `Buy label – ${shown(16.48)} · UPS Ground, 3 days` });
    // The prices have changed: the form asks for them again.
    const detail = 'The prices of carriers have changed.';
    await seller.route(
      '**/api/labels/*',
      (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: { title: 'The price is different', status: 409, code: 'price_differs', detail },
        }),
      { times: 1 },
    );
    await buy.click();
    await expectToast(seller, detail);
    await form.getByRole('button', { name: 'Show the prices' }).click();
    await buy.click();
    await expect(form.getByText('Print it, stick it flat on the parcel', { exact: false })).toBeVisible();
    await expect(seller.getByRole('region', { name: 'The money' })).toContainText(shown(533.51));
  });

  await test.step('what is sent is photographed before the first scan, and the buyer sees it', async () => {
    await parcel(seller).getByLabel('Photos of what you send').setInputFiles(fileURLToPath(plainPicture));
    await parcel(seller).getByRole('button', { name: 'Add the photos' }).click();
    await expectToast(seller, 'The photos are with the order.');
    const sent = (page: typeof buyer) => parcel(page).getByRole('list', { name: 'What was sent' });
    await expect(sent(seller).getByRole('button')).toHaveCount(1);
    await expect(parcel(seller).getByRole('button', { name: /^Remove / })).toHaveCount(0);
    await buyer.goto(path);
    await expect(parcel(buyer)).toContainText('photographed what was sent');
    await expect(sent(buyer).getByRole('button')).toHaveCount(1);
  });

  await test.step('it is printed, alone and with all that were not', async () => {
    await seller.goto('/dashboard/myBuyers');
    const toPrint = seller.getByRole('region', { name: 'One label to print' });
    const document = seller.waitForEvent('download');
    await toPrint.getByRole('button', { name: 'Paper, A4' }).click();
    expect((await document).suggestedFilename()).toBe('label-A4.pdf');
    await expect(toPrint).toBeHidden();
    await seller.goto(path);
    const again = seller.waitForEvent('download');
    await parcel(seller).getByRole('button', { name: 'Label printer, 4 × 6 in' }).click();
    expect((await again).suggestedFilename()).toBe('label-4x6.pdf');
  });

  await test.step('the carrier has it, and delivers it', async () => {
    await report(orderId, 'in_transit');
    await buyer.goto(path);
    await expect(buyer.getByText('The carrier has the parcel').first()).toBeVisible();
    await expect(parcel(buyer).getByRole('link', { name: /tracked by UPS/ })).toBeVisible();
    // Open pages change by themselves.
    await report(orderId, 'delivered');
    await expect(parcel(buyer)).toContainText('UPS reports: Delivered');
    await expect(parcel(buyer).getByRole('button', { name: 'All is well' })).toBeVisible();
    await expect(state(buyer)).toContainText('If you do not have it, complain below.');
    await expectNoViolations(buyer);
  });
});

test('the carrier loses a parcel and finds it, and the laptop returns with a label of the shop', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  test.slow();
  const [seller, admin] = [await openVisitor(), await openVisitor()];
  const { name, orderId, sellerSession, buyerSession } = await createParcelSale(seller, buyer);
  const path = `/dashboard/order/${orderId}`;
  await buyLabelOf('UPS', orderId, sellerSession);

  await test.step('the carrier loses the parcel, and finds it', async () => {
    await report(orderId, 'in_transit');
    await Promise.all([buyer.goto(path), seller.goto(path)]);
    await report(orderId, 'failure');
    // Open pages change by themselves.
    await expect(parcel(seller)).toContainText('The shop claims its insurance');
    await expect(state(seller)).toContainText('Not delivered');
    await expect(state(buyer)).toContainText('The carrier cannot deliver your parcel, or has lost it.');
    await buyer.goto('/dashboard/myOrders');
    await expect(buyer.getByText('Not delivered')).toBeVisible();
    await buyer.goto(path);
    const { client } = await startSessionOf(admin, 'admin@coomercio.example');
    await admin.goto('/dashboard/complaints');
    const claim = admin.getByRole('listitem').filter({ hasText: name });
    const paid = claim.getByLabel('What the insurance paid');
    await paid.fill(typed(549.99));
    const _id = (await client.call(listClaims, {})).find((each) => each.orderId === orderId)?._id ?? '';
    const body = { paidBefore: 0, paid: amount(549.99) };
    await client.call(recordClaimPayment, { params: { _id }, body });
    await report(orderId, 'delivered');
    await expect
      .poll(async () => (await client.call(listClaims, {})).some((each) => each._id === _id))
      .toBe(true);
    // The page is older than what another admin has recorded, and asks for something else than it did.
    await claim.getByRole('button', { name: 'Record it' }).click();
    await expect(claim).toContainText('Nothing was recorded now; please look at the claim again');
    await expect(claim.getByLabel('What it leaves of that')).toHaveValue(typed(549.99));
    await claim.getByRole('button', { name: 'Record it' }).click();
    await expectToast(admin, 'It is recorded.');
    await expect(parcel(buyer)).toContainText('UPS reports: Delivered');
    await expect(parcel(buyer).getByRole('button', { name: 'All is well' })).toBeVisible();
    await expect(state(buyer)).toContainText('If you do not have it, complain below.');
    await expectNoViolations(buyer);
  });

  await test.step('it returns with a label of the shop, and the price goes back', async () => {
    const params = { _id: orderId };
    await buyerSession.client.call(complain, {
      params,
      body: { kind: 'damaged', text: 'The screen is broken.' },
    });
    await sellerSession.client.call(answerAsSeller, { params, body: { move: 'accept' } });
    await seller.goto(path);
    await expect(parcel(seller)).toContainText('To where does the laptop return?');
    await parcel(seller).getByRole('button', { name: 'Save the address' }).click();
    await expect(seller.getByText('The buyer is emailed the address.')).toBeVisible();
    // The label shows soon without the live stream, too.
    await buyer.route('**/api/live', (route) => route.fulfill({ status: 204 }));
    await buyer.reload();
    await parcel(buyer).getByRole('button', { name: 'Get a return label' }).click();
    await parcel(buyer)
      .getByRole('button', { name: /^Make the label/ })
      .click();
    await expect(parcel(buyer).getByRole('button', { name: 'Paper, A4' })).toBeVisible({ timeout: 9_000 });
    await buyer.unroute('**/api/live');
    await buyer.reload();
    await expect(parcel(buyer).getByText('The carrier has it already')).toBeVisible();
    await admin.goto(path);
    await expect(state(admin)).toBeVisible();
    await seller.reload();
    await expect(parcel(seller)).toContainText('The return label of UPS');
    await expect(parcel(seller).getByRole('button', { name: 'Save the address' })).toHaveCount(0);
    await report(orderId, 'in_transit');
    await expect(state(buyer)).toContainText('on its way back to the seller');
    await expect(state(seller)).toContainText('on its way back to you');
    await expect(parcel(admin)).toContainText('UPS reports: In transit');
    await seller.getByRole('radio', { name: 'The laptop is back with me' }).check();
    await seller.getByRole('button', { name: 'Confirm the return' }).click();
    await seller.getByRole('button', { name: 'Yes, I have it back' }).click();
    await expectToast(seller, 'Thank you. The buyer gets the price back.');
    await expect(state(seller)).toContainText('Refunded');
    // A damage is not claimed when the insurance has paid the whole price already.
    await expect(parcel(seller)).toContainText('Its insurance paid');
    // The laptop is the seller's again, and its listing has no page.
    await admin.reload();
    await expect(admin.getByText('The sale was undone', { exact: false })).toBeVisible();
  });
});

test('parcels that are handed over together have one sheet for the carrier', { tag: '@long' }, async ({
  page: seller,
  openVisitor,
}) => {
  test.slow();
  const sellerSession = await startKnownSeller(seller);
  const buyerSession = await startSession(await openVisitor(), {
    name: 'Bruno Buyer',
    email: newEmail('bruno'),
    role: 'Buyer',
  });
  for (const name of [newName('Latitude 7440'), newName('Latitude 7430')]) {
    const productCode = await createLaptop(sellerSession, { name, brand: 'Dell', delivery: 'ship' });
    await buyLabelOf('USPS', await buyParcel(buyerSession, productCode), sellerSession);
  }
  await seller.goto('/dashboard/myBuyers');
  const sheet = seller.getByRole('region', { name: 'One sheet for the carrier' });
  await expectNoViolationsInThemes(seller);
  await expectNoOverflowAtAnyWidth(seller);
  const document = seller.waitForEvent('download');
  await sheet.getByRole('button', { name: '2 parcels of USPS', exact: true }).click();
  expect((await document).suggestedFilename()).toBe('USPS-2-parcels.pdf');
  const again = seller.waitForEvent('download');
  await sheet.getByRole('button', { name: '2 parcels of USPS, once more' }).click();
  expect((await again).suggestedFilename()).toBe('USPS-2-parcels.pdf');
});

test('a laptop is booked to be sent, sent with a tracking number, and arrives', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const seller = await openVisitor();
  const name = newName('Latitude 7430');
  const sellerSession = await startSession(seller, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  await createLaptop(sellerSession, { name, brand: 'Dell', delivery: 'both' });
  const buyerSession = await startSession(buyer, {
    name: 'Bruno Buyer',
    email: newEmail('bruno'),
    role: 'Buyer',
  });

  await test.step('the buyer chooses the parcel in the dialog', async () => {
    await buyer.goto(`/laptops?shipping=free&q=${encodeURIComponent(name)}`);
    await buyer.getByRole('link', { name, exact: true }).click();
    await expect(buyer.getByText('Ships free from', { exact: false }).first()).toBeVisible();
    await buyer.getByRole('button', { name: 'Book now' }).first().click();
    const dialog = buyer.getByRole('dialog');
    await dialog.getByLabel('Phone Number').fill('+351 912 345 678');
    await dialog.getByRole('radio', { name: /Ships free/ }).check();
    await dialog.getByLabel('Recipient').fill('Bruno Buyer');
    await dialog.getByLabel('Street and number').fill('1200 NE Broadway');
    await dialog.getByLabel('City').fill('Portland');
    await dialog.getByLabel('State').fill('OR');
    await dialog.getByLabel('ZIP code').fill('9723');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog.getByText('This is no postal code of United States')).toBeVisible();
    await expectNoViolationsInThemes(buyer);
    await dialog.getByLabel('ZIP code').fill('97232');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expectToast(buyer, 'Booking Successful. Please check your dashboard for payment.');
  });

  const [booking] = await buyerSession.client.call(listBookings, { query: {} });
  const bookingId = booking?._id ?? '';
  await test.step('the payment page shows the address, which can be changed', async () => {
    await buyer.goto(`/dashboard/payment/${bookingId}`);
    const order = buyer.getByRole('region', { name: 'Your order' });
    await expect(order).toContainText('Portland, OR 97232');
    await order.getByRole('button', { name: 'Change' }).click();
    const dialog = buyer.getByRole('dialog');
    await dialog.getByLabel('Street and number').fill('1201 NE Broadway');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(order).toContainText('1201 NE Broadway');
  });
  const orderId = await payBooking(buyerSession, bookingId);
  const path = `/dashboard/order/${orderId}`;
  const parcel = (page: typeof buyer) => page.getByRole('region', { name: 'The parcel' });

  await test.step('the seller sends it', async () => {
    await seller.goto('/dashboard/myBuyers');
    await expect(seller.getByText('1201 NE Broadway').first()).toBeVisible();
    await seller.goto(path);
    await expect(parcel(seller)).toContainText('1201 NE Broadway');
    await expectNoViolations(seller);
    await expectNoOverflowAtAnyWidth(seller);
    await parcel(seller).getByText('Send it with a label of your own').click();
    await parcel(seller).getByLabel('Carrier').fill('UPS');
    await parcel(seller).getByLabel('Tracking number').fill('12');
    await parcel(seller).getByRole('button', { name: 'The carrier has it' }).click();
    await expect(parcel(seller)).toContainText('A tracking number has 6 to 40 letters and digits');
    await parcel(seller).getByLabel('Tracking number').fill(`1Z ${Date.now()}`);
    await seller.keyboard.press('Enter');
    await expectToast(seller, 'The buyer is told that the parcel is on its way.');
    await expect(
      parcel(seller).getByText('The carrier reports it as delivered, or it came back'),
    ).toBeVisible();
  });

  await test.step('the buyer has it, and is content', async () => {
    await buyer.goto(path);
    await expect(parcel(buyer).getByRole('link', { name: /tracked by UPS/ })).toBeVisible();
    await expectNoOverflowAtAnyWidth(buyer);
    await parcel(buyer).getByRole('button', { name: 'It has arrived' }).click();
    await buyer.getByRole('button', { name: 'Yes, I have it' }).click();
    await expectToast(buyer, 'Thank you. You have 14 days to look at the laptop.');
    await expect(buyer.getByText('Your parcel has arrived.', { exact: false })).toBeVisible();
    await expectNoViolations(buyer);
    await parcel(buyer).getByRole('button', { name: 'All is well' }).click();
    await buyer.getByRole('button', { name: 'Yes, release it' }).click();
    await expectToast(buyer, 'Thank you. The money is released to the seller.');
  });
});
