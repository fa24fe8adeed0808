import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advertiseLaptop,
  listAdvertisements,
  listCategory,
  readLaptop,
} from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { deleteSeller, verifySeller } from '#contract/operations/user-admin.ts';
import { renameUser } from '#contract/people/accounts.ts';
import { readSeller } from '#contract/sales/seller-pages.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { FACTS_VERSION } from './rules.ts';

let shop: TestShop;
/** Another process on the same database. */
let other: TestShop;
/** Sells in two brands, with more laptops than a notification could name. */
let large: Person;
let small: Person;

beforeAll(async () => {
  shop = await startTestShop();
  other = await startTestShop({ database: shop.database });
  [large, small] = [await shop.seller('Lea Large'), await shop.seller('Sam Small')];
  await shop.laptop(large, { category_Id: 'HP' });
  await shop.laptop(small, { category_Id: 'Dell' });
  await small.client.call(advertiseLaptop, {
    params: { _id: await shop.laptop(small, { category_Id: 'Dell' }) },
  });
  await shop.connection.pool.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                          resale_price_cents, posted_time, use_time, mobile_number, condition, facts_version)
     select 'Acer', $1, 'Swift', 'Porto', array['/brands/acer.svg'], '{}'::jsonb, 90000, 50000, '', '', '+351 912 345 678', 'Good', $2
       from generate_series(1, 120)`,
    [large.userId, FACTS_VERSION],
  );
});
afterAll(async () => {
  await other.close();
  await shop.close();
});

const brands = ['HP', 'Acer', 'Dell'] as const;
/** The lists that show each seller. */
const LISTS_OF_LARGE = 2;
const LISTS_OF_SMALL = 2;

/** The sellers that each list names, with their verification. */
async function listsIn({ visitor }: TestShop): Promise<string[]> {
  const lists = [
    ...brands.map((id) => visitor.call(listCategory, { params: { id }, query: {} })),
    visitor.call(listAdvertisements, { query: {} }),
  ];
  return (await Promise.all(lists)).map((laptops) =>
    [...new Set(laptops.map((laptop) => `${laptop.sellers_name} ${laptop.sellerVerified}`))].join(),
  );
}

async function cachedIn({ origin }: TestShop): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^coomercio_response_cache_entries (\d+)$/m.exec(metrics)?.[1]);
}

/**
 * Asks for the lists often enough for them to be kept. What shows a change can be removed once more, when the search has read the
 * change: so each test changes the seller whom the one before has changed.
 */
async function keepLists(): Promise<void> {
  for (const process of [shop, other]) {
    await expect
      .poll(async () => {
        await listsIn(process);
        return cachedIn(process);
      })
      .toBe(LISTS_OF_LARGE + LISTS_OF_SMALL);
  }
}

/** What a visitor reads of a seller and of the newest laptop elsewhere. */
async function namesOf({ userId }: Person): Promise<string[]> {
  const { rows } = await shop.connection.pool.query(
    `select id from laptops where seller_id = $1 order by number desc limit 1`,
    [userId],
  );
  const [laptop, seller] = await Promise.all([
    shop.visitor.call(readLaptop, { params: { _id: rows[0]?.id } }),
    shop.visitor.call(readSeller, { params: { sellerId: userId } }),
  ]);
  return [laptop.sellers_name, seller.name];
}

test('a new name of a seller of many shows everywhere at once, and removes no list of others', async () => {
  // Until the searches have read the laptops above, each of those can remove its lists once more.
  const acers = { query: { brand: ['Acer'], limit: 1 } } as const;
  for (const { visitor } of [shop, other]) {
    await expect.poll(async () => (await visitor.call(searchLaptops, acers)).total).toBe(120);
  }
  await keepLists();
  await large.client.call(renameUser, { body: { name: 'Lea Larger' } });
  expect(await cachedIn(shop)).toBe(LISTS_OF_SMALL);
  await expect.poll(() => cachedIn(other)).toBe(LISTS_OF_SMALL);
  for (const process of [shop, other]) {
    expect(await listsIn(process)).toEqual([
      'Lea Larger false',
      'Lea Larger false',
      'Sam Small false',
      'Sam Small false',
    ]);
  }
  expect(await namesOf(large)).toEqual(['Lea Larger', 'Lea Larger']);
});

test('the same name again, and a new one of a buyer, remove nothing', async () => {
  const buyer = await shop.buyer('Bea Buyer');
  await keepLists();
  await small.client.call(renameUser, { body: { name: 'Sam Small' } });
  await buyer.client.call(renameUser, { body: { name: 'Bea Bought' } });
  // A later change shows that the earlier ones would have arrived.
  await large.client.call(renameUser, { body: { name: 'Lea Largest' } });
  for (const process of [shop, other]) await expect.poll(() => cachedIn(process)).toBe(LISTS_OF_SMALL);
});

test('a verification shows in lists and in searches, and removes no list of others', async () => {
  const verified = async () => {
    const query = { verified: 'yes', limit: 1 } as const;
    return (await shop.visitor.call(searchLaptops, { query })).total;
  };
  expect(await verified()).toBe(0);
  await keepLists();
  const admin = await shop.admin();
  await admin.client.call(verifySeller, { params: { email: large.email }, query: {} });
  expect(await cachedIn(shop)).toBe(LISTS_OF_SMALL);
  expect(await listsIn(shop)).toEqual([
    'Lea Largest true',
    'Lea Largest true',
    'Sam Small false',
    'Sam Small false',
  ]);
  await expect.poll(verified).toBe(121);
});

test('the end of a seller’s account empties the seller’s lists', async () => {
  await keepLists();
  const admin = await shop.admin();
  await admin.client.call(deleteSeller, { params: { _id: large.userId } });
  expect(await listsIn(shop)).toEqual(['', '', 'Sam Small false', 'Sam Small false']);
});
