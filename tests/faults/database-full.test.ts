import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCategory } from '#contract/listings/catalogue.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let buyer: Person;
let seller: Person;
let laptop: string;

beforeAll(async () => {
  shop = await startTestShop();
  [buyer, seller] = [await shop.buyer(), await shop.seller()];
  laptop = await shop.laptop(seller);
});
afterAll(() => shop.close());

const tables = ['bookings', 'laptops', 'wishlist_items'];

// Raises PostgreSQL's error for a full disk. docs/reliability.md describes a test with a full disk.
test('returns 503 with a message while the database disk is full, serves reads, and recovers', async () => {
  const { pool } = shop.connection;
  await pool.query(`
    create function raise_disk_full() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end
    $$`);
  for (const table of tables) {
    await pool.query(
      `create trigger full_disk before insert or update on ${table} for each row execute function raise_disk_full()`,
    );
  }
  const writes = [
    () => shop.booking(buyer, laptop),
    () => shop.laptop(seller),
    () => buyer.client.call(wish, { body: { productCode: laptop } }),
  ];
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
  }
  const laptops = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
  expect(laptops.map(({ _id }) => _id)).toEqual([laptop]);
  await expect(buyer.client.call(listBookings, { query: {} })).resolves.toEqual([]);

  for (const table of tables) await pool.query(`drop trigger full_disk on ${table}`);
  for (const write of writes) await write();
  await expect(buyer.client.call(listWishlist, { query: {} })).resolves.toHaveLength(1);
});
