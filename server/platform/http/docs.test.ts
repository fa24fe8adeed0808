import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { compressWell } from './content-encoding.ts';
import { docsPlugin } from './docs.ts';

let app: FastifyInstance;
let address: string;
/** The content coding and the length of what was compressed. */
const compressions: string[] = [];

beforeAll(async () => {
  app = fastify();
  await app.register(docsPlugin, {
    prefix: '/api',
    origin: 'https://shop.example',
    shop: () => defaultShopSettings,
    compress: (bytes, encoding) => {
      compressions.push(`${encoding} ${bytes.byteLength}`);
      return compressWell(bytes, encoding);
    },
  });
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

test('serves an OpenAPI 3.1 document to any origin', async () => {
  const response = await fetch(`${address}/api/docs/openapi.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.json()).toMatchObject({
    openapi: '3.1.1',
    servers: [{ url: 'https://shop.example/api' }],
    paths: { '/bookings': { get: { operationId: 'listBookings' }, post: { operationId: 'book' } } },
  });
});

test('the page lists every call with its path and refusals, and has no dead links', async () => {
  const page = await (await fetch(`${address}/api/docs`)).text();
  for (const [name, { method, path }] of calls) {
    expect(page).toContain(`id="${name}"`);
    expect(page).toContain(`href="#${name}"`);
    expect(page).toContain(`<code>/api${path.replace(/:(\w+)/g, '{$1}')}</code>`);
    expect(page).toContain(`<span class="method ${method.toLowerCase()}">${method}</span>`);
  }
  expect(page).toContain('<code>somebody_is_paying</code>');
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const dead = [...page.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !anchors.has(id));
  expect(dead).toEqual([]);
});

test('the page has no scripts and loads nothing, and its policy contains the hash of its style sheet', async () => {
  const response = await fetch(`${address}/api/docs`);
  const page = await response.text();
  expect(page).not.toMatch(/<script|style="|onclick/);
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
});

test.each(['/api/docs', '/api/docs/openapi.json'])('%s is compressed once in each coding', async (path) => {
  const plain = await fetch(`${address}${path}`, { headers: { 'accept-encoding': 'identity' } });
  const text = await plain.text();
  for (const encoding of ['br', 'gzip']) {
    const headers = { 'accept-encoding': encoding };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => fetch(`${address}${path}`, { headers })),
    );
    for (const response of responses) {
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(await response.text()).toBe(text);
    }
    const etag = responses[0]?.headers.get('etag') ?? '';
    const again = await fetch(`${address}${path}`, { headers: { ...headers, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  expect(compressions.filter((each) => each.endsWith(` ${Buffer.byteLength(text)}`)).sort()).toEqual([
    `br ${Buffer.byteLength(text)}`,
    `gzip ${Buffer.byteLength(text)}`,
  ]);
});
