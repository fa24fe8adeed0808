import { expect, test } from 'vitest';
import { appendPhotos, type FormPhoto, movePhoto } from './photo-list.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => new File([name], `${name}.jpg`, { lastModified: 1 }));
const names = (photos: readonly FormPhoto[]) =>
  photos.map((photo) => (typeof photo === 'string' ? photo : photo.name).charAt(0)).join('');
const photos = (...given: (File | undefined)[]) => given.filter((photo) => photo !== undefined);
const named = (text: string) => [...text].map((name) => new File([name], `${name}.jpg`, { lastModified: 1 }));

test('appends the chosen photos', () => {
  const { photos: kept, message } = appendPhotos(photos(a), photos(b, c));
  expect(names(kept)).toBe('abc');
  expect(message).toBe('3 photos of 8 chosen.');
});

test('appends chosen photos to hosted ones', () => {
  expect(names(appendPhotos(['z'], photos(a)).photos)).toBe('za');
});

test('skips duplicates and reports them', () => {
  const { photos: kept, message } = appendPhotos(photos(a, b), named('bc'));
  expect(names(kept)).toBe('abc');
  expect(message).toContain('1 photo left out: chosen before.');
});

test('skips photos above the maximum and reports them', () => {
  const { photos: kept, message } = appendPhotos(named('abcdef'), named('ghij'));
  expect(names(kept)).toBe('abcdefgh');
  expect(message).toBe('8 photos of 8 chosen. 2 photos left out: there can be 8.');
});

test('leaves out files that are no photos, and folders, and names them', () => {
  const typed = (name: string, type = '') => new File([name], name, { type, lastModified: 1 });
  const dropped = [
    typed('invoice.pdf', 'application/pdf'),
    typed('a.jpg', 'image/jpeg'),
    typed('Pictures'),
    // Desktop systems have no media type for it.
    typed('IMG_0001.HEIC'),
    typed('moving.gif', 'image/gif'),
    typed('a.svg', 'image/svg+xml'),
  ];
  const { photos: kept, message } = appendPhotos([], dropped);
  expect(kept).toEqual([dropped[1], dropped[3]]);
  expect(message).toBe(
    '2 photos of 8 chosen. Left out: invoice.pdf, Pictures, moving.gif, 1 more. Photos are JPEG, PNG, WebP, AVIF or HEIC files, and not folders.',
  );
});

test.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 0, 'bac'],
  [1, 1, 'abc'],
])('moves the photo at %i to %i', (from, to, order) => {
  expect(names(movePhoto(photos(a, b, c), from, to))).toBe(order);
});
