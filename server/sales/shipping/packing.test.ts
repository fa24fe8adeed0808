// Photos of what is sent: with a label of the shop and with another one, who sees them, and when they go.

import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { buyLabel, quoteLabel } from '#contract/sales/labels.ts';
import { readOrder } from '#contract/sales/orders.ts';
import {
  addPackingPhotos,
  MAXIMUM_PACKING_PHOTOS,
  reportParcel,
  shipParcel,
} from '#contract/sales/shipping.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sampleSender, startTestCarriers, type TestCarriers, verify } from '#tests/harness/sales/carriers.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { applyParcelDeadlines } from './actions.ts';
import { ADDRESS_DAYS } from './rules.ts';

const KEY = 'key of the test';
let shop: TestShop;
let fake: TestCarriers;
let admin: Person;

beforeAll(async () => {
  shop = await startTestShop({
    photoKey: KEY,
    dependencies: async (context) => {
      fake = await startTestCarriers(context);
      return { carriers: fake.carriers };
    },
  });
  admin = await shop.admin();
});
afterAll(async () => {
  await waitForJobs();
  await shop.close();
  await fake.close();
});

const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);
const sell = () => sellLaptop(shop, { address: sampleAddress });
const params = ({ orderId }: Sale) => ({ _id: orderId });

let shade = 0;
/** Uploads a new photo. @returns its URL */
async function upload({ token }: Person): Promise<string> {
  // Neighbouring shades are the same JPEG file.
  shade += 10;
  const background = { r: shade % 256, g: 60, b: 120 };
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const body = new FormData();
  body.append('image', new File([new Uint8Array(photo)], 'parcel.jpg', { type: 'image/jpeg' }));
  const headers = { authorization: `Bearer ${token}` };
  const url = `${shop.origin}/photos?key=${encodeURIComponent(KEY)}`;
  return PhotoUploaded.parse(await (await fetch(url, { method: 'POST', headers, body })).json()).data.url;
}
async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

const add = (sale: Sale, photos: string[], by = sale.seller) =>
  by.client.call(addPackingPhotos, { params: params(sale), body: { photos } });
const shown = async (sale: Sale, by: Person) =>
  (await by.client.call(readOrder, { params: params(sale) })).packingPhotos.map(({ photo }) => photo);
const ship = (sale: Sale) =>
  sale.seller.client.call(shipParcel, {
    params: params(sale),
    body: { carrier: 'UPS', trackingNumber: `1Z${crypto.randomUUID()}` },
  });
const takeBack = (sale: Sale) =>
  sale.seller.client.call(reportParcel, {
    params: params(sale),
    body: { move: 'take_back', text: 'It came back.' },
  });
const applyDeadlines = () =>
  applyParcelDeadlines(
    {
      database: shop.connection.database,
      enqueue: shop.enqueue,
      cache: { waitForInvalidation: async () => undefined },
    },
    new Date(),
  );

test('with a label of the shop, photos are added until its first scan, and buyer, seller and admin see them', async () => {
  const sale = await sell();
  const first = await upload(sale.seller);
  expect(await add(sale, [first])).toMatchObject({ modifiedCount: 1 });
  await verify(shop, sale.seller);
  const { _id, rates } = await sale.seller.client.call(quoteLabel, {
    params: params(sale),
    body: { sender: sampleSender },
  });
  const body = { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 };
  await sale.seller.client.call(buyLabel, { params: { _id }, body });
  await waitForJobs();
  const second = await upload(sale.seller);
  expect(await add(sale, [first, second])).toMatchObject({ modifiedCount: 1 });
  await fake.report((await fake.shipmentOf(sale.orderId)).id, 'in_transit');
  await waitForJobs();
  // What was answered before is answered again; something new comes too late to prove anything.
  expect(await add(sale, [second])).toMatchObject({ modifiedCount: 0 });
  await expect(add(sale, [await upload(sale.seller)])).rejects.toMatchObject({ code: 'order_moved' });
  for (const person of [sale.buyer, sale.seller, admin]) {
    expect(await shown(sale, person)).toEqual([first, second]);
  }
  await shop.removeUnusedPhotos(new Date(Date.now() + 30 * DAY_MS));
  expect(await statusOf(first)).toBe(200);
});

test('only the seller adds photos, of this shop and not too many, and the export has them', async () => {
  const sale = await sell();
  const photo = await upload(sale.seller);
  await expect(add(sale, [photo], await shop.seller())).rejects.toMatchObject({ code: 'not_found' });
  for (const wrong of [[], [photo, photo], ['https://elsewhere.example/a.jpg']]) {
    await expect(add(sale, wrong)).rejects.toMatchObject({ errors: { photos: expect.any(String) } });
  }
  const most: string[] = [];
  while (most.length < MAXIMUM_PACKING_PHOTOS) most.push(await upload(sale.seller));
  await add(sale, most);
  await expect(add(sale, [photo])).rejects.toMatchObject({
    errors: { photos: 'This order has 12 photos already, and can have 12' },
  });
  await ship(sale);
  expect(await shown(sale, sale.buyer)).toEqual(most);
  const { packingPhotos } = await sale.seller.client.call(readOwnData, {});
  expect(packingPhotos.map((row) => row.photo)).toEqual(most);
});

test('photos of what was sent are erased as addresses are, and with either account', async () => {
  const old = await sell();
  const photo = await upload(old.seller);
  await add(old, [photo]);
  const age = (days: number) =>
    shop.connection.pool.query(
      `update packing_photos set added_at = now() - $2 * interval '1 day' where order_id = $1`,
      [old.orderId, days],
    );
  await age(ADDRESS_DAYS.paid + 1);
  await applyDeadlines();
  // The order is not over.
  expect(await shown(old, old.buyer)).toEqual([photo]);
  await ship(old);
  await takeBack(old);
  await age(ADDRESS_DAYS.paid - 1);
  await applyDeadlines();
  expect(await shown(old, old.buyer)).toEqual([photo]);
  await age(ADDRESS_DAYS.paid + 1);
  await applyDeadlines();
  expect(await shown(old, old.buyer)).toEqual([]);
  const left = await sell();
  const labelled = await upload(left.seller);
  await add(left, [labelled]);
  await ship(left);
  await takeBack(left);
  await shop.cards.deliverEvents({});
  await waitForJobs();
  const { client, email } = left.buyer;
  await client.call(deleteOwnAccount, { query: { email } });
  expect(await shown(left, left.seller)).toEqual([]);
  await shop.removeUnusedPhotos(new Date(Date.now() + DAY_MS));
  expect(await Promise.all([photo, labelled].map(statusOf))).toEqual([404, 404]);
});
