import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForBlocked, whileLocked } from '#tests/harness/platform/held-locks.ts';
import { type RawAnswer, sendRawGetsAtOnce } from '#tests/harness/platform/raw-http.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ limited: true, proxies: 1 });
});
afterAll(() => shop.close());

const request = (path: string, address: string, ...lines: string[]) => ({
  path,
  lines: ['Host: shop.example', `X-Forwarded-For: ${address}`, ...lines],
});

test('slow reads of one address leave connections to the database for others, and those that are too many are refused', async () => {
  const buyer = await shop.buyer();
  const { flood, other } = await whileLocked(shop, 'lock table reputations', async () => {
    const path = `/api/seller/${(await shop.seller()).userId}`;
    const flood = sendRawGetsAtOnce(
      shop.origin,
      Array.from({ length: 550 }, () => request(path, '198.51.100.1')),
    );
    await waitForBlocked(shop, 8);
    const own = request('/api/unreadConversations', '198.51.100.2', `Authorization: Bearer ${buyer.token}`);
    const [other] = await sendRawGetsAtOnce(shop.origin, [own]);
    return { flood, other };
  });
  expect(other?.status).toBe(200);
  const refused: RawAnswer[] = (await flood).filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(550 - 500 - 8);
  expect(refused.length).toBeLessThan(550);
  for (const { status, head, body } of refused) {
    expect(status, body).toBe(429);
    expect(head).toMatch(/\r\nretry-after: [1-5]\r\n/i);
    expect(ProblemDocument.parse(JSON.parse(body)).detail).toMatch(/Please try again in a few seconds\.$/);
  }
});
