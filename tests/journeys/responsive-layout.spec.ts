import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
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
test('long names, addresses and notes do not overflow the dashboard’s tables', { tag: '@long' }, async ({
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

test('with large text on a phone, toasts and the navbar can be read, and Sign Out is in the menu', {
  tag: '@long',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/api/unseenNotifications', (route) => route.fulfill({ json: { count: 100 } }));
  await startSession(page, { name: 'Lena Large', email: newEmail('lena'), role: 'Buyer' });
  await page.goto('/dashboard/account');
  await expectLoaded(page);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  const badge = page.getByRole('banner').getByText('99+');
  const avatar = page.getByRole('banner').getByRole('img', { name: 'Lena Large' });
  // The navbar follows the size of the text after the call.
  await expect
    .poll(async () => {
      const [left, right] = [await badge.boundingBox(), await avatar.boundingBox()];
      return left !== null && right !== null && left.height <= 20 && left.x + left.width < right.x;
    })
    .toBe(true);

  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(
    page.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Sign Out', exact: true }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();

  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill('Lena Larger');
  await field.press('Enter');
  const text = page.getByRole('region', { name: 'Messages' }).getByText('Your name was changed.');
  await expect(text).toBeVisible();
  // Two lines; a word a line were four.
  expect((await text.boundingBox())?.height).toBeLessThan(3 * 1.55 * 32);

  // Signing out where no call of the page is under way.
  await page.goto('/home');
  await expect(badge).toBeVisible();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toHaveCount(0);
});

test('on a phone a third compared laptop is seen at the edge', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/laptops');
  const paths = await page
    .getByRole('article')
    .getByRole('link')
    .evaluateAll((links) =>
      links.flatMap((link) => (link instanceof HTMLAnchorElement ? [link.pathname] : [])),
    );
  const ids = new Set(paths.flatMap((path) => path.split('/')[2] ?? []));
  await page.goto(
    `/laptops/compare?${[...ids]
      .slice(0, 3)
      .map((id) => `id=${id}`)
      .join('&')}`,
  );
  const third = await page.getByRole('columnheader').nth(2).boundingBox();
  expect(third?.x).toBeGreaterThan(195);
  expect(third?.x).toBeLessThan(390 - 16 - 12);
});
