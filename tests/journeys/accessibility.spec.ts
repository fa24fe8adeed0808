import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bell,
  createLaptop,
  expectNoOverflowAtAnyWidth,
  newEmail,
  newName,
  startSession,
  startSessionOf,
} from './actions.ts';
import { expectNoViolations, findAxeViolations } from './axe.ts';
import { publicPages } from './public-pages.ts';

const paths = [...publicPages, '/pages/accessibility', '/no/such/page', '/api/docs'];
const pagesByRole = {
  buyer: [
    '/category/HP',
    '/dashboard/myOrders',
    '/dashboard/myWishlist',
    '/dashboard/savedSearches',
    '/dashboard/messages',
    '/dashboard/receipts',
    '/dashboard/notifications',
    '/dashboard/account',
    '/dashboard/addProduct',
  ],
  seller: ['/dashboard/myProducts', '/dashboard/addProduct', '/dashboard/myBuyers', '/dashboard/money'],
  admin: [
    '/dashboard/allSellers',
    '/dashboard/allBuyers',
    '/dashboard/inspections',
    '/dashboard/complaints',
    '/dashboard/reviews',
    '/dashboard/settlements',
    '/dashboard/reportedItems',
    '/dashboard/shopMoney',
    '/dashboard/allReceipts',
    '/dashboard/brands',
    '/dashboard/pages',
    '/dashboard/pages/newPage',
    '/dashboard/settings',
    '/dashboard/auditTrail',
    '/dashboard/health',
  ],
} as const;

/** Keeps every eighth call of the API reference. */
const removeMostCalls = (page: Page) =>
  page.locator('article').evaluateAll((calls) => {
    for (const [index, call] of calls.entries()) if (index % 8 > 0) call.remove();
  });

test.describe('in both themes axe finds nothing, and at any width and with large text everything fits', () => {
  test.use({ expectedConsoleErrors: /status of 404/ });

  for (const path of paths) {
    test(`on ${path}`, async ({ page }) => {
      await page.goto(path);
      // All calls of the API reference are rendered alike. Of the whole page axe takes half a minute.
      if (path === '/api/docs') await removeMostCalls(page);
      await expectNoViolations(page);
      await expectNoOverflowAtAnyWidth(page);
    });
  }

  test('on the page of a laptop, for a visitor, a buyer and its seller', async ({
    page: seller,
    openVisitor,
  }) => {
    const session = await startSession(seller, { name: 'Sofia', email: newEmail('sofia'), role: 'Seller' });
    const path = `/laptop/${await createLaptop(session, { name: newName('Swift') })}`;
    const [visitor, buyer] = [await openVisitor(), await openVisitor()];
    await startSessionOf(buyer, 'buyer@coomercio.example');
    for (const page of [visitor, buyer, seller]) {
      await page.goto(path);
      // A signed-in person's page keeps a stream open.
      await (page === visitor ? page.waitForLoadState('networkidle') : bell(page).waitFor());
      await page.getByText('Excellent').first().click();
      await expectNoViolations(page);
      await expectNoOverflowAtAnyWidth(page);
    }
    await buyer.goto(`${path}?book=yes`);
    await expect(buyer.getByRole('dialog')).toBeVisible();
    expect(await findAxeViolations(buyer)).toEqual([]);
  });

  for (const [person, paths] of Object.entries(pagesByRole)) {
    for (const path of paths) {
      test(`on ${path}, for the ${person}`, async ({ page }) => {
        await startSessionOf(page, `${person}@coomercio.example`);
        await page.goto(path);
        await expectNoViolations(page);
        await expectNoOverflowAtAnyWidth(page);
      });
    }
  }
});
