import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exportAccounts, listReceipts, readReceipt } from '#contract/money/accounting.ts';
import { listContent, publishContent } from '#contract/operations/content.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { emailKinds, renderTemplate } from '#identity/mail/templates.ts';
import { toEmailShop } from '#server/people/email-shop.ts';
import { type FullShop, startFullShop } from '#tests/harness/operations/full-shop.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

/** The name of a fresh shop. Keys of browsers’ storage and names of calls have it in lower case. */
const formerName = /\bCoomercio\b/;

const settings: Partial<ShopSettings> = {
  name: 'Zweite Hand',
  tagline: 'Laptops of careful owners',
  currency: 'EUR',
  since: 2024,
  colors: { link: { light: '#0b5394', dark: '#9fc5e8' }, primary: { light: '#38b6a0', dark: '#38b6a0' } },
  legal: {
    ...{ company: 'Zweite Hand GmbH', address: 'Ring 1, Wien' },
    ...{ registerNumber: 'FN 1', vatNumber: 'ATU1' },
  },
  contact: { email: 'hallo@shop.example', phone: '+43 1 2345', address: '' },
  footer: [{ title: 'Terms', links: [{ label: 'Returns', url: '/blog' }] }],
  social: [{ label: 'Fediverse', url: 'https://social.example/@zweite' }],
};

let shop: FullShop;
let sale: Sale;
let listed: string;
beforeAll(async () => {
  shop = await startFullShop({ settings });
  sale = await sellLaptop(shop);
  listed = await shop.laptop(sale.seller, { name: 'ThinkPad T14' });
});
afterAll(() => shop.close());

const textOf = async (path: string) => (await fetch(shop.origin + path)).text();

/** Publishes the terms that come with a fresh shop. */
async function publishTerms() {
  const { client } = await shop.admin();
  const terms = (await client.call(listContent, {})).find(({ slug }) => slug === 'terms');
  await client.call(publishContent, { params: { _id: terms?._id ?? '' }, body: { version: 1 } });
}

test('no public page names the former shop, and each names the present one', async () => {
  await publishTerms();
  const paths = [
    ...[
      '/',
      '/home',
      '/how-it-works',
      '/pages/terms',
      '/blog',
      '/laptops',
      '/laptops?words=thinkpad',
      '/laptops/compare',
      '/verify',
    ],
    ...['/login', '/register', '/reset-password', '/verify-email', '/account-deleted', '/category/HP'],
    ...['/unsubscribe/none', '/dashboard', '/nothing', '/check', `/c/${listed}`, `/laptop/${listed}`],
    ...[`/laptop/${crypto.randomUUID()}`, `/seller/${sale.seller.userId}`, '/api/docs'],
    ...['/api/docs/openapi.json', '/manifest.webmanifest', '/api/settings'],
  ];
  for (const path of paths) {
    const text = await textOf(path);
    expect(text, path).not.toMatch(formerName);
    expect(text, path).toContain('Zweite Hand');
  }
  const howItWorks = await textOf('/how-it-works');
  expect(howItWorks).toContain('Zweite Hand GmbH');
  expect(howItWorks).toContain('FN 1');
  expect(await textOf('/pages/terms')).toContain('Zweite Hand is run by Zweite Hand GmbH, Ring 1, Wien');
  for (const path of ['/sitemap.xml', '/robots.txt', '/favicon.ico']) {
    expect(await textOf(path), path).not.toMatch(formerName);
  }
});

test('no script that browsers load names the former shop', async () => {
  const root = join(import.meta.dirname, '../..');
  const found: string[] = [];
  for await (const file of glob('build/client/**/*.{js,svg,webmanifest,html,css}', { cwd: root })) {
    if (formerName.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  }
  expect(found).toEqual([]);
});

test('the pages have the colours, the identity and the links of the settings', async () => {
  const home = await textOf('/');
  expect(home).toContain('<title>Zweite Hand · Laptops of careful owners</title>');
  expect(home).toContain('--link:light-dark(#0b5394, #9fc5e8);--primary:#38b6a0');
  for (const text of ['"legalName":"Zweite Hand GmbH"', '"foundingDate":"2024"', 'Founded in', 'ATU1']) {
    expect(home).toContain(text);
  }
  expect(home).toContain('href="https://social.example/@zweite"');
  expect(home).toContain('hallo@shop.example');
  expect(await textOf('/api/docs')).toContain('--primary:#38b6a0');
});

test('emails and receipts state the shop', async () => {
  await vi.waitFor(() => expect(shop.mails.length).toBeGreaterThan(1), { timeout: 20_000 });
  for (const { fromName, text, html } of shop.mails) {
    expect(fromName).toBe('Zweite Hand');
    expect(text + html).not.toMatch(formerName);
    expect(text + html).not.toMatch(/\$\d/);
    expect(text).toContain(
      'Zweite Hand: Laptops of careful owners, since 2024\nZweite Hand GmbH, Ring 1, Wien',
    );
    expect(html).toContain('background:#38b6a0');
  }
  const [receipt] = await sale.buyer.client.call(listReceipts, { query: {} });
  const whole = await sale.buyer.client.call(readReceipt, { params: { number: receipt?.number ?? '' } });
  const { issuer, currency } = whole;
  expect(currency).toBe('EUR');
  expect(issuer).toEqual({
    ...{ name: 'Zweite Hand', legalName: 'Zweite Hand GmbH', address: 'Ring 1, Wien' },
    ...{ registerNumber: 'FN 1', taxId: 'ATU1' },
  });
  const { client } = await shop.admin();
  const day = new Date().toISOString().slice(0, 10);
  const { lines } = await client.call(exportAccounts, {
    params: { file: 'receipts' },
    query: { from: day, until: day },
  });
  expect(lines.length).toBeGreaterThan(1);
  expect(JSON.stringify([whole, lines])).not.toMatch(formerName);
});

test('what a seller reads while a laptop measures itself has no former name', async () => {
  const root = join(import.meta.dirname, '../../inspect');
  for await (const file of glob('*.{sh,ps1}', { cwd: root })) {
    expect(await readFile(join(root, file), 'utf8'), file).not.toMatch(/coomercio/i);
  }
});

test.each(emailKinds)('the email of sign-in %s names the shop', (kind) => {
  const of = toEmailShop({ ...defaultShopSettings, ...settings });
  const { text, html, fromName } = renderTemplate({
    ...{ kind, to: 'ann@people.example', token: null },
    ...{ shopOrigin: 'https://shop.example', shop: of },
  });
  expect(fromName).toBe('Zweite Hand');
  expect(text + html).not.toMatch(formerName);
  expect(text).toContain('Zweite Hand');
});
