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

test('a file that is chosen again after a reload has its details', () => {
  const details = withDetail({}, file, { kind: 'slip', caption: 'With the code' });
  const again = new File(['x'], 'lid.jpg', { lastModified: 7 });
  expect(photoTexts([again], details, ['/new'])).toEqual({
    captions: { '/new': 'With the code' },
    kinds: { '/new': 'slip' },
  });
});
