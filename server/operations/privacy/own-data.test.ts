import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OwnData } from '#contract/operations/privacy.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

/** Some 25 MB in all: more than what sockets hold of an answer that nobody takes. */
const LAPTOPS = 2_500;

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
  await shop.connection.pool.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                          resale_price_cents, posted_time, use_time, mobile_number, condition)
     select 'Dell', $1, 'Latitude', 'Porto', array['/brands/dell.svg'], to_jsonb(repeat('x', 10000)),
            90000, 50000, '', '', '+351 912 345 678', 'Good' from generate_series(1, ${LAPTOPS})`,
    [seller.userId],
  );
});
afterAll(() => shop.close());

function startReading(): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${seller.token}` };
  return new Promise((resolve, reject) => {
    get(`${shop.origin}/api/myData`, { headers }, resolve).on('error', reject);
  });
}

test('a slow client holds no database connection, and nothing is read ahead', { tags: 'long' }, async () => {
  const { pool } = shop.connection;
  let queries = 0;
  const count = () => {
    queries += 1;
  };
  pool.on('acquire', count);
  const response = await startReading();
  // Until the sockets are full.
  let before = -1;
  await expect
    .poll(
      () => {
        const same = before === queries;
        before = queries;
        return same && pool.idleCount === pool.totalCount;
      },
      { interval: 300 },
    )
    .toBe(true);
  expect(queries).toBeLessThan(LAPTOPS / 100);

  const data = OwnData.parse(JSON.parse(await text(response)));
  expect(data.laptops).toHaveLength(LAPTOPS);
  expect(new Set(data.laptops.map(({ id }) => id)).size).toBe(LAPTOPS);
  expect(queries).toBeGreaterThanOrEqual(LAPTOPS / 100);
  pool.off('acquire', count);
});

test('a response that fails midway is aborted and is not valid JSON', async () => {
  const response = await startReading();
  await shop.connection.pool.query('alter table reports rename to reports_away');
  try {
    await expect(text(response)).rejects.toThrow();
  } finally {
    await shop.connection.pool.query('alter table reports_away rename to reports');
  }
});
