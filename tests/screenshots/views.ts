import type { Page } from '@playwright/test';
import { demoAdmin, demoBuyer, demoSellers } from '#demo/accounts.ts';
import { type ShopActivity, waitForEmailHtml } from './shop-activity.ts';

/** Who looks at a view. */
export const people = {
  visitor: null,
  buyer: demoBuyer.email,
  seller: demoSellers[0].email,
  admin: demoAdmin.email,
} as const;
export type PersonName = keyof typeof people;

/** Where the views are. */
export interface Scene extends ShopActivity {
  origin: string;
  /** The mail catcher's. */
  mailUrl: string;
}

export interface View {
  /** Begins the names of its files. */
  name: string;
  title: string;
  as: PersonName;
  /** Brings a page to where it can be photographed. */
  open(page: Page, scene: Scene): Promise<void>;
  /** Only what stands in the window, as where a dialog covers it. */
  window?: true;
}

const at =
  (path: string, ready: (page: Page) => Promise<unknown>): View['open'] =>
  async (page, { origin }) => {
    await page.goto(`${origin}${path}`);
    await ready(page);
  };

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const row = (page: Page) => page.getByRole('row').nth(1).waitFor();

/** Everything that is photographed, in the order of the contact sheet. */
export const views: readonly View[] = [
  { name: 'home', title: 'Home', as: 'visitor', open: at('/', heading) },
  { name: 'blog', title: 'Blog', as: 'visitor', open: at('/blog', heading) },
  { name: 'login', title: 'Login', as: 'visitor', open: at('/login', heading) },
  { name: 'register', title: 'Register', as: 'visitor', open: at('/register', heading) },
  {
    name: 'category',
    title: 'A brand, large cards',
    as: 'buyer',
    open: at('/category/HP', (page) => page.getByRole('article').first().waitFor()),
  },
  {
    name: 'booking',
    title: 'The booking dialog',
    as: 'buyer',
    window: true,
    async open(page, { origin, unbooked }) {
      await page.goto(`${origin}/category/${unbooked.category_Id}?book=${unbooked._id}`);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'category-grid',
    title: 'A brand, compact grid',
    as: 'buyer',
    async open(page, { origin }) {
      await page.goto(`${origin}/category/HP`);
      // Remembered by the browser, so the views of the large cards come before this one.
      await page.getByText('Compact grid').click();
      await page.getByRole('article').first().waitFor();
    },
  },
  {
    name: 'payment',
    title: 'Payment',
    as: 'buyer',
    async open(page, { origin, unpaidBooking }) {
      await page.goto(`${origin}/dashboard/payment/${unpaidBooking}`);
      await page.frameLocator('iframe').first().locator('[name=cardnumber]').waitFor();
    },
  },
  { name: 'orders', title: 'My Orders', as: 'buyer', open: at('/dashboard/myOrders', row) },
  { name: 'wishlist', title: 'My Wishlist', as: 'buyer', open: at('/dashboard/myWishlist', row) },
  { name: 'products', title: 'My Products', as: 'seller', open: at('/dashboard/myProducts', row) },
  { name: 'add-product', title: 'Add Product', as: 'seller', open: at('/dashboard/addProduct', heading) },
  { name: 'sellers', title: 'All Sellers', as: 'admin', open: at('/dashboard/allSellers', row) },
  {
    name: 'reported-items',
    title: 'Reported Items',
    as: 'admin',
    open: at('/dashboard/reportedItems', (page) => page.getByRole('article').first().waitFor()),
  },
  {
    name: 'mail',
    title: 'A mail: paid',
    as: 'visitor',
    async open(page, { mailUrl }) {
      // In a page of its own: the mail catcher lets no script run beside a letter, not even the camera's.
      await page.setContent(await waitForEmailHtml(mailUrl, demoBuyer.email, /^You have paid for/));
    },
  },
];
