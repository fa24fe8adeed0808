import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RESERVED_BYTES } from '#server/platform/disk-space.ts';
import { nameOf } from './destination.ts';
import { openFolder } from './folder.ts';

let folder: string;
/** Whether `folder` is a file system of its own with 256 kB, which needs the right to mount one. */
let isSmall: boolean;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-folder-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' });
    isSmall = true;
  } catch {
    isSmall = false;
  }
});
afterAll(async () => {
  if (isSmall) execFileSync('umount', [folder]);
  await rm(folder, { recursive: true, force: true });
});

const SHOP = '0123abcd';
const [older, newer] = [new Date('2026-11-22T02:00:00Z'), new Date('2026-11-23T02:00:00Z')];
/** A disk whose room is not reserved for anything. */
const roomy = async () => ({ freeBytes: 2 * RESERVED_BYTES, totalBytes: 2 * RESERVED_BYTES });
const kilobytes = (count: number) =>
  Readable.from(
    Array.from({ length: count }, () => Buffer.alloc(1000)),
    { objectMode: false },
  );

test('a full disk leaves the older backup, no half one, and a message', async (context) => {
  if (!isSmall) return context.skip('this user may not mount a small file system');
  const destination = openFolder(folder, roomy);
  await destination.write(nameOf(older, SHOP), kilobytes(100));
  await expect(destination.write(nameOf(newer, SHOP), kilobytes(400))).rejects.toThrow(
    `There is no room left in the folder ${folder}: make room, or keep fewer backups (/dashboard/settings).`,
  );
  expect(await readdir(folder)).toEqual([`${nameOf(older, SHOP)}.tar`]);
  expect(await destination.list()).toEqual([
    { name: nameOf(older, SHOP), shopId: SHOP, startedAt: older, bytes: 100_000 },
  ]);
  await destination.remove(nameOf(older, SHOP));
});

test('removes what a killed run has left of a backup, and nothing else', async () => {
  const destination = openFolder(folder, roomy);
  await destination.write(nameOf(older, SHOP), kilobytes(1));
  const [name, killed, ofOther] = [nameOf(older, SHOP), nameOf(newer, SHOP), nameOf(newer, 'ffffffff')];
  const others = [`${ofOther}.tar.7.partial`, 'by-hand.tar', 'notes.json'];
  for (const file of [`${killed}.tar.7.partial`, ...others]) await writeFile(join(folder, file), '{}');
  await destination.remove(killed);
  expect((await readdir(folder)).sort()).toEqual([...others, `${name}.tar`].sort());
  expect((await destination.list()).map((backup) => backup.name)).toEqual([name]);
});

test('is not begun when it would take the room of PostgreSQL, as large as the last one of this shop', async () => {
  let freeBytes = RESERVED_BYTES;
  const destination = openFolder(folder, async () => ({ freeBytes, totalBytes: freeBytes }));
  const [first, second, ofOther] = [
    nameOf(older, 'aaaaaaaa'),
    nameOf(newer, 'aaaaaaaa'),
    nameOf(newer, 'bbbbbbbb'),
  ];
  await destination.write(first, kilobytes(20));
  freeBytes += 19_999;
  await expect(destination.write(second, kilobytes(1))).rejects.toThrow('There is no room left');
  expect((await destination.list()).map(({ name }) => name)).not.toContain(second);
  await destination.write(ofOther, kilobytes(1));
  freeBytes += 1;
  await destination.write(second, kilobytes(1));
});
