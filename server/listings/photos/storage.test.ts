import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testPhotoStorage } from '#tests/harness/ports/photo-storage.ts';
import { openDiskStorage, type PhotoStorage } from './storage.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'photo storage-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

testPhotoStorage(() => openDiskStorage(folder));

test('stores files durably across instances', async () => {
  const storage = await openDiskStorage(join(folder, 'new', 'photos'));
  expect(await storage.get('photo/320.webp')).toBeNull();
  expect(await storage.has('photo/320.webp')).toBe(false);
  await storage.put('photo/320.webp', Buffer.from('bytes'), 'image/webp');
  const again = await openDiskStorage(join(folder, 'new', 'photos'));
  expect(await again.has('photo/320.webp')).toBe(true);
  const found = await again.get('photo/320.webp');
  expect(found?.size).toBe(5);
  expect(found && String(await buffer(found.stream))).toBe('bytes');
  expect(await readdir(join(folder, 'new', 'photos', '.incoming'))).toEqual([]);
});

test('rejects keys that leave the folder', async () => {
  const storage = await openDiskStorage(join(folder, 'photos'));
  await writeFile(join(folder, 'secret'), 'secret');
  for (const key of [
    '../secret',
    'a/../../secret',
    '/etc/passwd',
    '',
    '.',
    '.incoming/x',
    'a//b',
    'a/',
    'a\0b',
    'A/b',
    'a\\b',
  ]) {
    await expect(storage.get(key), key).rejects.toThrow(RangeError);
    await expect(storage.has(key), key).rejects.toThrow(RangeError);
    await expect(storage.put(key, Buffer.from('x'), 'image/webp'), key).rejects.toThrow(RangeError);
  }
});

test('a failed put throws and leaves no partial file', async () => {
  const storage = await openDiskStorage(folder);
  await mkdir(join(folder, 'taken_320.webp'), { recursive: true });
  await expect(storage.put('taken/320.webp', Buffer.from('x'), 'image/webp')).rejects.toThrow(
    /EISDIR|ENOTEMPTY|EEXIST/,
  );
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
});

test('opening removes old partial files and keeps recent ones', async () => {
  const incoming = join(folder, '.incoming');
  await mkdir(incoming);
  await writeFile(join(incoming, 'left'), 'half');
  await writeFile(join(incoming, 'at-work'), 'half');
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(join(incoming, 'left'), hoursAgo, hoursAgo);
  await openDiskStorage(folder);
  expect(await readdir(incoming)).toEqual(['at-work']);
});

/** The part of a photo's keys before the slash. */
const nameOf = (digit: string) => `${digit.repeat(64)}-640x480-${'0'.repeat(36)}`;
const keysIn = async (storage: PhotoStorage) => (await Readable.from(storage.keys()).toArray()).sort();
const bytes = Buffer.from('bytes');

test('remove deletes a file, and nothing else', async () => {
  const storage = await openDiskStorage(folder);
  const [one, other] = [nameOf('a'), nameOf('b')];
  const keys = [`${'a'.repeat(64)}.json`, `${one}/320.webp`, `${one}/master.webp`];
  for (const key of [...keys, `${other}/320.webp`]) await storage.put(key, bytes, 'image/webp');
  expect(await keysIn(storage)).toEqual([...keys, `${other}/320.webp`].sort());
  for (const key of keys) await storage.remove(key);
  await storage.remove(keys[0] ?? '');
  expect(await keysIn(storage)).toEqual([`${other}/320.webp`]);
  expect(await readdir(join(folder, 'aa', 'aa'))).toEqual([]);
  expect(await storage.has(`${other}/320.webp`)).toBe(true);
});

test('distributes photos over folders by hash', async () => {
  const storage = await openDiskStorage(join(folder, 'photos'));
  const hashes = Array.from({ length: 40 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  );
  for (const hash of hashes) await storage.put(`${hash}.json`, bytes, 'application/json');
  const folders = new Set(hashes.map((hash) => join(hash.slice(0, 2), hash.slice(2, 4))));
  for (const each of folders) expect(await readdir(join(folder, 'photos', each)), each).toHaveLength(1);
  expect(await keysIn(storage)).toEqual(hashes.map((hash) => `${hash}.json`).sort());
});
