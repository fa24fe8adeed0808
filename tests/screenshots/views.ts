import type { Page } from '@playwright/test';
import { demoAdmin, demoBuyer, demoSellers } from '#demo/accounts.ts';
import { type ShopActivity, waitForEmailHtml } from './shop-activity.ts';

/** Email addresses of the accounts that views are shown to; null for a visitor. */
export const accounts = {
  visitor: null,
  buyer: demoBuyer.email,
  seller: demoSellers[0].email,
  admin: demoAdmin.email,
} as const;
export type AccountName = keyof typeof accounts;

/** A demo shop with activity. */
export interface DemoShop extends ShopActivity {
  origin: string;
  /** URL of the mail catcher. */
  mailUrl: string;
}

export interface View {
  /** Prefix of its file names. */
  name: string;
  title: string;
  account: AccountName;
  /** Opens the view on a page and waits until it can be captured. */
  open(page: Page, scene: DemoShop): Promise<void>;
  /** Captures only the viewport, for dialogs. */
  viewportOnly?: true;
}

const openPath =
  (path: string, ready: (page: Page) => Promise<unknown>): View['open'] =>
  async (page, { origin }) => {
    await page.goto(`${origin}${path}`);
    await ready(page);
  };

const waitForHeading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const waitForRow = (page: Page) => page.getByRole('row').nth(1).waitFor();

/** Opens the page of an inspected laptop. */
const openInspectedLaptop: View['open'] = async (page, { origin }) => {
  await page.goto(`${origin}/laptops?level=inspected_hand&level=inspected_photos`);
  await page.locator('main a[href^="/laptop/"]:not([rel])').first().click();
  await page.getByRole('link', { name: /certificate/i }).waitFor();
};

/** All views, in the order of the contact sheet. */
export const views: readonly View[] = [
  {
    name: 'home',
    title: 'Home',
    account: 'visitor',
    // The button appears when the scripts have run.
    open: openPath('/', (page) => page.getByRole('link', { name: 'Login' }).waitFor()),
  },
  {
    name: 'search',
    title: 'Search',
    account: 'visitor',
    open: openPath('/laptops?memory=16', (page) => page.getByRole('link', { name: 'Login' }).waitFor()),
  },
  { name: 'laptop', title: 'An inspected laptop', account: 'visitor', open: openInspectedLaptop },
  {
    name: 'certificate',
    title: 'Its certificate',
    account: 'visitor',
    async open(page, scene) {
      await openInspectedLaptop(page, scene);
      const path = await page.locator('main a[href^="/c/"]').first().getAttribute('href');
      await page.goto(`${scene.origin}${path}`);
      await waitForHeading(page);
    },
  },
  { name: 'blog', title: 'Blog', account: 'visitor', open: openPath('/blog', waitForHeading) },
  {
    name: 'how-it-works',
    title: 'How it works',
    account: 'visitor',
    open: openPath('/how-it-works', waitForHeading),
  },
  { name: 'login', title: 'Login', account: 'visitor', open: openPath('/login', waitForHeading) },
  { name: 'register', title: 'Register', account: 'visitor', open: openPath('/register', waitForHeading) },
  {
    name: 'category',
    title: 'A brand, large cards',
    account: 'buyer',
    open: openPath('/category/HP', (page) => page.getByRole('article').first().waitFor()),
  },
  {
    name: 'booking',
    title: 'The booking dialog',
    account: 'buyer',
    viewportOnly: true,
    async open(page, { origin, unbooked }) {
      await page.goto(`${origin}/category/${unbooked.category_Id}?book=${unbooked._id}`);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'payment',
    title: 'Payment',
    account: 'buyer',
    async open(page, { origin, unpaidBooking }) {
      await page.goto(`${origin}/dashboard/payment/${unpaidBooking}`);
      await page.frameLocator('iframe').first().locator('[name=cardnumber]').waitFor();
    },
  },
  {
    name: 'bell',
    title: 'Bell, opened',
    account: 'seller',
    open: async (page, { origin }) => {
      await page.goto(`${origin}/`);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page
        .getByRole('region', { name: 'Newest notifications' })
        .getByRole('listitem')
        .first()
        .waitFor();
    },
    viewportOnly: true,
  },
  {
    name: 'notifications',
    title: 'Notifications and their settings',
    account: 'seller',
    open: openPath('/dashboard/notifications', (page) =>
      page.getByRole('heading', { name: 'This browser' }).waitFor(),
    ),
  },
  {
    name: 'messages',
    title: 'Messages',
    account: 'seller',
    open: openPath('/dashboard/messages', (page) =>
      page.getByRole('list', { name: 'Conversations' }).waitFor(),
    ),
  },
  {
    name: 'conversation',
    title: 'A conversation with a meeting',
    account: 'buyer',
    viewportOnly: true,
    async open(page, { origin }) {
      await page.goto(`${origin}/dashboard/messages`);
      await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
      await page.getByRole('log').getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'seller',
    title: 'A seller’s page',
    account: 'visitor',
    async open(page, { origin, seller }) {
      await page.goto(`${origin}/seller/${seller}`);
      await page.getByRole('region', { name: 'Reviews' }).getByRole('article').first().waitFor();
    },
  },
  {
    name: 'report-review',
    title: 'Reporting a review',
    account: 'buyer',
    viewportOnly: true,
    async open(page, { origin, seller }) {
      await page.goto(`${origin}/seller/${seller}`);
      await page
        .getByRole('link', { name: /^Report the review/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'reviews',
    title: 'The reviews of an order',
    account: 'buyer',
    async open(page, { origin, reviewedOrder }) {
      await page.goto(`${origin}/dashboard/order/${reviewedOrder}`);
      await page
        .getByRole('region', { name: 'Reviews', exact: true })
        .getByRole('listitem')
        .first()
        .waitFor();
    },
  },
  { name: 'orders', title: 'My Orders', account: 'buyer', open: openPath('/dashboard/myOrders', waitForRow) },
  {
    name: 'order',
    title: 'An order',
    account: 'buyer',
    async open(page, { origin }) {
      await page.goto(`${origin}/dashboard/myOrders`);
      await page
        .getByRole('link', { name: /^(Show the code|See the order|Review \S+): / })
        .first()
        .click();
      await page.getByRole('heading', { name: 'The money' }).waitFor();
    },
  },
  {
    name: 'what-to-check',
    title: 'An order before the meeting, of a measured laptop',
    account: 'buyer',
    async open(page, { origin, measuredOrder }) {
      await page.goto(`${origin}/dashboard/order/${measuredOrder}`);
      await page.getByRole('heading', { name: 'Serial number' }).waitFor();
      await page.getByText('How to have it measured again').click();
    },
  },
  {
    name: 'wishlist',
    title: 'My Wishlist',
    account: 'buyer',
    open: openPath('/dashboard/myWishlist', waitForRow),
  },
  {
    name: 'products',
    title: 'My Products',
    account: 'seller',
    open: openPath('/dashboard/myProducts', waitForRow),
  },
  {
    name: 'add-product',
    title: 'Add Product',
    account: 'seller',
    open: openPath('/dashboard/addProduct', waitForHeading),
  },
  {
    name: 'measure',
    title: 'The measurement of a laptop',
    account: 'seller',
    async open(page, { origin }) {
      await page.goto(`${origin}/dashboard/myProducts`);
      await page
        .getByRole('row')
        .filter({ hasText: /Measured, / })
        .getByRole('link', { name: /^Measure / })
        .first()
        .click();
      await page.getByRole('heading', { name: 'What was measured' }).waitFor();
      await page.getByRole('button', { name: 'Get a code' }).click();
      await page.getByRole('link', { name: 'Read the script' }).waitFor();
    },
  },
  {
    name: 'check',
    title: 'The tests in the laptop’s browser',
    account: 'visitor',
    open: openPath('/check', waitForHeading),
  },
  {
    name: 'money',
    title: 'Money',
    account: 'seller',
    open: openPath('/dashboard/money', (page) => page.getByRole('heading', { name: 'Sales' }).waitFor()),
  },
  {
    name: 'shop-money',
    title: 'Shop Money',
    account: 'admin',
    open: openPath('/dashboard/shopMoney', waitForRow),
  },
  {
    name: 'health',
    title: 'Health',
    account: 'admin',
    open: openPath('/dashboard/health', (page) => page.getByRole('heading', { name: 'Database' }).waitFor()),
  },
  {
    name: 'inspections',
    title: 'Inspections',
    account: 'admin',
    open: openPath('/dashboard/inspections', waitForRow),
  },
  {
    name: 'inspection',
    title: 'The inspection of a laptop, from photos',
    account: 'admin',
    async open(page, { origin }) {
      await page.goto(`${origin}/dashboard/inspections`);
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByRole('radio', { name: 'From photos' }).check();
      await page.getByRole('heading', { name: 'After an approval, buyers read' }).waitFor();
    },
  },
  {
    name: 'settlements',
    title: 'Settlements',
    account: 'admin',
    open: openPath('/dashboard/settlements', waitForRow),
  },
  {
    name: 'all-receipts',
    title: 'All Receipts',
    account: 'admin',
    open: openPath('/dashboard/allReceipts', waitForRow),
  },
  {
    name: 'sellers',
    title: 'All Sellers',
    account: 'admin',
    open: openPath('/dashboard/allSellers', waitForRow),
  },
  {
    name: 'reported-items',
    title: 'Reported Items',
    account: 'admin',
    open: openPath('/dashboard/reportedItems', (page) => page.getByRole('article').first().waitFor()),
  },
  {
    name: 'all-reviews',
    title: 'Reviews, for admins',
    account: 'admin',
    open: openPath('/dashboard/reviews', (page) => page.getByRole('article').first().waitFor()),
  },
  {
    name: 'mail',
    title: 'Email: payment received',
    account: 'visitor',
    async open(page, { mailUrl }) {
      // In a separate document: the mail catcher's content security policy blocks the scripts that the capture needs.
      await page.setContent(await waitForEmailHtml(mailUrl, demoBuyer.email, /^You have paid for/));
    },
  },
];
