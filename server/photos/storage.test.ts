import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDiskStorage } from './storage.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'photo storage-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('what is put is there, also for the next process', async () => {
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

test('a reader during many overwrites sees one whole version or another, never a part', async () => {
  const storage = await openDiskStorage(folder);
  const versions = ['a', 'b'].map((letter) => Buffer.alloc(400_000, letter));
  await storage.put('photo/1.webp', Buffer.from(versions[0] ?? ''), 'image/webp');
  const writing = (async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const version of versions) await storage.put('photo/1.webp', version, 'image/webp');
    }
  })();
  for (let round = 0; round < 40; round += 1) {
    const found = await storage.get('photo/1.webp');
    const bytes = found === null ? Buffer.alloc(0) : await buffer(found.stream);
    expect(versions.some((version) => version.equals(bytes))).toBe(true);
  }
  await writing;
});

test('a key cannot lead out of the folder', async () => {
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

test('what cannot be written leaves nothing behind and says why', async () => {
  const storage = await openDiskStorage(folder);
  await mkdir(join(folder, 'taken', '320.webp'), { recursive: true });
  await expect(storage.put('taken/320.webp', Buffer.from('x'), 'image/webp')).rejects.toThrow(
    /EISDIR|ENOTEMPTY|EEXIST/,
  );
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
});

test('at the start, files that a killed process left are removed, those of one at work are not', async () => {
  const incoming = join(folder, '.incoming');
  await mkdir(incoming);
  await writeFile(join(incoming, 'left'), 'half');
  await writeFile(join(incoming, 'at-work'), 'half');
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(join(incoming, 'left'), hoursAgo, hoursAgo);
  await openDiskStorage(folder);
  expect(await readdir(incoming)).toEqual(['at-work']);
});

test('what is removed is gone with its folder, and nothing else is', async () => {
  const storage = await openDiskStorage(folder);
  for (const key of ['ab.json', 'ab-1/320.webp', 'ab-1/master.webp', 'ac-1/320.webp']) {
    await storage.put(key, Buffer.from('bytes'), 'image/webp');
  }
  const keys = await storage.keysFrom('ab');
  expect(keys.sort()).toEqual(['ab-1/320.webp', 'ab-1/master.webp', 'ab.json']);
  for (const key of keys) await storage.remove(key);
  await storage.remove('ab.json');
  expect(await storage.keysFrom('ab')).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(['.incoming', 'ac-1']);
  expect(await storage.has('ac-1/320.webp')).toBe(true);
});
