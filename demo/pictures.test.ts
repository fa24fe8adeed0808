import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { photographedLaptops } from './laptops.ts';
import { listPictures } from './pictures.ts';

it('returns the existing pictures of each laptop in order, and rejects with the name of a laptop without any', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-pictures-'));
  try {
    const files = [
      'dell-g15-5520-keys',
      'dell-g15-5520-open',
      'dell-g15-5520-closed',
      'acer-swift-3-sf314-59-keys',
    ];
    for (const name of files) await writeFile(join(folder, `${name}.webp`), '');
    await writeFile(join(folder, 'dell-g15-5520-open.webp.part'), '');
    const laptops = ['Dell G15 5520', 'Acer Swift 3 (SF314-59)'].map((name) => ({ name }));
    const pictures = await listPictures(laptops, pathToFileURL(`${folder}/`));
    expect(laptops.map(({ name }) => pictures.get(name)?.map(({ pathname }) => basename(pathname)))).toEqual([
      ['dell-g15-5520-open.webp', 'dell-g15-5520-closed.webp', 'dell-g15-5520-keys.webp'],
      ['acer-swift-3-sf314-59-keys.webp'],
    ]);
    await expect(listPictures([{ name: 'HP ProBook 450 G8' }], pathToFileURL(`${folder}/`))).rejects.toThrow(
      'No picture of the HP ProBook 450 G8',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each(photographedLaptops)(
  'has three pictures of the $name: open, closed and the keyboard',
  async (laptop) => {
    const pictures = await listPictures([laptop]);
    expect(pictures.get(laptop.name)).toHaveLength(3);
  },
);
