import { beforeAll, expect, test } from 'vitest';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sendRawGet } from '#tests/harness/platform/raw-http.ts';

let shop: SharedShop;

beforeAll(async () => {
  shop = await sharedShop();
});

test.each(['/api/brands', '/api/bookings', '/api/nowhere', '/api/%E0', '/nowhere', '/healthz', '/metrics'])(
  '%s has security headers',
  async (path) => {
    const { headers } = await fetch(`${shop.origin}${path}`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('content-type')).toMatch(/^(application\/(problem\+)?json|text\/plain)/);
    expect(headers.get('x-powered-by')).toBeNull();
  },
);

test.each(['/', '/api/brands', '/healthz', '/nowhere', '/identity/jwks'])(
  '%s rejects requests with two Host headers',
  async (path) => {
    const { host } = new URL(shop.origin);
    const hosts = [`Host: ${host}`, 'host: elsewhere.example'];
    for (const lines of [hosts, hosts.toReversed(), [`Host: ${host}`, `HOST: ${host}`]]) {
      const { status, body } = await sendRawGet(shop.origin, path, lines);
      expect(status).toBe(400);
      expect(body).toContain('malformed_request');
    }
  },
);

test('metrics are served only for a Host header of this machine or of the shop', async () => {
  const statusFor = async (host: string) =>
    (await sendRawGet(shop.origin, '/metrics', [`Host: ${host}`])).status;
  for (const host of ['localhost', '127.0.0.1:3000', '[::1]', new URL(shop.origin).host]) {
    expect(await statusFor(host), host).toBe(200);
  }
  for (const host of ['rebound.example', '127.0.0.1.rebound.example', 'localhost.rebound.example', '']) {
    expect(await statusFor(host), host).toBe(404);
  }
});
