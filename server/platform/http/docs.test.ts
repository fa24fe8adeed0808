import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { docsPlugin } from './docs.ts';

let app: FastifyInstance;
let address: string;

beforeAll(async () => {
  app = fastify();
  await app.register(docsPlugin, {
    prefix: '/api',
    origin: 'https://shop.example',
    shop: () => defaultShopSettings,
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

test('the document has every call', async () => {
  const { paths } = await (await fetch(`${address}/api/docs/openapi.json`)).json();
  const names = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(names.sort()).toEqual([...calls.keys()].sort());
});

test('the page loads only files of the shop, and its policy allows no other inline script or style than its own', async () => {
  const response = await fetch(`${address}/api/docs`);
  const page = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const [, style] = /<style>(.*)<\/style>/s.exec(page) ?? [];
  const [, script] = /<script>(.*)<\/script>/s.exec(page) ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'self' ${hashOf(script)};`);
  expect(policy).toContain(`style-src 'self' ${hashOf(style)};`);
  expect(policy).not.toMatch(/unsafe|http|data:.*script/);
  expect(page).not.toMatch(/style="|onclick|https?:/);
  const files = [...page.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(files).toEqual(['/api/docs/swagger-ui.css', '/api/docs/openapi.json', '/api/docs/swagger-ui.js']);
  for (const path of files) expect((await fetch(`${address}${path}`)).status, path).toBe(200);
});

test.each(['', '/openapi.json', '/swagger-ui.js', '/swagger-ui.css'].map((path) => `/api/docs${path}`))(
  '%s is compressed in each coding',
  async (path) => {
    const plain = await fetch(`${address}${path}`, { headers: { 'accept-encoding': 'identity' } });
    const text = await plain.text();
    for (const encoding of ['br', 'gzip']) {
      const headers = { 'accept-encoding': encoding };
      const response = await fetch(`${address}${path}`, { headers });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(await response.text()).toBe(text);
      const etag = response.headers.get('etag') ?? '';
      const again = await fetch(`${address}${path}`, { headers: { ...headers, 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  },
);
