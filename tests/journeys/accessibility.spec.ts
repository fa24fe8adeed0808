import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bell,
  createLaptop,
  expectLoaded,
  expectNoOverflowAtAnyWidth,
  newEmail,
  newName,
  startSession,
  startSessionOf,
} from './actions.ts';
import { allThemes, expectNoViolations, findAxeViolations, themesOfDashboard } from './axe.ts';
import { layouts } from './layout.ts';
import { publicPages } from './public-pages.ts';

/** The API reference with one of its calls open: Swagger UI shows the others alike. */
const openCall = '/api/docs#/payments/createPaymentIntent';
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
    '/dashboard/allOrders',
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
    '/dashboard/staff',
  ],
} as const;

/**
 * Checks a page for everything, by axe at a desk. A change of the window's size draws all of the page anew: a page begins at the
 * width that the one before it has left.
 */
async function expectAccessible(page: Page, themes = allThemes): Promise<void> {
  const startsWide = page.viewportSize()?.width === layouts.at(-1)?.width;
  if (startsWide) await expectNoViolations(page, themes);
  else await expectLoaded(page);
  await expectNoOverflowAtAnyWidth(page, startsWide ? layouts.toReversed() : layouts);
  if (!startsWide) await expectNoViolations(page, themes);
}

/** Opens pages one after the other, and checks each of them also when one before it fails. */
async function visitAll(page: Page, paths: readonly string[], themes = allThemes): Promise<void> {
  test.setTimeout(paths.length * 60_000);
  const failed: unknown[] = [];
  for (const path of paths) {
    await test
      .step(path, async () => {
        await page.goto(path);
        await expectAccessible(page, themes);
      })
      .catch((error: unknown) => failed.push(error));
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join('\n'));
}

test.describe('axe finds nothing, and at any width and with large text everything fits', () => {
  test.use({ expectedConsoleErrors: /status of 404/, viewport: { width: 1440, height: 900 } });

  test('on the public pages', async ({ page }) => {
    await visitAll(page, [...publicPages, '/pages/accessibility', '/no/such/page']);
  });

  // Swagger UI's pages change with its version only.
  test('on the API reference', { tag: '@long' }, async ({ page }) => {
    test.slow();
    await page.goto(openCall);
    await expect(page.getByText('somebody_is_paying').first()).toBeVisible();
    await expectAccessible(page);
  });

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
      await expectAccessible(page, page === visitor ? allThemes : themesOfDashboard);
    }
    await buyer.goto(`${path}?book=yes`);
    await expect(buyer.getByRole('dialog')).toBeVisible();
    expect(await findAxeViolations(buyer)).toEqual([]);
  });

  for (const [person, paths] of Object.entries(pagesByRole)) {
    test(`on the pages of the ${person}`, async ({ page }) => {
      await startSessionOf(page, `${person}@coomercio.example`);
      await visitAll(page, paths, themesOfDashboard);
    });
  }
});
