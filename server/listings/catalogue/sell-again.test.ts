import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advertiseLaptop,
  deleteOwnLaptop,
  listAdvertisements,
  listCategory,
  listOwnLaptops,
  readLaptop,
  relistLaptop,
} from '#contract/listings/catalogue.ts';
import { reportLaptop, takeDownLaptop } from '#contract/listings/reports.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

const withdraw = (_id: string) => seller.client.call(deleteOwnLaptop, { params: { _id } });
const relist = (_id: string, who = seller) =>
  who.client.call(relistLaptop, { params: { _id }, body: { posted_time: 'Nov 22, 2026, 11:00 AM' } });
const withdrawn = async () =>
  (await seller.client.call(listOwnLaptops, { query: { list: 'withdrawn' } })).map(({ _id }) => _id);

test('a withdrawn laptop is sold again as the newest, without its advertisement', async () => {
  const [laptop, newer] = [await shop.laptop(seller), await shop.laptop(seller)];
  const before = await shop.visitor.call(readLaptop, { params: { _id: laptop } });
  await seller.client.call(advertiseLaptop, { params: { _id: laptop } });
  await withdraw(laptop);
  expect(await withdrawn()).toEqual([laptop]);
  await expect(relist(laptop)).resolves.toMatchObject({ modifiedCount: 1 });
  await expect(relist(laptop)).resolves.toMatchObject({ modifiedCount: 0 });
  expect(await withdrawn()).toEqual([]);
  const ids = (await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} })).map(
    ({ _id }) => _id,
  );
  expect(ids).toEqual([laptop, newer]);
  const own = await seller.client.call(listOwnLaptops, { query: {} });
  expect(own[0]).toMatchObject({ _id: laptop, state: 'Available', actions: ['edit', 'advertise', 'delete'] });
  await expect(shop.visitor.call(listAdvertisements, { query: {} })).resolves.toEqual([]);
  await expect(shop.visitor.call(readLaptop, { params: { _id: laptop } })).resolves.toMatchObject({
    images: before.images,
    posted_time: 'Nov 22, 2026, 11:00 AM',
  });
  // Also when the index did not read between the withdrawal and the listing.
  await expect
    .poll(async () => (await shop.visitor.call(searchLaptops, { query: {} })).total)
    .toBe(ids.length);
});

test('a laptop that the shop took down is not sold again, nor is another seller’s', async () => {
  const [laptop, other] = [await shop.laptop(seller), await shop.laptop(seller)];
  const reporter = await shop.buyer();
  await reporter.client.call(reportLaptop, { body: { productCode: laptop, reason: 'Stolen' } });
  const admin = await shop.admin();
  await admin.client.call(takeDownLaptop, { params: { _id: laptop }, body: { note: 'Stolen.' } });
  await expect(relist(laptop)).rejects.toMatchObject({ code: 'not_found' });
  await withdraw(laptop);
  expect(await withdrawn()).toEqual([]);
  await expect(relist(laptop)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('took EliteBook 840 G8 down'),
  });
  await withdraw(other);
  await expect(relist(other, await shop.seller())).rejects.toMatchObject({ code: 'not_found' });
});

test('a laptop below the least price, or from a country that was removed, is not sold again as it is; a listed one keeps both', async () => {
  const [cheap, far, listed] = [
    await shop.laptop(seller),
    await shop.laptop(seller),
    await shop.laptop(seller),
  ];
  await shop.changeSettings({ shippingCountries: ['US', 'PT'] });
  for (const laptop of [far, listed])
    await changeListing(seller, laptop, { delivery: 'ship', ships_from: 'PT' });
  await withdraw(far);
  await shop.changeSettings({ shippingCountries: ['US'] });
  await expect(relist(far)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('not sent from this country'),
  });
  await changeListing(seller, listed, { delivery: 'ship', ships_from: 'PT', location: 'Faro' });
  await withdraw(cheap);
  await shop.changeSettings({ leastPriceCents: 60_000 });
  await expect(relist(cheap)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('must be at least $600.00'),
  });
  await shop.changeSettings(defaultShopSettings);
  await expect(relist(cheap)).resolves.toMatchObject({ modifiedCount: 1 });
});
