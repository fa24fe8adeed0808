import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownPhotoPath } from './rules.ts';
import { colourAt, halves, KEY, ORIGIN, type RunningHost, startHost } from './testing/photo-samples.ts';

const red: unknown = [expect.closeTo(208, -1.5), expect.closeTo(48, -1.5), expect.closeTo(32, -1.5)];
const blue: unknown = [expect.closeTo(32, -1.5), expect.closeTo(48, -1.5), expect.closeTo(208, -1.5)];

let host: RunningHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

describe('the stored photo', () => {
  test('has variants up to its own width, as AVIF and WebP', async () => {
    const path = await host.uploadAccepted(await halves(1300, 975).jpeg().toBuffer());
    expect(path).toMatch(/^\/photos\/[0-9a-f]{64}-1280x960-[0-9a-f]{36}\/1280\.webp$/);
    for (const width of [320, 640, 960, 1280]) {
      for (const format of ['avif', 'webp'] as const) {
        const metadata = await sharp(await host.fetchVariant(path, width, format)).metadata();
        expect(metadata).toMatchObject({ width, height: (width * 3) / 4 });
      }
    }
    await expect(host.fetchVariant(path, 1920, 'avif')).rejects.toThrow('404');
  });

  test('is at most 1920 pixels wide', async () => {
    const path = await host.uploadAccepted(await halves(4000, 3000).jpeg().toBuffer());
    expect(path).toContain('-1920x1440-');
    const shown = await sharp(await host.fetchVariant(path, 1920, 'avif')).metadata();
    expect(shown).toMatchObject({ width: 1920, height: 1440 });
  });

  test('keeps its own size when it is narrower than all widths', async () => {
    const path = await host.uploadAccepted(await halves(200, 120).png().toBuffer());
    expect(path).toMatch(/-200x120-[0-9a-f]{36}\/200\.webp$/);
  });

  test('has no variant that is too tall for WebP', async () => {
    const path = await host.uploadAccepted(await halves(1000, 9000).png().toBuffer());
    expect(path).toContain('-320x2880-');
  });

  test('has a URL that ownPhotoPath accepts', async () => {
    const path = await host.uploadAccepted(await halves(400, 300).jpeg().toBuffer());
    expect(ownPhotoPath(ORIGIN + path, [ORIGIN])).toBe(path);
  });

  test('is upright for each of the eight EXIF orientations', async () => {
    const upright = await halves(640, 480).png().toBuffer();
    const turned: Record<number, Sharp> = {
      1: sharp(upright),
      2: sharp(upright).flop(),
      3: sharp(upright).rotate(180),
      4: sharp(upright).flip(),
      5: sharp(await sharp(upright).rotate(270).toBuffer()).flip(),
      6: sharp(upright).rotate(270),
      7: sharp(await sharp(upright).rotate(90).toBuffer()).flip(),
      8: sharp(upright).rotate(90),
    };
    for (const [orientation, sample] of Object.entries(turned)) {
      const jpeg = await sample
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer();
      expect((await sharp(jpeg).metadata()).orientation).toBe(Number(orientation));
      const path = await host.uploadAccepted(jpeg);
      expect(path).toContain('-640x480-');
      for (const format of ['avif', 'webp'] as const) {
        const shown = await host.fetchVariant(path, 640, format);
        expect(await colourAt(shown, 0.25, 0.5), `orientation ${orientation} as ${format}`).toEqual(red);
        expect(await colourAt(shown, 0.75, 0.5), `orientation ${orientation} as ${format}`).toEqual(blue);
      }
    }
  });

  test('contains no EXIF, GPS, XMP or other metadata', async () => {
    const jpeg = await halves(700, 500)
      .withExif({
        IFD0: { Make: 'TellingCamera', Copyright: 'Telling Name' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '48/1 12/1 30/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '16/1 22/1 0/1',
        },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><telling/></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    const before = await sharp(jpeg).metadata();
    // 0x8825 is the tag that points at the GPS block.
    expect(before.exif?.includes(Buffer.from([0x25, 0x88]))).toBe(true);
    expect(before.xmp).toBeDefined();
    expect(before.icc).toBeDefined();
    const path = await host.uploadAccepted(jpeg);
    for (const format of ['avif', 'webp'] as const) {
      for (const width of [320, 640]) {
        const shown = await host.fetchVariant(path, width, format);
        const { exif, xmp, iptc, icc, orientation } = await sharp(shown).metadata();
        expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
        for (const trace of ['Exif', 'Telling', 'telling', 'xmpmeta'])
          expect(shown.includes(trace)).toBe(false);
      }
    }
  });

  test('is converted to sRGB from a wider colour space', async () => {
    const p3 = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#b06040' } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const stored = await sharp(p3, { ignoreIcc: true }).raw().toBuffer();
    const shown = await colourAt(
      await host.fetchVariant(await host.uploadAccepted(p3), 320, 'webp'),
      0.5,
      0.5,
    );
    expect(stored[0]).toBeLessThan(174);
    expect(shown).toEqual([expect.closeTo(176, -1), expect.closeTo(96, -1), expect.closeTo(64, -1)]);
  });

  test('contains no data that was hidden after or inside the image', async () => {
    const jpeg = await halves(400, 300).jpeg().toBuffer();
    const hidden = '<script>alert(document.domain)</script>';
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, hidden.length + 2]), Buffer.from(hidden)]);
    const polyglot = Buffer.concat([
      jpeg.subarray(0, 2),
      comment,
      jpeg.subarray(2),
      Buffer.from(`PK\x03\x04${hidden}`),
    ]);
    const path = await host.uploadAccepted(polyglot);
    for (const format of ['avif', 'webp'] as const) {
      expect((await host.fetchVariant(path, 320, format)).includes('script')).toBe(false);
    }
  });
});

describe('the same photo uploaded again', () => {
  test('gets the same URL and stores nothing again', async () => {
    const puts: string[] = [];
    await using counted = await startHost({}, (storage) => ({
      ...storage,
      put: (key, bytes, type) => {
        puts.push(key);
        return storage.put(key, bytes, type);
      },
    }));
    const photo = await halves(700, 500).jpeg().toBuffer();
    const first = await counted.uploadAccepted(photo);
    expect(puts).toHaveLength(2);
    // The record comes first: deletion of an interrupted upload follows it.
    expect(puts[0]).toMatch(/^[0-9a-f]{64}\.json$/);
    expect(await counted.uploadAccepted(photo)).toBe(first);
    expect(puts).toHaveLength(2);
    expect(await counted.uploadAccepted(await halves(700, 500).jpeg().toBuffer())).not.toBe(first);
    expect(puts).toHaveLength(4);
  });

  test('at the same time is decoded once', async () => {
    const puts: string[] = [];
    await using counted = await startHost({ uploadSlots: { perAddress: 8, perUploader: 8 } }, (storage) => ({
      ...storage,
      put: (key, bytes, type) => {
        puts.push(key);
        return storage.put(key, bytes, type);
      },
    }));
    const photo = await halves(700, 500).jpeg().toBuffer();
    const paths = await Promise.all(Array.from({ length: 8 }, () => counted.uploadAccepted(photo)));
    expect(new Set(paths).size).toBe(1);
    expect(puts).toHaveLength(2);
  });

  test('is stored completely after a failed attempt, whose response reveals no internals', async () => {
    let remaining = 2;
    await using failing = await startHost({}, (storage) => ({
      ...storage,
      put: async (key, bytes, type) => {
        remaining -= 1;
        if (remaining === 0) throw new Error('ENOSPC: no space left on /secret/device');
        await storage.put(key, bytes, type);
      },
    }));
    const photo = await halves(700, 500).jpeg().toBuffer();
    const response = await failing.upload(photo);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    const text = await response.text();
    expect(text).toContain('"success":false');
    expect(text).not.toContain('secret');
    const path = await failing.uploadAccepted(photo);
    for (const width of [320, 640]) await failing.fetchVariant(path, width, 'avif');
  });
});

test('ignores other parts of the form', async () => {
  const form = new FormData();
  form.append('name', 'ThinkPad');
  form.append('image', new File([new Uint8Array(await halves(400, 300).jpeg().toBuffer())], 'x.jpg'));
  form.append('note', 'after');
  const response = await fetch(`${host.base}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: 'Bearer seller' },
    body: form,
  });
  expect(response.status).toBe(200);
});
