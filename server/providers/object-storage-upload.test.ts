import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ObjectStore, startObjectStore } from '#tests/harness/listings/object-storage.ts';
import { createObjectStorage, type ObjectStorage } from './object-storage.ts';

let store: ObjectStore;
let storage: ObjectStorage;

beforeAll(async () => {
  store = await startObjectStore();
  storage = createObjectStorage({ ...(await store.bucket('uploads')), idleTimeoutMs: 60_000 });
});
beforeEach(() => {
  store.onCall = () => 'pass';
  store.calls.length = 0;
});
afterAll(async () => {
  storage.close();
  await store[Symbol.asyncDispose]();
});

const MEGABYTE = Buffer.alloc(1024 * 1024, 'a');
const megabytes = (count: number) =>
  Readable.from(
    Array.from({ length: count }, () => MEGABYTE),
    { objectMode: false },
  );
const sizes = () =>
  Readable.from(storage.objects(''))
    .map(({ key, size }) => `${key} ${size}`)
    .toArray();

test('an upload is sent in parts and appears whole', async () => {
  await storage.upload('whole', megabytes(40));
  expect(store.calls.filter(({ method }) => method === 'PUT')).toHaveLength(2);
  expect(await sizes()).toEqual([`whole ${40 * MEGABYTE.length}`]);
  expect(await storage.getRange('whole', 10, 12)).toEqual(Buffer.from('aaa'));
  expect(await storage.getRange('missing', 0, 1)).toBeNull();
});

test('an upload that fails leaves nothing, and reports the error of the bucket or of the stream', async () => {
  store.onCall = ({ method, key }) => (method === 'PUT' && key === 'refused' ? 403 : 'pass');
  await expect(storage.upload('refused', megabytes(40))).rejects.toThrow(
    /^The bucket uploads .* refuses the shop's credentials \(AccessDenied\)/,
  );
  expect(store.calls.at(-1)).toEqual({ method: 'DELETE', key: 'refused' });
  const failing = Readable.from(
    (async function* () {
      yield MEGABYTE;
      throw new Error('of the stream');
    })(),
    { objectMode: false },
  );
  await expect(storage.upload('failing', failing)).rejects.toThrow('of the stream');
  expect(await sizes()).toEqual([`whole ${40 * MEGABYTE.length}`]);
});
