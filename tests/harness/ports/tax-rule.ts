import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currency } from '#contract/platform/money.ts';
import type { TaxRule } from '#server/money/receipts/tax.ts';

const scheme = fc.record({
  name: fc.constant('VAT'),
  commissionBasisPoints: fc.integer({ min: 0, max: 5_000 }),
  saleNote: fc.constantFrom(null, 'Margin scheme.'),
});
const amount = fc.nat(1_000_000).map((units) => units * currency.smallestAmount);

/** What every rule of the tax on receipts must do. */
export function testTaxRule(rule: TaxRule): void {
  describe('as a rule of the tax on receipts', () => {
    test.each([
      ['sale', 'sale_credit'],
      ['commission', 'commission_credit'],
    ] as const)(
      'a %s states a part of its amount that exists as money, and a %s of all of it the same',
      (kind, credit) => {
        fc.assert(
          fc.property(scheme, amount, (taxes, amountCents) => {
            const stated = rule({ kind, amountCents }, taxes);
            expect(rule({ kind: credit, amountCents }, taxes)).toEqual(stated);
            if (stated.line === null) return;
            const { cents, basisPoints } = stated.line;
            expect(basisPoints).toBeGreaterThan(0);
            expect(cents).toBeGreaterThanOrEqual(0);
            expect(cents).toBeLessThanOrEqual(amountCents);
            expect(cents % currency.smallestAmount).toBe(0);
          }),
        );
      },
    );
  });
}
