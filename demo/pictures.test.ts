import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { demoLaptops, photographedLaptops } from './laptops.ts';
import { listPictures } from './pictures.ts';

const fileOf = ({ file }: { file: URL }) => basename(file.pathname);

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
    expect(laptops.map(({ name }) => pictures.get(name)?.map(fileOf))).toEqual([
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
    const pictures = await listPictures([{ name: laptop.name }]);
    expect(pictures.get(laptop.name)).toHaveLength(3);
  },
);

it('shows a like laptop’s pictures for the views that a laptop has none of, and the flaws that it names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-pictures-'));
  try {
    const files = ['dell-one-open', 'dell-one-closed', 'dell-one-flaw', 'dell-one-flaw-2', 'dell-two-open'];
    for (const name of files) await writeFile(join(folder, `${name}.webp`), '');
    const laptops = [
      { name: 'Dell One', flaws: { flaw: 'A scratch' } },
      { name: 'Dell Two', photosOf: 'Dell One', flaws: { 'flaw-2': 'A dent' } },
      { name: 'Dell Three', photosOf: 'Dell One' },
    ];
    const pictures = await listPictures(laptops, pathToFileURL(`${folder}/`));
    const shown = laptops.map(({ name }) =>
      pictures.get(name)?.map((picture) => [fileOf(picture), picture.caption]),
    );
    expect(shown).toEqual([
      [
        ['dell-one-open.webp', null],
        ['dell-one-closed.webp', null],
        ['dell-one-flaw.webp', 'A scratch'],
      ],
      [
        ['dell-two-open.webp', null],
        ['dell-one-closed.webp', null],
        ['dell-one-flaw-2.webp', 'A dent'],
      ],
      [
        ['dell-one-open.webp', null],
        ['dell-one-closed.webp', null],
      ],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each(demoLaptops.filter(({ flaws }) => flaws))(
  'has a picture of each flaw of the $name',
  async (laptop) => {
    const pictures = await listPictures([laptop]);
    const captions = pictures.get(laptop.name)?.flatMap(({ caption }) => caption ?? []);
    expect(captions).toEqual(Object.values(laptop.flaws ?? {}));
  },
);

it('shows each picture of a flaw', async () => {
  const shown = await listPictures(demoLaptops);
  const files = new Set([...shown.values()].flat().map(fileOf));
  const flaws = (await readdir(new URL('photos/', import.meta.url))).filter((name) => name.includes('-flaw'));
  expect(flaws.filter((name) => !files.has(name))).toEqual([]);
});
