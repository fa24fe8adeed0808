import { type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { createClient } from '#contract/platform/client.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { serverContext } from '../../server-context.ts';
import { loader as robots } from './robots.ts';
import { loader as sitemap } from './sitemap.ts';
import { loader as laptops } from './sitemap-laptops.ts';
import { loader as pages } from './sitemap-pages.ts';
import { loader as sellers } from './sitemap-sellers.ts';

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

const content = (slug: string) => ({
  slug,
  title: 'A title',
  description: 'A description',
  publishedAt: '2026-11-20T10:00:00.000Z',
  changedAt: '2026-11-20T10:00:00.000Z',
});

/** The calls of the API that the shop below has received. */
const calls: string[] = [];

/** A shop with two sitemaps of laptops and one of sellers. The first has two pages. */
async function callApi(url: string): Promise<Response> {
  calls.push(url);
  const responses: Record<string, [body: unknown, next?: string]> = {
    '/api/sitemaps': [[1, 2]],
    '/api/pages': [[content('terms')]],
    '/api/posts': [[content('hello')]],
    '/api/sellerSitemaps': [[3]],
    '/api/sellerSitemaps/3': [[{ _id: id(5) }]],
    '/api/sitemaps/1': [
      [{ _id: id(1), name: 'ThinkPad X1 & more', changed: '2026-11-20' }],
      '</sitemaps/1?cursor=7>; rel="next"',
    ],
    '/api/sitemaps/1?cursor=7': [[{ _id: id(2), name: 'Latitude 7420', changed: '2026-11-21' }]],
  };
  const [body, next] = responses[url] ?? [];
  return new Response(JSON.stringify(body), next === undefined ? {} : { headers: { link: next } });
}

async function ask(
  loader: (args: LoaderFunctionArgs) => Promise<Response> | Response,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(serverContext, {
    client: createClient({ base: '/api', fetch: callApi, token: () => null }),
    origin: 'https://shop.example',
    shop: defaultShopSettings,
    nonce: 'n',
    isBuffered: false,
    report: () => undefined,
  });
  const url = new URL(path, 'https://shop.example');
  return loader({ request: new Request(url, { headers }), url, context, params: {}, pattern: path });
}

const addressesIn = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);

test('the sitemap index lists the sitemap of the pages and those of the laptops and sellers', async () => {
  const response = await ask(sitemap, '/sitemap.xml');
  expect(response.headers.get('content-type')).toContain('application/xml');
  expect(addressesIn(await response.text())).toEqual([
    'https://shop.example/sitemap-pages.xml',
    'https://shop.example/sitemap-laptops.xml?file=1',
    'https://shop.example/sitemap-laptops.xml?file=2',
    'https://shop.example/sitemap-sellers.xml?file=3',
  ]);
});

test('the sitemap of the pages lists the absolute URLs of the public pages only', async () => {
  expect(addressesIn(await (await ask(pages, '/sitemap-pages.xml')).text())).toEqual([
    'https://shop.example/',
    'https://shop.example/laptops',
    'https://shop.example/how-it-works',
    'https://shop.example/blog',
    'https://shop.example/register',
    'https://shop.example/login',
    'https://shop.example/pages/terms',
    'https://shop.example/blog/hello',
  ]);
});

test('a sitemap of laptops lists the canonical URLs of all its pages, with the day of the last change', async () => {
  const response = await ask(laptops, '/sitemap-laptops.xml?file=1');
  expect(response.headers.get('content-encoding')).toBeNull();
  const xml = await response.text();
  expect(addressesIn(xml)).toEqual([
    `https://shop.example/laptop/${id(1)}/thinkpad-x1-more`,
    `https://shop.example/laptop/${id(2)}/latitude-7420`,
  ]);
  expect(xml).toContain('latitude-7420</loc><lastmod>2026-11-21</lastmod>');
});

test('a sitemap of sellers lists their pages', async () => {
  const xml = await (await ask(sellers, '/sitemap-sellers.xml?file=3')).text();
  expect(addressesIn(xml)).toEqual([`https://shop.example/seller/${id(5)}`]);
  expect(xml).not.toContain('<lastmod>');
  expect((await ask(sellers, '/sitemap-sellers.xml?file=1')).status).toBe(404);
});

test('a sitemap of laptops is compressed, and read once for many requests', async () => {
  await ask(laptops, '/sitemap-laptops.xml?file=1');
  calls.length = 0;
  const response = await ask(laptops, '/sitemap-laptops.xml?file=1', { 'accept-encoding': 'br, gzip' });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const xml = new Response(response.body?.pipeThrough(new DecompressionStream('gzip')));
  expect(addressesIn(await xml.text())).toHaveLength(2);
  expect(calls).toEqual(['/api/sitemaps']);
});

test.each(['3', '0', 'x', ''])('there is no sitemap of laptops “%s”', async (file) => {
  expect((await ask(laptops, `/sitemap-laptops.xml?file=${file}`)).status).toBe(404);
});

test('robots.txt allows only public pages and links to the sitemap', async () => {
  const lines = (await (await ask(robots, '/robots.txt')).text()).split('\n');
  expect(lines).toEqual(expect.arrayContaining(['User-agent: *', 'Allow: /', 'Disallow: /dashboard']));
  expect(lines).toEqual(expect.arrayContaining(['Disallow: /api/', 'Disallow: /category/']));
  expect(lines).toContain('Sitemap: https://shop.example/sitemap.xml');
});
