import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { matchChanges } from './match-changes.ts';
import { hashFilters, MAXIMUM_ALERTS } from './rules.ts';
import { parseFilters } from './store.ts';

const SEARCHES = 10_000;
const LAPTOPS = 1_000;

let shop: TestShop;
let connection: Connection;

beforeAll(async () => {
  shop = await startTestShop();
  connection = connect(shop.database.url, () => undefined);
  const { pool } = connection;
  const { userId } = await shop.buyer('Bea Buyer', { email_verified: true });
  const filters = Array.from({ length: SEARCHES }, (_, at) =>
    // One finds all laptops, each of the others the laptop of one model.
    parseFilters(at === 0 ? { max_price: 1_000_000 } : { q: `model ${at % LAPTOPS}`, min_price: at }),
  );
  await pool.query(
    `insert into saved_searches (user_id, name, filters, filters_sha256, frequency)
     select $1, 'Search', filters::jsonb, hash, 'daily' from unnest($2::text[], $3::text[]) as t (filters, hash)`,
    [userId, filters.map((each) => JSON.stringify(each)), filters.map(hashFilters)],
  );
  const seller = await shop.seller();
  await pool.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                          resale_price_cents, posted_time, use_time, mobile_number, condition)
     select 'Dell', $1, 'Model ' || n - 1, 'Porto', array['/brands/dell.svg'], '""', 2000000, 1000000, '', '',
            '+351 912 345 678', 'Good' from generate_series(1, ${LAPTOPS}) as n`,
    [seller.userId],
  );
});
afterAll(async () => {
  await connection.close();
  await shop.close();
});

const match = (isKnown: (word: string) => boolean = () => true) =>
  matchChanges(connection.database, isKnown, new AbortController().signal);

test('many changes are matched against many searches with few statements', async () => {
  let statements = 0;
  connection.pool.on('acquire', () => {
    statements += 1;
  });
  // Evaluations without a pause.
  let evaluations = 0;
  let most = 0;
  const isKnown = () => {
    evaluations += 1;
    most = Math.max(most, evaluations);
    return true;
  };
  let turn = setImmediate(function next() {
    evaluations = 0;
    turn = setImmediate(next);
  });
  const { laptops, alerts } = await match(isKnown);
  clearImmediate(turn);
  expect(laptops).toBe(LAPTOPS);
  expect(alerts).toBe(SEARCHES - 1 + MAXIMUM_ALERTS);
  // One per 500 searches and one per 5,000 alerts; without batches they were millions.
  expect(statements).toBeLessThan(100);
  // A pause after 20 searches, each of which asks twice at most; some of two pieces can follow each other.
  expect(most).toBeLessThanOrEqual(80);
  const { rows } = await connection.pool.query('select count(*)::int as count from laptops_to_match');
  expect(rows).toEqual([{ count: 0 }]);
});

test('a search with many unsent alerts takes no others, and equal searches are not told twice', async () => {
  await connection.pool.query('update laptops set resale_price_cents = 900000');
  const { alerts } = await match();
  // The price drops of laptops that are told as new, with the present price.
  expect(alerts).toBeLessThanOrEqual(SEARCHES - 1 + MAXIMUM_ALERTS);
  const { rows } = await connection.pool.query(
    `select max(count)::int as most, sum(count)::int as total
       from (select count(*) from saved_search_news group by search_id) as counts`,
  );
  expect(rows[0].most).toBe(MAXIMUM_ALERTS);
});

test('own laptops take no place among the laptops of a search', async () => {
  const seller = await shop.seller('Sam Seller', { email_verified: true });
  const owner = await shop.seller('Olga Owner', { email_verified: true });
  const filters = parseFilters({ q: 'legion', max_price: 1_000 });
  await connection.pool.query(
    `insert into saved_searches (user_id, name, filters, filters_sha256, frequency)
     select owner, 'Search', $2, $3, 'daily' from unnest($1::uuid[]) as owner`,
    [[owner.userId, seller.userId], filters, hashFilters(filters)],
  );
  // Matching reads laptops in the order of their ids: those of the owner come first.
  const insert = `insert into laptops (id, brand, seller_id, name, location, images, description, original_price_cents,
                         resale_price_cents, posted_time, use_time, mobile_number, condition)
     select ($2 || '0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Dell', $1, 'Legion', 'Porto',
            array['/brands/dell.svg'], '""', 2000, 1000, '', '', '+351 912 345 678', 'Good'
       from generate_series(1, ${MAXIMUM_ALERTS}) as n`;
  await connection.pool.query(insert, [owner.userId, '0']);
  await connection.pool.query(insert, [seller.userId, 'f']);
  await match();
  const { rows } = await connection.pool.query(
    `select saved_searches.user_id, count(*)::int as count, bool_or(seller_id = saved_searches.user_id) as own
       from saved_search_news join saved_searches on saved_searches.id = search_id
       join laptops on laptops.id = laptop_id
      where filters_sha256 = $1 group by saved_searches.user_id`,
    [hashFilters(filters)],
  );
  expect(rows).toHaveLength(2);
  for (const { userId } of [owner, seller]) {
    expect(rows).toContainEqual({ user_id: userId, count: MAXIMUM_ALERTS, own: false });
  }
});
