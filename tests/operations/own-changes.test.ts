import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleLaptop } from '#tests/harness/person.ts';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/tcp-proxy.ts';

let first: TestShop;
let second: TestShop;
/** Between the second process and its notifications. */
let network: TcpProxy;

beforeAll(async () => {
  first = await startTestShop();
  network = await startTcpProxy(first.database.url);
  second = await startTestShop({
    database: { url: first.database.url, drop: async () => undefined },
    dependencies: async () => ({ directUrl: network.url }),
  });
});

afterAll(async () => {
  await second.close();
  await network.close();
  await first.close();
});

async function namesAtSecond(cookie?: string): Promise<unknown[]> {
  const answer = await fetch(`${second.origin}/api/category/HP`, {
    headers: cookie === undefined ? {} : { cookie },
  });
  const laptops: { name: string }[] = await answer.json();
  return laptops.map(({ name }) => name);
}

/** Whether the second process keeps the list, which it does from the second request on. */
async function keepsAtSecond(): Promise<boolean> {
  await namesAtSecond();
  const metrics = await (await fetch(`${second.origin}/metrics`)).text();
  return /^coomercio_response_cache_entries [1-9]/m.test(metrics);
}

test('a person sees a change at a process that has yet to hear of it', async () => {
  const seller = await first.seller();
  await first.laptop(seller, { name: 'First' });
  await expect.poll(() => keepsAtSecond()).toBe(true);
  expect(await namesAtSecond()).toEqual(['First']);
  network.stall();

  const listed = await fetch(`${first.origin}/api/laptops`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...sampleLaptop(first.origin), name: 'Second' }),
  });
  expect(listed.status).toBe(200);
  const cookie = listed.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  expect(await namesAtSecond()).toEqual(['First']);
  expect(await namesAtSecond(cookie)).toEqual(['Second', 'First']);
});
