import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { colourAt, halves, type RunningHost, startHost } from './testing/photo-samples.ts';

const red: unknown = [expect.closeTo(208, -1.5), expect.closeTo(48, -1.5), expect.closeTo(32, -1.5)];
const blue: unknown = [expect.closeTo(32, -1.5), expect.closeTo(48, -1.5), expect.closeTo(208, -1.5)];

let host: RunningHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

describe('accepts', () => {
  const samples: ReadonlyArray<[string, () => Sharp]> = [
    ['JPEG', () => halves(700, 500).jpeg()],
    ['progressive JPEG', () => halves(700, 500).jpeg({ progressive: true })],
    ['PNG', () => halves(700, 500).png()],
    ['PNG of 16 bits a channel', () => halves(700, 500).toColourspace('rgb16').png()],
    ['PNG with a palette', () => halves(700, 500).png({ palette: true })],
    ['WebP', () => halves(700, 500).webp()],
    ['lossless WebP', () => halves(700, 500).webp({ lossless: true })],
    ['AVIF', () => halves(700, 500).avif()],
    ['AVIF of 10 bits a channel', () => halves(700, 500).toColourspace('rgb16').avif({ bitdepth: 10 })],
  ];
  for (const [name, sample] of samples) {
    test(`a ${name} and serves it in the same colours`, async () => {
      const path = await host.uploadAccepted(await sample().toBuffer());
      for (const format of ['avif', 'webp'] as const) {
        const shown = await host.fetchVariant(path, 640, format);
        const metadata = await sharp(shown).metadata();
        expect(metadata).toMatchObject({
          format: format === 'avif' ? 'heif' : 'webp',
          width: 640,
          height: 457,
        });
        expect(await colourAt(shown, 0.25, 0.5)).toEqual(red);
        expect(await colourAt(shown, 0.75, 0.5)).toEqual(blue);
      }
    });
  }

  test('a photo by its content, ignoring its name and declared type', async () => {
    const png = await halves(400, 300).png().toBuffer();
    expect((await host.upload(png, 'page.html', 'text/html')).status).toBe(200);
    expect((await host.upload(await halves(400, 300).webp().toBuffer(), '../../../x.svg', '')).status).toBe(
      200,
    );
  });

  test('grey images, and transparent ones with their transparency', async () => {
    const grey = await host.uploadAccepted(await halves(400, 300).greyscale().png().toBuffer());
    const [r, g, b] = await colourAt(await host.fetchVariant(grey, 320, 'webp'), 0.25, 0.5);
    expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(6);
    const clear = await sharp(await halves(400, 300).png().toBuffer())
      .ensureAlpha(0.5)
      .png()
      .toBuffer();
    const path = await host.uploadAccepted(clear);
    expect(await sharp(await host.fetchVariant(path, 320, 'avif')).metadata()).toMatchObject({
      hasAlpha: true,
    });
    expect(await sharp(await host.fetchVariant(path, 320, 'webp')).metadata()).toMatchObject({
      hasAlpha: true,
    });
  });

  test('a CMYK JPEG, converted to sRGB', async () => {
    const cmyk = await halves(700, 500).toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const shown = await host.fetchVariant(await host.uploadAccepted(cmyk), 640, 'avif');
    expect((await sharp(shown).metadata()).space).toBe('srgb');
    const [r, g, b] = await colourAt(shown, 0.25, 0.5);
    expect(r).toBeGreaterThan(3 * Math.max(g, b));
  });

  test('a JPEG with an HDR gain map, in its SDR colours', async () => {
    const jpeg = await readFile(new URL('./gain-map.sample.jpg', import.meta.url));
    expect((await sharp(jpeg).metadata()).gainMap).toBeDefined();
    const [r, g, b] = await colourAt(jpeg, 0.5, 0.5);
    const shown = await colourAt(
      await host.fetchVariant(await host.uploadAccepted(jpeg), 320, 'webp'),
      0.5,
      0.5,
    );
    expect(shown).toEqual([expect.closeTo(r, -1), expect.closeTo(g, -1), expect.closeTo(b, -1)]);
  });

  test.for([
    ['baseline', {}],
    ['progressive', { progressive: true }],
    ['without subsampling', { chromaSubsampling: '4:4:4' }],
  ] as const)('a JPEG (%s) without its end marker, or with half of it', async ([, options]) => {
    const jpeg = await halves(700, 500).jpeg(options).toBuffer();
    for (const missing of [2, 1]) {
      const path = await host.uploadAccepted(jpeg.subarray(0, jpeg.length - missing));
      const shown = await host.fetchVariant(path, 640, 'webp');
      expect(await colourAt(shown, 0.25, 0.5)).toEqual(red);
      expect(await colourAt(shown, 0.99, 0.99)).toEqual(blue);
    }
  });

  test('the first frame of an animation', async () => {
    const frames = [
      await halves(400, 300).png().toBuffer(),
      await halves(400, 300).negate().png().toBuffer(),
    ];
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const shown = await host.fetchVariant(await host.uploadAccepted(moving), 320, 'webp');
    expect((await sharp(shown).metadata()).pages).toBeUndefined();
    expect(await colourAt(shown, 0.25, 0.5)).toEqual(red);
  });
});
