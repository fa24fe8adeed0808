import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePhotoPath, photoWidths, variantWidths } from '#contract/listings/photos.ts';
import { checkSize, standardLimits } from './photo-validation.ts';
import {
  extractHashes,
  isPhotoKey,
  isPhotoOfHost,
  largestSize,
  masterKey,
  ownPhotoPath,
  parsePhotoUrl,
  photoUrl,
  recordKey,
  sizeAtWidth,
  variantKey,
  variantKeys,
} from './rules.ts';

const origin = 'https://shop.example';
const photo = { hash: 'a1'.repeat(32), width: 1280, height: 960, blur: '0'.repeat(36) };

describe('ownPhotoPath', () => {
  test('accepts the URLs that uploads return, of these origins only', () => {
    const url = photoUrl(origin, photo);
    const path = `/photos/${variantKey(photo, 1280, 'webp')}`;
    expect(ownPhotoPath(url, [origin])).toBe(path);
    expect(ownPhotoPath(url, ['http://127.0.0.1:3000', origin])).toBe(path);
    expect(ownPhotoPath(url, ['https://other.example'])).toBeNull();
    expect(ownPhotoPath(url, ['https://shop.example.evil.example'])).toBeNull();
  });

  test('rejects any other URL', () => {
    const url = photoUrl(origin, photo);
    for (const other of [
      '',
      'javascript:alert(1)',
      'data:image/webp;base64,AAAA',
      '/photos/x',
      `${origin}/photos/`,
      `${url}?x=1`,
      `${url}#x`,
      ` ${url}`,
      `${url}\n`,
      url.replace('1280.webp', '960.webp'),
      url.replace('.webp', '.avif'),
      url.replace('/photos/', '/photos/../photos/'),
      url.replace('https:', 'http:'),
      url.replace('https://', 'https://user@'),
      url.replace(origin, `${origin}.evil.example`),
      `https://evil.example/${url}`,
    ]) {
      expect(ownPhotoPath(other, [origin]), other).toBeNull();
    }
  });
});

describe('isPhotoOfHost', () => {
  const host = 'https://images.example:8443/1/upload';
  test('accepts all URLs of that host', () => {
    expect(isPhotoOfHost('https://images.example:8443/abc/laptop.jpg', host)).toBe(true);
    expect(isPhotoOfHost('https://images.example:8443/abc/laptop.jpg?size=2', host)).toBe(true);
  });

  test('rejects another scheme, host, port, spelling or credentials', () => {
    for (const other of [
      'http://images.example:8443/a.jpg',
      'https://images.example/a.jpg',
      'https://images.example:8443.evil.example/a.jpg',
      'https://images.example:8443@evil.example/a.jpg',
      'https://user:pass@images.example:8443/a.jpg',
      'https://IMAGES.example:8443/a.jpg',
      'https://images.example:8443/a b.jpg',
      'https://images.example:8443/../a.jpg',
      'https:\\\\images.example:8443\\a.jpg',
      '//images.example:8443/a.jpg',
      'javascript://images.example:8443/%0aalert(1)',
      'http://127.0.0.1/',
      '',
    ]) {
      expect(isPhotoOfHost(other, host), other).toBe(false);
    }
    expect(isPhotoOfHost('javascript:alert(1)', 'javascript:x')).toBe(false);
  });
});

test('the variants of every accepted size are within the limits, and their keys can be parsed', () => {
  const side = fc.integer({ min: 1, max: 16_000 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      fc.pre(checkSize({ width, height }, 'jpeg', 10_000_000, standardLimits) === null);
      const largest = largestSize({ width, height });
      const sizes = variantWidths(largest.width).map((variant) => sizeAtWidth(variant, largest));
      expect(sizes.at(-1)).toEqual(largest);
      for (const size of sizes) {
        expect(size.width).toBeLessThanOrEqual(Math.min(width, photoWidths.at(-1) ?? 0));
        expect(size.height).toBeLessThanOrEqual(4096);
        expect(Math.abs(size.height - (size.width * height) / width)).toBeLessThanOrEqual(1.5);
        const named = { ...photo, ...largest };
        expect(parsePhotoPath(variantKey(named, size.width, 'avif'))).toEqual({
          photo: named,
          variant: { width: size.width, format: 'avif' },
        });
      }
    }),
  );
});

test('extractHashes extracts hashes from paths and URLs, unique and sorted', () => {
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  const name = (hash: string) => `/photos/${hash}-64x48-${'0'.repeat(36)}/64.webp`;
  const urls = [
    name(b),
    `http://127.0.0.1:3000${name(a)}`,
    name(b),
    '/brands/hp.svg',
    'https://img.example/x.jpg',
  ];
  expect(extractHashes(urls)).toEqual([a, b]);
});

test('isPhotoKey rejects the keys of other objects in a bucket', () => {
  const keys = [masterKey(photo), recordKey(photo.hash), variantKey(photo, 640, 'avif')];
  expect(keys.map(isPhotoKey)).toEqual([true, true, true]);
  const others = ['restoring.json', 'logs/2026.json', `old/${photo.hash}.json`, `${photo.hash}.tar`, ''];
  expect(others.filter(isPhotoKey)).toEqual([]);
});

test('parsePhotoUrl parses URLs of any origin', () => {
  expect(parsePhotoUrl(photoUrl('https://earlier.example', photo))).toEqual(photo);
  expect(parsePhotoUrl(photoUrl('', photo))).toEqual(photo);
  expect(parsePhotoUrl('https://img.example/photos/a/b.png')).toBeNull();
  expect(parsePhotoUrl(`${origin}/brands/hp.svg`)).toBeNull();
});

test('variantKeys returns all widths in both formats', () => {
  const named = [320, 640, 960, 1280].flatMap((width) => [
    variantKey(photo, width, 'avif'),
    variantKey(photo, width, 'webp'),
  ]);
  expect(variantKeys(photo)).toEqual(named);
});
