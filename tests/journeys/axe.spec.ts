import { expect, test } from '#tests/harness/browser.ts';
import { complaints } from './complaints.ts';
import { signIn } from './people.ts';

const publicPages = [
  '/',
  '/blog',
  '/login',
  '/register',
  '/reset-password',
  '/verify-email',
  '/no/such/page',
  '/api/docs',
];
const pagesByPerson = {
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

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme axe finds nothing`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce', expectedConsoleErrors: /status of 404/ });

    for (const path of publicPages) {
      test(`on ${path}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        expect(await complaints(page), path).toEqual([]);
      });
    }

    for (const [person, paths] of Object.entries(pagesByPerson)) {
      test(`on the pages of the ${person}`, async ({ page }) => {
        await page.goto('/dashboard');
        await signIn(page, `${person}@coomercio.example`);
        await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
        for (const path of paths) {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await page.waitForLoadState('networkidle');
          expect(await complaints(page), path).toEqual([]);
        }
      });
    }
  });
}
