import { describe, expect, test } from 'vitest';
import type { LedgerAccount, PostingKind } from '#contract/ledger.ts';
import { externalPostings, type LedgerTotal, monthBounds, toShopMoney } from './rules.ts';

const movement = (
  type: 'charge' | 'payout' | 'payout_failure' | 'other',
  amountCents: number,
  feeCents = 0,
) => ({
  balanceTransactionId: 'txn_1',
  type,
  amountCents,
  feeCents,
  sourceId: null,
  transactionId: null,
  createdAt: new Date(0),
});

const entries = (kind: string, cents: number, from: string, to: string) => [
  expect.objectContaining({
    kind,
    reference: 'txn_1',
    entries: [
      { account: to, amountCents: cents, orderId: null },
      { account: from, amountCents: -cents, orderId: null },
    ],
  }),
];

describe('the postings of a movement', () => {
  test('of a charge are its fee', () => {
    expect(externalPostings(movement('charge', 54_999, 190))).toEqual(
      entries('processor_fee', 190, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('charge', 54_999))).toEqual([]);
  });

  test('of the processor’s own fee are the whole amount', () => {
    expect(externalPostings(movement('other', -500))).toEqual(
      entries('processor_fee', 500, 'processor', 'processor_fees'),
    );
  });

  test('of a payout move it to the shop’s bank account, and back when it failed', () => {
    expect(externalPostings(movement('payout', -70_000))).toEqual(
      entries('bank_payout', 70_000, 'processor', 'bank'),
    );
    expect(externalPostings(movement('payout_failure', 70_000))).toEqual(
      entries('bank_payout', -70_000, 'processor', 'bank'),
    );
  });
});

test('a month ends where the next one begins', () => {
  expect(monthBounds('2026-12')).toEqual({
    from: new Date('2026-12-01T00:00:00Z'),
    until: new Date('2027-01-01T00:00:00Z'),
  });
});

test('the balances and the months follow from the sums', () => {
  const total = (month: string, account: LedgerAccount, kind: PostingKind, cents: number): LedgerTotal => ({
    month,
    account,
    kind,
    cents: String(cents),
  });
  const money = toShopMoney([
    total('2026-11', 'processor', 'sale', 100_000),
    total('2026-11', 'held', 'sale', -100_000),
    total('2026-12', 'held', 'release', 60_000),
    total('2026-12', 'payable', 'release', -57_000),
    total('2026-12', 'commission', 'release', -3_000),
    total('2026-12', 'payable', 'transfer', 50_000),
    total('2026-12', 'processor', 'transfer', -50_000),
    total('2026-12', 'held', 'refund_decided', 10_000),
    total('2026-12', 'refunds_due', 'refund_decided', -10_000),
    total('2026-12', 'processor_fees', 'processor_fee', 320),
    total('2026-12', 'processor', 'processor_fee', -320),
  ]);
  expect(money).toMatchObject({
    heldCents: 30_000,
    dueCents: 7_000,
    releasedCents: 57_000,
    paidOutCents: 50_000,
    refundsDueCents: 10_000,
    commissionCents: 3_000,
    feesCents: 320,
    processorCents: 49_680,
    months: [
      { month: '2026-11', salesCents: 100_000, refundsCents: 0, commissionCents: 0, paidOutCents: 0 },
      { month: '2026-12', salesCents: 0, refundsCents: 10_000, commissionCents: 3_000, paidOutCents: 50_000 },
    ],
  });
});

test('an empty ledger has balances without a sign', () => {
  const { months, ...balances } = toShopMoney([]);
  expect(months).toEqual([]);
  for (const cents of Object.values(balances)) expect(Object.is(cents, 0)).toBe(true);
});
