import { expect, test } from 'vitest';
import { photoSources, writePhotoName } from './photos.ts';

const photo = { hash: '0f'.repeat(32), width: 960, height: 720, blur: 'f00'.repeat(3) + '00f'.repeat(9) };
const base = `https://shop.example/photos/${writePhotoName(photo)}`;

test('returns all widths, the size and a placeholder of a photo at the built-in image host', () => {
  const { placeholder, ...sources } = photoSources(`${base}/960.webp`);
  expect(sources).toEqual({
    src: `${base}/960.webp`,
    avif: `${base}/320.avif 320w, ${base}/640.avif 640w, ${base}/960.avif 960w`,
    webp: `${base}/320.webp 320w, ${base}/640.webp 640w, ${base}/960.webp 960w`,
    width: 960,
    height: 720,
  });
  const bitmap = Buffer.from(placeholder?.replace('data:image/bmp;base64,', '') ?? '', 'base64');
  expect(bitmap).toHaveLength(54 + 36);
  expect(bitmap.toString('latin1', 0, 2)).toBe('BM');
  expect(bitmap.readUInt32LE(2)).toBe(bitmap.length);
  // A bitmap stores its top row last, and its channels in the order blue, green, red.
  expect([...bitmap.subarray(-12)]).toEqual([0, 0, 255, 0, 0, 255, 0, 0, 255, 255, 0, 0]);
});

test('returns only its own width for a photo smaller than the smallest variant', () => {
  const small = `https://shop.example/photos/${writePhotoName({ ...photo, width: 200, height: 150 })}`;
  expect(photoSources(`${small}/200.webp`)).toMatchObject({ webp: `${small}/200.webp 200w`, width: 200 });
});

test('returns only the URL of a photo at another host', () => {
  for (const url of [
    'https://i.example/abc/laptop.jpg',
    'https://i.example/photos/laptop.webp',
    `${base}/961.webp`,
    `${base}/960.webp?x`,
    '',
  ]) {
    expect(photoSources(url)).toEqual({ src: url });
  }
});
