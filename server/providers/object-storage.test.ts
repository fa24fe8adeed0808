import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { StorageError } from '#server/listings/photos/storage.ts';
import { halves, problemOf, startHost } from '#server/listings/photos/testing/photo-samples.ts';
import { type ObjectStore, startObjectStore } from '#tests/harness/listings/object-storage.ts';
import { testPhotoStorage } from '#tests/harness/ports/photo-storage.ts';
import { createObjectStorage, type ObjectStorageOptions } from './object-storage.ts';

let store: ObjectStore;
let options: ObjectStorageOptions;
let storage: ReturnType<typeof createObjectStorage>;

beforeAll(async () => {
  store = await startObjectStore();
  options = await store.bucket('photos');
  storage = createObjectStorage(options);
});
beforeEach(() => {
  store.onCall = () => 'pass';
  store.pageSize = 1000;
});
afterAll(async () => {
  storage.close();
  await store[Symbol.asyncDispose]();
});

let buckets = 0;
testPhotoStorage(async () => {
  buckets += 1;
  const opened = createObjectStorage(await store.bucket(`bucket-${buckets}`));
  onTestFinished(() => opened.close());
  return opened;
});

test('throws for a missing bucket, and does not treat it as a missing photo', async () => {
  const lost = createObjectStorage({ ...options, bucket: 'no-such-bucket' });
  await expect(lost.put('photo/320.webp', Buffer.from('x'), 'image/webp')).rejects.toThrow(
    `The bucket no-such-bucket at ${options.endpoint} does not exist.`,
  );
  await expect(lost.get('photo/320.webp')).rejects.toThrow(StorageError);
  lost.close();
});

test('throws a StorageError with a message when the store refuses, fails, is unreachable or hangs', async () => {
  const where = `The bucket photos at ${options.endpoint}`;
  store.onCall = () => 403;
  await expect(Readable.from(storage.keys()).toArray()).rejects.toThrow(
    `${where} refuses the shop's credentials (AccessDenied); they need s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket.`,
  );
  store.onCall = () => 500;
  await expect(storage.remove('photo/320.webp')).rejects.toThrow(`${where} answered 500 (InternalError).`);
  store.onCall = () => 'hang';
  const hanging = createObjectStorage({ ...options, idleTimeoutMs: 50 });
  await expect(hanging.get('photo/320.webp')).rejects.toThrow(`${where} cannot be reached`);
  hanging.close();
  const late = createObjectStorage({ ...options, responseTimeoutMs: 50 });
  // More calls than the client has connections: those that wait for one are limited too.
  const calls = Array.from({ length: 60 }, () => late.has('photo/320.webp'));
  const outcomes = await Promise.allSettled(calls);
  expect(new Set(outcomes.map((outcome) => String(outcome.status === 'rejected' && outcome.reason)))).toEqual(
    new Set([`StorageError: ${where} did not answer within 0.05 s.`]),
  );
  late.close();
  const unreachable = createObjectStorage({ ...options, endpoint: 'http://127.0.0.1:1' });
  await expect(unreachable.has('photo/320.webp')).rejects.toThrow(
    new StorageError('The bucket photos at http://127.0.0.1:1 cannot be reached (ECONNREFUSED).'),
  );
  unreachable.close();
});

test('works as the storage of the image host', async () => {
  await using host = await startHost({ storage });
  const photo = await halves(700, 500).jpeg().toBuffer();
  const path = await host.uploadAccepted(photo);
  expect(await host.uploadAccepted(photo)).toBe(path);
  expect(await sharp(await host.fetchVariant(path, 640, 'avif')).metadata()).toMatchObject({ width: 640 });
  const head = await fetch(host.base + path, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  expect(
    (await fetch(host.base + path.replace('640.webp', '320.avif').replace(/[0-9a-f]{64}/, '0'.repeat(64))))
      .status,
  ).toBe(404);
});

test('an image host refuses uploads while its bucket is unavailable, and accepts them afterwards', async () => {
  await using host = await startHost({ storage });
  const photo = await halves(640, 480).jpeg().toBuffer();
  store.onCall = () => 500;
  const refused = await host.upload(photo);
  expect([refused.status, (await problemOf(refused)).code]).toEqual([503, 'busy']);
  store.onCall = () => 'pass';
  expect((await host.fetchVariant(await host.uploadAccepted(photo), 320, 'webp')).length).toBeGreaterThan(0);
});

test('lists keys page by page on demand', async () => {
  const empty = createObjectStorage(await store.bucket('empty'));
  store.pageSize = 2;
  const keys = Array.from({ length: 7 }, (_, index) => `ab-1/${index}.webp`);
  await Promise.all(keys.map((key) => empty.put(key, Buffer.from('b'), 'image/webp')));
  const listings = () => store.calls.filter(({ method, key }) => method === 'GET' && key === '').length;
  const before = listings();
  expect((await empty.keys()[Symbol.asyncIterator]().next()).value).toBe('ab-1/0.webp');
  expect(listings() - before).toBe(1);
  expect(await Readable.from(empty.keys()).toArray()).toEqual(keys);
  expect(listings() - before).toBe(5);
  empty.close();
});
