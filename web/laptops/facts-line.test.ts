import { expect, test } from 'vitest';
import { formatGigabytes } from '#contract/listings/sizes.ts';
import { factsLine } from './facts-line.ts';

test('a line of facts names processor, memory, storage and screen', () => {
  const facts = { processor: 'intel-core-i7', memory: 16, storage: 1024, screen: 13.5 } as const;
  expect(factsLine(facts)).toBe('i7\u00a0· 16 GB\u00a0· 1 TB\u00a0· 13.5″');
});

test('a known battery comes last, and stays in one line', () => {
  expect(factsLine({ memory: 8, battery: 91 })).toBe('8 GB\u00a0· battery\u00a091\u00a0%');
});

test('dedicated graphics are named, integrated ones are not', () => {
  expect(factsLine({ storage: 512, graphics: 'geforce', screen: 15.6 })).toBe(
    '512 GB\u00a0· GeForce\u00a0· 15.6″',
  );
  expect(factsLine({ storage: 512, graphics: 'integrated' })).toBe('512 GB');
});

test('unknown facts are left out', () => {
  expect(factsLine({ storage: 256 })).toBe('256 GB');
  expect(factsLine({})).toBe('');
});

test('an Apple processor is named by its generation', () => {
  expect(factsLine({ processor: 'apple', generation: 'apple-2' })).toBe('M2');
  expect(factsLine({ processor: 'apple' })).toBe('Apple M');
});

test.each([
  [512, '512 GB'],
  [1024, '1 TB'],
  [1536, '1.5 TB'],
  [1100, '1100 GB'],
])('%i GB is written %s', (size, text) => expect(formatGigabytes(size)).toBe(text));
