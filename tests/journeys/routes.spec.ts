import type { Page } from '@playwright/test';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { formatAmount, type Role } from '#contract/platform/scalars.ts';
import { book } from '#contract/sales/bookings.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, createSeller, createUser, newEmail, newName, signIn } from './actions.ts';
import { amount } from './amounts.ts';

// The specification's routes table for each role: access, heading and redirects.

const pageHeading = (page: Page) => page.getByRole('heading', { level: 1 });
const title = 'BUY AND SELL CERTIFIED PRE-OWNED LAPTOPS';

const open = [
  ['/', title],
  ['/home', title],
  ['/blog', 'Blog'],
  ['/login', 'Login Now!'],
  ['/register', 'Register Now!'],
  ['/any/other/path', 'The page you are looking for does not exist.'],
] as const;

/** A route, its page's heading, and its role if it is not for all signed-in users. */
type Route = readonly [route: string, heading: string, only?: Role];
/** The guarded routes. */
const guarded: readonly Route[] = [
  ['/category/{id}', 'HP laptops'],
  ['/dashboard', 'What waits for you'],
  ['/dashboard/myOrders', 'My Orders'],
  ['/dashboard/order/{id}', 'Order'],
  ['/dashboard/payment/{id}', 'Payment'],
  ['/dashboard/myWishlist', 'My Wishlist'],
  ['/dashboard/savedSearches', 'Saved Searches'],
  ['/dashboard/buy/{id}', 'Book this laptop'],
  ['/dashboard/myProducts', 'My Products', 'Seller'],
  ['/dashboard/addProduct', 'Add Product', 'Seller'],
  ['/dashboard/myBuyers', 'My Buyers', 'Seller'],
  ['/dashboard/money', 'Money', 'Seller'],
  ['/dashboard/allSellers', 'All Sellers', 'Admin'],
  ['/dashboard/allBuyers', 'All Buyers', 'Admin'],
  ['/dashboard/allOrders', 'All Orders', 'Admin'],
  ['/dashboard/inspections', 'Inspections', 'Admin'],
  ['/dashboard/complaints', 'Complaints', 'Admin'],
  ['/dashboard/reviews', 'Reviews', 'Admin'],
  ['/dashboard/settlements', 'Settlements', 'Admin'],
  ['/dashboard/reportedItems', 'Reported Items', 'Admin'],
  ['/dashboard/messages', 'Messages'],
  ['/dashboard/receipts', 'Receipts'],
  ['/dashboard/notifications', 'Notifications'],
  ['/dashboard/shopMoney', 'Shop Money', 'Admin'],
  ['/dashboard/allReceipts', 'All Receipts', 'Admin'],
  ['/dashboard/brands', 'Brands', 'Admin'],
  ['/dashboard/pages', 'Pages', 'Admin'],
  ['/dashboard/settings', 'Settings', 'Admin'],
  ['/dashboard/auditTrail', 'Audit Trail', 'Admin'],
  ['/dashboard/staff', 'Staff', 'Admin'],
  ['/dashboard/health', 'Health', 'Admin'],
];

const drawers = {
  Buyer: [
    'What waits for you',
    'My Orders',
    'My Wishlist',
    'Saved Searches',
    'Sell yours',
    'Messages',
    'Account',
  ],
  Seller: [
    'What waits for you',
    'My Products',
    'Add Product',
    'My Buyers',
    'Money',
    'Messages',
    'Account',
    'My Orders',
  ],
  Admin: [
    'What waits for you',
    'All Orders',
    'Inspections',
    'Complaints',
    'Reported Items',
    'Reviews',
    'All Sellers',
    'All Buyers',
    'Staff',
    'Shop Money',
    'Brands',
    'Pages',
    'Settings',
    'Health',
    'Audit Trail',
    'Messages',
    'Account',
    'My Orders',
  ],
} as const;

/** Values for `{id}`. */
interface Ids {
  booking: string;
  wish: string;
}
const unknown: Ids = { booking: crypto.randomUUID(), wish: crypto.randomUUID() };

function addressOf(route: string, { booking, wish }: Ids): string {
  const id = route.startsWith('/category') ? 'HP' : route.includes('/payment/') ? booking : wish;
  return route.replace('{id}', id);
}

/** Expects the page and the drawer that a guarded route shows to a role. */
async function expectRoute(page: Page, [route, heading, only]: Route, role: Role, ids: Ids) {
  await expect(page).toHaveURL(addressOf(route, ids));
  const refusal = role === 'Buyer' && only === 'Seller' ? 'Sell here, too' : 'Not for your account';
  await expect(pageHeading(page)).toHaveText(only === undefined || only === role ? heading : refusal);
  if (!route.startsWith('/dashboard')) return;
  const drawer = page.getByRole('navigation', { name: 'Dashboard' });
  // A link can have the number of what waits behind it.
  const names = drawers[role].map((name) => new RegExp(`^${name}(?:\\d+\\+? waiting)?$`));
  await expect(drawer.getByRole('link')).toHaveText(names);
}

/** Navigates in the application, as a link does. `accessibility.spec.ts` loads the document of each page. */
const navigate = (page: Page, address: string) =>
  page.evaluate((to) => Reflect.get(window, '__reactRouterDataRouter').navigate(to), address);

/** Signs in at the first guarded route and navigates to the others. */
async function visitGuardedRoutes(page: Page, email: string, role: Role, ids = unknown) {
  for (const row of guarded) {
    const [route] = row;
    await test.step(route, async () => {
      if (row === guarded[0]) {
        await page.goto(addressOf(route, ids));
        await signIn(page, email);
      } else await navigate(page, addressOf(route, ids));
      await expectRoute(page, row, role, ids);
    });
  }
}

test.describe('the routes table', () => {
  // The browser logs each 404.
  test.use({ expectedConsoleErrors: /status of 404/ });

  test('to a visitor: /, /home, /blog, /login, /register and any other path are open, and no role is requested', async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [route, heading] of open) {
      await test.step(`${route} is “${heading}”`, async () => {
        await page.goto(route);
        await expect(pageHeading(page)).toHaveText(heading);
        const login = page.getByRole('banner').getByRole('link', { name: 'Login' });
        if (route === '/login') await expect(login).toHaveCount(0);
        else await expect(login).toHaveAttribute('href', '/login');
        const main = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
        await expect(main).toHaveText(['Home', 'Laptops', 'Blog']);
        await expect(main.first()).toHaveAttribute('href', '/home');
        await expect(page.getByRole('contentinfo')).toContainText('2018');
      });
    }
    expect(asked.filter((path) => path.startsWith('/api/users/'))).toEqual([]);
    await page.getByRole('link', { name: 'Go to Homepage' }).click();
    await expect(pageHeading(page)).toHaveText(title);
  });

  test("on / the banner “Today's Great deals. Buy pre-owned laptops at cheapest price.” scrolls until it is paused", async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    const banner = page
      .getByText("Today's Great deals. Buy pre-owned laptops at cheapest price.", { exact: true })
      .nth(1);
    const place = async () => (await banner.boundingBox())?.x ?? 0;
    const before = await place();
    await expect.poll(place).toBeLessThan(before);
    await page.getByRole('checkbox', { name: 'Pause the banner' }).check();
    await expect(banner.locator('..')).toHaveCSS('animation-play-state', 'paused');
  });

  test('/login has email, password, ‘Login’, ‘Continue with Google’ and a link to /register, and that back to /login', async ({
    page,
  }) => {
    await page.goto('/login');
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('type', 'email');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Continue with Google', exact: true })).toBeEnabled();

    await page.getByRole('main').getByRole('link', { name: 'Register', exact: true }).click();
    await expect(page).toHaveURL('/register');
    for (const label of ['Name', 'Email', 'Password']) {
      await expect(page.getByLabel(label, { exact: true })).toBeEditable();
    }
    const role = page.getByLabel('Register As', { exact: true });
    await expect(role).toHaveValue('Buyer');
    await expect(role.getByRole('option')).toHaveText(['Buyer', 'Seller']);
    await expect(page.getByRole('button', { name: 'Register', exact: true })).toBeEnabled();
    await expect(page.getByRole('button', { name: 'Continue with Google', exact: true })).toBeEnabled();
    await page.getByRole('main').getByRole('link', { name: 'Login', exact: true }).click();
    await expect(page).toHaveURL('/login');
  });

  test('to a visitor: each guarded route redirects to /login, which keeps the route', async ({ page }) => {
    await page.goto(addressOf('/dashboard', unknown));
    await expect(page).toHaveURL('/login');
    for (const [route] of guarded) {
      await test.step(route, async () => {
        const address = addressOf(route, unknown);
        await navigate(page, address);
        await expect(page).toHaveURL('/login');
        await expect(pageHeading(page)).toHaveText('Login Now!');
        await expect(page.getByText(/^Log in to .+\.$/)).toBeVisible();
        // The router's history state holds the page to return to after the login. All else was there before.
        await expect.poll(() => page.evaluate(() => history.state.usr)).toEqual({ from: address });
      });
    }
  });

  test('to a buyer: each guarded route shows its page, how to sell, too, or “Not for your account”', async ({
    page,
  }) => {
    test.slow();
    const email = newEmail('bruno');
    const [name, price] = [newName('EliteBook'), amount(1149.5)];
    const productCode = await createLaptop(await createSeller(), { name, price: 1149.5 });
    const { client } = await createUser({ name: 'Bruno Buyer', email, role: 'Buyer' });
    await client.call(wish, { body: { productCode } });
    const [wished] = await client.call(listWishlist, { query: {} });
    const booked = await client.call(book, {
      body: { productCode, price, phone: '+351 900 000 000', location: 'Central Station' },
    });
    const ids = { booking: booked.insertedId ?? '', wish: wished?._id ?? '' };

    await visitGuardedRoutes(page, email, 'Buyer', ids);
    await test.step('the document of a route for others is refused, too', async () => {
      await page.goto('/dashboard/staff');
      await expect(pageHeading(page)).toHaveText('Not for your account');
    });
    await test.step('/dashboard/payment/{id} loads the booking by id', async () => {
      await page.goto(addressOf('/dashboard/payment/{id}', ids));
      await expect(
        page.getByText(`Please pay ${formatAmount(price)} for ${name}`, { exact: true }),
      ).toBeVisible();
      await expect(
        page.frameLocator('iframe[name^="__privateStripeFrame"]').first().locator('[name=cardnumber]'),
      ).toBeVisible();
      await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeVisible();
    });
    await test.step('/dashboard/buy/{id} loads the wishlist item by id: productName, price, image', async () => {
      await page.goto(addressOf('/dashboard/buy/{id}', ids));
      const shown = page.getByRole('region', { name: 'The laptop' });
      await expect(shown.getByRole('heading', { name })).toBeVisible();
      await expect(shown.getByText(formatAmount(price), { exact: true })).toBeVisible();
      await expect(shown.getByRole('img', { name })).toBeVisible();
    });
    await test.step('/category/{id} shows each product as a large card, its image 500px high', async () => {
      await page.goto('/category/HP');
      const card = page.getByRole('article').filter({ hasText: name });
      const photo = card.getByRole('img', { name: /photographed by its seller/ }).first();
      await expect(photo).toBeVisible();
      for (const width of [1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(photo, `${width} px wide`).toHaveCSS('height', '500px');
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    await test.step('the navbar of the signed-in user', async () => {
      const main = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      await expect(main).toHaveText(['Home', 'Laptops', 'Blog', 'Dashboard']);
      await expect(main.last()).toHaveAttribute('href', '/dashboard');
      const banner = page.getByRole('banner');
      await expect(banner.getByRole('link', { name: 'Login' })).toHaveCount(0);
      await expect(banner.getByRole('img', { name: 'Bruno Buyer' }).locator('svg')).toBeVisible();
      await expect(banner.getByRole('button', { name: 'Sign Out', exact: true })).toBeEnabled();
    });
  });

  test('to a seller: each guarded route shows its page or “Not for your account” for other roles', {
    tag: '@long',
  }, async ({ page }) => {
    test.slow();
    const email = newEmail('sofia');
    await createUser({ name: 'Sofia Seller', email, role: 'Seller' });
    await visitGuardedRoutes(page, email, 'Seller');
  });

  test('to an admin: each guarded route shows its page or “Not for your account” for other roles', {
    tag: '@long',
  }, async ({ page }) => {
    test.slow();
    await visitGuardedRoutes(page, 'admin@coomercio.example', 'Admin');
  });
});
