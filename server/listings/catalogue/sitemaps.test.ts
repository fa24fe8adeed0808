import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { listSitemaps, MAXIMUM_SITEMAP_URLS, readSitemap } from '#contract/listings/sitemaps.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

const namesOf = async (number: number, cursor?: string) =>
  (
    await shop.visitor.call(readSitemap, {
      params: { number },
      query: cursor === undefined ? {} : { cursor },
    })
  ).map(({ name }) => name);

/** Skips row numbers, as if other laptops had been listed. */
const continueAt = (number: number) =>
  shop.connection.pool.query(`alter table laptops alter column number restart with ${number}`);

test('a sitemap lists the laptops for sale in a range of row numbers, with the day of the last price', async () => {
  expect(await shop.visitor.call(listSitemaps, {})).toEqual([]);
  const first = await shop.laptop(seller, { name: 'First' });
  await shop.laptop(seller, { name: 'Second' });
  await continueAt(2 * MAXIMUM_SITEMAP_URLS);
  await shop.laptop(seller, { name: 'Last of the second sitemap' });
  const third = await shop.laptop(seller, { name: 'First of the third sitemap' });
  expect(await shop.visitor.call(listSitemaps, {})).toEqual([1, 2, 3]);
  expect(await namesOf(1)).toEqual(['First', 'Second']);
  expect(await namesOf(2)).toEqual(['Last of the second sitemap']);
  expect(await namesOf(3)).toEqual(['First of the third sitemap']);

  await shop.connection.pool.query(
    `update laptop_prices set since = '2026-01-02T12:00:00Z' where laptop_id = $1`,
    [first],
  );
  const [oldest] = await shop.visitor.call(readSitemap, { params: { number: 1 }, query: {} });
  expect(oldest).toEqual({ _id: first, name: 'First', changed: '2026-01-02' });

  await seller.client.call(deleteOwnLaptop, { params: { _id: third } });
  expect(await shop.visitor.call(listSitemaps, {})).toEqual([1, 2]);
  expect(await namesOf(3)).toEqual([]);
});

test('a cursor continues after a row and does not leave its sitemap', async () => {
  const { items, next } = await shop.visitor.page(readSitemap, { params: { number: 1 }, query: {} });
  expect(items).toHaveLength(2);
  expect(next).toBeNull();
  expect(await namesOf(1, '1')).toEqual(['Second']);
  expect(await namesOf(2, '0')).toEqual(['Last of the second sitemap']);
});

test.each(['0', '-1', '1.5', 'x'])('there is no sitemap %s', async (number) => {
  await expect(shop.visitor.call(readSitemap, { params: { number }, query: {} })).rejects.toMatchObject({
    status: 404,
  });
});
