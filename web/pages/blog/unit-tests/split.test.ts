import fc from 'fast-check';
import { expect, test } from 'vitest';
import { split } from './split.ts';

test('no cent is lost, and no share is more than a cent above another', () => {
  fc.assert(
    fc.property(fc.nat(5_000_000), fc.integer({ min: 1, max: 12 }), (cents, ways) => {
      const shares = split(cents, ways);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cents);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});
