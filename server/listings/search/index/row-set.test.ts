import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Bitmaps } from './bitmaps.ts';
import { RowSet } from './row-set.ts';

const BLOCK = 65_536;

/** Rows near each other and near the ends of blocks, so that sets grow into lists and rows are repeated. */
const row = fc
  .tuple(fc.constantFrom(0, BLOCK, 2 * BLOCK), fc.integer({ min: -40, max: 40 }))
  .map(([block, offset]) => Math.max(block + offset, 0));

const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), row }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), row }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('shift' as const), row }) },
);

test.each(['list', 'bitmap'] as const)('A set has the added rows as a %s', (form) => {
  const sizes: number[] = [];
  fc.assert(
    fc.property(fc.array(change, { minLength: 20, maxLength: 300 }), (changes) => {
      const bitmaps = new Bitmaps(3 * BLOCK);
      bitmaps.rows = 2 * BLOCK + 1000;
      const set = new RowSet(bitmaps);
      let expected = new Set<number>();
      // A bitmap from the start: fill it beyond the limit of lists.
      if (form === 'bitmap') {
        for (let filled = 0; filled <= bitmaps.capacity / 16; filled += 1) {
          set.add(filled * 3);
          expected.add(filled * 3);
        }
      }
      for (const { kind, row: at } of changes) {
        set[kind](at);
        if (kind === 'add') expected.add(at);
        else if (kind === 'delete') expected.delete(at);
        else expected = new Set([...expected].map((other) => (other < at ? other : other + 1)));
      }
      const rows: number[] = [];
      set.each((other) => {
        rows.push(other);
      });
      expect(rows).toEqual([...expected].sort((one, other) => one - other));
      expect(set.size).toBe(expected.size);
      expect(set.bitmap >= 0).toBe(form === 'bitmap');
      for (const { row: at } of changes) expect(set.has(at)).toBe(expected.has(at));
      sizes.push(rows.length);
    }),
    { numRuns: form === 'list' ? 300 : 20 },
  );
  // Beyond the arrays of up to 16 rows.
  expect(sizes.filter((size) => size > 16).length).toBeGreaterThan(sizes.length / 3);
});
