import sharp from 'sharp';
import { expect, test } from 'vitest';
import { halves, problemOf, startHost } from './photo-samples.ts';

const VARIANT = /\/\d+\.(avif|webp)$/;

test('a variant is made when it is first asked for, once however many ask at the same time, and kept', async () => {
  const puts: string[] = [];
  await using host = await startHost({}, (storage) => ({
    ...storage,
    put: (key, bytes, type) => {
      puts.push(key);
      return storage.put(key, bytes, type);
    },
  }));
  const path = await host.take(await halves(700, 500).jpeg().toBuffer());
  expect(puts.filter((key) => VARIANT.test(key))).toEqual([]);
  const shown = await Promise.all(Array.from({ length: 6 }, () => host.variant(path, 320, 'avif')));
  expect(new Set(shown.map((bytes) => bytes.toString('base64'))).size).toBe(1);
  expect(await sharp(shown[0]).metadata()).toMatchObject({ width: 320, height: 229 });
  await host.variant(path, 320, 'avif');
  expect(puts.filter((key) => VARIANT.test(key))).toHaveLength(1);
});

test('what variants are made from is no path of the host, and without it there are none', async () => {
  await using host = await startHost();
  const path = await host.take(await halves(700, 500).jpeg().toBuffer());
  const folder = path.slice(0, path.lastIndexOf('/'));
  expect((await fetch(`${host.base}${folder}/master.webp`)).status).toBe(404);
  const kept = await host.variant(path, 640, 'webp');
  await host.storage.remove(`${folder.replace('/photos/', '')}/master.webp`);
  expect(await host.variant(path, 640, 'webp')).toEqual(kept);
  await expect(host.variant(path, 320, 'webp')).rejects.toThrow('404');
});

test('a variant that cannot be kept is shown all the same, and kept later', async () => {
  let full = false;
  await using host = await startHost({}, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await storage.put(key, bytes, type);
    },
  }));
  const path = await host.take(await halves(700, 500).jpeg().toBuffer());
  const key = path.replace('/photos/', '').replace('640.webp', '320.webp');
  full = true;
  expect(await sharp(await host.variant(path, 320, 'webp')).metadata()).toMatchObject({ width: 320 });
  expect(await host.storage.has(key)).toBe(false);
  full = false;
  await host.variant(path, 320, 'webp');
  expect(await host.storage.has(key)).toBe(true);
});

test('more first looks than can wait are sent away with the time to come back', async () => {
  const opened = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  await using host = await startHost({ making: 1 }, (storage) => ({
    ...storage,
    put: async (key, bytes, type) => {
      if (VARIANT.test(key)) {
        started.resolve();
        await opened.promise;
      }
      await storage.put(key, bytes, type);
    },
  }));
  const path = await host.take(await halves(700, 500).jpeg().toBuffer());
  const first = host.variant(path, 320, 'webp');
  await started.promise;
  const response = await fetch(host.base + path);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await problemOf(response)).toMatchObject({ status: 503, code: 'busy' });
  opened.resolve();
  await first;
  await host.variant(path, 640, 'webp');
});
