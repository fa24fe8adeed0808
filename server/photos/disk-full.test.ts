import { afterAll, beforeAll, expect, test } from 'vitest';
import { halves, type RunningHost, startHost } from './photo-samples.ts';

let host: RunningHost;
let room = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  host = await startHost({}, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      room -= bytes.length;
      // What the file system throws when its last block is taken.
      if (room < 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await storage.put(key, bytes, type);
    },
  }));
});
afterAll(() => host[Symbol.asyncDispose]());

test('a full disk is answered in words, keeps what was taken, and takes photos again once there is room', async () => {
  const earlier = await host.take(await halves(640, 480).jpeg().toBuffer());
  const photo = await halves(640, 480).jpeg().toBuffer();
  room = 700;

  const response = await host.upload(photo);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).not.toBeNull();
  expect(await response.json()).toMatchObject({
    success: false,
    code: 'busy',
    detail: expect.stringContaining('no room for more photos'),
  });
  expect((await host.variant(earlier, 640, 'webp')).length).toBeGreaterThan(0);

  room = Number.POSITIVE_INFINITY;
  expect((await host.variant(await host.take(photo), 640, 'avif')).length).toBeGreaterThan(0);
});
