import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ObjectStore, startObjectStore } from '#tests/harness/listings/object-storage.ts';
import {
  createSampleShops,
  laptopPhoto,
  type SampleShop,
  type SampleShops,
} from '#tests/harness/operations/backup-shops.ts';

let store: ObjectStore;
let shops: SampleShops;
/** A backup of four laptops, and what is in it. */
let four: string;
let ofFour: Awaited<ReturnType<SampleShop['contents']>>;

beforeAll(async () => {
  store = await startObjectStore();
  shops = await createSampleShops(store);
  const shop = await shops.createFilled('disk', 4);
  four = shops.newPath();
  await shop.backUp(four);
  ofFour = await shop.contents();
});
beforeEach(() => {
  store.onCall = () => 'pass';
  store.pageSize = 1000;
});
afterAll(async () => {
  await shops.close();
  await store[Symbol.asyncDispose]();
});

test('keeps the photos that a storage has, and removes them with --replace', { tags: 'long' }, async () => {
  const to = await shops.open('target', 'bucket');
  const { master } = laptopPhoto('Somebody else’s');
  await to.photos.put(master, Buffer.from('theirs'), 'image/webp');
  await to.restore(four);
  expect((await to.contents()).photos).toEqual({ ...ofFour.photos, [master]: 'theirs' });
  await to.restore(four, { replace: true });
  expect(await to.contents()).toEqual(ofFour);
});

test('a failed restore changes no row and no photo of the shop, and can be repeated', async () => {
  const to = await shops.open('target', 'bucket');
  await to.list('Laptop 1');
  await to.list('Its own');
  const before = await to.contents();
  const last = laptopPhoto('Laptop 3').master;
  for (const outcome of [500, 'discard'] as const) {
    store.onCall = ({ method, key }) => (method === 'PUT' && key === last ? outcome : 'pass');
    await expect(to.restore(four, { replace: true })).rejects.toThrow(
      outcome === 500
        ? /answered 500 .* No row was changed\.$/
        : /^Of 8 photos 7 are in the bucket .* No row was changed\.$/,
    );
    const { rows, photos } = await to.contents();
    expect(rows).toEqual(before.rows);
    expect(photos).toMatchObject(before.photos);
  }
  store.onCall = () => 'pass';
  await to.restore(four, { replace: true });
  expect(await to.contents()).toEqual(ofFour);
});

test('says that photos of the replaced shop may be left, and removes them when it is repeated', {
  tags: 'long',
}, async () => {
  const to = await shops.open('target', 'bucket');
  await to.photos.put(laptopPhoto('Before').master, Buffer.from('before'), 'image/webp');
  store.onCall = ({ method }) => (method === 'DELETE' ? 500 : 'pass');
  await expect(to.restore(four, { replace: true })).rejects.toThrow(
    /answered 500 .* Everything is restored, but photos of the shop before may still be in the bucket/,
  );
  store.onCall = () => 'pass';
  expect((await to.contents()).rows).toEqual(ofFour.rows);
  await to.restore(four, { replace: true });
  expect(await to.contents()).toEqual(ofFour);
});

test('does not restore a file that changes after its verification', { tags: 'long' }, async () => {
  const [to, whole] = [await shops.open('target', 'bucket'), await readFile(four)];
  const damaged = Buffer.from(whole);
  damaged.write('X', damaged.indexOf('the photo of Laptop 1'));
  const readings = [whole, damaged];
  const changing = { name: four, open: () => Readable.from([readings.shift()]) };
  await expect(to.restore(changing)).rejects.toThrow(/is not as it was written\. No row was changed\.$/);
  expect(readings).toEqual([]);
  expect((await to.contents()).rows).toEqual([]);
});

test('does not restore photos into a shop with another image host', async () => {
  const to = await shops.open('target', 'disk');
  await expect(to.restore(four, { elsewhere: true })).rejects.toThrow(
    'This backup holds photos, and this shop keeps its photos at another host: unset IMAGE_HOST_URL',
  );
});
