import { expect, test, vi } from 'vitest';
import { Bitmaps } from './bitmaps.ts';
import { CodeColumn } from './code-column.ts';
import { createLaptopIndex } from './laptop-index.ts';
import { type LaptopRow, STEP_ROWS } from './row.ts';
import { RowSet } from './row-set.ts';

const laptop: Omit<LaptopRow, 'number' | 'name'> = {
  brand: 'HP',
  condition: 'Good',
  priceCents: 20_000,
  originalCents: 50_000,
  memory: 16,
  storage: 512,
  screen: 14,
  battery: 88,
  processor: 'intel-core-i7',
  generation: 'intel-11',
  graphics: 'integrated',
  system: 'windows-11',
  level: 'word',
  verified: true,
  place: 'Lisbon',
  configuration: 'Intel Core i7-1165G7 / 16 GB DDR4 / 512 GB NVMe SSD',
};

test('A step of copying handles a bounded number of rows', () => {
  const index = createLaptopIndex();
  for (let number = 1; number <= 60_000; number += 1) {
    index.upsert({ ...laptop, number, name: `EliteBook ${number % 100} G${number % 7}` });
  }
  for (let number = 1; number <= 20_000; number += 1) index.remove(number);
  const added = vi.spyOn(RowSet.prototype, 'add');
  const stored = vi.spyOn(CodeColumn.prototype, 'set');
  const set = vi.spyOn(Bitmaps.prototype, 'set');
  let steps = 0;
  for (const _ of index.maintain()) {
    steps += 1;
    const work = [added, stored, set].map(({ mock }) => mock.calls.length);
    expect(Math.max(...work)).toBeLessThanOrEqual(STEP_ROWS * 1.5);
    for (const spy of [added, stored, set]) spy.mockClear();
  }
  vi.restoreAllMocks();
  expect(steps).toBeGreaterThan(30);
  expect(index.count()).toBe(40_000);
});
