import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RESERVED_BYTES } from '#server/platform/disk-space.ts';
import { openDiskStorage } from './storage.ts';
import { halves, type RunningHost, startHost } from './testing/photo-samples.ts';

let host: RunningHost;
let freeBytes = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  host = await startHost({}, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      freeBytes -= bytes.length;
      // The error of a full file system.
      if (freeBytes < 0)
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await storage.put(key, bytes, type);
    },
  }));
});
afterAll(() => host[Symbol.asyncDispose]());

test('refuses uploads while the disk is full, still serves stored photos, and accepts uploads again afterwards', {
  tags: 'long',
}, async () => {
  const earlier = await host.uploadAccepted(await halves(640, 480).jpeg().toBuffer());
  const photo = await halves(640, 480).jpeg().toBuffer();
  freeBytes = 700;

  const response = await host.upload(photo);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).not.toBeNull();
  expect(await response.json()).toMatchObject({
    success: false,
    code: 'busy',
    detail: expect.stringContaining('no room for more photos'),
  });
  expect((await host.fetchVariant(earlier, 640, 'webp')).length).toBeGreaterThan(0);

  freeBytes = Number.POSITIVE_INFINITY;
  expect((await host.fetchVariant(await host.uploadAccepted(photo), 640, 'avif')).length).toBeGreaterThan(0);
});

test('a disk counts as full while PostgreSQL would not have enough of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reserved-'));
  let free = RESERVED_BYTES + 4;
  const storage = await openDiskStorage(folder, async () => ({ freeBytes: free, totalBytes: free }));
  await storage.put('a/record.json', Buffer.alloc(4), 'application/json');
  await expect(storage.put('b/record.json', Buffer.alloc(5), 'application/json')).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  expect([await storage.has('a/record.json'), await storage.has('b/record.json')]).toEqual([true, false]);
  free += 1;
  await storage.put('b/record.json', Buffer.alloc(5), 'application/json');
  await rm(folder, { recursive: true });
});
