import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { declareCacheDependencies } from '../http/cache-dependencies.ts';
import { createInProcessFetch } from '../http/in-process-fetch.ts';
import { createResponseCache } from '../http/response-cache.ts';
import { createTimeBudget } from '../http/time-budget.ts';
import { pagesPlugin } from './plugin.ts';
import { writeBuild } from './testing/build.ts';

let app: FastifyInstance;
let origin: string;
let removeBuild: () => Promise<void>;
let renderings: number;
/** The time in milliseconds. */
let clock: number;
/** Resolves when the API answers. */
let answers: Promise<void>;
/** Aborts the request for `/public/shown?page=left` once it has arrived. */
let abandoned: AbortController;
/** Resolves when the server knows that its client has left. */
let leaving: PromiseWithResolvers<void>;

beforeEach(async () => {
  [renderings, clock, answers] = [0, 0, Promise.resolve()];
  abandoned = new AbortController();
  const cache = createResponseCache();
  cache.enable(() => Promise.resolve());
  // As the shop with one trusted proxy.
  app = fastify({ trustProxy: (_address, hop) => hop < 1 });
  leaving = Promise.withResolvers();
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url !== '/public/shown?page=left') return done();
    reply.raw.once('close', () => leaving.resolve());
    done();
    abandoned.abort();
  });
  app.get('/api/shown', async () => {
    renderings += 1;
    declareCacheDependencies({ tags: ['laptop 1'], until: null });
    await answers;
    return 'HP';
  });
  app.get('/api/brands', async () => {
    renderings += 1;
    return [];
  });
  const build = await writeBuild();
  removeBuild = build.remove;
  await app.register(pagesPlugin, {
    mode: 'production',
    root: build.root,
    origin: 'http://shop.example',
    shop: () => defaultShopSettings,
    proxies: 1,
    cache,
    timeBudget: createTimeBudget(() => clock),
    callApi: createInProcessFetch(app),
    contentSecurity: { scriptSources: [], frameSources: [], connectSources: [], imageSources: [] },
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await app.close();
  await removeBuild();
});

const get = (path: string, address = '198.51.100.1', init: RequestInit = {}) =>
  fetch(`${origin}${path}`, {
    ...init,
    headers: { 'x-forwarded-for': address, 'x-forwarded-host': 'shop.example', ...init.headers },
  });

/** Requests pages that are not in the cache, one after the other, until one is refused. @returns the number of answers before */
async function flood(path: (at: number) => string, address: (at: number) => string): Promise<number> {
  for (let at = 0; at < 1_000; at += 1) {
    const response = await get(path(at), address(at));
    await response.text();
    if (response.status !== 200) return at;
  }
  throw new Error('None of a thousand pages was refused.');
}

test.each([
  ['pages that are the same for every visitor', (at: number) => `/public/shown?page=${at}`],
  ['pages of one visitor', () => '/call'],
])('one address is refused after two seconds of renderings: %s', async (_name, path) => {
  // The last one may exceed the two seconds.
  expect(await flood(path, () => '198.51.100.1')).toBe(101);
  const before = renderings;
  const refused = await get(path(1_000));
  expect(renderings).toBe(before);
  expect(refused.status).toBe(429);
  // Others are served, and the same address after a while.
  expect((await get(path(1_001), '198.51.100.2')).status).toBe(200);
  clock += Number(refused.headers.get('retry-after')) * 1_000;
  expect((await get(path(1_002))).status).toBe(200);
});

test('a page from memory costs nothing, also of an address that has used its time', async () => {
  await get('/public/shown');
  await get('/public/shown');
  await flood(
    () => '/call',
    () => '198.51.100.1',
  );
  const before = renderings;
  for (let at = 0; at < 50; at += 1) expect((await get('/public/shown')).status).toBe(200);
  expect(renderings).toBe(before);
});

test('a network cannot escape by other addresses', { tags: 'long' }, async () => {
  const answered = await flood(
    () => '/call',
    (at) => `2001:db8:1:${(at * 64).toString(16)}::1`,
  );
  // A /48 has four times the share of an address.
  expect(answered).toBe(401);
});

test('six pages are rendered at a time, and thirty of one address may wait', async () => {
  const arrived = Promise.withResolvers<void>();
  answers = arrived.promise;
  const refusedAll = Promise.withResolvers<void>();
  const refused: Response[] = [];
  const requests = Array.from({ length: 60 }, async (_, at) => {
    const response = await get(`/public/shown?page=${at}`);
    if (response.status !== 200 && refused.push(response) === 24) refusedAll.resolve();
    return response;
  });
  await refusedAll.promise;
  expect(renderings).toBe(6);
  expect(refused[0]?.status).toBe(503);
  expect(refused[0]?.headers.get('retry-after')).toBe('5');
  expect(await refused[0]?.text()).toContain('Many pages are being opened right now.');
  arrived.resolve();
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(36);
  expect(renderings).toBe(36);
});

test('a page whose client leaves while it waits is not rendered', async () => {
  const arrived = Promise.withResolvers<void>();
  answers = arrived.promise;
  const refused = Promise.withResolvers<void>();
  const first = Array.from({ length: 37 }, async (_, at) => {
    const { status } = await get(`/public/shown?page=${at}`);
    if (status === 503) refused.resolve();
  });
  // All places are taken, so the next one waits.
  await refused.promise;
  const left = get('/public/shown?page=left', '198.51.100.2', { signal: abandoned.signal });
  await expect(left).rejects.toThrow();
  await leaving.promise;
  arrived.resolve();
  await Promise.all(first);
  expect((await get('/public/shown?page=last')).status).toBe(200);
  expect(renderings).toBe(37);
});

test('robots.txt and sitemaps are neither refused to an address that has used its time nor charged to it', async () => {
  for (let at = 0; at < 110; at += 1) {
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-laptops.xml?file=1']) {
      expect((await get(path)).status).toBe(200);
    }
  }
  expect(
    await flood(
      () => '/call',
      () => '198.51.100.1',
    ),
  ).toBe(101);
  for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-pages.xml', '/sitemap-sellers.xml?file=1']) {
    expect((await get(path)).status, path).toBe(200);
  }
  expect((await get('/sitemap-of-nothing.xml')).status).toBe(429);
});

test('a refused person reads a page with what to do next, which loads nothing', async () => {
  await flood(
    () => '/call',
    () => '198.51.100.1',
  );
  const response = await get('/laptops?q=x');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  const page = await response.text();
  expect(page).toContain('<h1>Too many requests</h1>');
  expect(page).toContain('Please try again in a few seconds.');
  expect(page).not.toMatch(/<script|<link|src=/);
  const data = await get('/laptops.data?q=x');
  expect([data.status, data.headers.get('content-type')]).toEqual([429, 'text/plain; charset=utf-8']);
  expect(await data.text()).toContain('Please try again in a few seconds.');
  const head = await get('/laptops', '198.51.100.1', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([429, '']);
});

test('a page that fails is a page as well', async () => {
  const response = await get('/thrown');
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain('<h1>Something went wrong on our side</h1>');
});
