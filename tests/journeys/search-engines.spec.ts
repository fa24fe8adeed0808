import type { APIRequestContext } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { currency } from './amounts.ts';
import { fetchHtml, readStructuredData } from './public-pages.ts';

test('each public page has a title, a description, a canonical link and Open Graph tags', async ({
  request,
  baseURL,
}) => {
  const pages = [
    ['/', '/', 'Coomercio · Certified pre-owned laptops'],
    ['/home', '/', 'Coomercio · Certified pre-owned laptops'],
    ['/blog', '/blog', 'Blog · Coomercio'],
    ['/login', '/login', 'Login · Coomercio'],
    ['/register', '/register', 'Register · Coomercio'],
  ] as const;
  for (const [path, canonical, title] of pages) {
    const html = await fetchHtml(request, path);
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toContain(`<link rel="canonical" href="${baseURL}${canonical}"/>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,180}"/);
    for (const property of ['title', 'description', 'url', 'image', 'image:alt', 'type']) {
      expect(html, `${path} og:${property}`).toMatch(
        new RegExp(`<meta property="og:${property}" content="[^"]+"`),
      );
    }
  }
});

/** The addresses in a sitemap or in a sitemap index. */
async function readAddresses(request: APIRequestContext, path: string): Promise<string[]> {
  const xml = await fetchHtml(request, path);
  return [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);
}

test('every page of the sitemaps exists and has its own canonical link; robots.txt names the index', async ({
  request,
  baseURL,
}) => {
  const robots = await fetchHtml(request, '/robots.txt');
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  expect(robots).toContain('Disallow: /dashboard');
  const [pages = '', laptops = '', sellers = ''] = await readAddresses(request, '/sitemap.xml');
  const pageAddresses = await readAddresses(request, pages);
  expect(pageAddresses).toContain(`${baseURL}/blog`);
  const laptopAddresses = await readAddresses(request, laptops);
  expect(laptopAddresses.length).toBeGreaterThanOrEqual(20);
  const sellerAddresses = await readAddresses(request, sellers);
  expect(sellerAddresses.length).toBeGreaterThanOrEqual(6);
  // The oldest laptops and sellers are of the demo data, so no test withdraws them.
  for (const address of [...pageAddresses, ...laptopAddresses.slice(0, 3), ...sellerAddresses.slice(0, 3)]) {
    expect(await fetchHtml(request, address)).toContain(`<link rel="canonical" href="${address}"/>`);
  }
});

test('personal pages are not indexed and not in the sitemap', async ({ request }) => {
  const sitemap = await fetchHtml(request, '/sitemap-pages.xml');
  for (const path of ['/reset-password', '/verify-email', '/dashboard/myOrders', '/category/HP']) {
    expect(await fetchHtml(request, path), path).toContain('<meta name="robots" content="noindex"/>');
    expect(sitemap).not.toContain(path);
  }
});

test('structured data describes advertised laptops as offers of used products', async ({ page, baseURL }) => {
  await page.goto('/');
  const advertised = page.getByRole('region', { name: 'Advertise Laptops' });
  const names = await advertised.getByRole('heading', { level: 3 }).allTextContents();
  const [who, list] = await readStructuredData(page);
  expect(who).toMatchObject({ '@graph': [{ '@type': 'Organization' }, { '@type': 'WebSite' }] });
  expect(list).toMatchObject({
    '@type': 'ItemList',
    itemListElement: names.map((name) => ({
      item: {
        '@type': 'Product',
        name,
        url: expect.stringMatching(new RegExp(`^${baseURL}/laptop/[0-9a-f-]{36}/[a-z0-9-]+$`)),
        offers: {
          priceCurrency: currency.code,
          price: expect.stringMatching(currency.smallestAmount === 100 ? /^\d+$/ : /^\d+\.\d\d$/),
          itemCondition: 'https://schema.org/UsedCondition',
          availability: 'https://schema.org/InStock',
        },
      },
    })),
  });
});
