import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { MAXIMUM_PAGE_BYTES } from '#server/platform/http/paging.ts';
import { MAXIMUM_CACHE_BYTES } from '#server/platform/http/response-cache.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

/** As many laptops as two pages hold, each as large as a seller can make it. */
const LAPTOPS = 120;

let shop: TestShop;
let buyer: Person;

beforeAll(async () => {
  shop = await startTestShop();
  buyer = await shop.buyer();
  const seller = await shop.seller();
  await shop.connection.pool.query(
    `insert into photos (hash, state) select repeat(photo::text, 64), 'listed' from generate_series(1, 8) as photo`,
  );
  await shop.connection.pool.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                          resale_price_cents, posted_time, use_time, mobile_number, condition, advertised_at)
     select 'Dell', $1, repeat('ค', 120), repeat('ค', 120),
            (select array_agg('/photos/' || repeat(photo::text, 64) || '-1280x960-' || repeat('0', 36) || '/1280.webp')
               from generate_series(1, 8) as photo),
            jsonb_build_object('Processor', repeat('ค', 120), 'Graphics', repeat('ค', 120), 'Notes', repeat('ค', 4000)),
            90000, 50000, repeat('ค', 60), repeat('ค', 60), '+351 912 345 678', 'Good', now()
       from generate_series(1, ${LAPTOPS})`,
    [seller.userId],
  );
});
afterAll(() => shop.close());

const Answered = z.array(z.object({ _id: z.string() }));

async function ask(path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${shop.origin}/api${path}`, { headers });
  const body = await response.text();
  return { response, bytes: Buffer.byteLength(body), items: Answered.parse(JSON.parse(body)) };
}

/** The size of the cache as `/metrics` tells it. */
async function cacheSize(): Promise<{ entries: number; bytes: number }> {
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^coomercio_response_cache_${name} (\\d+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  return { entries: read('entries'), bytes: read('bytes') };
}

test('all URLs of one list share a cache entry', async () => {
  const before = await cacheSize();
  const variants = [
    ...Array.from({ length: 40 }, (_, at) => `/category/Dell?x=${at}`),
    '/category/%44ell',
    '/category/D%65ll?limit=100',
    '/category/Dell?limit=0100',
    '/category/Dell?limit=%20100&y=z',
    '/category/Dell?limit=1e2',
    '/category/Dell?',
  ];
  const links = new Set<string | null>();
  for (const variant of variants) {
    const { response } = await ask(variant);
    links.add(response.headers.get('link'));
  }
  expect((await cacheSize()).entries).toBe(before.entries + 1);
  // Parameters that the call does not know are not repeated either.
  expect([...links].filter((link) => /[?&][xy]=/.test(link ?? ''))).toEqual([]);
});

test('all spellings of a cursor share a cache entry', async () => {
  const { response } = await ask('/category/Dell');
  const cursor = /cursor=(\d+)/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  const before = await cacheSize();
  for (let zeros = 0; zeros < 8; zeros += 1) {
    await ask(`/category/Dell?cursor=${'0'.repeat(zeros)}${cursor}`);
  }
  expect((await cacheSize()).entries).toBe(before.entries + 1);
});

test.each(['/category/Dell', '/advertisement'])(
  '%s returns pages limited in rows and bytes, without missing or repeated rows',
  async (path) => {
    const seen: string[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof ask>> = await ask(next);
      expect(page.items.length).toBeGreaterThan(0);
      expect(page.bytes).toBeLessThanOrEqual(MAXIMUM_PAGE_BYTES);
      seen.push(...page.items.map(({ _id }) => _id));
      next = /^<\/api([^>]+)>; rel="next"$/.exec(page.response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toHaveLength(LAPTOPS);
    expect(new Set(seen).size).toBe(LAPTOPS);
  },
);

/** Requests more lists than the cache can keep. @returns the size of the cache afterwards, in bytes */
async function fillCache(): Promise<number> {
  for (const path of ['/category/Dell', '/advertisement']) {
    for (let limit = 14; limit <= 100; limit += 3) {
      const address = `${path}?limit=${limit}`;
      await Promise.all([ask(address), ask(address, buyer.token)]);
      await Promise.all([ask(address), ask(address, buyer.token)]);
    }
  }
  return (await cacheSize()).bytes;
}

test('the cache stays within its memory limit', async () => {
  // The facts of the laptops are read in the background, which forgets the lists so far.
  await expect.poll(() => fillCache(), { timeout: 100_000 }).toBeGreaterThan(MAXIMUM_CACHE_BYTES / 2);
  expect((await cacheSize()).bytes).toBeLessThanOrEqual(MAXIMUM_CACHE_BYTES);
});
