import type { Page } from '@playwright/test';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectLargeTargets, expectNoOverflowAtAnyWidth, expectToast, startSessionOf } from './actions.ts';
import { shown } from './amounts.ts';
import { expectNoViolations } from './axe.ts';
import { createSale, type JourneySale } from './sale.ts';

test.use({
  // Wrong codes, and an order that is not the caller's.
  expectedConsoleErrors: /status of (422|404)/,
});

const phone = { width: 390, height: 844 };

const codeOf = async ({ buyerSession, orderId }: JourneySale) =>
  (await buyerSession.client.call(readOrder, { params: { _id: orderId } })).handoverCode ?? '';

const section = (page: Page, name: string) => page.getByRole('region', { name });
const codeField = (page: Page) => page.getByLabel('The buyer’s code');

test('the buyer shows a code, the seller enters it on a phone, and the money is released', async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await createSale(seller, buyer);
  const code = await codeOf(sale);

  await buyer.goto('/dashboard/myOrders');
  const order = buyer.getByRole('row').filter({ hasText: sale.name });
  await expect(order.getByText('Paid', { exact: true })).toBeVisible();
  await expect(order.getByText('Held until the hand-over', { exact: true })).toBeVisible();
  await expect(order.getByText(code, { exact: true })).toBeVisible();
  await order.getByRole('link', { name: `Show the code: ${sale.name}` }).click();
  await expect(buyer.getByText(code, { exact: true })).toBeVisible();
  await expect(buyer.getByRole('img', { name: 'Your code as a QR code' })).toBeVisible();
  await expect(
    buyer.getByText(/^Without a complaint, the money is released to the seller on .*/),
  ).toBeVisible();
  await expect(section(buyer, 'What happened').getByRole('listitem')).toHaveText([/^Paid/]);
  await expect(section(buyer, 'The money')).not.toContainText('commission');
  await expect(section(buyer, 'Something is wrong?')).toContainText(`The shop holds your ${shown(549.99)}`);
  await expectNoViolations(buyer);

  await seller.goto('/dashboard/myBuyers');
  const sold = seller.getByRole('row').filter({ hasText: sale.name });
  await expectLargeTargets(sold.locator('td:not(:first-child)'));
  await sold.getByRole('link', { name: `Enter the code: ${sale.name}` }).click();
  await expect(section(seller, 'The money')).toContainText(
    `The shop’s commission${shown(0)}For you${shown(549.99)}`,
  );
  await expect(seller.getByText(code, { exact: true })).toHaveCount(0);
  await expectNoViolations(seller);

  await test.step('a wrong code is refused in words', async () => {
    await codeField(seller).fill(code === '000000' ? '000001' : '000000');
    await seller.getByRole('button', { name: 'Hand over' }).click();
    await expect(seller.getByText('This is not the buyer’s code.')).toBeVisible();
    await codeField(seller).fill('12');
    await seller.keyboard.press('Enter');
    await expect(seller.getByText('Enter the six digits that the buyer shows you')).toBeVisible();
  });

  // As it is pasted from a message.
  await codeField(seller).fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await seller.keyboard.press('Enter');
  await expectToast(seller, 'The code is right. The money of this sale is yours.');
  await expect(codeField(seller)).toHaveCount(0);
  await expect(seller.getByText('The money is yours. The buyer can still')).toBeVisible();
  await expect(section(seller, 'What happened')).toContainText('by you');

  await buyer.reload();
  await expect(section(buyer, 'What happened').getByRole('listitem')).toHaveText([/^Paid/, /^Handed over/]);
  await expect(buyer.getByText(code, { exact: true })).toHaveCount(0);
  await buyer.goto('/dashboard/myOrders');
  await expect(order.getByText('Yours', { exact: true })).toBeVisible();
  await expect(order.getByRole('link', { name: `Agree on a time: ${sale.name}` })).toHaveCount(0);
  await order.getByRole('link', { name: `Review Sofia: ${sale.name}` }).click();
  await expect(section(buyer, 'Reviews')).toContainText('How was it with Sofia Seller?');
});

test('at the meeting both find time, place and phone number first, then the code, then what to check', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  for (const page of [buyer, seller]) await page.setViewportSize(phone);
  const sale = await createSale(seller, buyer);
  await buyer.goto(sale.path);
  const meeting = section(buyer, 'Meeting');
  await expect(meeting).toContainText('You want to meet at Central Station.');
  await expect(meeting.getByRole('link', { name: 'Agree on a time' })).toBeVisible();
  await expect(meeting.getByRole('link', { name: /^Call Sofia Seller: / })).toHaveAttribute(
    'href',
    /^tel:\+/,
  );

  await test.step('the two agree on a meeting', async () => {
    const { insertedId: _id = '' } = await sale.buyerSession.client.call(openConversation, {
      body: { productCode: sale.laptopId },
    });
    const startsAt = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
    const { insertedId: proposed = '' } = await sale.buyerSession.client.call(proposeMeeting, {
      params: { _id },
      body: { place: 'Café Rua Nova', startsAt },
    });
    await sale.sellerSession.client.call(answerMeeting, {
      params: { _id },
      body: { meeting: proposed, answer: 'agree' },
    });
  });

  for (const [page, other, code] of [
    [buyer, 'Sofia', 'Your code for the hand-over'],
    [seller, 'Bruno', 'Hand-over'],
  ] as const) {
    await page.goto(sale.path);
    const appointment = section(page, 'Meeting');
    await expect(appointment.getByRole('heading', { name: `You meet ${other}` })).toBeVisible();
    await expect(appointment.locator('time').first()).toHaveText(/^\w{3}, \w{3} \d+, \d+:\d\d [AP]M$/);
    await expect(appointment).toContainText('Café Rua Nova');
    await expect(appointment.getByRole('link', { name: 'Show on a map: Café Rua Nova' })).toHaveAttribute(
      'href',
      /openstreetmap\.org\/search\?query=Caf/,
    );
    await expect(appointment.getByRole('link', { name: new RegExp(`^Call ${other} `) })).toBeVisible();
    const download = page.waitForEvent('download');
    await appointment.getByRole('button', { name: 'Calendar file' }).click();
    expect((await download).suggestedFilename()).toBe('meeting.ics');
    await expectLargeTargets(appointment);
    await expect(section(page, 'What to check').getByRole('listitem').first()).toBeVisible();
    const tops = await Promise.all(
      ['Meeting', code, 'What to check'].map(async (name) => (await section(page, name).boundingBox())?.y),
    );
    expect(tops).toEqual(tops.toSorted((one = 0, other_ = 0) => one - other_));
    await expectNoViolations(page);
    await expectNoOverflowAtAnyWidth(page);
    await page.setViewportSize(phone);
  }

  await buyer.goto('/dashboard/myOrders');
  const row = buyer.getByRole('row').filter({ hasText: sale.name });
  await expectLargeTargets(row.locator('td:not(:first-child)'));
  await row.getByRole('link', { name: `Show the code: ${sale.name}` }).click();
  await expect(section(buyer, 'Your code for the hand-over')).toBeInViewport();
});

test('the seller’s phone reads the QR code: its address has the code, and a button hands over', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await createSale(seller, buyer);
  await seller.goto(`${sale.path}#code=${await codeOf(sale)}`);
  await seller.getByRole('button', { name: 'Hand over' }).click();
  await expectToast(seller, 'The code is right. The money of this sale is yours.');
});

test('the buyer releases the money without the code, after a confirmation', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const sale = await createSale(await openVisitor(), buyer);
  await buyer.goto(sale.path);
  await buyer.getByRole('button', { name: 'I have it, and all is well' }).click();
  const dialog = buyer.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  await expect(dialog).toHaveCount(0);
  await buyer.getByRole('button', { name: 'I have it, and all is well' }).press('Enter');
  await expect(dialog).toContainText(`The seller gets the money for ${sale.name}.`);
  await dialog.getByRole('button', { name: 'Yes, release it' }).click();
  await expectToast(buyer, 'Thank you. The money is released to the seller.');
  await expect(section(buyer, 'What happened').getByRole('listitem')).toHaveCount(2);
});

test('an order is there for its people and admins only', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const [seller, other, admin] = [await openVisitor(), await openVisitor(), await openVisitor()];
  const sale = await createSale(seller, buyer);
  await startSessionOf(other, 'buyer@coomercio.example');
  await other.goto(sale.path);
  await expect(other.getByRole('heading', { name: 'We cannot find this order' })).toBeVisible();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto(sale.path);
  await expect(section(admin, 'The money')).toContainText(`For the seller${shown(549.99)}`);
  await expect(codeField(admin)).toHaveCount(0);
  await expectNoViolations(admin);
});
