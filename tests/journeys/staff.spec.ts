import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  chooseInRow,
  confirmAddress,
  expectLoaded,
  expectNoOverflow,
  expectNoOverflowAtAnyWidth,
  expectToast,
  newEmail,
  newPersonName,
  password,
  readEmailLink,
  startSession,
  startSessionOf,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';

// The pages of an admin without the right are refused by the shop as well.
test.use({ expectedConsoleErrors: /status of (403|404|409)/ });

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

test('an owner invites an admin, who accepts, sees only their part, and loses it at the next click', {
  tag: '@long',
}, async ({ page: owner, openVisitor }) => {
  test.slow();
  const name = newPersonName('Ivy');
  const email = newEmail('ivy');
  await startSessionOf(owner, 'admin@coomercio.example');
  await owner.goto('/dashboard/staff');
  await expectLoaded(owner);
  expect(await findAxeViolations(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Invite an admin' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Invite an admin' });
  await dialog.getByLabel('Email').fill(email);
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^Inspections/ }).check();
  expect(await findAxeViolations(owner)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await expectToast(owner, 'The invitation is on its way.');
  await expect(rowOf(owner, email)).toContainText('Inspections');
  await expectNoOverflowAtAnyWidth(owner);
  await owner.setViewportSize({ width: 1440, height: 900 });

  const link = await readEmailLink(email, 'Help to run Coomercio');
  const ivy = await openVisitor();
  await ivy.setViewportSize({ width: 390, height: 844 });
  await ivy.goto(link);
  await expect(ivy.getByText('to help run the shop')).toContainText(email);
  await expect(ivy).toHaveURL('/invitation');
  expect(await findAxeViolations(ivy)).toEqual([]);
  await expectNoOverflow(ivy);
  await ivy.getByRole('link', { name: 'Register' }).last().click();
  await ivy.getByLabel('Name', { exact: true }).fill(name);
  await ivy.getByLabel('Email', { exact: true }).fill(email);
  await ivy.getByLabel('Password', { exact: true }).fill(password);
  await ivy.getByRole('button', { name: 'Register', exact: true }).click();
  await ivy.getByRole('button', { name: 'Accept' }).click();
  await expect(ivy.getByText('Your address is not confirmed yet')).toBeVisible();
  await expectNoOverflow(ivy);
  await confirmAddress(ivy, email);
  await ivy.goto(link);
  await ivy.getByRole('button', { name: 'Accept' }).click();
  await expectToast(ivy, 'You work for Coomercio now.');

  const drawer = ivy.getByRole('navigation', { name: 'Dashboard' });
  await ivy.setViewportSize({ width: 1440, height: 900 });
  await expect(drawer.getByRole('link', { name: /^Inspections/ })).toBeVisible();
  for (const absent of [
    /^Complaints/,
    'All Sellers',
    'Shop Money',
    'Settings',
    'Audit Trail',
    'Staff',
    'My Wishlist',
  ]) {
    await expect(drawer.getByRole('link', { name: absent })).toHaveCount(0);
  }
  await drawer.getByRole('link', { name: /^Inspections/ }).click();
  await expect(ivy.getByRole('heading', { name: 'Inspections', level: 1 })).toBeVisible();
  await ivy.goto('/dashboard/shopMoney');
  await expect(ivy.getByRole('heading', { name: 'Not among your rights' })).toBeVisible();
  await expect(ivy.getByText('This page needs the right “Money”')).toBeVisible();
  expect(await findAxeViolations(ivy)).toEqual([]);
  await ivy.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(ivy);

  await test.step('a used link says so', async () => {
    await ivy.goto(link);
    await expect(ivy.getByText('This invitation was accepted already.')).toBeVisible();
    await ivy.goto(`/invitation#${'A'.repeat(43)}`);
    await expect(ivy.getByText('This link is not one of an invitation')).toBeVisible();
    await ivy.goto('/invitation');
    await expect(ivy.getByText('Please open this page by the link in the email')).toBeVisible();
  });

  await test.step('other rights apply at once', async () => {
    await owner.reload();
    await chooseInRow(rowOf(owner, email), 'Change rights');
    const rights = owner.getByRole('dialog', { name: `Rights of ${name}` });
    await rights.getByRole('checkbox', { name: /^Inspections/ }).uncheck();
    await rights.getByRole('checkbox', { name: /^Money/ }).check();
    await rights.getByRole('button', { name: 'Change the rights' }).click();
    await expectToast(owner, `The rights of ${name} are changed, and apply now.`);
    await ivy.goto('/dashboard/shopMoney');
    await expect(ivy.getByRole('heading', { name: 'Shop Money', level: 1 })).toBeVisible();
  });

  await test.step('a removed admin is a buyer', async () => {
    await chooseInRow(rowOf(owner, email), 'Remove');
    await owner.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expectToast(owner, `${name} is no longer an admin.`);
    await expect(rowOf(owner, email)).toHaveCount(0);
    await ivy.goto('/dashboard/shopMoney');
    await expect(ivy.getByRole('heading', { name: 'Not for your account' })).toBeVisible();
  });
});

test('the only owner cannot leave, and an invitation is not for somebody who sells', {
  tag: '@long',
}, async ({ page: owner, openVisitor }) => {
  await startSessionOf(owner, 'admin@coomercio.example');
  const seller = newEmail('sam');
  const visitor = await openVisitor();
  await startSession(visitor, { name: 'Sam', email: seller, role: 'Seller' });
  await owner.goto('/dashboard/staff');
  await owner.getByRole('button', { name: 'Invite an admin' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Invite an admin' });
  await dialog.getByLabel('Email').fill(seller);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(dialog.getByText('buys or sells here')).toBeVisible();
  const withdrawn = newEmail('wim');
  await dialog.getByLabel('Email').fill(withdrawn);
  await dialog.getByRole('radio', { name: /^Owner/ }).check();
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  const link = await readEmailLink(withdrawn, 'Help to run Coomercio');
  await visitor.goto(link);
  await expect(visitor.getByText(`You are signed in as ${seller}.`)).toBeVisible();
  await chooseInRow(rowOf(owner, withdrawn), 'Withdraw');
  await expectToast(owner, 'The invitation is withdrawn.');
  await visitor.goto('/home');
  await visitor.goto(link);
  await expect(visitor.getByText('This invitation was withdrawn.')).toBeVisible();

  await test.step('inviting again starts with the rights of the invitation, and replaces them', async () => {
    const renewed = newEmail('rhea');
    await owner.getByRole('button', { name: 'Invite an admin' }).click();
    await dialog.getByLabel('Email').fill(renewed);
    await dialog.getByRole('radio', { name: /^Owner/ }).check();
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await chooseInRow(rowOf(owner, renewed), 'Invite again');
    const again = owner.getByRole('dialog', { name: `Invite ${renewed} again` });
    await expect(again.getByLabel('Email')).toHaveValue(renewed);
    await expect(again.getByRole('radio', { name: /^Owner/ })).toBeChecked();
    await expect(again).toContainText('the rights chosen here replace its rights');
    expect(await findAxeViolations(owner)).toEqual([]);
    await owner.keyboard.press('Escape');
    await expect(rowOf(owner, renewed).getByRole('button', { name: /^More actions for/ })).toBeFocused();
    await chooseInRow(rowOf(owner, renewed), 'Invite again');
    await again.getByRole('radio', { name: /^May do/ }).check();
    await again.getByRole('checkbox', { name: /^Money/ }).check();
    await again.getByRole('button', { name: 'Send the invitation' }).click();
    await expect(again).toBeHidden();
    await expect(rowOf(owner, renewed)).toContainText('Money');
    await chooseInRow(rowOf(owner, renewed), 'Withdraw');
    await expect(rowOf(owner, renewed)).toHaveCount(0);
  });

  await chooseInRow(rowOf(owner, 'admin@coomercio.example'), 'Remove yourself: ');
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast(
    owner,
    'This is the only owner of the shop. Make somebody else an owner first. Nothing was changed.',
  );
});
