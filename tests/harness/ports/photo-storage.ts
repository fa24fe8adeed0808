import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';

/** What every storage of photos must do. @param open opens an empty one */
export function testPhotoStorage(open: () => Promise<PhotoStorage>): void {
  const read = async (storage: PhotoStorage, key: string) => {
    const found = await storage.get(key);
    return found && { size: found.size, bytes: await buffer(found.stream) };
  };

  describe('as a storage of photos', () => {
    test('it gives back what was stored, and null for what was not', async () => {
      const storage = await open();
      const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
      expect(await storage.has('ab-1/320.webp')).toBe(false);
      expect(await storage.get('ab-1/320.webp')).toBeNull();
      await storage.put('ab-1/320.webp', bytes, 'image/webp');
      expect(await storage.has('ab-1/320.webp')).toBe(true);
      const found = await read(storage, 'ab-1/320.webp');
      expect(found?.size).toBe(bytes.length);
      expect(found?.bytes.equals(bytes)).toBe(true);
      expect(storage.description).not.toBe('');
    });

    test('a reader sees one whole version of a file that is replaced', async () => {
      const storage = await open();
      const versions = ['a', 'b'].map((letter) => Buffer.alloc(400_000, letter));
      const put = (version: Buffer) => storage.put('ab-1/1.webp', version, 'image/webp');
      await put(Buffer.alloc(400_000, 'a'));
      const writing = (async () => {
        for (let round = 0; round < 10; round += 1) for (const version of versions) await put(version);
      })();
      for (let round = 0; round < 40; round += 1) {
        const bytes = (await read(storage, 'ab-1/1.webp'))?.bytes ?? Buffer.alloc(0);
        expect(versions.some((version) => version.equals(bytes))).toBe(true);
      }
      await writing;
    });

    test('it lists all keys, and a file can be removed twice', async () => {
      const storage = await open();
      const keys = Array.from({ length: 7 }, (_, index) => `ab-${index % 2}/${index}.webp`);
      await Promise.all(keys.map((key) => storage.put(key, Buffer.from('b'), 'image/webp')));
      expect((await Readable.from(storage.keys()).toArray()).toSorted()).toEqual(keys.toSorted());
      await storage.remove('ab-0/0.webp');
      await storage.remove('ab-0/0.webp');
      expect(await storage.has('ab-0/0.webp')).toBe(false);
      expect(await storage.has('ab-0/2.webp')).toBe(true);
    });
  });
}
