import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCategory } from '#contract/listings/catalogue.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';

let proxy: TcpProxy;
let shop: TestShop;
let buyer: Person;
let laptop: string;

beforeAll(async () => {
  shop = await startTestShop({
    proxyDatabase: async (databaseUrl) => {
      proxy = await startTcpProxy(databaseUrl);
      return proxy.url;
    },
  });
  buyer = await shop.buyer();
  laptop = await shop.laptop(await shop.seller());
});
afterAll(async () => {
  await shop.close();
  await proxy.close();
});

test('returns 503 with a message while the database is unreachable, and recovers', async () => {
  const orders = () => buyer.client.call(listBookings, { query: {} });
  const add = () => buyer.client.call(wish, { body: { productCode: laptop } });
  const listLaptops = () => shop.visitor.call(listCategory, { params: { id: 'Dell' }, query: {} });
  await expect(orders()).resolves.toEqual([]);

  proxy.disconnect();
  for (const call of [orders, add, listLaptops]) {
    await expect(call()).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
  }

  proxy.reconnect();
  await expect.poll(() => orders().catch(() => 'unavailable')).toEqual([]);
  await expect(add()).resolves.toMatchObject({ acknowledged: true });
  await expect(listLaptops()).resolves.toEqual([]);
});

test('caches lists only while it receives change notifications, and again after a reconnect', async () => {
  let queries = 0;
  shop.connection.pool.on('acquire', () => {
    queries += 1;
  });
  const read = async () => {
    const before = queries;
    const laptops = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
    return { names: laptops.map(({ name }) => name), cached: queries === before };
  };
  const isCached = () => read().then(({ cached }) => cached);
  const rename = (name: string) => shop.connection.pool.query('update laptops set name = $1', [name]);
  await expect.poll(isCached).toBe(true);

  // All connections break, and the LISTEN connection cannot reconnect.
  proxy.disconnect('listen catalogue_changed');
  await expect.poll(() => isCached().catch(() => 'unavailable')).toBe(false);
  await shop.laptop(await shop.seller());
  await expect(isCached()).resolves.toBe(false);
  await expect(isCached()).resolves.toBe(false);
  await rename('Renamed without notification');
  const renamed = ['Renamed without notification', 'Renamed without notification'];
  await expect(read()).resolves.toEqual({ names: renamed, cached: false });

  proxy.reconnect();
  await expect.poll(isCached).toBe(true);
  await rename('Renamed elsewhere');
  await expect.poll(async () => (await read()).names).toEqual(['Renamed elsewhere', 'Renamed elsewhere']);
});
