import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { measure } from '#server/certification/certificates/testing/measure.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { factsResponse } from '../catalogue/rules.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

const list = (name: string, battery: string, more: object = {}) =>
  shop.laptop(seller, { name, description: { Memory: '16 GB', Battery: battery }, ...more });
const search = (query: object) => shop.visitor.call(searchLaptops, { query });
const names = async (query: object) => (await search(query)).laptops.map(({ name }) => name);
const factsOf = async (id: string) => (await shop.visitor.call(readLaptop, { params: { _id: id } })).facts;

test('a filter finds the batteries with at least so much, and counts each under all lower values', async () => {
  await list('Best', '57 Wh, 96 % health');
  await list('Good', '84% of its capacity left');
  await list('Fair', '70 %');
  await list('Weak', '61 %');
  await list('Unknown', 'works for hours');
  await expect.poll(() => names({})).toEqual(['Unknown', 'Weak', 'Fair', 'Good', 'Best']);
  expect(await names({ battery: 70 })).toEqual(['Fair', 'Good', 'Best']);
  expect(await names({ battery: 80 })).toEqual(['Good', 'Best']);
  expect(await names({ battery: [90, 80] })).toEqual(['Good', 'Best']);
  expect((await search({ battery: 90 })).facets.battery).toEqual([
    { value: '70', count: 3 },
    { value: '80', count: 2 },
    { value: '90', count: 1 },
  ]);
  expect(await search({ battery: 90, q: 'weak' })).toMatchObject({
    total: 0,
    loosen: [
      { filters: ['battery'], total: 1 },
      { filters: ['q'], total: 1 },
    ],
  });
});

test('a measured battery counts instead of what the seller wrote, also in the filter', async () => {
  const id = await list('Measured', '99 %', { condition: 'Good' });
  expect(await factsOf(id)).toMatchObject({ battery: 99 });
  await measure(shop, seller, id, { health: 85 });
  expect(await factsOf(id)).toMatchObject({ battery: 85, batteryMeasured: true });
  // The index may not have the laptop yet, which is not found at 90 either.
  await expect.poll(() => names({ battery: 80, q: 'measured' })).toEqual(['Measured']);
  await expect.poll(() => names({ battery: 90, q: 'measured' })).toEqual([]);
});

test('a measured battery counts where the seller wrote none', async () => {
  const id = await list('Silent', '', { condition: 'Good' });
  await measure(shop, seller, id, { health: 92 });
  await expect.poll(() => names({ battery: 90, q: 'silent' })).toEqual(['Silent']);
});

test('a better battery than a measurement found is not believed when the listing does not count as measured', async () => {
  // The measured memory contradicts the listing.
  const id = await list('Contradicted', '95 %', { condition: 'Good' });
  await measure(shop, seller, id, { health: 72, gigabytes: 8 });
  expect(await factsOf(id)).toEqual({ memory: 16 });
  await expect.poll(() => names({ battery: 70, q: 'contradicted' })).toEqual([]);
  const modest = await list('Modest', '70 %', { condition: 'Fair' });
  await measure(shop, seller, modest, { health: 72, gigabytes: 8 });
  expect(await factsOf(modest)).toEqual({ memory: 16, battery: 70 });
});

test('the database and the responses have the same rule', async () => {
  const percents = [null, 0, 70, 84, 85, 100];
  const cases = (['word', 'measured', 'inspected_photos', 'inspected_hand'] as const).flatMap((level) =>
    percents.flatMap((written) => percents.map((measured) => ({ level, written, measured }))),
  );
  const { rows } = await shop.connection.pool.query<{ battery: number | null }>(
    `select shown_battery(level, written, measured) as battery
       from jsonb_to_recordset($1) as cases (level text, written integer, measured integer)`,
    [JSON.stringify(cases)],
  );
  const none = { memory_gb: null, storage_gb: null, screen_inches: null };
  const noNames = { processor: null, generation: null, graphics: null, system: null };
  expect(rows.map(({ battery }) => battery)).toEqual(
    cases.map(({ level, written, measured }) => {
      const columns = { level, battery_percent: written, measured_battery: measured };
      return factsResponse({ ...none, ...noNames, ...columns }).battery ?? null;
    }),
  );
});
