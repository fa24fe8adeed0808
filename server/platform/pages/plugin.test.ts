import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { sendRawGet } from '#tests/harness/platform/raw-http.ts';
import { createResponseCache } from '../http/response-cache.ts';
import { unlimitedTime } from '../http/time-budget.ts';
import { pagesPlugin } from './plugin.ts';
import { writeBuild } from './testing/build.ts';

const script = 'console.info("page");'.repeat(40);

let root: string;
let removeBuild: () => Promise<void>;
let app: FastifyInstance;
let address: string;

beforeAll(async () => {
  ({ root, remove: removeBuild } = await writeBuild());
  await writeFile(join(root, 'build/client/assets/page-abc.js'), script);
  await writeFile(join(root, 'build/client/assets/page-abc.js.br'), brotliCompressSync(script));
  app = fastify();
  app.get('/api/brands', () => [{ name: 'HP' }]);
  await app.register(pagesPlugin, {
    mode: 'production',
    root,
    origin: 'https://shop.example',
    shop: () => defaultShopSettings,
    proxies: 1,
    timeBudget: unlimitedTime,
    cache: createResponseCache(),
    callApi: async (url) => new Response((await app.inject(url)).body),
    contentSecurity: {
      scriptSources: ['https://cards.example'],
      frameSources: ['https://cards.example'],
      connectSources: ['https://identity.example'],
      imageSources: ['https://photos.example'],
    },
  });
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await removeBuild();
});

function policyOf(response: Response): Map<string, string[]> {
  const directives = (response.headers.get('content-security-policy') ?? '').split('; ');
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

describe('a page', () => {
  test('allows only scripts of the shop, of its card processor, or with the nonce of the response', async () => {
    const first = await fetch(address);
    const [, nonce = ''] = (await first.text()).split(' ');
    const second = await fetch(address);
    expect(policyOf(first).get('script-src')).toEqual([
      "'self'",
      `'nonce-${nonce}'`,
      'https://cards.example',
    ]);
    expect(nonce).toHaveLength(24);
    expect(policyOf(second).get('script-src')).not.toEqual(policyOf(first).get('script-src'));
  });

  test('cannot be framed, sniffed or requested over http', async () => {
    const response = await fetch(address);
    expect(policyOf(response).get('frame-ancestors')).toEqual(["'none'"]);
    expect(policyOf(response).has('upgrade-insecure-requests')).toBe(true);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    // Without includeSubDomains: the operator's other subdomains are not the shop's.
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test.each([
    ['/check', 'camera=(self), geolocation=(), microphone=(self)'],
    ['/check?code=1', 'camera=(self), geolocation=(), microphone=(self)'],
    ['/', 'camera=(), geolocation=(), microphone=()'],
    ['/check/more', 'camera=(), geolocation=(), microphone=()'],
    ['/missing', 'camera=(), geolocation=(), microphone=()'],
    ['/public/shown', 'camera=(), geolocation=(), microphone=()'],
  ])('%s is allowed %s', async (path, policy) => {
    expect((await fetch(`${address}${path}`)).headers.get('permissions-policy')).toBe(policy);
  });

  test('allows the Google window to reach its opener', async () => {
    const response = await fetch(address);
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  });

  test('answers 404 when it does not exist', async () => {
    expect((await fetch(`${address}/missing`)).status).toBe(404);
  });

  test.each(['/', '/missing', '/streamed'])('%s answers HEAD like GET, without a body', async (path) => {
    Object.assign(globalThis, { secondPart: Promise.resolve() });
    const [get, head] = [
      await fetch(`${address}${path}`),
      await fetch(`${address}${path}`, { method: 'HEAD' }),
    ];
    expect(head.status).toBe(get.status);
    for (const name of ['content-type', 'cache-control', 'x-frame-options']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(await head.text()).toBe('');
    await get.body?.cancel();
  });

  test('calls the API in process', async () => {
    expect(await (await fetch(`${address}/call`)).text()).toBe('[{"name":"HP"}]');
  });

  test('keeps the shop’s origin when the path names another host', async () => {
    const response = await app.inject('//elsewhere.example/login?from=%2F');
    expect(response.body).toMatch(/ https:\/\/shop\.example\/elsewhere\.example\/login\?from=%2F$/);
  });

  test.each([
    ['/laptops%0A', '/laptops'],
    ['/laptops%0d%0A%20?page=2%0A', '/laptops?page=2%0A'],
    ['/laptops%E2%80%A8', '/laptops'],
    ['/laptops%20%C2%A0', '/laptops'],
    ['/%0A', '/'],
    // One within a path is where an email broke the line.
    ['/a%0Ab%20c', '/ab%20c'],
    ['/a%E2%80%A9/b', '/a/b'],
  ])('%s is redirected to the address without line breaks: %s', async (path, expected) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ method, url: path });
      expect([statusCode, headers.location]).toEqual([301, expected]);
    }
  });

  // Raw, because clients normalize paths before they send them.
  test.each([
    '//elsewhere.example%0A',
    '/%0A/elsewhere.example',
    '/%0A\\elsewhere.example',
    '/%0A/.//elsewhere.example',
    '/.%0A//elsewhere.example',
  ])('%s is not redirected to another host', async (path) => {
    const { status, head } = await sendRawGet(address, path, ['Host: shop.example']);
    expect(status).toBe(301);
    expect(head).toMatch(/^location: \/elsewhere\.example\r?$/im);
  });

  test('is served at an address with white space inside, or with an encoded percent sign', async () => {
    for (const path of ['/a%20b', '/a%250A', '/a?q=%0A']) {
      expect((await app.inject(path)).statusCode, path).toBe(200);
    }
  });

  test('redirects from another host to the public one, for GET and HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'x-forwarded-host': 'www.shop.example' };
      const response = await fetch(`${address}/blog?page=2`, { method, headers, redirect: 'manual' });
      expect(response.status).toBe(307);
      expect(response.headers.get('location')).toBe('https://shop.example/blog?page=2&canonical-host=1');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each(['br', 'gzip'])('is streamed in chunks, also compressed as %s', async (encoding) => {
    const second = Promise.withResolvers<void>();
    Object.assign(globalThis, { secondPart: second.promise });
    const response = await fetch(`${address}/streamed`, { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('first');
    second.resolve();
    expect((await reader.read()).value).toContain('second');
  });
});

describe('an asset', () => {
  test('is cached for a year and served as compressed at build time', async () => {
    const response = await fetch(`${address}/assets/page-abc.js`, { headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(await response.text()).toBe(script);
  });

  test('outside the build is not served as a file', async () => {
    const response = await app.inject('/assets/..%2f..%2fserver%2findex.js');
    expect(response.body).not.toContain('createPageHandler');
  });

  test.each([
    [{ range: 'bytes=-99999999999' }, 416],
    [{ range: 'bytes=300000-' }, 416],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412],
  ])('with %o answers %d', async (headers, status) => {
    const response = await fetch(`${address}/assets/page-abc.js`, { headers });
    expect(response.status).toBe(status);
    if (status === 416) expect(response.headers.get('content-range')).toBe(`bytes */${script.length}`);
  });
});

test('rejects the start without a build', async () => {
  const bare = fastify();
  const options = {
    mode: 'production' as const,
    root: join(root, 'nowhere'),
    origin: 'https://shop.example',
    shop: () => defaultShopSettings,
    proxies: 0,
    timeBudget: unlimitedTime,
    cache: createResponseCache(),
    callApi: () => Promise.resolve(new Response()),
    contentSecurity: { scriptSources: [], frameSources: [], connectSources: [], imageSources: [] },
  };
  await expect(pagesPlugin(bare, options)).rejects.toThrow(/build/);
});
