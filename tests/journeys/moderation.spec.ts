import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bookLaptop,
  card,
  chooseInRow,
  createLaptop,
  createOwnLaptop,
  createUser,
  deleteInRow,
  expectToast,
  newEmail,
  newName,
  newPersonName,
  openLaptop,
  signIn,
  startSession,
  startSessionOf,
} from './actions.ts';

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function openAsAdmin(page: Page, path: string) {
  await startSessionOf(page, 'admin@coomercio.example');
  await page.goto(path);
  await expect(page).toHaveURL(path);
}

test('/dashboard/allSellers: an admin finds a seller by name or email and verifies them, “Verification Successful!”; the buyers see it', async ({
  page: admin,
}) => {
  const person = { name: newPersonName('Vera'), email: newEmail('vera'), role: 'Seller' as const };
  const laptop = newName('Spin');
  await createLaptop(await createUser(person), { name: laptop, brand: 'Acer' });

  await openAsAdmin(admin, '/dashboard/allSellers');
  const field = admin.getByLabel('Search by name or email');
  await field.fill('nobody is called this');
  await expect(admin.getByText('Nobody matches “nobody is called this”')).toBeVisible();
  await field.fill(person.email.toUpperCase());
  await expect(row(admin, person.name)).toBeVisible();
  await field.fill(person.name);
  await expect(admin).toHaveURL(/\?search=Vera/);
  await admin.getByLabel('Sort by').selectOption('Email');
  await expect(admin).toHaveURL(/sort=email/);

  // The URL keeps the search over back navigation and reload.
  await admin.getByRole('link', { name: 'All Buyers' }).click();
  await expect(admin.getByRole('heading', { name: 'All Buyers' })).toBeVisible();
  await admin.goBack();
  await expect(field).toHaveValue(person.name);
  await admin.reload();
  await expect(field).toHaveValue(person.name);
  await expect(admin.getByLabel('Sort by')).toHaveValue('email');
  await expect(admin.getByRole('row')).toHaveCount(2);

  // What was seen is recorded, in a dialog that asks which document it was and how it was seen.
  await chooseInRow(row(admin, person.email), 'Record proof of address');
  const document = admin.getByRole('dialog', { name: 'Proof of address' });
  await expect(document.getByText(person.name)).toBeVisible();
  await document.getByRole('button', { name: 'Record' }).click();
  await expect(document.getByText('Say which document it was')).toBeVisible();
  await document.getByLabel('Which document').selectOption('Utility bill');
  await document.getByLabel('How you have seen it').selectOption('By video');
  await document.getByRole('button', { name: 'Record' }).click();
  await expectToast(admin, 'Proof of address recorded. Please keep no copy.');
  await expect(row(admin, person.email).getByText(/^Proof of address, /)).toBeVisible();
  await expect(row(admin, person.email).getByText('Utility bill, by video')).toBeVisible();
  await row(admin, person.email).getByRole('button', { name: 'Verify' }).click();
  await admin.getByRole('button', { name: 'Yes, verify', exact: true }).click();
  const dialog = admin.getByRole('alertdialog', { name: 'Verification Successful!', exact: true });
  await expect(dialog.getByText(`${person.name} is now a verify seller.`, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(row(admin, person.email).getByText('Verified', { exact: true })).toBeVisible();
  await expect(row(admin, person.email).getByRole('button', { name: 'Verify' })).toHaveCount(0);
  await admin.goto('/category/Acer');
  await expect(card(admin, laptop)).toContainText('Verified Seller');
  await card(admin, laptop).getByRole('link', { name: laptop }).first().click();
  await expect(admin.getByText(/The shop has seen a proof of address \(/)).toBeVisible();

  await admin.goto(`/dashboard/allSellers?search=${encodeURIComponent(person.email)}`);
  await chooseInRow(row(admin, person.email), 'Remove Proof of address badge');
  const takeBack = admin.getByRole('dialog', { name: 'Remove the Proof of address badge?' });
  await takeBack.getByLabel('Reason for the seller').fill('It was somebody else’s.');
  await takeBack.getByRole('button', { name: 'Remove badge' }).click();
  await expectToast(admin, `The Proof of address badge of ${person.name} was removed.`);
  await expect(row(admin, person.email).getByText(/^Proof of address, /)).toHaveCount(0);
  await chooseInRow(row(admin, person.email), 'Remove Verified badge');
  const unverify = admin.getByRole('dialog', { name: 'Remove the Verified badge?' });
  await unverify.getByLabel('Reason for the seller').fill('The address is not the seller’s.');
  await unverify.getByRole('button', { name: 'Remove badge' }).click();
  await expect(row(admin, person.email).getByRole('button', { name: 'Verify' })).toBeVisible();
  await admin.goto('/category/Acer');
  await expect(card(admin, laptop)).toContainText('Not Verified');
});

test('/dashboard/allBuyers: deleting asks for confirmation, shows “Deleting..” and then “{name} deleted successfully”', async ({
  page: admin,
}) => {
  const person = { name: newPersonName('Bob'), email: newEmail('bob'), role: 'Buyer' as const };
  await createUser(person);
  await openAsAdmin(admin, `/dashboard/allBuyers?search=${encodeURIComponent(person.email)}`);
  const released = Promise.withResolvers<void>();
  await admin.route('**/api/buyers/*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await deleteInRow(row(admin, person.email), person.name);
  const dialog = admin.getByRole('alertdialog', { name: 'Are you sure?', exact: true });
  await dialog.getByRole('button', { name: 'Yes, delete it!', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Deleting..', exact: true })).toBeDisabled();
  // No optimistic update: the row stays until the server has responded.
  await expect(admin.getByRole('row', { includeHidden: true }).filter({ hasText: person.email })).toHaveCount(
    1,
  );
  released.resolve();
  await expectToast(admin, `${person.name} deleted successfully`);
  await expect(row(admin, person.email)).toHaveCount(0);
});

test.describe('a deleted seller', () => {
  test.use({ expectedConsoleErrors: /status of 40[13]/ });

  test('is signed out with the reason, cannot sign in again, and has no laptops in the shop', {
    tag: '@long',
  }, async ({ page: seller, openVisitor }) => {
    const person = { name: newPersonName('Dora'), email: newEmail('dora'), role: 'Seller' as const };
    const laptop = newName('Aspire');
    const session = await startSession(seller, person);
    await createLaptop(session, { name: laptop, brand: 'Acer' });
    await seller.goto('/dashboard/myProducts');

    const admin = await openVisitor();
    await openAsAdmin(admin, `/dashboard/allSellers?search=${encodeURIComponent(person.email)}`);
    await chooseInRow(row(admin, person.email), 'Delete');
    await admin.getByRole('alertdialog', { name: 'Are you sure?' }).getByText('Yes, delete it!').click();
    await expectToast(admin, `${person.name} deleted successfully`);
    await expect(row(admin, person.email)).toHaveCount(0);

    await seller.getByRole('link', { name: 'My Buyers' }).click();
    await expect(seller).toHaveURL(/\/login$/);
    await expect(seller.getByText(/This account is disabled/)).toBeVisible();
    await signIn(seller, person.email);
    await expect(seller.getByRole('alert').filter({ hasText: /This account is disabled/ })).toBeVisible();
    await expect(seller).toHaveURL(/\/login$/);

    await admin.goto('/category/Acer');
    await expect(admin.getByRole('article').first()).toBeVisible();
    await expect(card(admin, laptop)).toHaveCount(0);
    await admin.goto('/dashboard/auditTrail');
    await expect(row(admin, person.email)).toContainText('Deleted seller');
  });
});

test('a reported laptop is taken down with a note that its seller reads; its unpaid booking is cancelled; the audit trail records all of it', {
  tag: '@long',
}, async ({ page: seller, openVisitor }) => {
  const name = newName('Vostro');
  const note = 'The serial number belongs to another model.';
  const session = await startSession(seller, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  await createLaptop(session, { name, brand: 'Dell' });
  await seller.goto('/category/Dell');
  await openLaptop(seller, name);
  await expect(seller.getByText('This is your laptop.')).toBeVisible();
  await expect(seller.getByText('Report this item')).toHaveCount(0);

  const buyer = await openVisitor();
  await startSession(buyer, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await buyer.goto('/category/Dell');
  await bookLaptop(buyer, name);
  await openLaptop(buyer, name);
  const report = buyer.getByRole('button', { name: /^Report this item/ });
  const form = buyer.getByRole('dialog', { name: 'Report this item' });
  await report.click();
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(form.getByText('Choose a reason').last()).toBeVisible();
  await form.getByLabel('Reason').selectOption('Counterfeit');
  await form.getByLabel('Note').fill('The label under the battery names another model.');
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(buyer.getByText(`Thank you. An admin will look at ${name}.`)).toBeVisible();
  await expect(buyer.getByRole('button', { name: /^You reported this item/ })).toBeDisabled();
  await buyer.reload();
  await report.click();
  await form.getByLabel('Reason').selectOption('Other');
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(buyer.getByText(`You already reported ${name}. An admin will look at it.`)).toBeVisible();

  const admin = await openVisitor();
  await openAsAdmin(admin, '/dashboard/reportedItems');
  const item = admin.getByRole('article', { name });
  await expect(item).toContainText('1 open report');
  await expect(item).toContainText('Sofia Seller');
  await expect(item.getByRole('row').filter({ hasText: 'Counterfeit' })).toContainText('Bruno Buyer');
  await item.getByRole('button', { name: 'Take down' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Take it down?' });
  await expect(dialog).toContainText('Unpaid bookings of it are cancelled, and their buyers are told.');
  await dialog.getByRole('button', { name: 'Take down' }).click();
  await expect(dialog.getByText('Say why, so that the seller understands')).toBeVisible();
  await dialog.getByLabel('Note to the seller').fill(note);
  await dialog.getByRole('button', { name: 'Take down' }).click();
  await expect(admin.getByText(`${name} is taken down.`)).toBeVisible();
  await expect(item).toContainText('Resolved');
  await expect(item.getByRole('button')).toHaveCount(0);
  await expect(item.getByRole('region', { name: /History/ })).toContainText(note);
  await expect(item.getByRole('link', { name, exact: true })).toBeFocused();
  await admin.goto('/dashboard/auditTrail');
  await expect(row(admin, name)).toContainText('Took laptop down');
  await expect(row(admin, name)).toContainText(note);

  await seller.goto('/dashboard/myProducts');
  await expect(row(seller, name)).toContainText('Taken down');
  await expect(row(seller, name)).toContainText(note);
  await buyer.goto('/dashboard/myOrders');
  await expect(row(buyer, name)).toContainText('Cancelled');
  await buyer.goto('/category/Dell');
  await expect(buyer.getByRole('article').first()).toBeVisible();
  await expect(card(buyer, name)).toHaveCount(0);
});

test('dismissing a report keeps the laptop in the shop and is recorded in the history', {
  tag: '@long',
}, async ({ page: admin }) => {
  const name = await createOwnLaptop('Inspiron', 'Dell');
  await openAsAdmin(admin, '/category/Dell');
  await openLaptop(admin, name);
  await admin.getByRole('button', { name: /^Report this item/ }).click();
  await admin.getByLabel('Reason').selectOption('Not as described');
  await admin.getByRole('button', { name: 'Send report' }).click();
  await expect(admin.getByText(`Thank you. An admin will look at ${name}.`)).toBeVisible();

  await admin.goto('/dashboard/reportedItems');
  const item = admin.getByRole('article', { name });
  await expect(item).toBeVisible();
  const order = await admin.getByRole('article').allTextContents();
  const position = order.findIndex((text) => text.includes(name));
  await item.getByRole('button', { name: 'Dismiss' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Dismiss the reports?' });
  await expect(dialog).toContainText('the laptop stays in the shop');
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect(item.getByRole('region', { name: /History/ })).toContainText('Dismissed reports');
  await expect(item.getByRole('button')).toHaveCount(0);
  await expect(admin.getByRole('article').nth(position)).toContainText(name);
  await admin.goto('/category/Dell');
  await expect(card(admin, name)).toBeVisible();
});
