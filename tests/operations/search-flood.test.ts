import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { searchLaptops } from '#contract/listings/search.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { encodeCursor } from '#server/platform/http/paging.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { type RawAnswer, type RawGet, sendRawGetsAtOnce } from '#tests/harness/platform/raw-http.ts';

const LAPTOPS = 20_000;

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop({ limited: true, proxies: 1 });
  seller = await shop.seller();
  await shop.connection.pool.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
       resale_price_cents, posted_time, use_time, mobile_number, condition, memory_gb, storage_gb)
     select (array['HP', 'Dell', 'Acer'])[n % 3 + 1], users.id,
       format('%s %s %s', (array['EliteBook', 'Latitude', 'TravelMate'])[n % 3 + 1], n % 700, left(md5(n::text), 7)),
       'Place ' || n % 500, array['/photos/1'], '{}', 90000, 30000 + n % 500 * 100, '', '', '', 'Good',
       (array[8, 16, 32])[n % 3 + 1], (array[256, 512])[n % 2 + 1]
     from users, generate_series(1, $1::integer) n where users.email = $2`,
    [LAPTOPS, seller.email],
  );
  await vi.waitFor(
    async () => {
      const { total } = await shop.visitor.call(searchLaptops, { query: {} });
      if (total !== LAPTOPS) throw new Error('The index has not followed yet.');
    },
    { timeout: 60_000 },
  );
});
afterAll(() => shop.close());

const many = <Item>(item: (index: number) => Item) => Array.from({ length: 50 }, (_, index) => item(index));

/** Searches that ask for as much as the contract allows. */
const expensive: readonly ((at: number) => Record<string, string | readonly string[]>)[] = [
  // Many short words, each the beginning or the whole of one.
  () => ({ q: many((index) => 'abcdef0123'[index % 10]).join(' ') }),
  () => ({ q: 'e'.repeat(100) }),
  // Unknown words, each another, which are compared with all known ones.
  (at) => ({ q: `elitbok${'xyz'[at % 3]} latidude travlmate thinkpda${'abc'[at % 3]} a` }),
  () => ({
    place: many((index) => `Place ${index}`),
    brand: ['HP', 'Dell'],
    memory: ['8', '16'],
    sort: 'price',
  }),
  () => ({
    q: 'latitude',
    ...{ brand: many((index) => `Brand ${index}`), condition: ['Good', 'Fair'] },
    ...{ memory: many((index) => String(index + 1)), storage: many((index) => String(index + 1)) },
    ...{ place: many((index) => `Place ${index}`), min_price: '1', max_price: '1000000', verified: 'yes' },
  }),
  (at) => ({
    cursor: encodeCursor({ sort: 'price', key: 30_000 + at, number: LAPTOPS - at }),
    sort: 'price',
    limit: '100',
  }),
];

/** The path of an expensive search or, for one in four, of suggestions. */
function expensivePath(at: number): string {
  if (at % 4 === 0) return `/api/suggestions?q=latidude${at}+${'abc'[at % 3]}`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(expensive[at % expensive.length]?.(at) ?? {})) {
    for (const item of [value].flat()) query.append(name, item);
  }
  return `/api/laptops?${query}`;
}

const request = (address: string, at: number): RawGet => ({
  path: expensivePath(at),
  lines: ['Host: shop.example', `X-Forwarded-For: ${address}`],
});

function expectRefusal({ status, head, body }: RawAnswer, expectedStatus: number): void {
  expect(status, body).toBe(expectedStatus);
  expect(head).toMatch(/\r\nretry-after: [1-9]/i);
  expect(ProblemDocument.parse(JSON.parse(body)).detail).toMatch(/Please try again/);
}

test('one address that searches without end is refused; other visitors search and book', async () => {
  let refused: RawAnswer | undefined;
  for (let at = 0; refused === undefined; at += 20) {
    const answers = await sendRawGetsAtOnce(
      shop.origin,
      Array.from({ length: 20 }, (_, index) => request('198.51.100.1', at + index)),
    );
    refused = answers.find(({ status }) => status !== 200);
  }
  expectRefusal(refused, 429);
  const [other] = await sendRawGetsAtOnce(shop.origin, [request('198.51.100.2', 1)]);
  expect(other?.status).toBe(200);
  await expect(shop.booking(await shop.buyer(), await shop.laptop(seller))).resolves.toEqual(
    expect.any(String),
  );
});

test('searches from many addresses at once are refused in part, and a booking is made meanwhile', async () => {
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(seller);
  // Twice as many as may wait.
  const flood = sendRawGetsAtOnce(
    shop.origin,
    Array.from({ length: 600 }, (_, at) => request(`203.0.113.${at % 250}`, at)),
  );
  const [answers] = await Promise.all([flood, shop.booking(buyer, laptop)]);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(answers.length);
  for (const answer of refused) expectRefusal(answer, 503);
});
