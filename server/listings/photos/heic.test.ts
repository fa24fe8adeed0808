import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heicGrid, sampleTiles } from './testing/heic-samples.ts';
import { colourAt, halves, type RunningHost, startHost } from './testing/photo-samples.ts';

const red: unknown = [expect.closeTo(208, -1.5), expect.closeTo(48, -1.5), expect.closeTo(32, -1.5)];
const blue: unknown = [expect.closeTo(32, -1.5), expect.closeTo(48, -1.5), expect.closeTo(208, -1.5)];
const green: unknown = [expect.closeTo(32, -1.5), expect.closeTo(160, -1.5), expect.closeTo(64, -1.5)];

let host: RunningHost;
let tiles: Awaited<ReturnType<typeof sampleTiles>>;
beforeAll(async () => {
  host = await startHost();
  tiles = await sampleTiles();
});
afterAll(() => host[Symbol.asyncDispose]());

/** Uploads a HEIC and fetches its largest WebP. */
async function uploadAndFetch(heic: Buffer): Promise<{ bytes: Buffer; width: number; height: number }> {
  const path = await host.uploadAccepted(heic);
  const width = Number(/(\d+)\.webp$/.exec(path)?.[1]);
  const bytes = await host.fetchVariant(path, width, 'webp');
  const metadata = await sharp(bytes).metadata();
  return { bytes, width: metadata.width, height: metadata.height };
}

test('decodes the primary image of a HEIC file as its encoder wrote it', async () => {
  const { bytes, width, height } = await uploadAndFetch(tiles.file);
  expect([width, height]).toEqual([128, 128]);
  expect(await colourAt(bytes, 0.5, 0.5)).toEqual(red);
});

describe('a grid of tiles, as an iPhone writes a photo', () => {
  // Two columns and two rows; the last ones are cropped at the edge of the photo.
  const grid = (options: Partial<Parameters<typeof heicGrid>[0]> = {}) =>
    heicGrid({
      columns: 2,
      tiles: [tiles.red, tiles.blue, tiles.green, tiles.red],
      cut: { width: 28, height: 56 },
      ...options,
    });

  test('is assembled and cropped to its size; the thumbnail is ignored', async () => {
    const { bytes, width, height } = await uploadAndFetch(grid({ thumbnail: tiles.green }));
    expect([width, height]).toEqual([228, 200]);
    expect(await colourAt(bytes, 0.25, 0.25)).toEqual(red);
    expect(await colourAt(bytes, 0.75, 0.25)).toEqual(blue);
    expect(await colourAt(bytes, 0.25, 0.85)).toEqual(green);
    expect(await colourAt(bytes, 0.75, 0.85)).toEqual(red);
  });

  test.for([
    // `at`: where the blue tile, which is stored at the upper right, is displayed.
    { quarterTurns: 1 as const, size: [200, 228], at: [0.25, 0.25] as [number, number] },
    { quarterTurns: 2 as const, size: [228, 200], at: [0.25, 0.85] as [number, number] },
    { quarterTurns: 3 as const, size: [200, 228], at: [0.85, 0.75] as [number, number] },
  ])('is rotated counter-clockwise by $quarterTurns quarter turns', async ({ quarterTurns, size, at }) => {
    const { bytes, width, height } = await uploadAndFetch(grid({ quarterTurns }));
    expect([width, height]).toEqual(size);
    expect(await colourAt(bytes, ...at)).toEqual(blue);
  });

  test.for([
    // `imir` names the axis: 0 turns the image upside down, 1 swaps left and right.
    { mirror: 0 as const, at: [0.75, 0.85] as [number, number] },
    { mirror: 1 as const, at: [0.25, 0.25] as [number, number] },
  ])('is mirrored along axis $mirror', async ({ mirror, at }) => {
    expect(await colourAt((await uploadAndFetch(grid({ mirror }))).bytes, ...at)).toEqual(blue);
  });

  test('is converted from Display P3 to sRGB', async () => {
    const p3 = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const { icc } = await sharp(p3).metadata();
    if (icc === undefined) throw new Error('A profile was expected');
    const [r, g, b] = await colourAt((await uploadAndFetch(grid({ profile: icc }))).bytes, 0.25, 0.25);
    // (208, 48, 32) of Display P3 by the two colour spaces' matrices.
    expect([r, g, b]).toEqual([expect.closeTo(227, -1), expect.closeTo(14, -1.5), expect.closeTo(4, -1.5)]);
  });

  test('is refused by its header when it has too many megapixels', async () => {
    const refused = await host.uploadRefused(grid({ cut: { width: -9000, height: -9000 } }));
    expect(refused).toMatchObject({ status: 413, code: 'too_large' });
    expect(refused.detail).toContain('9256 × 9256 pixels');
  });

  test('is refused when it has very many tiles', async () => {
    const tile = tiles.red;
    const bomb = heicGrid({ columns: 64, tiles: Array.from({ length: 64 * 40 }, () => tile) });
    expect(await host.uploadRefused(bomb)).toMatchObject({ status: 422, code: 'invalid_input' });
  });

  test('is refused as damaged when it is truncated', async () => {
    const whole = grid();
    for (const part of [0.2, 0.7, 0.97]) {
      expect(await host.uploadRefused(whole.subarray(0, whole.length * part)), `at ${part}`).toMatchObject({
        status: 422,
        code: 'invalid_input',
        detail: 'This photo is damaged or incomplete. Please try it again or choose another.',
      });
    }
  });
});

test('detects an AVIF whose major brand is generic', async () => {
  const avif = await halves(400, 300).avif().toBuffer();
  avif.write('mif1', 8, 'latin1');
  expect(avif.toString('latin1', 16, 64)).toContain('avif');
  const { bytes } = await uploadAndFetch(avif);
  expect(await colourAt(bytes, 0.75, 0.5)).toEqual(blue);
});
