import { beforeAll, expect, test } from 'vitest';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { readStoredFacts } from './stored-facts.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const description = {
  Processor: 'Intel Core i7-1165G7',
  Memory: '16 GB',
  Storage: '512 GB SSD',
  Display: '13.5″',
  Graphics: 'Intel Iris Xe',
  Battery: '57 Wh, 86 % health',
  Operating: 'Windows 11',
};
const facts = {
  memory: 16,
  storage: 512,
  screen: 13.5,
  processor: 'intel-core-i7',
  generation: 'intel-11',
  graphics: 'integrated',
  system: 'windows-11',
  battery: 86,
};
const factsOf = async (id: string) => (await shop.visitor.call(readLaptop, { params: { _id: id } })).facts;

test('a listed laptop has the facts of its description', async () => {
  expect(await factsOf(await shop.laptop(seller, { description }))).toEqual(facts);
});

test('the facts of laptops stored earlier are read once', async () => {
  const read = () => readStoredFacts(shop.connection.database, new AbortController().signal);
  // Those of other files.
  await read();
  const known = await shop.laptop(seller, { description });
  const unknown = await shop.laptop(seller, { description: { Processor: 'quick', Memory: '8 GB' } });
  await shop.connection.pool.query(
    `update laptops set facts_version = 1, memory_gb = null, screen_inches = null, processor = null, battery_percent = null
      where id in ($1, $2)`,
    [known, unknown],
  );
  expect(await read()).toBe(2);
  expect(await factsOf(known)).toEqual(facts);
  expect(await factsOf(unknown)).toEqual({ memory: 8 });
  expect(await read()).toBe(0);
});
