import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { PhotoKind } from '#contract/listings/photo-kinds.ts';
import { demoLaptops } from './laptops.ts';
import { listPictures, shopPictures } from './pictures.ts';

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

it.each(demoLaptops)('has at least three pictures of the $name', async (laptop) => {
  const pictures = await listPictures([laptop]);
  expect(pictures.get(laptop.name)?.length).toBeGreaterThanOrEqual(3);
});

it('has each of the guided photos, and laptops that are switched off', async () => {
  const pictures = [...(await listPictures(demoLaptops)).values()].flat();
  const counts = Object.groupBy(pictures, ({ kind }) => kind ?? 'other');
  for (const kind of PhotoKind.options) expect(counts[kind]?.length, kind).toBeGreaterThanOrEqual(3);
  expect(counts.other?.length).toBeGreaterThanOrEqual(3);
});

it('shows the flaws that a laptop names with their captions, and the slip last', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-pictures-'));
  try {
    for (const view of ['slip', 'flaw', 'off', 'ports'])
      await writeFile(join(folder, `dell-one-${view}.webp`), '');
    const laptop = { name: 'Dell One', flaws: { flaw: 'A scratch' } };
    const pictures = (await listPictures([laptop], pathToFileURL(`${folder}/`))).get('Dell One');
    expect(pictures?.map((picture) => [fileOf(picture), picture.kind, picture.caption])).toEqual([
      ['dell-one-off.webp', null, null],
      ['dell-one-ports.webp', 'ports', null],
      ['dell-one-flaw.webp', 'marks', 'A scratch'],
      ['dell-one-slip.webp', 'slip', null],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('shows each flaw that a laptop names, and no other', async () => {
  const pictures = await listPictures(demoLaptops);
  for (const { name, flaws = {} } of demoLaptops) {
    const marks = pictures.get(name)?.filter(({ kind }) => kind === 'marks') ?? [];
    expect(
      marks.map(({ caption }) => caption),
      name,
    ).toEqual(Object.values(flaws));
  }
});

it('shows each picture', async () => {
  const shown = [...(await listPictures(demoLaptops)).values()].flat().map(fileOf);
  const files = (await readdir(new URL('photos/', import.meta.url))).filter((name) => name.endsWith('.webp'));
  const byTheShop = demoLaptops.flatMap((laptop) => shopPictures(laptop).map((file) => fileOf({ file })));
  expect(files.filter((name) => !shown.includes(name) && !byTheShop.includes(name))).toEqual([]);
});
