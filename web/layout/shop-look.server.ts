import { href } from 'react-router';
import { currencyOf } from '#contract/platform/currencies.ts';
import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { toVariables } from '#contract/platform/theme.ts';
import favicon from '../favicon.svg?url';

/** A published page of the shop, such as the terms. */
interface PublishedPage {
  slug: string;
  title: string;
}

interface FooterEntry {
  text: string;
  /** Empty for a text without a link; null for the way to sell, which depends on who is signed in. */
  url: string | null;
  /** Whether it may lead out of the pages of the shop. */
  reloadDocument: boolean;
}

interface FooterColumn {
  title: string;
  entries: FooterEntry[];
}

const inShop = (text: string, url: string | null): FooterEntry => ({ text, url, reloadDocument: false });
const elsewhere = (text: string, url: string): FooterEntry => ({ text, url, reloadDocument: true });
const plain = (text: string): FooterEntry => inShop(text, '');

const quickLinks: FooterColumn = {
  title: 'Quick Links',
  entries: [
    inShop('Home', href('/')),
    inShop('Laptops', href('/laptops')),
    inShop('Blog', href('/blog')),
    inShop('Dashboard', href('/dashboard')),
  ],
};

const companyEntries = ({ since }: PublicShop): FooterEntry[] => [
  inShop('How it works', href('/how-it-works')),
  inShop('Why pre-owned', `${href('/')}#why`),
  inShop('Sell with us', null),
  elsewhere('For developers', '/api/docs'),
  ...(since === null ? [] : [plain(`Founded in ${since}`)]),
];

/** Who runs the shop, and how to reach them. */
function contactEntries({ contact, legal }: PublicShop): FooterEntry[] {
  const { registerNumber, vatNumber } = legal;
  return [
    elsewhere(contact.email, `mailto:${contact.email}`),
    elsewhere(contact.phone, `tel:${contact.phone.replace(/[^+\d]/g, '')}`),
    plain(contact.address),
    plain(legal.company),
    plain(legal.address === contact.address ? '' : legal.address),
    plain(registerNumber && `Register number ${registerNumber}`),
    plain(vatNumber && `VAT number ${vatNumber}`),
  ].filter(({ text }) => text !== '');
}

function columnsOf(shop: PublicShop, pages: readonly PublishedPage[]): FooterColumn[] {
  const social = shop.social.map(({ label, url }) => elsewhere(label, url));
  const columns = [
    quickLinks,
    { title: 'Company', entries: companyEntries(shop) },
    { title: 'Social', entries: social.length > 0 ? social : [plain('We are not on social networks.')] },
    {
      title: 'Information',
      entries: pages.map(({ slug, title }) => inShop(title, href('/pages/:slug', { slug }))),
    },
    ...shop.footer.map(({ title, links }) => ({
      title,
      entries: links.map(({ label, url }) => elsewhere(label, url)),
    })),
    { title: 'Contact', entries: contactEntries(shop) },
  ];
  return columns.filter(({ entries }) => entries.length > 0);
}

/**
 * What every page shows of the settings besides name and logo. The root's loader makes it, so that browsers need no code for it.
 * @returns `terms`: for `entry.client.tsx`; `css`: the colours that are not those of a fresh shop; `touchIcon`: null for that of a fresh shop
 */
export function shopLook(shop: PublicShop, pages: readonly PublishedPage[]) {
  const { tagline, since } = shop;
  const icon = shop.icon === null ? null : shopPicturePath(shop.icon);
  const variables = Object.entries(toVariables(shop.colors)).map(([name, value]) => `${name}:${value}`);
  return {
    terms: JSON.stringify({ currency: currencyOf(shop.currency), deadlines: shop.deadlines }),
    icon: icon ?? favicon,
    touchIcon: icon,
    css: variables.length === 0 ? '' : `:root{${variables.join(';')}}`,
    about: `${tagline}, shown as they are${since === null ? '' : `, since ${since}`}. Handed over in person, or shipped for free.`,
    columns: columnsOf(shop, pages),
  };
}
