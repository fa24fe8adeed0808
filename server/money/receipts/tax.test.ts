import { expect, test } from 'vitest';
import { testTaxRule } from '#tests/harness/ports/tax-rule.ts';
import { taxOfCommission } from './tax.ts';

testTaxRule(taxOfCommission);

test('the tax is included in the commission, and a sale has the note of its scheme', () => {
  const scheme = { name: 'VAT', commissionBasisPoints: 2_000, saleNote: 'Margin scheme.' };
  const stated = (kind: 'sale' | 'commission') => taxOfCommission({ kind, amountCents: 1_000 }, scheme);
  expect(stated('sale')).toEqual({ line: null, note: 'Margin scheme.' });
  expect(stated('commission')).toEqual({ line: { name: 'VAT', basisPoints: 2_000, cents: 167 }, note: null });
});
