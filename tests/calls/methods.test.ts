import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIVE_PATH } from '#contract/platform/live.ts';
import { samplePicture, uploadPhoto } from '#demo/pictures.ts';
import { API_PREFIX } from '#server/platform/http/api.ts';
import { type FullShop, photoKey, startFullShop } from '#tests/harness/operations/full-shop.ts';
import type { Person } from '#tests/harness/people/person.ts';
import { type HttpResponse, sendRequest } from '#tests/harness/platform/http-request.ts';
import routes from '#web/routes.ts';

/** Seven methods of Fastify, one that only Node knows, and an unknown one. */
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'BREW'];

/** The URL patterns of all pages in a route table. */
const pagePaths = (entries: RouteConfigEntry[], parent: string): string[] =>
  entries.flatMap(({ path, index, children = [] }) => {
    const url = path === undefined ? parent : `${parent}/${path}`;
    return [...(path !== undefined || index ? [url === '' ? '/' : url] : []), ...pagePaths(children, url)];
  });

let shop: FullShop;
let buyer: Person;
let addresses: string[];

beforeAll(async () => {
  shop = await startFullShop();
  const seller = await shop.seller();
  buyer = await shop.buyer();
  const photosUrl = `${shop.origin}/photos`;
  const photo = new URL(await uploadPhoto(samplePicture, { photosUrl, photoKey, token: seller.token }));
  await shop.laptop(seller, { image: photo.href });
  const samples = (url: string) =>
    url
      .replace(':email', 'nobody@people.example')
      .replace(':_id', crypto.randomUUID())
      .replace(/:\w+|\*/, 'HP');
  const assets = shop.routes.map(({ url }) => url).filter((url) => url.startsWith('/assets/'));
  addresses = [
    ...new Set([
      ...shop.routes.filter(({ url }) => !url.startsWith('/assets/')).map(({ url }) => samples(url)),
      // The built files differ by their kind alone.
      ...new Map(assets.map((url) => [extname(url), url])).values(),
      ...pagePaths(routes, '').map(samples),
      photo.pathname,
      '/photos/none',
      '/no/such',
      '/favicon.ico',
      '/blog.data',
      '/assets/none.js',
      '/api',
      '/api/',
      '//elsewhere.example/',
    ]),
  ];
});
afterAll(() => shop.close());

/** The stream of events, which does not end while its token is valid. */
const endless = `${API_PREFIX}${LIVE_PATH}`;

const isCall = (path: string) => path.startsWith(`${API_PREFIX}/`) && path !== endless;

const sendWith = (method: string, path: string, token: string | null, body?: string) =>
  sendRequest(shop.origin, method, path, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
    fresh: method === 'BREW',
  });

/** Returns the headers that do not vary between responses. */
function stableHeaders({ headers }: HttpResponse): IncomingHttpHeaders {
  const { date: _, 'x-request-id': __, connection: ___, 'keep-alive': ____, ...others } = headers;
  const { 'transfer-encoding': _____, 'content-length': ______, ...rest } = others;
  const policy = String(rest['content-security-policy']).replace(/'nonce-[^']+'/, 'nonce');
  return { ...rest, 'content-security-policy': policy };
}

test('the tested URLs include calls, pages, assets, photos and the identity provider', () => {
  for (const part of [
    '/api/brands',
    '/assets/',
    '/photos/',
    '/identity/jwks',
    '/robots.txt',
    '/sitemap.xml',
  ]) {
    expect(
      addresses.some((address) => address.startsWith(part)),
      part,
    ).toBe(true);
  }
  for (const address of ['/', '/healthz', '/readyz', '/metrics', '/webhooks/stripe']) {
    expect(addresses).toContain(address);
  }
});

/** All addresses without a token, and those of calls, which alone read one, also with it: their cached responses differ. */
const requests = () =>
  addresses.flatMap((address) =>
    (isCall(address) ? [null, buyer.token] : [null]).map((token) => ({ address, token })),
  );

test('no method causes a server error at any address', async () => {
  const failed: string[] = [];
  for (const { address, token } of requests()) {
    const answers = methods.map(async (method) => {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined;
      const { status } = await sendWith(method, address, token, body);
      if (status < 200 || status >= 500) failed.push(`${method} ${address}: ${status}`);
    });
    await Promise.all(answers);
  }
  expect(failed).toEqual([]);
});

test('a broken address of a page leads to the page that says so, and one of a call to a problem document', async () => {
  for (const path of ['/laptop/%E0%A4%A', '/%', '/category/%zz?q=%']) {
    const page = await sendWith('GET', path, null);
    expect([page.status, page.headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8']);
  }
  const call = await sendWith('GET', '/api/brands/%zz', null);
  expect([call.status, call.headers['content-type']]).toEqual([
    400,
    'application/problem+json; charset=utf-8',
  ]);
});

test('browsers, phones and password managers find what they ask for by name', async () => {
  for (const [path, type] of [
    ['/favicon.ico', 'image/vnd.microsoft.icon'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ] as const) {
    const file = await sendWith('GET', path, null);
    expect([file.status, file.headers['content-type']], path).toEqual([200, type]);
  }
  const manifest = JSON.parse((await sendWith('GET', '/manifest.webmanifest', null)).body.toString());
  for (const { src, sizes } of manifest.icons) {
    const { body } = await sendWith('GET', src, null);
    const { width, height, format } = await sharp(body).metadata();
    expect([format, `${width}x${height}`]).toEqual(['png', sizes]);
  }
  const change = await sendWith('GET', '/.well-known/change-password', null);
  expect([change.status, change.headers.location]).toEqual([302, '/dashboard/account']);
});

test('HEAD returns the status and headers of GET without a body', async () => {
  for (const { address, token } of requests()) {
    const [get, head] = [await sendWith('GET', address, token), await sendWith('HEAD', address, token)];
    expect(head.status, address).toBe(get.status);
    expect(head.body.length, address).toBe(0);
    expect(stableHeaders(head), address).toEqual(stableHeaders(get));
    const length = head.headers['content-length'];
    // Metrics differ between requests.
    if (length !== undefined && address !== '/metrics') expect(Number(length), address).toBe(get.body.length);
  }
});
