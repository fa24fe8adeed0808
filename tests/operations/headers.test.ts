import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

test.each(['/api/brands', '/api/bookings', '/api/nowhere', '/nowhere', '/healthz', '/metrics'])(
  'what %s answers cannot run, load, be framed or be taken for something else',
  async (path) => {
    const { headers } = await fetch(`${shop.origin}${path}`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('content-type')).toMatch(/^(application\/(problem\+)?json|text\/plain)/);
    expect(headers.get('x-powered-by')).toBeNull();
  },
);
