import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/browser.ts';
import { expectLoaded, startSessionOf } from './actions.ts';
import { findAxeViolations } from './axe.ts';
import { publicPages } from './public-pages.ts';

const paths = [...publicPages, '/no/such/page', '/api/docs'];
const pagesByRole = {
  buyer: [
    '/category/HP',
    '/dashboard/myOrders',
    '/dashboard/myWishlist',
    '/dashboard/account',
    '/dashboard/addProduct',
  ],
  seller: ['/dashboard/myProducts', '/dashboard/addProduct', '/dashboard/myBuyers'],
  admin: [
    '/dashboard/allSellers',
    '/dashboard/allBuyers',
    '/dashboard/reportedItems',
    '/dashboard/auditTrail',
  ],
} as const;

/** Checks the open page in both themes, which follow the system's setting. */
async function expectNoViolations(page: Page, path: string): Promise<void> {
  await expectLoaded(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Waits for the transition between the themes' colours.
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((animation) => animation instanceof CSSTransition)
          .map(({ finished }) => finished),
      ),
    );
    // Only colours change with the theme.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
    expect(await findAxeViolations(page, rules), `${path}, ${colorScheme}`).toEqual([]);
  }
}

test.describe('in both themes axe finds nothing', () => {
  test.use({ reducedMotion: 'reduce', expectedConsoleErrors: /status of 404/ });

  for (const path of paths) {
    test(`on ${path}`, async ({ page }) => {
      // The API reference is long, and axe checks all of it.
      test.slow(path === '/api/docs');
      await page.goto(path);
      await expectNoViolations(page, path);
    });
  }

  for (const [person, paths] of Object.entries(pagesByRole)) {
    test(`on the pages of the ${person}`, async ({ page }) => {
      await startSessionOf(page, `${person}@coomercio.example`);
      for (const path of paths) {
        await page.goto(path);
        await expectNoViolations(page, path);
      }
    });
  }
});
