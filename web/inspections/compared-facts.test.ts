import { expect, test } from 'vitest';
import { comparedFactLines } from './compared-facts.ts';

test('each fact that the listing states says whose word it is; a fact that it does not state is left out', () => {
  const lines = comparedFactLines([
    { fact: 'processor', state: 'measured' },
    { fact: 'generation', state: 'not_compared', reason: 'not_listed' },
    { fact: 'memory', state: 'contradicted' },
    { fact: 'screen', state: 'not_compared', reason: 'not_read' },
    { fact: 'graphics', state: 'not_compared', reason: 'not_understood' },
  ]);
  expect(lines.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    'Processor family: Measured',
    'Memory: Contradicted by the measurement',
    'Screen size: Seller’s word: the laptop did not report it',
    'Kind of graphics: Seller’s word: the laptop reported a name that the shop does not know',
  ]);
});
