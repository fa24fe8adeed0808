import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { demoLaptops } from './laptops.ts';
import { picturesOf } from './pictures.ts';

it('shows a laptop by its own pictures, as many as are taken, and names one that has none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-pictures-'));
  try {
    const taken = [
      'dell-g15-5520-keys',
      'dell-g15-5520-open',
      'dell-g15-5520-closed',
      'acer-swift-3-sf314-59-keys',
    ];
    for (const name of taken) await writeFile(join(folder, `${name}.webp`), '');
    await writeFile(join(folder, 'dell-g15-5520-open.webp.part'), '');
    const laptops = ['Dell G15 5520', 'Acer Swift 3 (SF314-59)'].map((name) => ({ name }));
    const pictures = await picturesOf(laptops, pathToFileURL(`${folder}/`));
    expect(laptops.map(({ name }) => pictures.get(name)?.map(({ pathname }) => basename(pathname)))).toEqual([
      ['dell-g15-5520-open.webp', 'dell-g15-5520-closed.webp', 'dell-g15-5520-keys.webp'],
      ['acer-swift-3-sf314-59-keys.webp'],
    ]);
    await expect(picturesOf([{ name: 'HP ProBook 450 G8' }], pathToFileURL(`${folder}/`))).rejects.toThrow(
      'No picture of the HP ProBook 450 G8',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each(demoLaptops)('has the $name open, closed and from above its keys', async (laptop) => {
  const pictures = await picturesOf([laptop]);
  expect(pictures.get(laptop.name)).toHaveLength(3);
});
