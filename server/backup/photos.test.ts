import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createSampleShops,
  laptopPhoto,
  type SampleShop,
  type SampleShops,
} from '#tests/harness/backup-shops.ts';
import { type CallOutcome, type ObjectStore, startObjectStore } from '#tests/harness/object-storage.ts';
import { writeVersion1 } from '#tests/harness/version-1-backup.ts';
import { verifiedEntries } from './read-archive.ts';

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

/** Reads the media types of a photo's files in a bucket. */
async function mediaTypesOf(shop: SampleShop, { master, record }: { master: string; record: string }) {
  const base = `${store.endpoint}/${shop.photos.description.replace('the bucket ', '')}`;
  const answers = await Promise.all([master, record].map((key) => fetch(`${base}/${key}`)));
  return answers.map(({ headers }) => headers.get('content-type'));
}

async function namesIn(file: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of verifiedEntries(file)) names.push(name);
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
    const progress: string[] = [];
    const onProgress = (done: number, total: number) => progress.push(`${done}/${total}`);
    const made = await from.backUp(file, onProgress);
    expect(made).toMatchObject({ photos: 24, missingPhotos: { count: 0, first: [] } });
    const to = await shops.open(which, kind);
    expect(await to.restore(file, { onProgress })).toEqual(made);
    expect(await to.contents()).toEqual(whole);
    expect(await photosIn(file)).toHaveLength(24);
    const counted = (to: number) => Array.from({ length: to }, (_, index) => `${index + 1}/${to}`);
    // The backup counts photos, the restore counts files.
    expect(progress).toEqual([...counted(12), ...counted(24)]);
    expect(await to.photos.has('restoring.json')).toBe(false);
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

test('ignores other objects in the bucket', async () => {
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

test('fails with a message and leaves no partial file when the bucket is unavailable', async () => {
  const [shop, file] = [await shops.createFilled('bucket'), shops.newPath()];
  store.onCall = () => 403;
  await expect(shop.backUp(file)).rejects.toThrow(/^The bucket .* refuses .* No backup was made\.$/);
  store.onCall = ({ key }) => (key === laptopPhoto('Laptop 2').master ? 500 : 'pass');
  await expect(shop.backUp(file)).rejects.toThrow(/answered 500 .*No backup was made\.$/);
  expect(await shops.filesAt(file)).toEqual([]);

  store.onCall = () => 'pass';
  const empty = await shops.open('target', 'bucket');
  store.onCall = () => 403;
  await expect(empty.restore(four)).rejects.toThrow(/^The bucket .* refuses .* Nothing was restored\.$/);
});

test('repeats an interrupted read of a photo', async () => {
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

test('names photos that laptops show and the storage has lost, and makes the backup without them', async () => {
  const [shop, file] = [await shops.createFilled('bucket'), shops.newPath()];
  const [lost, old] = [laptopPhoto('Laptop 0'), laptopPhoto('Laptop 1')];
  await shop.photos.remove(lost.master);
  // As stored by a version that made all variants and no master.
  await shop.photos.put(old.variant, Buffer.from('variant'), 'image/webp');
  await shop.photos.remove(old.master);
  await shop.query(`update laptops set images = images || array['https://img.example/a.png']`);
  expect(await shop.backUp(file)).toMatchObject({
    photos: 5,
    missingPhotos: { count: 1, first: [lost.variant] },
  });
  const to = await shops.open('target', 'disk');
  expect(await to.restore(file)).toMatchObject({ missingPhotos: { count: 1, first: [lost.variant] } });
  expect(await to.contents()).toEqual(await shop.contents());
});

test('ignores the files of an interrupted upload', async () => {
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

test('contains no variants of photos that have a master', async () => {
  const [shop, file] = [await shops.createFilled('disk', 2), shops.newPath()];
  const [photo, old] = [laptopPhoto('Laptop 0'), laptopPhoto('Laptop 1')];
  for (const { variant } of [photo, old]) await shop.photos.put(variant, Buffer.from('made'), 'image/webp');
  await shop.photos.remove(old.master);
  await shop.photos.remove(old.record);
  await shop.backUp(file);
  expect((await photosIn(file)).sort()).toEqual(
    [`photos/${photo.record}`, `photos/${photo.master}`, `photos/${old.variant}`].sort(),
  );
});

test('restores a version 1 backup with its variants', async () => {
  const [shop, file, old] = [await shops.createFilled('disk', 2), shops.newPath(), shops.newPath()];
  const { variant } = laptopPhoto('Laptop 1');
  await shop.photos.put(variant, Buffer.from('made'), 'image/webp');
  await shop.backUp(file);
  await writeVersion1(file, old, { more: { [`photos/${variant}`]: Buffer.from('made') } });
  const to = await shops.open('target', 'disk');
  expect(await to.restore(old)).toMatchObject({ photos: 5 });
  expect(await to.contents()).toEqual(await shop.contents());
});

test('overwrites a bucket that has photos only with --replace, and then removes them', async () => {
  const to = await shops.open('target', 'bucket');
  const { master } = laptopPhoto('Somebody else’s');
  await to.photos.put(master, Buffer.from('theirs'), 'image/webp');
  const before = await to.contents();
  await expect(to.restore(four)).rejects.toThrow(
    `This shop has photos in ${to.photos.description} of its own. Restore into an empty one, or say --replace`,
  );
  expect(await to.contents()).toEqual(before);
  await to.restore(four, { replace: true });
  expect(await to.contents()).toEqual(ofFour);
});

test('a failed restore leaves the shop unchanged', async () => {
  const to = await shops.open('target', 'bucket');
  await to.list('Laptop 1');
  await to.list('Its own');
  const before = await to.contents();
  const last = laptopPhoto('Laptop 3').master;
  for (const outcome of [500, 'discard'] as const) {
    store.onCall = ({ method, key }) => (method === 'PUT' && key === last ? outcome : 'pass');
    await expect(to.restore(four, { replace: true })).rejects.toThrow(
      outcome === 500
        ? /answered 500 .* Nothing was restored\.$/
        : /^Of 8 photos 7 are in the bucket .* Nothing was restored\.$/,
    );
    expect(await to.contents()).toEqual(before);
    expect(await to.photos.has('restoring.json')).toBe(false);
  }
});

test('a failed restore waits for pending writes and rolls them back', async () => {
  const to = await shops.open('target', 'bucket');
  const [slow, failing] = [laptopPhoto('Laptop 0').master, laptopPhoto('Laptop 1').master];
  const refused = Promise.withResolvers<void>();
  let tries = 0;
  let late = 0;
  store.onCall = async ({ method, key }): Promise<CallOutcome> => {
    if (method === 'DELETE') late += store.inFlight('PUT');
    if (method !== 'PUT' || (key !== slow && key !== failing)) return 'pass';
    if (key === slow) {
      await refused.promise;
      // Long enough for a restore that does not wait to have finished.
      await setTimeout(150);
      return 'pass';
    }
    tries += 1;
    if (tries === 3) refused.resolve();
    return 500;
  };
  await expect(to.restore(four)).rejects.toThrow(/answered 500 .* Nothing was restored\.$/);
  expect(late).toBe(0);
  expect(await to.contents()).toEqual({ rows: [], photos: {} });
});

test('repeats a restore that was interrupted before its rows were committed', async () => {
  const to = await shops.open('target', 'bucket');
  let [puts, removals] = [0, 0];
  store.onCall = async ({ method }): Promise<CallOutcome> => {
    if (method === 'PUT') {
      puts += 1;
      return puts > 4 ? 500 : 'pass';
    }
    if (method !== 'DELETE') return 'pass';
    removals += 1;
    // All but the first are slow: none may be pending after the restore has failed.
    if (removals > 1) await setTimeout(100);
    return 403;
  };
  await expect(to.restore(four)).rejects.toThrow(
    /answered 500 .* Nothing was restored; photos that had come already stay in the bucket .* until a restore ends\.$/,
  );
  expect(store.inFlight('DELETE')).toBe(0);
  store.onCall = () => 'pass';
  expect(Object.keys((await to.contents()).photos).length).toBeGreaterThan(0);
  // The next one fails as well, and removes only what it has written itself.
  store.onCall = ({ method, key }) =>
    method === 'PUT' && key === laptopPhoto('Laptop 3').master ? 500 : 'pass';
  await expect(to.restore(four)).rejects.toThrow(/answered 500 .* Nothing was restored\.$/);
  store.onCall = () => 'pass';
  // From another backup; the next restore must remove it.
  await to.photos.put(laptopPhoto('Left').master, Buffer.from('left'), 'image/webp');
  const messages: string[] = [];
  await to.restore(four, { report: (message) => messages.push(message) });
  expect(messages).toEqual([
    'An earlier restore into this shop was interrupted; it is done again from its beginning.',
  ]);
  expect(await to.contents()).toEqual(ofFour);
});

test('repeats a restore that was interrupted after its commit only with --replace', async () => {
  const to = await shops.open('target', 'bucket');
  await to.photos.put(laptopPhoto('Before').master, Buffer.from('before'), 'image/webp');
  store.onCall = ({ method }) => (method === 'DELETE' ? 500 : 'pass');
  await expect(to.restore(four, { replace: true })).rejects.toThrow(
    /answered 500 .* Everything is restored, but photos of the shop before may still be in the bucket/,
  );
  store.onCall = () => 'pass';
  expect((await to.contents()).rows).toEqual(ofFour.rows);
  await expect(to.restore(four)).rejects.toThrow(
    'A restore into this shop was interrupted before its end. Say --replace',
  );
  await to.restore(four, { replace: true });
  expect(await to.contents()).toEqual(ofFour);
});

test('does not restore a file that changes after its verification', async () => {
  const [to, file, whole] = [await shops.open('target', 'bucket'), shops.newPath(), await readFile(four)];
  await writeFile(file, whole);
  store.onCall = async ({ key }): Promise<CallOutcome> => {
    const damaged = Buffer.from(whole);
    damaged.write('X', damaged.indexOf('the photo of Laptop 1'));
    // The first access to the bucket follows the verification of the file.
    if (key === '') await writeFile(file, damaged);
    return 'pass';
  };
  await expect(to.restore(file)).rejects.toThrow(/is not as it was written\. Nothing was restored\.$/);
  expect(await to.contents()).toEqual({ rows: [], photos: {} });
});

test('does not restore photos into a shop with another image host', async () => {
  const to = await shops.open('target', 'disk');
  await expect(to.restore(four, { elsewhere: true })).rejects.toThrow(
    'This backup holds photos, and this shop keeps its photos at another host: unset IMAGE_HOST_URL',
  );
});

test('restores a version 1 backup without photos beside the bucket’s existing photos', async () => {
  const [shop, file] = [await shops.createFilled('bucket', 2), shops.newPath()];
  const before = await shop.contents();
  await shop.backUp(file);
  const old = shops.newPath();
  await writeVersion1(file, old, { photos: false });
  await shop.query('delete from laptops; delete from users; delete from photos');
  expect(await shop.restore(old)).toMatchObject({ photos: null, missingPhotos: { count: 0, first: [] } });
  expect(await shop.contents()).toEqual(before);
});
