import { href } from 'react-router';
import { hasRight, type RequiredRights } from '#contract/platform/staff-rights.ts';
import type { Roles } from '../session/roles.ts';

export interface DashboardLink {
  to: string;
  name: string;
  /** Of a page for admins and of those that are reached from it: the rights of which it needs one. */
  rights?: RequiredRights;
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
      {
        to: href('/dashboard/allOrders'),
        name: 'All Orders',
        rights: ['complaints', 'money'],
        childPages: ['order'],
      },
      { to: href('/dashboard/inspections'), name: 'Inspections', rights: ['inspections'] },
      { to: href('/dashboard/complaints'), name: 'Complaints', rights: ['complaints', 'money'] },
      { to: href('/dashboard/reportedItems'), name: 'Reported Items', rights: ['complaints'] },
      { to: href('/dashboard/reviews'), name: 'Reviews', rights: ['complaints'] },
    ],
  },
  {
    heading: 'People',
    role: 'isAdmin',
    links: [
      { to: href('/dashboard/allSellers'), name: 'All Sellers', rights: ['people'] },
      { to: href('/dashboard/allBuyers'), name: 'All Buyers', rights: ['people'] },
      { to: href('/dashboard/staff'), name: 'Staff', rights: ['owner'] },
    ],
  },
  {
    heading: 'Shop',
    role: 'isAdmin',
    links: [
      {
        to: href('/dashboard/shopMoney'),
        name: 'Shop Money',
        rights: ['money'],
        childPages: ['settlements', 'allReceipts', 'receipt'],
      },
      { to: href('/dashboard/brands'), name: 'Brands', rights: ['settings'] },
      { to: href('/dashboard/pages/:id?'), name: 'Pages', rights: ['settings'] },
      {
        to: href('/dashboard/settings'),
        name: 'Settings',
        rights: ['settings'],
        childPages: ['firstSteps'],
      },
      { to: href('/dashboard/health'), name: 'Health', rights: ['settings', 'money'] },
      { to: href('/dashboard/auditTrail'), name: 'Audit Trail', rights: ['money'] },
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

/** The page of a path: its part after `/dashboard/`. */
export const pageOf = (path: string): string => path.split('/')[2] ?? '';

/** The rights of which an admin needs one for a page, by its path; those of an owner for an unknown page. */
export function rightsFor(path: string): RequiredRights {
  const links = dashboardLinks.flatMap((group) => group.links.filter(({ rights }) => rights !== undefined));
  const page = pageOf(path);
  const link =
    links.find(({ to }) => pageOf(to) === page) ?? links.find(({ childPages }) => childPages?.includes(page));
  return link?.rights ?? ['owner'];
}

/** Whether an admin may open a page. */
export const mayOpen = ({ rights }: Pick<Roles, 'rights'>, path: string): boolean =>
  rights !== undefined && hasRight(rights, rightsFor(path));
