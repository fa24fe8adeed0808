import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/browser.ts';
import {
  bookLaptop,
  createLaptop,
  expectLoaded,
  expectNoOverflowAtAnyWidth,
  newEmail,
  newName,
  startSession,
  startSessionOf,
} from './actions.ts';

async function expectToFit(page: Page, path: string) {
  await page.goto(path);
  await expectLoaded(page);
  await expectNoOverflowAtAnyWidth(page);
}

// Every page with the demo data is checked where axe checks it: accessibility.spec.ts.
test('long names, addresses and notes do not overflow the dashboard’s tables', async ({
  page: seller,
  openVisitor,
}) => {
  test.slow();
  const name = newName('Latitude 7420 Ultralight');
  const family = 'Oppenheimer-Schwarzenberg';
  const session = await startSession(seller, {
    name: `Maximiliane ${family}`,
    email: newEmail('maximiliane.oppenheimer'),
    role: 'Seller',
  });
  const laptop = await createLaptop(session, { name, brand: 'Dell', price: 1149.99 });

  const buyer = await openVisitor();
  await startSession(buyer, {
    name: `Maximilian ${family}`,
    email: newEmail('maximilian.oppenheimer'),
    role: 'Buyer',
  });
  await buyer.goto('/category/Dell');
  await bookLaptop(buyer, name);
  await buyer.goto(`/laptop/${laptop}`);
  await buyer.getByRole('button', { name: /^Report this item/ }).click();
  await buyer.getByLabel('Reason').selectOption('Not as described');
  await buyer.getByLabel('Note').fill('The label under the battery names another model.');
  await buyer.getByRole('button', { name: 'Send report' }).click();
  await expect(buyer.getByText(/Thank you/)).toBeVisible();
  for (const path of ['/category/Dell', `/laptop/${laptop}`, '/dashboard/myOrders', '/dashboard/account']) {
    await expectToFit(buyer, path);
  }

  await expectToFit(await openVisitor(), `/laptop/${laptop}`);
  await expectToFit(seller, `/laptop/${laptop}`);

  const admin = await openVisitor();
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto('/dashboard/reportedItems');
  await admin.getByRole('button', { name: `Take down: ${name}` }).click();
  await admin
    .getByLabel('Note to the seller')
    .fill('Please list it as what it is, with a photo of the label.');
  await admin.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
  await expect(admin.getByText(`${name} is taken down.`)).toBeVisible();
  for (const page of ['reportedItems', 'auditTrail', 'allSellers', 'allBuyers']) {
    await expectToFit(admin, `/dashboard/${page}`);
  }
  for (const page of ['myProducts', 'myBuyers', 'addProduct']) {
    await expectToFit(seller, `/dashboard/${page}`);
  }
});
