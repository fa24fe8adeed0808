import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  advertiseLaptop,
  changeLaptop,
  deleteOwnLaptop,
  listAdvertisements,
  listCategory,
  listOwnLaptops,
  readLaptop,
  readOwnLaptop,
} from '#contract/listings/catalogue.ts';
import { reportLaptop, takeDownLaptop } from '#contract/listings/reports.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { listSitemaps, readSitemap } from '#contract/listings/sitemaps.ts';
import { changeListing, readForm } from '#tests/harness/listings/change-listing.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { bookOneLaptop, expectMoneyInOrder } from '#tests/harness/sales/booked-laptop.ts';

let shop: SharedShop;
let seller: Person;

beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));

const booked = (laptop?: string) => bookOneLaptop(shop, seller, laptop);

describe('a changed laptop', () => {
  test('shows its new content in every list, on its page, in the search, to its seller and in bookings', async () => {
    const { laptop, read } = await booked();
    await seller.client.call(advertiseLaptop, { params: { _id: laptop } });
    await shop.visitor.call(listCategory, { params: { id: 'Dell' }, query: {} });
    const content = {
      category_Id: 'Dell',
      name: 'Latitude 7420 of the attic',
      description: { Processor: 'Intel Core i7-1185G7', Memory: '32 GB' },
      original_price: 1100,
      resale_price: 499.5,
      condition: 'Good',
      location: 'Porto',
      use_time: '3 years',
      mobile_number: '+351 900 111 222',
    } as const;
    await expect(changeListing(seller, laptop, content)).resolves.toMatchObject({ modifiedCount: 1 });

    const own = await seller.client.call(readOwnLaptop, { params: { _id: laptop } });
    expect(own).toMatchObject({ ...content, version: 2, advertisement: true });
    const { mobile_number: _, ...forVisitors } = content;
    const details = await shop.visitor.call(readLaptop, { params: { _id: laptop } });
    expect(details).toMatchObject({ ...forVisitors, lowest_price: 499.5 });
    expect(details.facts).toMatchObject({ memory: 32, generation: 'intel-11' });
    const dell = await shop.visitor.call(listCategory, { params: { id: 'Dell' }, query: {} });
    expect(dell.find(({ _id }) => _id === laptop)).toMatchObject({ name: content.name });
    const hp = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
    expect(hp.map(({ _id }) => _id)).not.toContain(laptop);
    const advertised = await shop.visitor.call(listAdvertisements, { query: {} });
    expect(advertised).toMatchObject([{ _id: laptop, resale_price: 499.5 }]);
    await expect(read()).resolves.toMatchObject({ productName: content.name, price: 499.5 });
    const query = { q: 'attic', memory: '32', brand: 'Dell' };
    await expect
      .poll(async () => (await shop.visitor.call(searchLaptops, { query })).laptops)
      .toMatchObject([{ _id: laptop, resale_price: 499.5 }]);
  });

  test('keeps the lowest price of 30 days, and its sitemap has the day of the change', async () => {
    const laptop = await shop.laptop(seller);
    await changeListing(seller, laptop, { resale_price: 500 });
    await changeListing(seller, laptop, { resale_price: 600 });
    await expect(shop.visitor.call(readLaptop, { params: { _id: laptop } })).resolves.toMatchObject({
      resale_price: 600,
      lowest_price: 500,
    });
    await shop.connection.pool.query(
      `update laptop_prices set since = since - interval '9 days' where laptop_id = $1`,
      [laptop],
    );
    await changeListing(seller, laptop, { location: 'Faro' });
    const [number = 1] = await shop.visitor.call(listSitemaps, {});
    const urls = await shop.visitor.call(readSitemap, { params: { number }, query: {} });
    const today = new Date().toISOString().slice(0, 10);
    expect(urls.find(({ _id }) => _id === laptop)).toMatchObject({ changed: today });
  });

  test('is not overwritten by a form that was filled before another change, nor by another seller', async () => {
    const laptop = await shop.laptop(seller);
    const form = await readForm(seller, laptop);
    const send = (who: Person, name: string) =>
      who.client.call(changeLaptop, { params: { _id: laptop }, body: { ...form, name } });
    await expect(send(await shop.seller(), 'Mine')).rejects.toMatchObject({ code: 'not_found' });
    const outcomes = await Promise.allSettled([send(seller, 'One tab'), send(seller, 'Other tab')]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([
      { reason: { code: 'changed_elsewhere', message: expect.stringContaining('Nothing was saved') } },
    ]);
    const stored = await seller.client.call(readOwnLaptop, { params: { _id: laptop } });
    expect(stored).toMatchObject({ version: 2, name: expect.stringMatching(/^(One|Other) tab$/) });
  });

  test('is changed once by a repeated call', async () => {
    const laptop = await shop.laptop(seller);
    const body = { ...(await readForm(seller, laptop)), name: 'Renamed' };
    const call = () =>
      seller.client.call(changeLaptop, { params: { _id: laptop }, body, idempotencyKey: `key-of-${laptop}` });
    const first = await call();
    await expect(call()).resolves.toEqual(first);
    await expect(seller.client.call(readOwnLaptop, { params: { _id: laptop } })).resolves.toMatchObject({
      version: 2,
    });
  });
});

describe('a laptop that is not for sale', () => {
  test('cannot be changed: sold, withdrawn, taken down', async () => {
    const [sold, withdrawn, takenDown] = [await booked(), await booked(), await booked()];
    const { clientSecret } = await sold.prepare(549.99);
    await sold.report((await shop.pay(clientSecret)).transactionId);
    await expect(sold.reprice(500)).rejects.toMatchObject({ code: 'already_sold' });

    await seller.client.call(deleteOwnLaptop, { params: { _id: withdrawn.laptop } });
    await expect(withdrawn.reprice(500)).rejects.toMatchObject({
      code: 'no_longer_for_sale',
      message: expect.stringContaining('sell it again first'),
    });

    const body = { productCode: takenDown.laptop, reason: 'Stolen' } as const;
    await takenDown.buyer.client.call(reportLaptop, { body });
    const params = { _id: takenDown.laptop };
    await (await shop.admin()).client.call(takeDownLaptop, { params, body: { note: 'Stolen.' } });
    await expect(takenDown.reprice(500)).rejects.toMatchObject({ code: 'no_longer_for_sale' });
    const own = await seller.client.call(listOwnLaptops, { query: {} });
    for (const { laptop } of [sold, takenDown]) {
      expect(own.find(({ _id }) => _id === laptop)?.actions).not.toContain('edit');
    }
  });

  test('nor can one for which a buyer is paying, until the payment window ends', async () => {
    const { laptop, prepare, release, reprice } = await booked();
    const { clientSecret } = await prepare(549.99);
    await expect(reprice(600)).rejects.toMatchObject({
      code: 'somebody_is_paying',
      retryAt: expect.any(Date),
      message: expect.stringContaining('Nothing was saved'),
    });
    await expect(changeListing(seller, laptop, { name: 'Another' })).rejects.toMatchObject({
      code: 'somebody_is_paying',
    });
    await expect(seller.client.call(readOwnLaptop, { params: { _id: laptop } })).resolves.toMatchObject({
      paymentWindowEndsAt: expect.any(String),
    });
    await release();
    await expect(changeListing(seller, laptop, { name: 'Another' })).resolves.toMatchObject({
      modifiedCount: 1,
    });
    // The payment page is still open: its payment was prepared at the old price.
    await reprice(600);
    await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
    await expectMoneyInOrder(shop, laptop);
  });
});
