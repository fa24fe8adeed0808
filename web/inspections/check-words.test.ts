import { expect, test } from 'vitest';
import { comparedWords } from './check-words.ts';

test('tests of which the browser told nothing are not said to be of the measured machine', () => {
  expect(comparedWords({ renderer: null, memory: null, screen: null })).toBe(
    'The browser told nothing about the machine, so it is unknown whether it is the measured one.',
  );
});
