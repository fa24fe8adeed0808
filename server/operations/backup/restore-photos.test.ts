import { readFile, writeFile } from 'node:fs/promises';
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
