import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { DebtKey, openDebtCents, repaymentReference, toDebt, toSettlement } from './settlement-rules.ts';

const seller = {
  ...{ seller_id: '0b5e2c1a-1111-4222-8333-444455556666', seller_name: 'Sam "Sam" Seller' },
  ...{ seller_email: 'sam@people.example', owed_cents: '2550' },
};

test('what can be repaid is what is not being taken back already', () => {
  expect(openDebtCents({ owedCents: 1_000, pendingCents: 300 })).toBe(700);
  expect(openDebtCents({ owedCents: 1_000, pendingCents: 1_300 })).toBe(0);
});

test('a debt is shown with its seller', () => {
  expect(toDebt(seller)).toEqual({
    ...{
      _id: seller.seller_id,
      sellerName: 'Sam "Sam" Seller',
      sellerEmail: 'sam@people.example',
      owed: 25.5,
    },
  });
});

test('a payment and a repayment name their reference, a write-off its reason', () => {
  const row = {
    ...{ ...seller, id: 'settlement', number: '1', kind: 'repaid' as const, admin_name: 'Ada Admin' },
    ...{ admin_id: 'admin', amount_cents: '2550', reference: 'SEPA 1', reason: null },
    settled_at: new Date('2026-12-01T10:00:00Z'),
  };
  const common = {
    ...{ _id: 'settlement', sellerName: 'Sam "Sam" Seller', sellerEmail: 'sam@people.example' },
    ...{ amount: 25.5, adminName: 'Ada Admin', at: '2026-12-01T10:00:00.000Z' },
  };
  expect(toSettlement({ ...row, kind: 'paid' })).toEqual({ ...common, kind: 'paid', note: 'SEPA 1' });
  expect(toSettlement(row)).toEqual({ ...common, kind: 'repaid', note: 'SEPA 1' });
  const writtenOff = { ...row, kind: 'written_off' as const, reference: null, reason: 'Gone.' };
  expect(toSettlement(writtenOff)).toEqual({ ...common, kind: 'written_off', note: 'Gone.' });
});

test('a repayment names its seller by the beginning of the id', () => {
  expect(repaymentReference(seller.seller_id)).toBe('SELLER-0B5E2C1A1111');
});

test('the key of the list of debts is an amount in cents and an id', () => {
  for (const cents of ['1', '2550']) {
    expect(z.safeParse(DebtKey, [cents, seller.seller_id]).success).toBe(true);
  }
  for (const cents of ['', '-1', '1x', 'x1', '1'.repeat(19)]) {
    expect(z.safeParse(DebtKey, [cents, seller.seller_id]).success).toBe(false);
  }
  expect(z.safeParse(DebtKey, ['1', 'x']).success).toBe(false);
});
