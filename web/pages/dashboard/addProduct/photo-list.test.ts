import { expect, test } from 'vitest';
import { appendPhotos, movePhoto } from './photo-list.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => new File([name], `${name}.jpg`, { lastModified: 1 }));
const names = (photos: readonly File[]) => photos.map(({ name }) => name.charAt(0)).join('');
const photos = (...given: (File | undefined)[]) => given.filter((photo) => photo !== undefined);
const named = (text: string) => [...text].map((name) => new File([name], `${name}.jpg`, { lastModified: 1 }));

test('chosen photos come behind those that are there', () => {
  const { photos: kept, message } = appendPhotos(photos(a), photos(b, c));
  expect(names(kept)).toBe('abc');
  expect(message).toBe('3 photos of 8 chosen.');
});

test('a file that is there already is left out, and that is said', () => {
  const { photos: kept, message } = appendPhotos(photos(a, b), named('bc'));
  expect(names(kept)).toBe('abc');
  expect(message).toContain('1 photo left out: chosen before.');
});

test('what is more than eight is left out, and that is said', () => {
  const { photos: kept, message } = appendPhotos(named('abcdef'), named('ghij'));
  expect(names(kept)).toBe('abcdefgh');
  expect(message).toBe('8 photos of 8 chosen. 2 photos left out: a laptop can have 8.');
});

test.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 0, 'bac'],
  [1, 1, 'abc'],
])('the photo at %i moves to %i', (from, to, order) => {
  expect(names(movePhoto(photos(a, b, c), from, to))).toBe(order);
});
