import { href } from 'react-router';
import type { Roles } from '../session/roles.ts';

export interface DashboardLink {
  to: string;
  name: string;
  /** The role that does not see the link here, because it has the link in another group. */
  notFor?: keyof Pick<Roles, 'isBuyer'>;
  /** Other pages that are reached from it, by the first part of their paths. The first shown link that has the page counts, of a sale the last. */
  childPages?: readonly string[];
}

interface LinkGroup {
  /** Null for the links before the first heading. */
  heading: string | null;
  /** The role that sees the group; left out: everybody. */
  role?: keyof Pick<Roles, 'isBuyer' | 'isSeller' | 'isAdmin'>;
  /** The role that does not see the group, because it has another one with its heading. */
  notFor?: keyof Pick<Roles, 'isSeller'>;
  links: readonly DashboardLink[];
}

const myOrders = {
  to: href('/dashboard/myOrders'),
  name: 'My Orders',
  childPages: ['order', 'payment', 'receipts', 'receipt'],
};

/** The links of the dashboard, in the order in which they are shown. */
export const dashboardLinks: readonly LinkGroup[] = [
  { heading: null, links: [{ to: href('/dashboard'), name: 'What waits for you' }] },
  {
    heading: 'Buy',
    role: 'isBuyer',
    links: [
      myOrders,
      { to: href('/dashboard/myWishlist'), name: 'My Wishlist', childPages: ['buy'] },
      { to: href('/dashboard/savedSearches'), name: 'Saved Searches' },
    ],
  },
  {
    heading: 'Sell',
    role: 'isBuyer',
    notFor: 'isSeller',
    links: [{ to: href('/dashboard/addProduct'), name: 'Sell yours' }],
  },
  {
    heading: 'Sell',
    role: 'isSeller',
    links: [
      { to: href('/dashboard/myProducts'), name: 'My Products', childPages: ['editProduct', 'measure'] },
      { to: href('/dashboard/addProduct'), name: 'Add Product' },
      { to: href('/dashboard/myBuyers'), name: 'My Buyers', childPages: ['order'] },
      { to: href('/dashboard/money'), name: 'Money', childPages: ['statement', 'receipts', 'receipt'] },
    ],
  },
  {
    heading: 'Decide',
    role: 'isAdmin',
    links: [
      { to: href('/dashboard/inspections'), name: 'Inspections' },
      { to: href('/dashboard/complaints'), name: 'Complaints', childPages: ['order'] },
      { to: href('/dashboard/reportedItems'), name: 'Reported Items' },
      { to: href('/dashboard/reviews'), name: 'Reviews' },
    ],
  },
  {
    heading: 'People',
    role: 'isAdmin',
    links: [
      { to: href('/dashboard/allSellers'), name: 'All Sellers' },
      { to: href('/dashboard/allBuyers'), name: 'All Buyers' },
    ],
  },
  {
    heading: 'Shop',
    role: 'isAdmin',
    links: [
      {
        to: href('/dashboard/shopMoney'),
        name: 'Shop Money',
        childPages: ['settlements', 'allReceipts', 'receipt'],
      },
      { to: href('/dashboard/brands'), name: 'Brands' },
      { to: href('/dashboard/pages/:id?'), name: 'Pages' },
      { to: href('/dashboard/settings'), name: 'Settings', childPages: ['firstSteps'] },
      { to: href('/dashboard/health'), name: 'Health' },
      { to: href('/dashboard/auditTrail'), name: 'Audit Trail' },
    ],
  },
  {
    heading: 'You',
    links: [
      { to: href('/dashboard/messages/:id?'), name: 'Messages' },
      { to: href('/dashboard/account'), name: 'Account', childPages: ['notifications'] },
      { ...myOrders, notFor: 'isBuyer' },
    ],
  },
];
