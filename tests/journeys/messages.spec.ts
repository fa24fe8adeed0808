import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { book, listBookings } from '#contract/sales/bookings.ts';
import { blockPerson, openConversation, sendMessage } from '#contract/sales/messages.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createUser,
  expectNoOverflowAtAnyWidth,
  expectToast,
  newEmail,
  newName,
  plainPicture,
  signIn,
  startSession,
  startSessionOf,
} from './actions.ts';
import { amount } from './amounts.ts';
import { expectNoViolations, findAxeViolations } from './axe.ts';

test.use({
  // Offline, refused messages, invalid input, and an unknown conversation.
  expectedConsoleErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of (?:404|409|422)/,
});

const phone = { width: 390, height: 844 };

const log = (page: Page) => page.getByRole('log');
const field = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
async function send(page: Page, text: string) {
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}
const person = (role: 'Buyer' | 'Seller', name: string) => ({
  name,
  email: newEmail(name.toLowerCase().replace(' ', '-')),
  role,
});

/** Books a laptop without pages. @returns the booking's id */
async function bookAs({ client }: BrowserSession, productCode: string): Promise<string> {
  const { insertedId = '' } = await client.call(book, {
    body: { price: amount(549.99), phone: '+351 900 000 000', location: 'Central Station', productCode },
  });
  return insertedId;
}

/** The signed-in pages of a buyer and a seller, with the conversation of a booking. */
async function startConversation(buyer: Page, seller: Page) {
  const sellerSession = await startSession(seller, person('Seller', 'Marta Seller'));
  const laptop = newName('Latitude');
  const laptopId = await createLaptop(sellerSession, { name: laptop });
  const buyerSession = await startSession(buyer, person('Buyer', 'Bruno Buyer'));
  const bookingId = await bookAs(buyerSession, laptopId);
  const { insertedId: id } = await buyerSession.client.call(openConversation, { body: { bookingId } });
  return { id, path: `/dashboard/messages/${id}`, laptop, buyerSession, sellerSession };
}

test('a visitor on a phone logs in to ask, the seller at a desk answers, and both see what was read', async ({
  page: buyer,
  openVisitor,
}) => {
  test.slow();
  const seller = await openVisitor();
  const sellerSession = await startSession(seller, person('Seller', 'Marta Seller'));
  const name = newName('Latitude with a touchscreen, a smart card reader and a German keyboard');
  const laptopId = await createLaptop(sellerSession, { name });
  const asker = person('Buyer', 'Bruno Buyer');
  await createUser(asker);

  await test.step('the login page leads to the conversation', async () => {
    await buyer.setViewportSize(phone);
    await buyer.goto(`/laptop/${laptopId}`);
    await buyer.getByRole('link', { name: 'Ask Marta' }).click();
    await expect(buyer).toHaveURL('/login');
    await signIn(buyer, asker.email);
    await expect(buyer.getByRole('heading', { level: 1 })).toHaveText('Marta Seller');
    await expect(buyer).toHaveURL(/\/dashboard\/messages\/[0-9a-f-]{36}$/);
    await expect(log(buyer)).toContainText('Nothing was written yet.');
    await buyer.getByRole('button', { name: 'Is the charger included?' }).click();
    await expect(field(buyer)).toHaveValue('Is the charger included?');
    await expect(field(buyer)).toBeFocused();
    await expect(buyer.getByRole('list', { name: 'First questions' })).toHaveCount(0);
    await field(buyer).fill('');
    await expect(buyer.getByRole('list', { name: 'First questions' }).getByRole('button')).toHaveCount(3);
  });

  await test.step('the field stands at the bottom of the window', async () => {
    const place = await field(buyer).boundingBox();
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeGreaterThan(phone.height - 120);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(phone.height);
    await expectNoViolations(buyer);
  });

  await seller.goto('/dashboard/myProducts');
  await expect(seller.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await send(buyer, 'Does the camera work?');
  await expect(log(buyer).getByText('Sent')).toBeVisible();
  await expect(field(buyer)).toHaveCount(0);
  await expect(buyer.getByText('You have asked Marta Seller a question.')).toBeVisible();

  await test.step('the seller sees it at once on any page, and finds it in the list', async () => {
    const bell = seller.getByRole('button', { name: 'Notifications, 1 unseen' });
    await expect(bell).toBeVisible();
    await bell.click();
    await seller.getByRole('link', { name: 'New messages' }).click();
    await expect(seller).toHaveURL('/dashboard/messages');
    const item = seller.getByRole('list', { name: 'Conversations' }).getByRole('link');
    await expect(item).toHaveCount(1);
    await expect(item).toContainText('Bruno Buyer');
    await expect(item).toContainText('1 new');
    await expect(item).toContainText(name);
    await expect(item).toContainText('Does the camera work?');
    await item.click();
    await expect(log(seller)).toContainText('Does the camera work?');
    await expect(item).not.toContainText('1 new');
    await expect(seller.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  });

  await test.step('Enter sends at a desk', async () => {
    await field(seller).fill('It does.');
    await field(seller).press('Shift+Enter');
    await field(seller).pressSequentially('Shall we meet?');
    await field(seller).press('Enter');
    await expect(field(seller)).toHaveValue('');
    await expect(log(seller).getByText('It does.\nShall we meet?')).toBeVisible();
    await expectNoOverflowAtAnyWidth(seller);
  });

  // The buyer's page is open, so the message appears there without a reload, and counts as read.
  await expect(log(buyer)).toContainText('Shall we meet?');
  await expect(log(buyer).getByText('Read')).toBeVisible();
  await expect(field(buyer)).toBeVisible();
  await expect(log(seller).getByText('Read')).toBeVisible();
});

test('the two people of a booking write from My Orders and My Buyers, and a payment outside the shop is warned of', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  const { path, laptop } = await startConversation(buyer, seller);
  await seller.goto('/dashboard/myBuyers');
  await seller
    .getByRole('row')
    .filter({ hasText: laptop })
    .getByRole('link', { name: 'Message Bruno Buyer' })
    .click();
  await expect(seller).toHaveURL(path);
  const offer = '<b>Cheaper</b> by Western Union: https://pay.example';
  await send(seller, offer);
  await expect(log(seller)).toContainText(offer);

  await buyer.goto('/dashboard/myOrders');
  await buyer.getByRole('link', { name: 'Message Marta Seller' }).click();
  await expect(buyer).toHaveURL(path);
  await expect(log(buyer)).toContainText(offer);
  await expect(log(buyer)).toContainText('This message has a link, which the shop has not checked.');
  await expect(log(buyer)).toContainText('This message is about a payment outside the shop.');
  await expect(log(buyer).getByRole('link')).toHaveCount(0);
  await expect(log(seller)).not.toContainText('outside the shop');
  await expectNoViolations(buyer);
});

test('messages are sent while the browser stores nothing', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const { path } = await startConversation(buyer, await openVisitor());
  await buyer.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await buyer.goto(path);
  await send(buyer, 'I can come on Friday.');
  await expect(log(buyer).getByText('I can come on Friday.')).toBeVisible();
  await expect(log(buyer).getByText('Sent')).toBeVisible();
  await expect(field(buyer)).toHaveValue('');
});

test('a sent message is shown, and the next one sent, while the messages cannot be read again', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const { path, id } = await startConversation(buyer, await openVisitor());
  await buyer.goto(path);
  await expect(log(buyer)).toContainText('Nothing was written yet.');
  await buyer.route(`**/api/conversations/${id}/messages**`, (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  );
  for (const text of ['One.', 'Two.']) await send(buyer, text);
  await expect(log(buyer).getByText('Sent')).toHaveCount(2);
});

test('a sign-out asks before it deletes what was typed, and leaves nothing of it in the browser', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const { path, laptop, buyerSession } = await startConversation(buyer, await openVisitor());
  const [booking] = await buyerSession.client.call(listBookings, { query: {} });
  await buyer.goto(`/laptop/${booking?.productCode}`);
  await expect(buyer.getByRole('heading', { level: 1 })).toHaveText(laptop);
  await buyer.goto(path);
  await field(buyer).fill('My number is');
  const signOut = buyer.getByRole('button', { name: 'Sign Out', exact: true });
  const questions: string[] = [];
  const answer = (next: 'accept' | 'dismiss') =>
    buyer.once('dialog', (dialog) => {
      questions.push(dialog.message());
      return dialog[next]();
    });
  answer('dismiss');
  await signOut.click();
  await expect(field(buyer)).toHaveValue('My number is');
  answer('accept');
  await signOut.click();
  await expect(buyer).toHaveURL('/');
  await expect(buyer.getByRole('link', { name: 'Login', exact: true })).toBeVisible();
  expect(questions).toEqual(Array(2).fill(expect.stringContaining('delete what was not sent?')));
  expect(
    await buyer.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]),
  ).not.toContainEqual(expect.stringMatching(/Messages|RecentlySeen/));
  await expect(buyer.getByRole('region', { name: 'Recently seen' })).toHaveCount(0);
});

test('a block while somebody types keeps the text, says why it cannot be sent, and ends without a reload', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const { path, id, sellerSession } = await startConversation(buyer, await openVisitor());
  const block = (blocked: boolean) =>
    sellerSession.client.call(blockPerson, { params: { _id: id }, body: { blocked } });
  await buyer.goto(path);
  await field(buyer).fill('I can come on Friday, and');
  await block(true);
  await expect(buyer.getByText('Marta Seller does not take messages from you.')).toBeVisible();
  await expect(field(buyer)).toHaveValue('I can come on Friday, and');
  await expect(buyer.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await field(buyer).press('Enter');
  await expect(field(buyer)).toHaveValue('I can come on Friday, and');
  await expectNoViolations(buyer);
  await block(false);
  await expect(buyer.getByText('does not take messages from you')).toHaveCount(0);
  await buyer.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(log(buyer).getByText('I can come on Friday, and')).toBeVisible();
  await expect(log(buyer).getByText('Sent')).toBeVisible();
});

test('a page catches up once when its connection returns', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const { path, id, sellerSession } = await startConversation(buyer, await openVisitor());
  await buyer.goto(path);
  await expect(log(buyer)).toBeVisible();
  await sellerSession.client.call(sendMessage, { params: { _id: id }, body: { text: 'Number one.' } });
  // It arrives by the stream, which is open then.
  await expect(log(buyer)).toContainText('Number one.');
  await buyer.context().setOffline(true);
  await sellerSession.client.call(sendMessage, { params: { _id: id }, body: { text: 'Number two.' } });
  let reads = 0;
  buyer.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes(`/conversations/${id}/messages`)) reads += 1;
  });
  await buyer.context().setOffline(false);
  await expect(log(buyer)).toContainText('Number two.');
  // The read mark of this page is a change of its own.
  expect(reads).toBeLessThanOrEqual(2);
});

test('a photo is sent, opens large for the other person, and is not public', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  const { path } = await startConversation(buyer, seller);
  await buyer.goto(path);
  await field(buyer).fill('See the');
  await buyer.getByLabel('Photo to send').setInputFiles(fileURLToPath(plainPicture));
  await expect(log(buyer).getByRole('button', { name: /^Enlarge photo/ })).toBeVisible();
  await expect(field(buyer)).toHaveValue('See the');
  await seller.goto(path);
  const thumbnail = log(seller).getByRole('button', { name: /^Enlarge photo 1 of 1/ });
  const address = (await thumbnail.locator('img').getAttribute('src')) ?? '';
  expect((await seller.request.get(address)).status()).toBe(200);
  expect((await seller.request.get(address.split('?')[0] ?? '')).status()).toBe(404);
  await expectNoViolations(seller);
  await thumbnail.click();
  await expect(seller.getByRole('dialog', { name: 'Photos of the other person' })).toBeVisible();
  await seller.keyboard.press('Escape');
  await expect(thumbnail).toBeFocused();
});

test('a photo that was chosen offline is kept, and sent once by itself when the connection returns', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const { path } = await startConversation(buyer, await openVisitor());
  await buyer.goto(path);
  const photos = log(buyer).getByRole('button', { name: /^Enlarge photo/ });
  const choose = () => buyer.getByLabel('Photo to send').setInputFiles(fileURLToPath(plainPicture));
  await expect(buyer.getByRole('button', { name: 'Photo', exact: true })).toBeVisible();
  await buyer.context().setOffline(true);
  await choose();
  await expectToast(
    buyer,
    'The photo is kept while this conversation is open, and sent when you are back online.',
  );
  await expectNoViolations(buyer);
  await buyer.getByRole('button', { name: /^Remove photo/ }).click();
  await choose();
  await expect(buyer.getByRole('button', { name: /^Resend photo/ })).toBeVisible();
  await buyer.context().setOffline(false);
  await expect(photos).toHaveCount(1);
  await expect(buyer.getByRole('button', { name: 'Photo', exact: true })).toBeVisible();
});

test('a meeting is proposed, agreed on and put into the calendar', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  const { path, laptop } = await startConversation(buyer, seller);
  const meeting = (page: Page) => page.getByRole('region', { name: 'Meeting' });
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  await buyer.goto(path);
  await meeting(buyer).getByRole('button', { name: 'Propose a meeting' }).click();
  await meeting(buyer).getByLabel('Place').fill('');
  await meeting(buyer).getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(meeting(buyer).getByText('Name a place')).toBeVisible();
  await expect(meeting(buyer).getByText('Choose a day and a time')).toBeVisible();
  await meeting(buyer).getByLabel('Place').fill('Café Central');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await meeting(buyer).getByLabel('Day and time').fill(`${tomorrow}T15:30`);
  await expectNoViolations(buyer);
  await test.step('with large text on a phone nothing covers the form', async () => {
    await buyer.setViewportSize(phone);
    await buyer.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    await meeting(buyer).getByRole('button', { name: 'Propose', exact: true }).click();
  });
  await expectToast(buyer, 'Your proposal is with Marta Seller.');
  await expect(meeting(buyer)).toContainText('You proposed to meet Marta Seller');
  await expect(meeting(buyer).getByRole('button', { name: 'Agree' })).toHaveCount(0);

  await seller.setViewportSize(phone);
  await seller.goto('/dashboard/messages');
  const item = seller.getByRole('list', { name: 'Conversations' }).getByRole('link');
  await expect(item).toContainText(/Bruno proposes .*3:30 PM.*, Café Central/);
  await item.click();
  await expect(seller).toHaveURL(path);
  await expect(meeting(seller)).toContainText('Bruno Buyer proposes to meet');
  await expect(meeting(seller)).toContainText('3:30 PM');
  await expect(meeting(seller)).toContainText('Café Central');
  await meeting(seller).getByRole('button', { name: 'Agree' }).click();
  await expect(meeting(seller)).toContainText('You meet Bruno Buyer');
  const download = seller.waitForEvent('download');
  await meeting(seller).getByRole('button', { name: 'Calendar file' }).click();
  const file = await (await download).createReadStream();
  const calendar = await text(file);
  expect(calendar).toContain('LOCATION:Café Central');
  expect(calendar.replaceAll('\r\n ', '')).toContain(`SUMMARY:Meet Bruno Buyer: ${laptop}`);

  await seller.goto('/dashboard/myBuyers');
  await expect(rowOf(seller, laptop)).toContainText(/3:30 PM.*, Café Central/);
  await buyer.goto('/dashboard/myOrders');
  await expect(rowOf(buyer, laptop)).toContainText('Café Central');
  await expect(rowOf(buyer, laptop)).toContainText('3:30 PM');

  await buyer.goto(path);
  await expect(meeting(buyer)).toContainText('You meet Marta Seller');
  await buyer.getByRole('link', { name: laptop, exact: true }).click();
  // A redirect to the address with its name, which has nothing else.
  await expect(buyer).toHaveURL(/\/laptop\/[0-9a-f-]{36}\/[^?]+$/);
  await buyer.goBack();
  await meeting(buyer).getByRole('button', { name: 'Cancel the meeting' }).click();
  await expectToast(buyer, 'The meeting is cancelled.');
  await expect(meeting(buyer).getByRole('button', { name: 'Propose a meeting' })).toBeVisible();
});

test('a reported conversation is read by an admin, which the audit trail records', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const [seller, admin] = [await openVisitor(), await openVisitor()];
  const { path, id, sellerSession } = await startConversation(buyer, seller);
  const offer = `Pay by gift card ${id}`;
  await sellerSession.client.call(sendMessage, { params: { _id: id }, body: { text: offer } });
  await buyer.goto(path);
  await buyer.getByRole('button', { name: 'More actions' }).click();
  await buyer.getByRole('menuitem', { name: 'Report Marta Seller' }).click();
  const dialog = buyer.getByRole('dialog', { name: 'Report Marta Seller' });
  await dialog.getByRole('button', { name: 'Send the report' }).click();
  await expect(dialog.getByText('Say what is wrong, in a sentence')).toBeVisible();
  await dialog.getByLabel('What is wrong').fill(`She wants gift cards ${id}`);
  expect(await findAxeViolations(buyer)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the report' }).click();
  await expectToast(buyer, 'Thank you. An admin will look at this conversation.');

  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto('/dashboard/reportedItems?list=conversations');
  const report = admin.getByRole('article').filter({ hasText: id });
  await expect(report).not.toContainText(offer);
  await report.getByRole('button', { name: 'Read the messages' }).click();
  await expect(report).toContainText(offer);
  await expectNoViolations(admin);
  await expectNoOverflowAtAnyWidth(admin);
  await report.getByRole('button', { name: 'Resolve' }).click();
  await expectToast(admin, 'The report is resolved.');
  await expect(report).toContainText('Resolved');
  await admin.goto('/dashboard/auditTrail');
  await expect(admin.getByText(/Because of the report [0-9a-f-]{36}\./).first()).toBeVisible();
});

test('older messages are loaded by pages, and the latest one stays in view', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const { path, id, sellerSession } = await startConversation(buyer, await openVisitor());
  for (let number = 1; number <= 60; number += 1) {
    await sellerSession.client.call(sendMessage, {
      params: { _id: id },
      body: { text: `Number ${number}.` },
    });
  }
  await buyer.goto(path);
  await expect(log(buyer).getByText('Number 60.')).toBeInViewport();
  await expect(log(buyer).getByRole('listitem')).toHaveCount(50);
  await log(buyer).getByRole('button', { name: 'Show older messages' }).click();
  await expect(log(buyer).getByRole('listitem')).toHaveCount(60);
  await expect(log(buyer).getByRole('button', { name: 'Show older messages' })).toHaveCount(0);
  await expect(log(buyer).getByRole('listitem').first()).toContainText('Number 1.');
});

test('a blocked person’s message is refused with words and stays; the block can be ended', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  const { path, id, buyerSession } = await startConversation(buyer, seller);
  await buyerSession.client.call(sendMessage, { params: { _id: id }, body: { text: 'ANSWER!' } });
  // Without the stream of changes, by which the page would say before the message is sent that it cannot be.
  await buyer.route(/\/api\/live/, (route) => route.abort());
  await buyer.goto(path);
  await field(buyer).fill('ANSWER NOW!');
  await seller.goto(path);
  await seller.getByRole('button', { name: 'More actions' }).click();
  await seller.getByRole('menuitem', { name: 'Block Bruno Buyer' }).click();
  await expectToast(seller, 'Bruno Buyer is blocked and can no longer write to you.');
  await expect(seller.getByText('You have blocked Bruno Buyer. Unblock to write.')).toBeVisible();

  await buyer.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(log(buyer).getByText('Not sent')).toBeVisible();
  await expect(log(buyer).getByRole('alert')).toHaveText('Marta Seller does not take messages from you.');
  await buyer.goto('/');
  await buyer.getByRole('button', { name: 'Notifications, 1 not sent' }).click();
  await buyer.getByRole('link', { name: '1 message could not be sent' }).click();
  await expect(buyer).toHaveURL(path);
  await expect(log(buyer).getByText('ANSWER NOW!')).toBeVisible();
  await expectNoViolations(buyer);

  await seller.getByRole('button', { name: 'More actions' }).click();
  await seller.getByRole('menuitem', { name: 'Unblock Bruno Buyer' }).click();
  await expect(field(seller)).toBeVisible();
  await log(buyer).getByRole('button', { name: 'Try again' }).click();
  await expect(log(buyer).getByText('Not sent')).toHaveCount(0);
  await expect(log(buyer).getByText('ANSWER NOW!')).toHaveCount(1);
  await expect(log(buyer).getByRole('button')).toHaveCount(0);
});

test('a conversation of other people is not found', { tag: '@long' }, async ({
  page: stranger,
  openVisitor,
}) => {
  const seller = await openVisitor();
  const { path } = await startConversation(await openVisitor(), seller);
  await startSession(stranger, person('Seller', 'Sven Seller'));
  await stranger.goto(path);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('We cannot find this conversation');
  await expect(stranger.getByText('It is not among yours.')).toBeVisible();
});
