import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveFile, type Contents, verifiedEntries, writeArchive, writeFileSafely } from './archive.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'many entries-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const manifest: Contents = {
  migrations: ['0001-shop'],
  tables: [],
  sequences: [],
  photos: 0,
  missingPhotos: { count: 0, first: [] },
  secret: { included: false, fingerprint: 'of the test' },
};

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Measures the peak heap growth in bytes, sampled each time `sample` is called. */
async function heapOf(work: (sample: () => void) => Promise<unknown>): Promise<number> {
  const inUse = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = inUse();
  let peak = before;
  await work(() => {
    peak = Math.max(peak, inUse());
  });
  return peak - before;
}

/** Writes and reads an archive of this many small photos. @returns the larger peak of both, in bytes */
async function memoryFor(photos: number): Promise<number> {
  const path = join(folder, `${photos}.tar`);
  const writing = await heapOf((sample) =>
    writeArchive(
      (content) => writeFileSafely(path, content),
      async (add) => {
        for (let at = 0; at < photos; at += 1) {
          const hash = createHash('sha256').update(String(at)).digest('hex');
          await add(`photos/${hash}.json`, Buffer.from(hash));
          if (at % 500 === 499) sample();
        }
        return { ...manifest, photos };
      },
    ),
  );
  const reading = await heapOf(async (sample) => {
    const entries = verifiedEntries(archiveFile(path));
    for (let at = 0; ; at += 1) {
      const { value, done } = await entries.next();
      if (at % 500 === 499) sample();
      if (done !== true) continue;
      expect(value).toMatchObject({ photos, entries: photos });
      return;
    }
  });
  return Math.max(writing, reading);
}

test('memory use does not grow with the number of entries', async () => {
  await memoryFor(500);
  const few = await memoryFor(1_500);
  // The names and hashes of 8,000 entries take two megabytes.
  expect(await memoryFor(8_000)).toBeLessThan(2 * Math.max(few, 600_000));
});
