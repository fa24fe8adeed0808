import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSampleShops,
  type SampleShop,
  type SampleShops,
} from '#tests/harness/operations/backup-shops.ts';
import { archiveFile, verifyArchive } from './archive.ts';

let shops: SampleShops;
let shop: SampleShop;
let whole: Buffer;
const file = (name: string) => join(shops.folder, name);

beforeAll(async () => {
  shops = await createSampleShops();
  shop = await shops.open('source', 'disk');
  await shop.list('Laptop');
  await shop.backUp(file('whole.tar'));
  whole = await readFile(file('whole.tar'));
});
afterAll(() => shops.close());

test('refuses damaged and truncated files before anything is written', async () => {
  const offsets = {
    'a row': whole.indexOf('Kept Seller'),
    'a photo': whole.indexOf('the photo of Laptop'),
    'the format': whole.indexOf('"coomercio-backup"') + 3,
    'a hash': whole.indexOf('sha256=') + 12,
    'the manifest': whole.lastIndexOf('"migrations"') + 3,
    'a header': whole.indexOf('tables/public/users'),
  };
  for (const [part, offset] of Object.entries(offsets)) {
    expect(offset, part).toBeGreaterThan(0);
    const damaged = Buffer.from(whole);
    damaged[offset] = (damaged[offset] ?? 0) ^ 1;
    await writeFile(file('damaged.tar'), damaged);
    await expect(verifyArchive(archiveFile(file('damaged.tar'))), part).rejects.toThrow(
      /is damaged|cannot be read as a backup|is not a whole backup|is a backup of another kind/,
    );
  }
  for (const length of [0, 700, Math.floor(whole.length / 2), whole.length - 3000]) {
    await writeFile(file('cut.tar'), whole.subarray(0, length));
    await expect(verifyArchive(archiveFile(file('cut.tar'))), `${length}`).rejects.toThrow(
      /cannot be read as a backup|is not a whole backup|is damaged/,
    );
  }
  const before = await shop.contents();
  await expect(shop.restore(file('damaged.tar'), { replace: true })).rejects.toThrow('damaged.tar');
  expect(await shop.contents()).toEqual(before);
});
