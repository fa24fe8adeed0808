import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  card,
  createLaptop,
  expectToast,
  newEmail,
  newName,
  startSession,
  startSessionOf,
} from './actions.ts';

test.use({ expectedConsoleErrors: /status of 422/ });

test('a seller changes the own name: the session and lists show the new one', { tag: '@long' }, async ({
  page,
}) => {
  const laptop = newName('Swift 3');
  const session = await startSession(page, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  await createLaptop(session, { name: laptop, brand: 'Acer' });
  await page.goto('/dashboard/account');
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(field).toHaveValue('Sofia Seller');

  await field.fill(' ');
  await field.press('Enter');
  await expect(page.getByText('Name is required')).toBeVisible();

  await field.fill('Coomercio Support');
  await field.press('Enter');
  await expect(page.getByText(/could be taken for the shop itself/).first()).toBeVisible();
  await expect(field).toHaveValue('Coomercio Support');

  await field.fill('Renata Renamed');
  await field.press('Enter');
  await expectToast(page, 'Your name was changed.');
  await page.reload();
  await expect(field).toHaveValue('Renata Renamed');

  await page.goto('/category/Acer');
  await expect(card(page, laptop)).toContainText('Renata Renamed');
});

test('the new name of a verified seller waits: it can be withdrawn, and an admin refuses or approves it', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  const [name, newer] = [newName('Paula'), newName('Paula Pinto')];
  const email = newEmail('paula');
  const laptop = newName('Swift 5');
  const session = await startSession(page, { name, email, role: 'Seller' });
  await createLaptop(session, { name: laptop, brand: 'Acer' });
  const admin = await openVisitor();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto(`/dashboard/allSellers?search=${encodeURIComponent(email)}`);
  await admin.getByRole('button', { name: `Verify ${name}` }).click();
  await admin.getByRole('button', { name: 'Yes, verify', exact: true }).click();
  await admin.getByRole('button', { name: 'OK', exact: true }).click();

  await page.goto('/dashboard/account');
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  const ask = async () => {
    await field.fill(newer);
    await page.getByRole('button', { name: 'Change name' }).click();
    await expect(page.getByText(`We are checking your new name ${newer} (asked on `)).toBeVisible();
  };
  await ask();
  await page.getByRole('button', { name: 'Withdraw the new name' }).click();
  await expectToast(page, `Your new name was withdrawn. You keep the name ${name}.`);
  await expect(page.getByText(/We are checking your new name/)).toHaveCount(0);

  await ask();
  await admin.reload();
  const waiting = admin.getByRole('article', { name: `${name}: ${newer}` });
  await waiting.getByRole('button', { name: 'Refuse' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Refuse the new name?' });
  await dialog.getByLabel('Reason for the seller').fill('Please send the document again.');
  await dialog.getByRole('button', { name: 'Refuse' }).press('Enter');
  await expectToast(admin, `The new name was refused. ${name} was told.`);
  await expect(waiting).toHaveCount(0);
  // It was the focused element, so the focus goes to the heading of the page.
  await expect(admin.getByRole('heading', { level: 1 })).toBeFocused();

  await page.reload();
  await expect(field).toHaveValue(name);
  await ask();
  await admin.reload();
  await waiting.getByRole('button', { name: 'Approve' }).click();
  await expectToast(admin, `Approved: ${name} is now ${newer}. The seller was told.`);
  await expect(admin.getByRole('row').filter({ hasText: email })).toContainText(newer);

  // The session follows once the account page is open.
  await page.reload();
  await expect(field).toHaveValue(newer);
  await page.goto('/category/Acer');
  await expect(card(page, laptop)).toContainText(newer);
  await expect(card(page, laptop)).toContainText('Verified Seller');
});
