import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { demoLaptops } from './laptops.ts';
import { listPictures } from './pictures.ts';
import { writeOnSlip } from './slip.ts';

/** Codes with each letter that a code can have (`new_slip_code` in the schema). */
const codes = ['34679', 'ACDEF', 'GHJKM', 'NPQRT', 'UVWXY'];

const slips = [...(await listPictures(demoLaptops)).values()].flat().filter(({ kind }) => kind === 'slip');

/** The pixels that differ clearly, as [x, y]. */
async function changedPixels(one: Buffer, other: Buffer): Promise<[x: number, y: number][]> {
  const [before, after] = await Promise.all(
    [one, other].map((each) => sharp(each).greyscale().raw().toBuffer({ resolveWithObject: true })),
  );
  if (before === undefined || after === undefined) throw new Error('A picture is missing.');
  const { width } = before.info;
  return [...before.data.keys()]
    .filter((at) => Math.abs((before.data[at] ?? 0) - (after.data[at] ?? 0)) > 60)
    .map((at) => [at % width, Math.floor(at / width)]);
}

it('writes each letter on the paper, differently', { tags: 'long' }, async () => {
  const [slip] = slips;
  if (slip === undefined) throw new Error('No laptop has a slip.');
  const picture = await readFile(slip.file);
  const { width, height } = await sharp(picture).metadata();
  const written = await Promise.all(codes.map((code) => writeOnSlip(picture, code)));
  for (const [index, each] of written.entries()) {
    const ink = await changedPixels(picture, each);
    expect(ink.length, codes[index]).toBeGreaterThan(1500);
    // The paper lies between a third and two thirds of the picture.
    const outside = ink.filter(
      ([x, y]) => Math.abs(x / width - 0.5) > 0.19 || Math.abs(y / height - 0.49) > 0.12,
    );
    expect(outside, codes[index]).toEqual([]);
  }
  expect(new Set(written.map((each) => each.toString('base64'))).size).toBe(codes.length);
});

it('finds paper at the same place in each picture of a slip', async () => {
  expect(slips.length).toBeGreaterThanOrEqual(3);
  for (const { file } of slips) {
    const image = sharp(await readFile(file));
    const { width, height } = await image.metadata();
    const paper = { left: 0.36, top: 0.42, width: 0.28, height: 0.15 };
    const inside = await image
      .extract({
        left: Math.round(paper.left * width),
        top: Math.round(paper.top * height),
        width: Math.round(paper.width * width),
        height: Math.round(paper.height * height),
      })
      .png()
      .toBuffer();
    const { channels } = await sharp(inside).stats();
    // Bright and without a line.
    expect(channels[0]?.mean, file.pathname).toBeGreaterThan(150);
    expect(channels[0]?.stdev, file.pathname).toBeLessThan(12);
  }
});

it('rejects a letter that no code has', async () => {
  const [slip] = slips;
  if (slip === undefined) throw new Error('No laptop has a slip.');
  await expect(writeOnSlip(await readFile(slip.file), 'A0CDE')).rejects.toThrow('No code has the letter 0');
});
