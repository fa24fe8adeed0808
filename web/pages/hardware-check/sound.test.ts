import { expect, test } from 'vitest';
import { loudness, recordingWords } from './sound.ts';

test.each([
  [[0, 0, 0], 0],
  [[0.25, -0.5, 0.1], 50],
  [[1.5], 100],
  [[], 0],
])('the loudness of %j is %i %%', (samples, percent) => {
  expect(loudness(Float32Array.from(samples))).toBe(percent);
});

test('silence is said', () => {
  expect(recordingWords(1)).toMatch(/^No sound arrived/);
  expect(recordingWords(40)).toBe('The loudest moment had 40 %.');
});
