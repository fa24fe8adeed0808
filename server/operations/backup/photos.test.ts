import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type CallOutcome,
  type ObjectStore,
  startObjectStore,
} from '#tests/harness/listings/object-storage.ts';
import {
  createSampleShops,
  laptopPhoto,
  type SampleShop,
  type SampleShops,
} from '#tests/harness/operations/backup-shops.ts';
import { archiveFile, verifiedEntries } from './archive.ts';

let store: ObjectStore;
let shops: SampleShops;
/** A backup of four laptops. */
let four: string;

beforeAll(async () => {
  store = await startObjectStore();
  shops = await createSampleShops(store);
  const shop = await shops.createFilled('disk', 4);
  four = shops.newPath();
  await shop.backUp(four);
});
beforeEach(() => {
  store.onCall = () => 'pass';
  store.pageSize = 1000;
});
afterAll(async () => {
  await shops.close();
  await store[Symbol.asyncDispose]();
});

/** Reads the media types of a photo's files in a bucket. */
async function mediaTypesOf(shop: SampleShop, { master, record }: { master: string; record: string }) {
  const base = `${store.endpoint}/${shop.photos.description.replace('the bucket ', '')}`;
  const answers = await Promise.all([master, record].map((key) => fetch(`${base}/${key}`)));
  return answers.map(({ headers }) => headers.get('content-type'));
}

async function namesIn(file: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of verifiedEntries(archiveFile(file))) names.push(name);
  return names;
}

const photosIn = async (file: string) => (await namesIn(file)).filter((name) => name.startsWith('photos/'));

test('restores a disk backup into a bucket, and a bucket backup to disk, with identical contents', async () => {
  store.pageSize = 5;
  const first = await shops.createFilled('disk', 12);
  const whole = await first.contents();
  expect(Object.keys(whole.photos)).toHaveLength(24);
  store.onCall = async ({ method }): Promise<CallOutcome> => {
    // Slower than the archive is read.
    if (method === 'PUT') await setTimeout(40);
    return 'pass';
  };
  let from = first;
  for (const [which, kind] of [
    ['target', 'bucket'],
    ['source', 'disk'],
  ] as const) {
    const file = shops.newPath();
    const made = await from.backUp(file);
    expect(made).toMatchObject({ photos: 24, missingPhotos: { count: 0, first: [] } });
    const to = await shops.open(which, kind);
    expect(await to.restore(file)).toEqual(made);
    expect(await to.contents()).toEqual(whole);
    expect(await photosIn(file)).toHaveLength(24);
    if (kind === 'bucket')
      expect(await mediaTypesOf(to, laptopPhoto('Laptop 0'))).toEqual(['image/webp', 'application/json']);
    from = to;
  }
  // Concurrent, but bounded.
  for (const method of ['GET', 'PUT']) {
    expect(store.maxConcurrent(method), method).toBeGreaterThan(1);
    expect(store.maxConcurrent(method), method).toBeLessThanOrEqual(8);
  }
});

test('ignores other objects in the bucket', { tags: 'long' }, async () => {
  const [shop, file] = [await shops.createFilled('bucket', 1), shops.newPath()];
  for (const key of ['logs/2026.txt', 'readme.webp']) {
    await shop.photos.put(key, Buffer.from('theirs'), 'text/plain');
  }
  await shop.backUp(file);
  expect(await photosIn(file)).toHaveLength(2);
  await shop.restore(file, { replace: true });
  expect(await shop.photos.has('logs/2026.txt')).toBe(true);
  expect(await shop.photos.has('readme.webp')).toBe(true);
});

test('fails with a message and leaves no partial file when the bucket is unavailable', {
  tags: 'long',
}, async () => {
  const [shop, file] = [await shops.createFilled('bucket'), shops.newPath()];
  store.onCall = () => 403;
  await expect(shop.backUp(file)).rejects.toThrow(/^The bucket .* refuses .* No backup was made\.$/);
  store.onCall = ({ key }) => (key === laptopPhoto('Laptop 2').master ? 500 : 'pass');
  await expect(shop.backUp(file)).rejects.toThrow(/answered 500 .*No backup was made\.$/);
  expect(await shops.filesAt(file)).toEqual([]);

  store.onCall = () => 'pass';
  const empty = await shops.open('target', 'bucket');
  store.onCall = () => 403;
  await expect(empty.restore(four)).rejects.toThrow(/^The bucket .* refuses .* No row was changed\.$/);
});

test('repeats an interrupted read of a photo', { tags: 'long' }, async () => {
  const [shop, file] = [await shops.createFilled('bucket', 2), shops.newPath()];
  const { master } = laptopPhoto('Laptop 1');
  let breaks = 2;
  store.onCall = ({ key }) => {
    if (key !== master || breaks === 0) return 'pass';
    breaks -= 1;
    return 'truncate';
  };
  expect(await shop.backUp(file)).toMatchObject({ photos: 4, missingPhotos: { count: 0, first: [] } });
  expect(await photosIn(file)).toHaveLength(4);

  breaks = Number.POSITIVE_INFINITY;
  const never = shops.newPath();
  await expect(shop.backUp(never)).rejects.toThrow(
    `${master} in ${shop.photos.description} breaks off each time`,
  );
  expect(await shops.filesAt(never)).toEqual([]);
});

test('names photos that laptops show and the storage has lost, and makes the backup without them', {
  tags: 'long',
}, async () => {
  const [shop, file] = [await shops.createFilled('bucket'), shops.newPath()];
  const lost = laptopPhoto('Laptop 0');
  await shop.photos.remove(lost.master);
  await shop.query(`update laptops set images = images || array['https://img.example/a.png']`);
  expect(await shop.backUp(file)).toMatchObject({
    photos: 5,
    missingPhotos: { count: 1, first: [lost.variant] },
  });
  const to = await shops.open('target', 'disk');
  expect(await to.restore(file)).toMatchObject({ missingPhotos: { count: 1, first: [lost.variant] } });
  expect(await to.contents()).toEqual(await shop.contents());
});

test('ignores the files of an interrupted upload', { tags: 'long' }, async () => {
  const [shop, file] = [await shops.createFilled('bucket', 1), shops.newPath()];
  const { hash, record, width, height, blur } = laptopPhoto('Broken off');
  await shop.query('insert into photos (hash) values ($1), ($2)', [hash, laptopPhoto('Not begun').hash]);
  await shop.photos.put(
    record,
    Buffer.from(JSON.stringify({ hash, width, height, blur })),
    'application/json',
  );
  expect(await shop.backUp(file)).toMatchObject({ missingPhotos: { count: 0, first: [] } });
  expect(await photosIn(file)).toHaveLength(3);
});

test('contains no variants', async () => {
  const [shop, file] = [await shops.createFilled('disk', 1), shops.newPath()];
  const photo = laptopPhoto('Laptop 0');
  await shop.photos.put(photo.variant, Buffer.from('made'), 'image/webp');
  await shop.backUp(file);
  expect(await photosIn(file)).toEqual([`photos/${photo.record}`, `photos/${photo.master}`]);
});
