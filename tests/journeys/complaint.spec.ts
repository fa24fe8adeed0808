import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { readCertificate } from '#contract/certification/certificates.ts';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { answerAsBuyer, answerAsSeller, complain, decideComplaint } from '#contract/sales/complaints.ts';
import { openConversation, sendMessage } from '#contract/sales/messages.ts';
import { handOver, readOrder } from '#contract/sales/orders.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { openBrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  expectNoOverflowAtAnyWidth,
  expectToast,
  password,
  plainPicture,
  shopOrigin,
  startSessionOf,
} from './actions.ts';
import { amount, shown, typed } from './amounts.ts';
import { expectNoViolations } from './axe.ts';
import { createSale, type JourneySale } from './sale.ts';

test.use({
  // Orders that have moved on, and uploads that fail.
  expectedConsoleErrors: /status of 409|net::ERR_FAILED/,
});

const phone = { width: 390, height: 844 };
const photo = fileURLToPath(plainPicture);

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const complaint = (page: Page) => section(page, /^Complaint: /);
const state = (page: Page) => section(page, 'State');
const words = (page: Page) => complaint(page).getByRole('list', { name: 'What both sides said' });

/** Hands the laptop over without pages. */
async function handOverTo({ buyerSession, sellerSession, orderId }: JourneySale) {
  const params = { _id: orderId };
  const { handoverCode: code = '' } = await buyerSession.client.call(readOrder, { params });
  await sellerSession.client.call(handOver, { params, body: { code } });
}

/** Sends a message from the buyer to the seller. */
async function write({ buyerSession: { client }, laptopId }: JourneySale, text: string): Promise<void> {
  const body = { productCode: laptopId };
  const { insertedId: _id } = await client.call(openConversation, { body });
  await client.call(sendMessage, { params: { _id }, body: { text } });
}

/** Complains without pages. */
const complainAbout = ({ buyerSession, orderId }: JourneySale) =>
  buyerSession.client.call(complain, {
    params: { _id: orderId },
    body: { kind: 'not_as_described', text: 'It has 8 GB of memory, not 16.' },
  });

/** Chooses an answer, confirms it where it asks, and expects its message. */
async function answer(page: Page, label: string, [button, confirm]: [string, string?], done: string) {
  await complaint(page).getByRole('radio', { name: label }).check();
  await complaint(page).getByRole('button', { name: button, exact: true }).click();
  if (confirm !== undefined) {
    await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click();
  }
  await expectToast(page, done);
}

test('a buyer complains with a photo, returns the laptop and gets the price back', async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await createSale(seller, buyer);
  await handOverTo(sale);

  await test.step('the buyer complains', async () => {
    await buyer.goto(sale.path);
    const form = section(buyer, 'Something is wrong?');
    await expect(form).toContainText('although it was released to the seller');
    await form.getByText('Complain', { exact: true }).press('Enter');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByText('Choose one of these')).toBeVisible();
    await expect(form.getByRole('radio', { name: 'It is not as described' })).toBeFocused();
    // The seller entered the buyer's code.
    await expect(form.getByRole('radio', { name: 'It was not handed over' })).toHaveCount(0);
    await form.getByRole('radio', { name: 'It does not work' }).check();
    await form.getByRole('button', { name: 'Send the complaint' }).click();
    await expect(form.getByText('Describe what is wrong')).toBeVisible();
    await expect(form.getByLabel('What is wrong', { exact: true })).toBeFocused();
    await form.getByLabel('What is wrong', { exact: true }).fill('The keyboard skips letters.');
    await form.getByLabel(/^Photos/).setInputFiles(photo);
    await expectNoViolations(buyer);
    await form.getByRole('button', { name: 'Send the complaint' }).click();
    await expectToast(buyer, 'Your complaint is with the seller.');
    await expect(state(buyer)).toContainText(
      'Without the seller’s answer, you can return the laptop for its whole price from',
    );
    await expect(section(buyer, 'Something is wrong?')).toHaveCount(0);
  });

  await test.step('the photo opens large', async () => {
    await expect(words(buyer)).toContainText('The keyboard skips letters.');
    const thumbnail = words(buyer).getByRole('button', { name: /^Enlarge photo 1 of 1/ });
    await thumbnail.click();
    await expect(buyer.getByRole('dialog', { name: 'Your photos' })).toBeVisible();
    await buyer.keyboard.press('Escape');
    await expect(thumbnail).toBeFocused();
  });

  await test.step('the seller gives the price back', async () => {
    await seller.goto('/dashboard/myBuyers');
    await seller.getByRole('link', { name: `Answer the complaint: ${sale.name}` }).click();
    await expect(words(seller)).toContainText('Bruno Buyer (buyer) complained');
    await expect(state(seller)).toContainText(
      'Without your answer, the buyer can return the laptop for its whole price from',
    );
    await expect(section(seller, 'The money')).toContainText(`For you, if the sale stands${shown(549.99)}`);
    // Both write when they know how it ends.
    await expect(section(seller, 'Reviews')).toContainText('You can review each other when this is settled.');
    await expect(seller.getByRole('button', { name: 'Send the review' })).toHaveCount(0);
    await complaint(seller).getByRole('radio', { name: 'Give the whole price back' }).check();
    await complaint(seller).getByRole('button', { name: 'Give the price back' }).click();
    const dialog = seller.getByRole('alertdialog', { name: 'Are you sure?' });
    await expect(dialog).toContainText('The buyer returns the laptop to you');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(complaint(seller).getByRole('button', { name: 'Give the price back' })).toBeFocused();
    await seller.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Yes, give it back' }).click();
    await expectToast(seller, 'You agreed to give the price back.');
    await expect(state(seller)).toContainText('The buyer returns it');
  });

  await buyer.reload();
  await expect(section(buyer, 'Meeting').getByRole('link', { name: 'Agree on a time' })).toBeVisible();
  await expect(complaint(buyer).getByRole('radio').last()).toHaveAccessibleName('Take the complaint back');
  await answer(
    buyer,
    'The laptop is back with the seller',
    ['Say that it is back'],
    'Thank you. The seller has to confirm it now.',
  );
  await expect(state(buyer)).toContainText('The seller confirms');

  await seller.reload();
  await answer(
    seller,
    'The laptop is back with me',
    ['Confirm the return', 'Yes, I have it back'],
    'Thank you. The buyer gets the price back.',
  );
  await expect(state(seller)).toContainText('Refunded');
  await expect(complaint(seller)).toContainText('This complaint is settled.');
  await buyer.reload();
  await expect(section(buyer, 'The money')).toContainText(`Back to you${shown(549.99)}`);
  await expect(complaint(buyer).getByRole('radio')).toHaveCount(0);
});

test('a buyer who left the laptop with the seller gets the price back without a return', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  const sale = await createSale(seller, buyer);
  await buyer.goto(sale.path);
  const form = section(buyer, 'Something is wrong?');
  await form.getByText('Complain', { exact: true }).press('Enter');
  await form.getByRole('radio', { name: 'Yes' }).check();
  await expect(form.getByRole('radio', { name: 'It does not work' })).toBeVisible();
  await form.getByRole('radio', { name: 'No', exact: true }).check();
  await expect(form.getByRole('radio', { name: 'It does not work' })).toHaveCount(0);
  await form.getByRole('radio', { name: 'I looked at it and did not take it' }).check();
  await form.getByLabel('What is wrong', { exact: true }).fill('The lid is broken.');
  await expectNoViolations(buyer);
  await form.getByRole('button', { name: 'Send the complaint' }).click();
  await expectToast(buyer, 'Your complaint is with the seller.');
  await seller.goto(sale.path);
  await answer(
    seller,
    'Give the whole price back',
    ['Give the price back', 'Yes, give it back'],
    'You agreed to give the price back.',
  );
  await expect(state(seller)).toContainText('Refunded');
});

test('a part of the price is offered, written about, and accepted', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const seller = await openVisitor();
  const sale = await createSale(seller, buyer);
  await handOverTo(sale);
  await complainAbout(sale);

  await seller.goto(sale.path);
  await complaint(seller).getByRole('radio', { name: 'Offer a part of the price' }).check();
  const part = complaint(seller).getByRole('textbox', { name: 'Part of the price' });
  const offer = complaint(seller).getByRole('button', { name: 'Offer it' });
  await part.fill(typed(549.99));
  await offer.click();
  await expect(
    complaint(seller).getByText(`A part is less than the price of ${shown(549.99)}`),
  ).toBeVisible();
  await part.fill(typed(100));
  await complaint(seller).getByLabel('Your words').fill('The memory costs about that.');
  await offer.click();
  await expect(seller.getByRole('alertdialog')).toContainText(`Offer a part of the price: ${shown(100)}`);
  await seller.getByRole('alertdialog').getByRole('button', { name: 'Yes, offer it' }).click();
  await expectToast(seller, 'Your offer is with the buyer.');
  await expect(words(seller)).toContainText(`You offered a part of the price: ${shown(100)}`);

  await buyer.goto(sale.path);
  await expect(words(buyer)).toContainText('The memory costs about that.');
  await complaint(buyer).getByRole('radio', { name: 'Add words or photos' }).check();
  await complaint(buyer).getByLabel('Your words').fill('That is fair.');
  await complaint(buyer).getByRole('button', { name: 'Send', exact: true }).click();
  await expectToast(buyer, 'Your words are added.');
  await expect(words(buyer)).toContainText('That is fair.');
  await expect(buyer.getByRole('heading', { name: /^Complaint: / })).toBeFocused();
  await expectNoViolations(buyer);
  await answer(
    buyer,
    `Accept ${shown(100)}`,
    ['Accept the offer', 'Yes, accept it'],
    'You accepted the offer. The order shows when the money is on its way.',
  );
  await expect(state(buyer)).toContainText('Yours');
  await expect(section(buyer, 'The money')).toContainText(`Back to you${shown(100)}`);
});

test('an admin decides about a contested complaint, with the evidence on one page', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const [seller, admin] = [await openVisitor(), await openVisitor()];
  const sale = await createSale(seller, buyer);
  await handOverTo(sale);
  await write(sale, 'Is the charger with it?');
  await complainAbout(sale);
  await seller.goto(sale.path);
  await complaint(seller).getByRole('radio', { name: 'Contradict' }).check();
  await complaint(seller).getByRole('button', { name: 'Contradict' }).click();
  await expect(complaint(seller).getByText('Say how you see it, in a sentence')).toBeVisible();
  await complaint(seller).getByLabel('How you see it').fill('Both modules were in it when we met.');
  await complaint(seller)
    .getByLabel(/^Photos/)
    .setInputFiles(photo);
  await complaint(seller).getByRole('button', { name: 'Contradict' }).click();
  await expectToast(seller, 'The shop has your words and decides now.');

  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto('/dashboard/complaints');
  const row = admin.getByRole('row').filter({ hasText: sale.name });
  await expect(row).toContainText('The shop decides');
  await expect(row).toContainText('Bruno Buyerbought from Sofia Seller');
  await row.getByRole('link', { name: sale.name }).click();
  const drawer = admin.getByRole('navigation', { name: 'Dashboard' });
  await expect(drawer.locator('[aria-current]')).toContainText('All Orders');
  await expect(section(admin, 'The laptop as it was sold').getByRole('button')).toHaveCount(1);
  await expect(words(admin)).toContainText('It has 8 GB of memory, not 16.');
  await expect(words(admin)).toContainText('Both modules were in it when we met.');
  const written = section(admin, 'What they wrote to each other');
  await written.getByRole('button', { name: 'Read the messages' }).click();
  await expect(written.getByRole('list', { name: 'Messages, newest first' })).toContainText(
    'Is the charger with it?',
  );
  await expect(complaint(admin).getByRole('radio')).toHaveCount(5);
  await complaint(admin).getByRole('radio', { name: 'A part of the price goes back' }).check();
  await expectNoViolations(admin);
  await complaint(admin).getByRole('textbox', { name: 'Part of the price' }).fill(typed(60.5));
  await complaint(admin).getByRole('button', { name: 'Decide' }).click();
  await expect(complaint(admin).getByText('Tell both why, in a sentence')).toBeVisible();
  await complaint(admin).getByLabel('Why').fill('One module is missing.');
  await complaint(admin).getByRole('button', { name: 'Decide' }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Yes, decide it' }).click();
  await expectToast(admin, 'A part of the price goes back. Both are told.');
  await expect(section(admin, 'The money')).toContainText(`Back to the buyer${shown(60.5)}`);
  await admin.goto('/dashboard/complaints?list=closed');
  await expect(row).toContainText('Released');

  await buyer.goto(sale.path);
  await expect(words(buyer)).toContainText('One module is missing.');
  await expect(section(buyer, 'The money')).toContainText(`Back to you${shown(60.5)}`);
});

test('a declined offer and a denied return are the shop’s to decide', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const seller = await openVisitor();
  const sale = await createSale(seller, buyer);
  const params = { _id: sale.orderId };
  await handOverTo(sale);
  await complainAbout(sale);
  await sale.sellerSession.client.call(answerAsSeller, {
    params,
    body: { move: 'offer', amount: amount(20) },
  });
  await buyer.goto(sale.path);
  await complaint(buyer).getByRole('radio', { name: 'Decline the offer' }).check();
  await complaint(buyer).getByLabel('Your words').fill('The missing module costs more.');
  await complaint(buyer).getByRole('button', { name: 'Decline the offer' }).click();
  await expectToast(buyer, 'The offer is declined. The shop decides now.');
  await expect(words(buyer)).toContainText('You declined the offer');

  const { client: admin } = await openBrowserSession(shopOrigin(), ({ signIn }) =>
    signIn('admin@coomercio.example', password),
  );
  const decision = { move: 'decide_return' as const, text: 'It is not as listed.' };
  await admin.call(decideComplaint, { params, body: decision });
  await sale.buyerSession.client.call(answerAsBuyer, { params, body: { move: 'report_return' } });
  await seller.goto(sale.path);
  await expect(words(seller)).toContainText('The shop decided: the price goes back, the laptop first');
  await complaint(seller).getByRole('radio', { name: 'The laptop is not back' }).check();
  await complaint(seller).getByRole('button', { name: 'Deny the return' }).click();
  await expect(complaint(seller).getByText('Say how you see it, in a sentence')).toBeVisible();
  await complaint(seller).getByLabel('How you see it').fill('No parcel has arrived.');
  await complaint(seller).getByRole('button', { name: 'Deny the return' }).click();
  await expectToast(seller, 'The shop has your words and decides now.');
  await expect(state(seller)).toContainText('The shop decides');
});

test('a buyer takes a complaint back, and can complain again', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const sale = await createSale(await openVisitor(), buyer);
  await handOverTo(sale);
  await complainAbout(sale);
  await buyer.goto(sale.path);
  await answer(
    buyer,
    'Take the complaint back',
    ['Take it back', 'Yes, take it back'],
    'Your complaint is taken back.',
  );
  await expect(state(buyer)).toContainText('Yours');
  await complainAbout(sale);
  await buyer.reload();
  await expect(buyer.getByText('Earlier complaint: It is not as described')).toBeVisible();
  await buyer.getByText('Earlier complaint: It is not as described').click();
  await expect(buyer.getByRole('list', { name: 'What both sides said' })).toHaveCount(2);
});

test('an admin sees what the laptop reported before the sale', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const admin = await openVisitor();
  const sale = await createSale(await openVisitor(), buyer, async ({ client }, laptopId) => {
    const { code } = await client.call(createMeasurementCode, { params: { _id: laptopId } });
    const report = createReport(
      {
        ...thinkpad,
        // The processor of the sample listing.
        '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
        '/sys/class/dmi/id/product_serial': 'PF3COMPLAINT\n',
      },
      code,
    );
    await sendReport(shopOrigin(), report);
    // A job issues the certificate, which a sale in the same second would overtake.
    const hasCertificate = () =>
      client.call(readCertificate, { params: { _id: laptopId } }).then(
        () => true,
        () => false,
      );
    await expect.poll(() => hasCertificate()).toBe(true);
  });
  await handOverTo(sale);
  await complainAbout(sale);
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto(sale.path);
  const evidence = section(admin, 'The laptop as it was sold');
  await expect(evidence.getByRole('heading', { name: 'What the laptop reported' })).toBeVisible();
  await expect(evidence).toContainText('PF3…NT');
  await expect(state(admin).getByRole('link', { name: 'The laptop’s certificate' })).toBeVisible();
  await expectNoViolations(admin);
  await expectNoOverflowAtAnyWidth(admin);
});

test('a seller cancels a sale before the hand-over, with a reason', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  const sale = await createSale(seller, buyer);
  await seller.goto(sale.path);
  const form = section(seller, 'You cannot sell it after all?');
  await form.getByText('Cancel the sale', { exact: true }).first().press('Enter');
  await form.getByRole('button', { name: 'Cancel the sale' }).click();
  await expect(form.getByText('Tell the buyer why, in a sentence')).toBeVisible();
  await form.getByLabel('Why').fill('It fell off the table yesterday.');
  await expectNoViolations(seller);
  await form.getByRole('button', { name: 'Cancel the sale' }).click();
  await seller.getByRole('alertdialog').getByRole('button', { name: 'Yes, cancel it' }).click();
  await expectToast(seller, 'The sale is cancelled. The buyer gets the price back.');
  await expect(form).toHaveCount(0);
  await buyer.goto(sale.path);
  await expect(state(buyer)).toContainText('Money back');
  await expect(state(buyer)).toContainText('It fell off the table yesterday.');
  // The specification's word for a paid order stays; what became of the money is beside it.
  for (const [person, path, chips] of [
    [buyer, '/dashboard/myOrders', ['Paid', 'Money back']],
    [seller, '/dashboard/myBuyers', ['Bought', 'Refunded']],
  ] as const) {
    await person.goto(path);
    const row = person.getByRole('row').filter({ hasText: sale.name });
    for (const chip of chips) await expect(row.getByText(chip, { exact: true })).toBeVisible();
    await expect(row).not.toContainText('Agree on a time');
  }
  await expect(buyer.getByText('The whole price goes back to your card.')).toBeVisible();
});

test('an answer that comes too late says so, and shows the order as it is', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  const sale = await createSale(seller, buyer);
  await handOverTo(sale);
  await complainAbout(sale);
  // Without the stream of changes, by which the page would show the withdrawal before the answer has failed.
  await seller.route(/\/api\/live/, (route) => route.abort());
  await seller.goto(sale.path);
  await complaint(seller).getByRole('radio', { name: 'Contradict' }).check();
  await complaint(seller).getByLabel('How you see it').fill('It is as I described it.');
  const [answering, withdrawn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await seller.route(`**/api/orders/${sale.orderId}/complaint/seller`, async (route) => {
    answering.resolve();
    await withdrawn.promise;
    await route.continue();
  });
  await complaint(seller).getByRole('button', { name: 'Contradict' }).click();
  await answering.promise;
  const body = { move: 'withdraw' as const };
  await sale.buyerSession.client.call(answerAsBuyer, { params: { _id: sale.orderId }, body });
  withdrawn.resolve();
  await expect(
    seller
      .getByRole('region', { name: 'Messages' })
      .getByText(/has moved on meanwhile, so nothing was changed/),
  ).toBeVisible();
  await expect(state(seller)).toContainText('The money is yours');
});

test('words and photos stay when a photo cannot be sent', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const sale = await createSale(await openVisitor(), buyer);
  await handOverTo(sale);
  await complainAbout(sale);
  await buyer.goto(sale.path);
  await complaint(buyer).getByRole('radio', { name: 'Add words or photos' }).check();
  await complaint(buyer).getByLabel('Your words').fill('Here is a photo of the label.');
  await complaint(buyer)
    .getByLabel(/^Photos/)
    .setInputFiles(photo);
  const upload = /\/photos\?/;
  await buyer.route(upload, (route) => route.abort());
  await complaint(buyer).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(
    complaint(buyer)
      .getByText(/The image host cannot be reached/)
      .first(),
  ).toBeVisible();
  await expect(complaint(buyer).getByLabel('Your words')).toHaveValue('Here is a photo of the label.');
  await buyer.unroute(upload);
  await complaint(buyer).getByRole('button', { name: 'Send', exact: true }).click();
  await expectToast(buyer, 'Your words are added.');
  await expect(words(buyer).getByRole('button', { name: /^Enlarge photo/ })).toHaveCount(1);
});

test.describe('what cannot be loaded', () => {
  test.use({ expectedConsoleErrors: /status of 500/ });

  test('is asked for again with a button: the words about an order', { tag: '@long' }, async ({
    page: buyer,
    openVisitor,
  }) => {
    const sale = await createSale(await openVisitor(), buyer);
    await complainAbout(sale);
    const calls = /\/api\/orders\/[^/]+\/complaints$/;
    await buyer.route(calls, (route) => route.fulfill({ status: 500 }));
    await buyer.goto(sale.path);
    const alert = buyer.getByRole('alert').filter({ hasText: 'We could not load the complaint' });
    await expect(alert).toBeVisible();
    await buyer.unroute(calls);
    await alert.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(words(buyer)).toContainText('It has 8 GB of memory, not 16.');
  });

  test('is asked for again with a button: the admins’ list, which says when it is empty', {
    tag: '@long',
  }, async ({ page }) => {
    await startSessionOf(page, 'admin@coomercio.example');
    let isBroken = true;
    await page.route(/\/api\/complaints\?/, (route) =>
      isBroken
        ? route.fulfill({
            status: 500,
            contentType: 'application/problem+json',
            json: { title: 'Broken', status: 500, detail: 'The list is broken.', code: 'internal' },
          })
        : route.fulfill({ json: [] }),
    );
    await page.goto('/dashboard/complaints');
    const alert = page.getByRole('alert').filter({ hasText: 'We could not load the complaints' });
    await expect(alert).toContainText('The list is broken.');
    isBroken = false;
    await alert.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'No complaint is open' })).toBeVisible();
    await page.getByRole('link', { name: 'Settled' }).click();
    await expect(page.getByRole('heading', { name: 'No complaint is settled yet' })).toBeVisible();
  });
});

test('words for a step that the order has passed stay to be read, and the page says so', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  const sale = await createSale(seller, buyer);
  await seller.goto(sale.path);
  const form = section(seller, 'You cannot sell it after all?');
  await form.getByText('Cancel the sale', { exact: true }).first().press('Enter');
  await form.getByRole('textbox', { name: 'Why' }).fill('It fell on the floor.');
  await handOverTo(sale);
  await complainAbout(sale);
  await expect(form.getByRole('status')).toContainText('The order has moved on');
  await expect(form.getByRole('status')).toContainText('It fell on the floor.');
  await expect(form.getByRole('button', { name: 'Cancel the sale' })).toHaveCount(0);
  await expectNoViolations(seller);
  await expectNoOverflowAtAnyWidth(seller);
});
