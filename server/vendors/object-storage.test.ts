import { once } from 'node:events';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createEmulator, type Emulator } from 'emulate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { halves, startHost } from '#server/photos/photo-samples.ts';
import { createObjectStorage } from './object-storage.ts';

let emulator: Emulator;
let storage: ReturnType<typeof createObjectStorage>;

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}

beforeAll(async () => {
  emulator = await createEmulator({
    service: 'aws',
    port: await freePort(),
    seed: { aws: { region: 'eu-central-1', s3: { buckets: [{ name: 'photos' }] } } },
  });
  storage = createObjectStorage({
    endpoint: emulator.url,
    region: 'eu-central-1',
    bucket: 'photos',
    credentials,
    forcePathStyle: true,
  });
});
afterAll(async () => {
  storage.close();
  await emulator.close();
});

test('keeps any bytes, and knows what it does not keep', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
  expect(await storage.has('photo/320.webp')).toBe(false);
  expect(await storage.get('photo/320.webp')).toBeNull();
  await storage.put('photo/320.webp', bytes, 'image/webp');
  expect(await storage.has('photo/320.webp')).toBe(true);
  const found = await storage.get('photo/320.webp');
  expect(found?.size).toBe(bytes.length);
  expect(found && (await buffer(found.stream)).equals(bytes)).toBe(true);
});

test('a bucket that is not there is a failure, not a missing photo', async () => {
  const lost = createObjectStorage({
    endpoint: emulator.url,
    region: 'eu-central-1',
    bucket: 'no-such-bucket',
    credentials,
    forcePathStyle: true,
  });
  await expect(lost.put('photo/320.webp', Buffer.from('x'), 'image/webp')).rejects.toThrow();
  lost.close();
});

test('the image host runs on it', async () => {
  await using host = await startHost({ storage });
  const photo = await halves(700, 500).jpeg().toBuffer();
  const path = await host.take(photo);
  expect(await host.take(photo)).toBe(path);
  expect(await sharp(await host.variant(path, 640, 'avif')).metadata()).toMatchObject({ width: 640 });
  const head = await fetch(host.base + path, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  expect(
    (await fetch(host.base + path.replace('640.webp', '320.avif').replace(/[0-9a-f]{64}/, '0'.repeat(64))))
      .status,
  ).toBe(404);
});

test('finds what begins so, page by page, and removes it', async () => {
  const keys = Array.from({ length: 1005 }, (_, index) => `ab-1/${index}.webp`);
  for (let start = 0; start < keys.length; start += 50) {
    await Promise.all(
      keys.slice(start, start + 50).map((key) => storage.put(key, Buffer.from('b'), 'image/webp')),
    );
  }
  await storage.put('ac-1/1.webp', Buffer.from('b'), 'image/webp');
  expect((await storage.keysFrom('ab')).sort()).toEqual([...keys].sort());
  await storage.remove('ab-1/0.webp');
  await storage.remove('ab-1/0.webp');
  expect(await storage.has('ab-1/0.webp')).toBe(false);
  expect(await storage.has('ac-1/1.webp')).toBe(true);
});
