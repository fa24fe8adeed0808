import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  advertiseLaptop,
  deleteOwnLaptop,
  listAdvertisements,
  listCategory,
} from '#contract/listings/catalogue.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
/** Another process on the same database. */
let other: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  other = await startTestShop({ database: shop.database });
  seller = await shop.seller();
});
afterAll(async () => {
  await other.close();
  await shop.close();
});

const list = (name: string, brand = 'HP') => shop.laptop(seller, { name, category_Id: brand });

const namesIn = async ({ visitor }: TestShop, brand: string) =>
  (await visitor.call(listCategory, { params: { id: brand }, query: {} })).map(({ name }) => name);

const advertisedIn = async ({ visitor }: TestShop) =>
  (await visitor.call(listAdvertisements, { query: {} })).map(({ name }) => name);

async function cachedIn({ origin }: TestShop): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^coomercio_response_cache_entries (\d+)$/m.exec(metrics)?.[1]);
}

/** Asks for three lists often enough for them to be cached. */
async function warmUp(warmed: TestShop): Promise<void> {
  await expect
    .poll(async () => {
      for (const brand of ['HP', 'Dell']) await namesIn(warmed, brand);
      await advertisedIn(warmed);
      return cachedIn(warmed);
    })
    .toBe(3);
}

describe('a change of one laptop', () => {
  test('removes the list of its brand, and keeps those of other brands', async () => {
    await list('Latitude', 'Dell');
    const id = await list('EliteBook');
    await warmUp(shop);
    await list('ProBook');
    expect(await cachedIn(shop)).toBe(2);
    expect(await namesIn(shop, 'HP')).toEqual(['ProBook', 'EliteBook']);
    await warmUp(shop);
    await seller.client.call(advertiseLaptop, { params: { _id: id } });
    expect(await advertisedIn(shop)).toEqual(['EliteBook']);
    await warmUp(shop);
    await seller.client.call(deleteOwnLaptop, { params: { _id: id } });
    expect(await cachedIn(shop)).toBe(1);
    expect(await namesIn(shop, 'HP')).toEqual(['ProBook']);
    expect(await advertisedIn(shop)).toEqual([]);
  });

  test('removes in every process what shows it', async () => {
    const id = await list('Pavilion');
    await warmUp(other);
    expect(await namesIn(other, 'HP')).toContain('Pavilion');
    await shop.connection.pool.query(`update laptops set name = 'Spectre' where id = $1`, [id]);
    await expect.poll(() => namesIn(other, 'HP')).toContain('Spectre');
    await warmUp(other);
    await seller.client.call(deleteOwnLaptop, { params: { _id: id } });
    await expect.poll(() => cachedIn(other)).toBe(2);
    expect(await namesIn(other, 'HP')).not.toContain('Spectre');
  });
});

test('a change of what searches filter by removes cached searches', async () => {
  const id = await list('Envy');
  const tagsOf = async (change: object) => {
    const { rows } = await shop.connection.pool.query<{ tag: string }>(
      `with change as materialized (
         select laptops as before, jsonb_populate_record(laptops, $2) as after from laptops where id = $1)
       select tag from change, tags_of_change(before, after) as tag`,
      [id, change],
    );
    return rows.map(({ tag }) => tag);
  };
  expect(await tagsOf({ delivery: 'ship' })).toContain('search');
  expect(await tagsOf({ battery_percent: 77 })).toContain('search');
  expect(await tagsOf({ use_time: 'a year' })).not.toContain('search');
});

test('a list shows the caller’s own change at once, whatever is read meanwhile', {
  tags: 'long',
}, async () => {
  let isDone = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isDone) await namesIn(shop, 'Acer');
  });
  try {
    for (let turn = 0; turn < 40; turn += 1) {
      const name = `Swift ${turn}`;
      const id = await list(name, 'Acer');
      expect(await namesIn(shop, 'Acer')).toContain(name);
      await seller.client.call(deleteOwnLaptop, { params: { _id: id } });
      expect(await namesIn(shop, 'Acer')).not.toContain(name);
    }
  } finally {
    isDone = true;
    await Promise.all(readers);
  }
});
