import sharp from 'sharp';
import { expect, test } from 'vitest';
import { halves, problemOf, startHost } from './testing/photo-samples.ts';

const VARIANT = /\/\d+\.(avif|webp)$/;

test('makes a variant on its first request, once for concurrent requests, and stores it', async () => {
  const puts: string[] = [];
  await using host = await startHost({}, (storage) => ({
    ...storage,
    put: (key, bytes, type) => {
      puts.push(key);
      return storage.put(key, bytes, type);
    },
  }));
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  expect(puts.filter((key) => VARIANT.test(key))).toEqual([]);
  const shown = await Promise.all(Array.from({ length: 6 }, () => host.fetchVariant(path, 320, 'avif')));
  expect(new Set(shown.map((bytes) => bytes.toString('base64'))).size).toBe(1);
  expect(await sharp(shown[0]).metadata()).toMatchObject({ width: 320, height: 229 });
  await host.fetchVariant(path, 320, 'avif');
  expect(puts.filter((key) => VARIANT.test(key))).toHaveLength(1);
});

test('does not serve the master image, and makes no variant without it', async () => {
  await using host = await startHost();
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  const folder = path.slice(0, path.lastIndexOf('/'));
  expect((await fetch(`${host.base}${folder}/master.webp`)).status).toBe(404);
  const kept = await host.fetchVariant(path, 640, 'webp');
  await host.storage.remove(`${folder.replace('/photos/', '')}/master.webp`);
  expect(await host.fetchVariant(path, 640, 'webp')).toEqual(kept);
  await expect(host.fetchVariant(path, 320, 'webp')).rejects.toThrow('404');
});

test('serves a variant that cannot be stored, and stores it on a later request', async () => {
  let full = false;
  await using host = await startHost({}, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await storage.put(key, bytes, type);
    },
  }));
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  const key = path.replace('/photos/', '').replace('640.webp', '320.webp');
  full = true;
  expect(await sharp(await host.fetchVariant(path, 320, 'webp')).metadata()).toMatchObject({ width: 320 });
  expect(await host.storage.has(key)).toBe(false);
  full = false;
  await host.fetchVariant(path, 320, 'webp');
  expect(await host.storage.has(key)).toBe(true);
});

test('refuses requests over the limit of variant jobs with a retry time', async () => {
  const opened = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  await using host = await startHost({ maximumVariantJobs: 1 }, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      if (VARIANT.test(key)) {
        started.resolve();
        await opened.promise;
      }
      await storage.put(key, bytes, type);
    },
  }));
  const path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
  const first = host.fetchVariant(path, 320, 'webp');
  await started.promise;
  const response = await fetch(host.base + path);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await problemOf(response)).toMatchObject({ status: 503, code: 'busy' });
  opened.resolve();
  await first;
  await host.fetchVariant(path, 640, 'webp');
});
