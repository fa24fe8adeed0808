import { expect, test } from 'vitest';
import { photoTexts, toPhotoDetails, withDetail } from './photo-details.ts';

const file = new File(['x'], 'lid.jpg', { lastModified: 7 });

test('a request has the kinds and captions of the remaining photos, by their new URLs', () => {
  const stored = toPhotoDetails({
    images: ['/a', '/b'],
    captions: { '/a': 'A dent' },
    kinds: { '/b': 'keyboard' },
  });
  const details = withDetail(stored, file, { kind: 'lid', caption: '  ' });
  expect(photoTexts([file, '/a'], details, ['/new', '/a'])).toEqual({
    captions: { '/a': 'A dent' },
    kinds: { '/new': 'lid' },
  });
});

test('two files with the same content, which the host stores once, shift no kinds and captions', () => {
  const copy = new File(['x'], 'copy.jpg', { lastModified: 7 });
  const keys = new File(['y'], 'keys.jpg', { lastModified: 7 });
  const details = [
    { photo: file, detail: { caption: 'A dent' } },
    { photo: copy, detail: { kind: 'lid', caption: 'The copy' } },
    { photo: keys, detail: { kind: 'keyboard', caption: 'One key is worn' } },
  ] as const;
  const said = details.reduce((all, { photo, detail }) => withDetail(all, photo, detail), {});
  expect(photoTexts([file, copy, keys], said, ['/one', '/one', '/keys'])).toEqual({
    captions: { '/one': 'A dent', '/keys': 'One key is worn' },
    kinds: { '/one': 'lid', '/keys': 'keyboard' },
  });
});

test('a file that is chosen again after a reload has its details', () => {
  const details = withDetail({}, file, { kind: 'slip', caption: 'With the code' });
  const again = new File(['x'], 'lid.jpg', { lastModified: 7 });
  expect(photoTexts([again], details, ['/new'])).toEqual({
    captions: { '/new': 'With the code' },
    kinds: { '/new': 'slip' },
  });
});
