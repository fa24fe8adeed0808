import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBookings } from '#contract/bookings.ts';
import { listCategory } from '#contract/catalogue.ts';
import { wish } from '#contract/wishlist.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { type Unpluggable, unpluggable } from '#tests/harness/unpluggable.ts';

let line: Unpluggable;
let shop: TestShop;
let buyer: Person;
let laptop: string;

beforeAll(async () => {
  shop = await startTestShop({
    line: async (databaseUrl) => {
      line = await unpluggable(databaseUrl);
      return line.url;
    },
  });
  buyer = await shop.buyer();
  laptop = await shop.laptop(await shop.seller());
});
afterAll(async () => {
  await shop.close();
  await line.close();
});

test('an unplugged database is answered with 503 in words, and forgotten once it is back', async () => {
  const orders = () => buyer.client.call(listBookings, { query: {} });
  const add = () => buyer.client.call(wish, { body: { productCode: laptop } });
  const shelf = () => shop.visitor.call(listCategory, { params: { id: 'Dell' }, query: {} });
  await expect(orders()).resolves.toEqual([]);

  line.unplug();
  for (const call of [orders, add, shelf]) {
    await expect(call()).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
  }

  line.plugIn();
  await expect.poll(() => orders().catch(() => 'away'), { timeout: 10_000 }).toEqual([]);
  await expect(add()).resolves.toMatchObject({ acknowledged: true });
  await expect(shelf()).resolves.toEqual([]);
});

test('changes are heard of again after the database was away', async () => {
  const names = async () =>
    (await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} })).map(({ name }) => name);
  await expect(names()).resolves.toEqual(['EliteBook 840 G8']);
  line.unplug();
  line.plugIn();
  await shop.connection.pool
    .query(`update laptops set name = 'Renamed elsewhere'`)
    .catch(() => shop.connection.pool.query(`update laptops set name = 'Renamed elsewhere'`));
  await expect.poll(() => names().catch(() => 'away'), { timeout: 10_000 }).toEqual(['Renamed elsewhere']);
});
