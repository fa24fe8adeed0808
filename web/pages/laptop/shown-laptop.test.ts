import { expect, test } from 'vitest';
import type { LaptopDetails } from '#contract/listings/laptop-schemas.ts';
import { exampleLaptop } from '../../laptops/testing/example-laptop.ts';
import { toShownLaptop } from './shown-laptop.ts';

const details: LaptopDetails = {
  ...exampleLaptop,
  facts: { memory: 16, storage: 1024, generation: 'intel-11' },
  description: { Memory: '16 GB DDR4', Storage: '1 TB SSD', Display: '14″ IPS, 400 nits' },
  level: 'measured',
  level_at: '2026-11-19T10:24:05Z',
};

test('each row says what of it was measured, and no more', () => {
  const { details: html } = toShownLaptop(
    details,
    {
      seller: null,
      measured: {
        html: '',
        comparisons: [
          { fact: 'memory', state: 'measured' },
          { fact: 'generation', state: 'measured' },
          { fact: 'screen', state: 'measured' },
          { fact: 'condition', state: 'measured' },
          { fact: 'storage', state: 'not_compared', reason: 'not_read' },
          { fact: 'graphics', state: 'not_compared', reason: 'not_listed' },
        ],
      },
    },
    'Coomercio',
  );
  // Without tags, a line for each text.
  const texts = html.replace(/<[^>]*>/g, '\n').split(/\n+/);
  expect(texts.slice(texts.indexOf('Display'), texts.indexOf('Use Time'))).toEqual([
    ...['Display', '14″ IPS, 400 nits', 'Measured: screen size'],
    ...['Memory', '16 GB DDR4', 'Measured: memory'],
    ...['Storage', '1 TB SSD', 'Seller’s word: the laptop did not report it'],
    ...['Generation', 'Intel 11th generation', 'Measured: processor generation'],
  ]);
});

test('the rows of a laptop that was not measured say nothing of it', () => {
  const { details: html, isMeasured } = toShownLaptop(details, { seller: null, measured: null }, 'Coomercio');
  expect(isMeasured).toBe(false);
  expect(html).not.toMatch(/Measured|Seller’s word/);
});

test('of a seller whose account has ended it says just that', () => {
  const ended = { ...details, sellerVerified: false, sellerHasEnded: true as const };
  expect(toShownLaptop(ended, { seller: null, measured: null }, 'Coomercio')).toMatchObject({
    sellerRated: 'Nadia',
    sellerNote: 'This seller has left the shop.',
  });
});
