import { brotliDecompressSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { declareCacheDependencies } from '../http/cache-dependencies.ts';
import { createInProcessFetch } from '../http/in-process-fetch.ts';
import { createResponseCache, type ResponseCache } from '../http/response-cache.ts';
import { unlimitedTime } from '../http/time-budget.ts';
import { pagesPlugin } from './plugin.ts';
import { writeBuild } from './testing/build.ts';

let app: FastifyInstance;
let cache: ResponseCache;
let removeBuild: () => Promise<void>;
/** How often the API was called, which is once per rendering. */
let calls: number;
/** What the API answers. */
let text: string;

beforeEach(async () => {
  [calls, text] = [0, 'HP'];
  cache = createResponseCache();
  cache.enable(() => Promise.resolve());
  app = fastify();
  app.get('/api/shown', () => {
    calls += 1;
    declareCacheDependencies({ tags: ['laptop 1'], until: null });
    return text;
  });
  app.get('/api/undeclared', () => {
    calls += 1;
    return text;
  });
  app.get('/api/refused', (_request, reply) => {
    calls += 1;
    declareCacheDependencies({ tags: [], until: null });
    return reply.code(503).send(text);
  });
  const build = await writeBuild();
  removeBuild = build.remove;
  await app.register(pagesPlugin, {
    mode: 'production',
    root: build.root,
    origin: 'https://shop.example',
    shop: () => defaultShopSettings,
    proxies: 1,
    timeBudget: unlimitedTime,
    cache,
    callApi: createInProcessFetch(app),
    contentSecurity: { scriptSources: [], frameSources: [], connectSources: [], imageSources: [] },
  });
});
afterEach(async () => {
  await app.close();
  await removeBuild();
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

/** Requests a page three times. @returns how often it was rendered */
async function renderings(...urls: string[]): Promise<number> {
  const before = calls;
  for (const url of urls) await get(url);
  return calls - before;
}

describe('a page that is the same for every visitor', () => {
  test('is rendered again only after a change of what it shows', async () => {
    expect(await renderings('/public/shown', '/public/shown', '/public/shown', '/public/shown')).toBe(2);
    cache.forgetNotified(['["laptop 2"]']);
    expect(await renderings('/public/shown')).toBe(0);
    text = 'Dell';
    cache.forgetNotified(['["laptop 1"]']);
    expect((await get('/public/shown')).body).toContain('<p>Dell</p>');
    expect(await renderings('/public/shown')).toBe(0);
  });

  test('is rendered for each request while changes may be missed', async () => {
    cache.disable();
    expect(await renderings('/public/shown', '/public/shown', '/public/shown')).toBe(3);
  });

  test('is the same page under every URL with the same parameters', async () => {
    await get('/public/shown');
    expect(await renderings('/public/shown?utm_source=x', '/public/shown?a=1&b=2', '/public/shown?')).toBe(1);
    expect((await get('/public/shown?utm_source=x')).body).not.toContain('utm_source');
    expect((await get('/public/shown?page=2')).body).toContain('?page=2');
  });

  test.each(['/public/undeclared', '/public/refused', '/public/broken'])(
    '%s, with a section that failed or that nobody can tell to be stale, is not kept',
    async (path) => {
      expect(await renderings(path, path, path)).toBe(3);
      expect(cache.size().entries).toBe(0);
    },
  );

  test('that a loader cannot make without the database is unavailable for now, and no failure of its own', async () => {
    for (const path of ['/public/thrown', '/public/thrown?utm_source=x']) {
      const page = await get(path);
      expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5']);
      expect(page.body).toContain('cannot reach its records');
    }
    expect(cache.size().entries).toBe(0);
  });

  test('allows its own inline scripts by their hashes, the same for everybody, and no other', async () => {
    const [first, second] = [await get('/public/shown'), await get('/public/shown')];
    const policy = String(first.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' 'sha256-qSrpYVYA9/C8sO35cDs3nBY77zPtdJrkDEiggw1Ktq4=';");
    expect(second.headers['content-security-policy']).toBe(policy);
    expect(first.body).not.toContain('nonce');
    expect(second.body).toBe(first.body);
  });

  test('is compressed as the client accepts', async () => {
    const plain = await get('/public/shown');
    const compressed = await get('/public/shown', { 'accept-encoding': 'gzip, br, zstd' });
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(String(brotliDecompressSync(compressed.rawPayload))).toBe(plain.body);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    for (const accepted of ['identity', 'br;q=0', 'deflate']) {
      const response = await get('/public/shown', { 'accept-encoding': accepted });
      expect(response.headers['content-encoding'], accepted).toBeUndefined();
    }
  });

  test('is not sent again to a client that has it', async () => {
    for (const encoding of ['identity', 'br']) {
      const headers = { 'accept-encoding': encoding };
      const { etag } = (await get('/public/shown', headers)).headers;
      const again = await get('/public/shown', { ...headers, 'if-none-match': String(etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      expect(again.headers.etag).toBe(etag);
      expect(again.headers['content-security-policy']).toContain('sha256-');
    }
    text = 'Dell';
    cache.forgetNotified(['["laptop 1"]']);
    expect((await get('/public/shown', { 'if-none-match': '"another"' })).statusCode).toBe(200);
  });

  test('names the rules by which a browser may fetch pages in advance', async () => {
    const path = JSON.parse(String((await get('/public/shown')).headers['speculation-rules']));
    const rules = await get(path);
    expect(rules.headers['content-type']).toMatch(/^application\/speculationrules\+json(?:;|$)/);
    const { prefetch, ...others } = rules.json();
    expect(others).toEqual({});
    expect(prefetch).toMatchObject([{ eagerness: 'moderate', source: 'document' }]);
    const [{ href_matches: paths }] = prefetch[0].where.and;
    expect(
      paths.every((pattern: string) => !pattern.startsWith('/*') && !pattern.includes('dashboard')),
    ).toBe(true);
    expect((await get('/streamed-elsewhere')).headers['speculation-rules']).toBeUndefined();
  });

  test('answers HEAD without a body', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/public/shown' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers.etag).toBe((await get('/public/shown')).headers.etag);
  });

  test('keeps the query of a redirect', async () => {
    expect((await get('/public/moved?book=yes')).headers.location).toBe('/public/here?book=yes');
  });

  test('is rendered once for concurrent requests', async () => {
    await get('/public/shown');
    const before = calls;
    await Promise.all(Array.from({ length: 20 }, () => get('/public/shown')));
    expect(calls - before).toBe(1);
  });
});

test('pages asked for once, however many, take no room', async () => {
  await renderings('/public/shown', '/public/shown');
  const before = cache.size();
  for (let page = 0; page < 500; page += 1)
    await get(`/public/shown?page=${page}`, { 'accept-encoding': 'br' });
  expect(cache.size()).toEqual(before);
  expect(await renderings('/public/shown')).toBe(0);
});
