import { expect, test } from 'vitest';
import { mediaFailure } from './use-media-stream.ts';

const named = (name: string) => Object.assign(new Error('x'), { name });

test.each([
  [named('NotAllowedError'), /not allowed to use the camera\. Allow it/],
  [named('NotFoundError'), /found no camera/],
  [named('NotReadableError'), /Another program may be using it/],
  [new TypeError('mediaDevices is undefined'), /cannot use the camera here/],
  ['thrown text', /cannot use the camera here/],
])('%s is said in words, with the next step', (error, words) => {
  expect(mediaFailure(error, 'camera')).toMatch(words);
});
