import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeUnusedPhotos } from '#server/listings/photos/unused-photos.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
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
let shop: SampleShop;
let connection: Connection;

const inTwoDays = () => new Date(Date.now() + 2 * 24 * 60 * 60_000);
const remove = () =>
  removeUnusedPhotos(
    { database: connection.database, directUrl: shop.url, storage: shop.photos },
    inTwoDays(),
  );

/** Advisory locks of this database; the tests share a server. */
const locks = `pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`;

/** Blocks calls with this method and key. `come` resolves when the first is received, `go` unblocks them. */
function blockCalls(method: string, key: string) {
  const come = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  store.onCall = async (call): Promise<CallOutcome> => {
    if (call.method === method && call.key === key) {
      come.resolve();
      await go.promise;
    }
    return 'pass';
  };
  return { come: come.promise, go: () => go.resolve() };
}

beforeAll(async () => {
  store = await startObjectStore();
  shops = await createSampleShops(store);
  connection = connect((await shops.open('source', 'bucket')).url, () => undefined);
});
beforeEach(async () => {
  store.onCall = () => 'pass';
  shop = await shops.open('source', 'bucket');
  await shop.list('Kept', 'Leaving');
  await shop.query(`update photos set state = 'waiting' where hash = $1`, [laptopPhoto('Leaving').hash]);
});
afterAll(async () => {
  await connection.close();
  await shops.close();
  await store[Symbol.asyncDispose]();
});

test('no referenced photo is deleted while a backup reads the bucket', async () => {
  const { master } = laptopPhoto('Leaving');
  const blocked = blockCalls('GET', master);
  const backingUp = shop.backUp(shops.newPath());
  await blocked.come;
  // Released after the backup's snapshot, whose rows still reference the photo.
  await shop.query(`delete from laptops where name = 'Leaving'`);
  expect(await remove()).toBeNull();
  blocked.go();
  expect(await backingUp).toMatchObject({ photos: 4, missingPhotos: { count: 0 } });
  expect(await remove()).toBe(1);
  expect(await shop.photos.has(master)).toBe(false);
});

test('a backup waits for a deletion in progress and does not reference the deleted photos', async () => {
  await shop.query(`delete from laptops where name = 'Leaving'`);
  const blocked = blockCalls('DELETE', laptopPhoto('Leaving').master);
  const removing = remove();
  await blocked.come;
  const backingUp = shop.backUp(shops.newPath());
  const waiting = () => shop.query(`select from ${locks} and not granted`);
  await expect.poll(waiting).toHaveLength(1);
  blocked.go();
  expect(await removing).toBe(1);
  expect(await backingUp).toMatchObject({ photos: 2, missingPhotos: { count: 0 } });
});

test('a backup fails when it loses the lock on deletion', async () => {
  const blocked = blockCalls('GET', laptopPhoto('Kept').master);
  const file = shops.newPath();
  const backingUp = shop.backUp(file);
  const failing = expect(backingUp).rejects.toThrow(
    /^The connection to the database was lost while the photos were read.* No backup was made\.$/,
  );
  await blocked.come;
  await shop.query(`select pg_terminate_backend(pid) from ${locks} and mode = 'ShareLock'`);
  const holding = () => shop.query(`select from ${locks} and mode = 'ShareLock'`);
  await expect.poll(holding).toHaveLength(0);
  blocked.go();
  await failing;
  expect(await shops.filesAt(file)).toEqual([]);
});
