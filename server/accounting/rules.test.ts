import { describe, expect, test } from 'vitest';
import type { LedgerAccount, PostingKind } from '#contract/ledger.ts';
import {
  type ComparedAmounts,
  describeDifference,
  externalPostings,
  type LedgerTotal,
  monthBounds,
  toShopMoney,
  toStatementLine,
} from './rules.ts';

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

  test('of the processor’s own fee with a fee on top are both', () => {
    expect(externalPostings(movement('other', -500, 40))).toEqual(
      entries('processor_fee', 540, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('other', -500, 500))).toEqual(
      entries('processor_fee', 1_000, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('other', 500, 500))).toEqual([]);
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

const total = (month: string, account: LedgerAccount, kind: PostingKind, cents: number): LedgerTotal => ({
  month,
  account,
  kind,
  cents: String(cents),
});

test('only the last twelve months are shown, in order, whatever the order of the sums', () => {
  const months = ['2026-03', '2025-11', '2026-01', '2025-12', '2026-02', '2026-07', '2026-04', '2026-06'];
  const more = ['2026-05', '2026-12', '2026-08', '2026-11', '2026-10', '2026-09'];
  const shown = toShopMoney(
    [...months, ...more].map((month) => total(month, 'processor', 'sale', 100)),
  ).months.map(({ month }) => month);
  expect(shown).toEqual([...months, ...more].sort().slice(-12));
});

test('payments to sellers are transfers less what came back, and settlements', () => {
  const { paidOutCents, releasedCents, dueCents } = toShopMoney([
    total('2026-12', 'payable', 'release', -90_000),
    total('2026-12', 'payable', 'transfer', 50_000),
    total('2026-12', 'payable', 'transfer_reversed', -20_000),
    total('2026-12', 'payable', 'settled_by_hand', 7_000),
  ]);
  expect({ paidOutCents, releasedCents, dueCents }).toEqual({
    paidOutCents: 37_000,
    releasedCents: 90_000,
    dueCents: 53_000,
  });
});

test('refunds of a month are those that were decided; fees and disputes have their own sums', () => {
  const money = toShopMoney([
    total('2026-12', 'refunds_due', 'refund_decided', -10_000),
    total('2026-12', 'refunds_due', 'refund_made', 9_000),
    total('2026-12', 'processor_fees', 'processor_fee', 320),
    total('2026-12', 'disputed', 'dispute_opened', 700),
    total('2026-12', 'lost_disputes', 'dispute_lost', 80),
  ]);
  expect(money).toMatchObject({ refundsDueCents: 1_000, disputedCents: 700, lostDisputesCents: 80 });
  expect(money.months).toMatchObject([{ refundsCents: 10_000, feesCents: 320 }]);
});

test('a line of a statement is what the ledger credits', () => {
  const row = {
    ...{ number: '1', kind: 'release' as const, posted_at: new Date('2026-12-01T10:00:00Z') },
    ...{ order_id: 'order', laptop_name: 'EliteBook', amount_cents: '-52200' },
  };
  expect(toStatementLine(row)).toEqual({
    ...{ at: '2026-12-01T10:00:00.000Z', kind: 'release', orderId: 'order' },
    ...{ productName: 'EliteBook', cents: 52_200 },
  });
});

test.each<[Partial<ComparedAmounts>, string]>([
  [
    { kind: 'missing_in_ledger', movement: 'payment' },
    'payment pi_1: $5.00 at the card processor, nothing in the ledger',
  ],
  [
    { kind: 'missing_at_processor', movement: 'refund' },
    'refund of pi_1: $4.00 in the ledger, nothing at the card processor',
  ],
  [
    { kind: 'wrong_amount', movement: 'dispute' },
    'dispute of pi_1: $5.00 at the card processor, $4.00 in the ledger',
  ],
  [
    { kind: 'payment_without_order', movement: 'payment' },
    'payment pi_1: $5.00 at the card processor, and the shop has no order for it',
  ],
  [{ movement: 'transfer' }, 'transfer pi_1: $5.00 at the card processor, $4.00 in the ledger'],
  [{ movement: 'transfer_reversal' }, 'reversal pi_1: $5.00 at the card processor, $4.00 in the ledger'],
])('describes the difference %o', (difference, sentence) => {
  const amounts = { reference: 'pi_1', ledger_cents: '400', processor_cents: '500' };
  expect(describeDifference({ kind: 'wrong_amount', movement: 'payment', ...amounts, ...difference })).toBe(
    sentence,
  );
});

test('the balances and the months follow from the sums', () => {
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
