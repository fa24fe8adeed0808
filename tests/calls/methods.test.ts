import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadPhoto } from '#demo/photo-upload.ts';
import { anyPicture } from '#demo/pictures.ts';
import { type FullShop, photoKey, startFullShop } from '#tests/harness/full-shop.ts';
import { type HttpResponse, sendRequest } from '#tests/harness/http-request.ts';
import type { Person } from '#tests/harness/person.ts';
import { paths } from '#web/links.ts';

/** Fastify serves the first seven, Node also knows the eighth, and nobody knows the last. */
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'BREW'];

let shop: FullShop;
let buyer: Person;
let addresses: string[];

beforeAll(async () => {
  shop = await startFullShop();
  const seller = await shop.seller();
  buyer = await shop.buyer();
  const photosUrl = `${shop.origin}/photos`;
  const photo = new URL(await uploadPhoto(anyPicture, { photosUrl, photoKey, token: seller.token }));
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
      ...Object.values(paths).map(samples),
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
}, 60_000);
afterAll(() => shop.close());

/** Asks as nobody, or with a token of the shop. */
const askWith = (method: string, path: string, token: string | null, body?: string) =>
  sendRequest(shop.origin, method, path, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
    fresh: method === 'BREW',
  });

/** The headers that say something about what is at the address, without what differs from answer to answer. */
function lasting({ headers }: HttpResponse): IncomingHttpHeaders {
  const { date: _, 'x-request-id': __, connection: ___, 'keep-alive': ____, ...others } = headers;
  const { 'transfer-encoding': _____, 'content-length': ______, ...rest } = others;
  const policy = String(rest['content-security-policy']).replace(/'nonce-[^']+'/, 'nonce');
  return { ...rest, 'content-security-policy': policy };
}

test('the addresses are those of the calls, the pages, their files, the photos and the identity provider', () => {
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

test('no method fails at any address', async () => {
  const failed: string[] = [];
  for (const address of addresses) {
    const answers = methods.flatMap((method) =>
      [null, buyer.token].map(async (token) => {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined;
        const { status } = await askWith(method, address, token, body);
        if (status < 200 || status >= 500) failed.push(`${method} ${address}: ${status}`);
      }),
    );
    await Promise.all(answers);
  }
  expect(failed).toEqual([]);
}, 60_000);

test('HEAD answers what GET answers, without a body', async () => {
  for (const address of addresses) {
    for (const token of [null, buyer.token]) {
      const [get, head] = [await askWith('GET', address, token), await askWith('HEAD', address, token)];
      expect(head.status, address).toBe(get.status);
      expect(head.body.length, address).toBe(0);
      expect(lasting(head), address).toEqual(lasting(get));
      const length = head.headers['content-length'];
      // What is measured while it is asked for is never twice the same.
      if (length !== undefined && address !== '/metrics')
        expect(Number(length), address).toBe(get.body.length);
    }
  }
}, 60_000);
