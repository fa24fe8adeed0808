import { describe, expect, test } from 'vitest';
import type { BalanceTransactionType, LedgerAccount, PostingKind } from '#contract/money/ledger.ts';
import type { BalanceTransaction } from './balance-reader.ts';
import {
  type ComparedAmounts,
  daysOfMonth,
  describeDifference,
  externalPostings,
  isOfSuspended,
  type LedgerTotal,
  postingOfExplanation,
  toShopMoney,
  toStatementLine,
} from './rules.ts';

const movement = (
  type: BalanceTransactionType,
  amountCents: number,
  more: Partial<BalanceTransaction> = {},
): BalanceTransaction => ({
  balanceTransactionId: 'txn_1',
  type,
  category: type,
  amountCents,
  feeCents: 0,
  currency: 'usd',
  sourceId: null,
  transactionId: null,
  transferId: null,
  createdAt: new Date(0),
  ...more,
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
    expect(externalPostings(movement('charge', 54_999, { feeCents: 190 }))).toEqual(
      entries('processor_fee', 190, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('charge', 54_999))).toEqual([]);
  });

  test('of the processor’s own fee are the whole amount and the fee on it', () => {
    expect(externalPostings(movement('fee', -500))).toEqual(
      entries('processor_fee', 500, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('fee', -500, { feeCents: 30 }))).toEqual(
      entries('processor_fee', 530, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('fee', -500, { feeCents: 500 }))).toEqual(
      entries('processor_fee', 1_000, 'processor', 'processor_fees'),
    );
    expect(externalPostings(movement('fee', 500, { feeCents: 500 }))).toEqual([]);
  });

  test('of a payout move it to the shop’s bank account, and back when it failed', () => {
    expect(externalPostings(movement('payout', -70_000))).toEqual(
      entries('bank_payout', 70_000, 'processor', 'bank'),
    );
    expect(externalPostings(movement('payout_failure', 70_000))).toEqual(
      entries('bank_payout', -70_000, 'processor', 'bank'),
    );
  });

  test('of a top-up come from the shop’s bank account, and go back there', () => {
    expect(externalPostings(movement('top_up', 100_000))).toEqual(
      entries('top_up', 100_000, 'bank', 'processor'),
    );
    expect(externalPostings(movement('top_up', -100_000))).toEqual(
      entries('top_up', -100_000, 'bank', 'processor'),
    );
  });

  test('of a reserve are held back, and released', () => {
    expect(externalPostings(movement('reserve', -204_105))).toEqual(
      entries('reserve', 204_105, 'processor', 'reserved'),
    );
    expect(externalPostings(movement('reserve', 204_105))).toEqual(
      entries('reserve', -204_105, 'processor', 'reserved'),
    );
  });

  test('of an unknown movement are in the suspense account, and its fee is a fee', () => {
    expect(externalPostings(movement('other', 100_000, { feeCents: 200 }))).toEqual([
      ...entries('processor_fee', 200, 'processor', 'processor_fees'),
      ...entries('unknown_movement', 100_000, 'suspense', 'processor'),
    ]);
  });

  test('of another currency are none, and of an empty movement neither', () => {
    for (const type of ['charge', 'fee', 'payout', 'top_up', 'reserve', 'other'] as const) {
      expect(externalPostings(movement(type, -500, { feeCents: 7, currency: 'eur' }))).toEqual([]);
      expect(externalPostings(movement(type, 0))).toEqual([]);
    }
  });
});

describe('the explanation of an unknown movement', () => {
  const unknown = { id: 'txn_1', amount_cents: '-4200', currency: 'usd' };

  test.each([
    ['fee', 'processor_fees'],
    ['own_money', 'bank'],
    ['reserve', 'reserved'],
    ['seller_loss', 'written_off'],
  ] as const)('as %s moves it from the suspense account to %s', (explanation, account) => {
    expect(postingOfExplanation(unknown, explanation)).toEqual(
      entries('correction', -4_200, account, 'suspense')[0],
    );
  });

  test('in another currency is outside of the ledger, and nothing else is', () => {
    const euros = { ...unknown, currency: 'eur' };
    expect(postingOfExplanation(euros, 'other_currency')).toBeNull();
    expect(postingOfExplanation(euros, 'fee')).toBeUndefined();
    expect(postingOfExplanation(unknown, 'other_currency')).toBeUndefined();
  });

  test('is another one than that of a refund or a dispute in the suspense account', () => {
    expect((['shop_loss', 'paid_by_hand'] as const).every(isOfSuspended)).toBe(true);
    expect((['fee', 'own_money', 'reserve', 'seller_loss'] as const).some(isOfSuspended)).toBe(false);
  });
});

test.each([
  ['2026-12', '2026-12-01', '2026-12-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
])('the month %s has the days from %s to %s', (month, from, until) => {
  expect(daysOfMonth(month)).toEqual({ from, until });
});

const total = (month: string, account: LedgerAccount, kind: PostingKind, cents: number): LedgerTotal => ({
  month,
  account,
  kind,
  cents: String(cents),
});

const noBalances = { due_cents: '0', owed_cents: '0' };

test('only the last twelve months are shown, in order, whatever the order of the sums', () => {
  const months = ['2026-03', '2025-11', '2026-01', '2025-12', '2026-02', '2026-07', '2026-04', '2026-06'];
  const more = ['2026-05', '2026-12', '2026-08', '2026-11', '2026-10', '2026-09'];
  const shown = toShopMoney(
    [...months, ...more].map((month) => total(month, 'processor', 'sale', 100)),
    noBalances,
  ).months.map(({ month }) => month);
  expect(shown).toEqual([...months, ...more].sort().slice(-12));
});

test('payments to sellers are transfers less what came back, settlements, and less what sellers repaid', () => {
  const { paidOutCents, releasedCents, dueCents, owedCents, writtenOffCents } = toShopMoney(
    [
      total('2026-12', 'payable', 'release', -90_000),
      total('2026-12', 'payable', 'transfer', 50_000),
      total('2026-12', 'payable', 'transfer_reversed', -20_000),
      total('2026-12', 'payable', 'settled_by_hand', 7_000),
      total('2026-12', 'payable', 'repaid_by_hand', -500),
      total('2026-12', 'payable', 'written_off', -300),
      total('2026-12', 'written_off', 'written_off', 300),
    ],
    { due_cents: '53800', owed_cents: '200' },
  );
  expect({ paidOutCents, releasedCents, dueCents, owedCents, writtenOffCents }).toEqual({
    paidOutCents: 36_500,
    releasedCents: 90_000,
    dueCents: 53_800,
    owedCents: 200,
    writtenOffCents: 300,
  });
});

test('goodwill, labels, reserves and what nobody has explained have their own sums', () => {
  expect(
    toShopMoney(
      [
        total('2026-12', 'goodwill', 'goodwill', 900),
        total('2026-12', 'reserved', 'reserve', 800),
        total('2026-12', 'suspense', 'unknown_movement', -700),
        total('2026-12', 'label_advances', 'label_bought', 600),
        total('2026-12', 'shipping', 'label_bought', 50),
        total('2026-12', 'carrier_payable', 'label_bought', -650),
      ],
      noBalances,
    ),
  ).toMatchObject({
    ...{ goodwillCents: 900, reservedCents: 800, suspenseCents: 700 },
    ...{ labelAdvancesCents: 600, shippingCents: 50, carrierPayableCents: 650 },
  });
});

test('refunds of a month are those that were decided, and goodwill; fees and disputes have their own sums', () => {
  const money = toShopMoney(
    [
      total('2026-12', 'refunds_due', 'refund_decided', -10_000),
      total('2026-12', 'refunds_due', 'goodwill', -500),
      total('2026-12', 'refunds_due', 'refund_made', 9_000),
      total('2026-12', 'processor_fees', 'processor_fee', 320),
      total('2026-12', 'disputed', 'dispute_opened', 700),
      total('2026-12', 'lost_disputes', 'dispute_lost', 80),
    ],
    noBalances,
  );
  expect(money).toMatchObject({ refundsDueCents: 1_500, disputedCents: 700, lostDisputesCents: 80 });
  expect(money.months).toMatchObject([{ refundsCents: 10_500, feesCents: 320 }]);
});

test('a line of a statement is what the ledger credits', () => {
  const row = {
    ...{ number: '1', kind: 'release' as const, posted_at: new Date('2026-12-01T10:00:00Z') },
    ...{ order_id: 'order', laptop_name: 'EliteBook', amount_cents: '-52200', day: '2026-12-01' },
  };
  expect(toStatementLine(row)).toEqual({
    ...{ at: '2026-12-01T10:00:00.000Z', date: '2026-12-01', kind: 'release', orderId: 'order' },
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
    { kind: 'unknown_movement', movement: 'other' },
    'movement pi_1: $5.00 (x), which the shop does not know; it is in the suspense account',
  ],
  [
    { kind: 'other_currency', movement: 'payment' },
    'payment pi_1: at the card processor in x, which is not in the ledger; $4.00 there',
  ],
  [{ movement: 'transfer' }, 'transfer pi_1: $5.00 at the card processor, $4.00 in the ledger'],
  [{ movement: 'transfer_reversal' }, 'reversals of pi_1: $5.00 at the card processor, $4.00 in the ledger'],
])('describes the difference %o', (difference, sentence) => {
  const amounts = { reference: 'pi_1', ledger_cents: '400', processor_cents: '500', detail: 'x' };
  expect(describeDifference({ kind: 'wrong_amount', movement: 'payment', ...amounts, ...difference })).toBe(
    sentence,
  );
});

test('the balances and the months follow from the sums', () => {
  const sums = [
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
    total('2026-12', 'payable', 'repaid_by_hand', -1_500),
    total('2026-12', 'payable', 'written_off', -500),
    total('2026-12', 'written_off', 'written_off', 500),
    total('2026-12', 'suspense', 'unknown_movement', -900),
    total('2026-12', 'reserved', 'reserve', 800),
    total('2026-12', 'goodwill', 'goodwill', 700),
  ];
  expect(toShopMoney(sums, { due_cents: '11000', owed_cents: '2000' })).toMatchObject({
    heldCents: 30_000,
    // The account of all sellers together has only the difference.
    dueCents: 11_000,
    owedCents: 2_000,
    releasedCents: 57_000,
    paidOutCents: 48_500,
    writtenOffCents: 500,
    suspenseCents: 900,
    reservedCents: 800,
    goodwillCents: 700,
    refundsDueCents: 10_000,
    commissionCents: 3_000,
    feesCents: 320,
    processorCents: 49_680,
    months: [
      { month: '2026-11', salesCents: 100_000, refundsCents: 0, commissionCents: 0, paidOutCents: 0 },
      { month: '2026-12', salesCents: 0, refundsCents: 10_000, commissionCents: 3_000, paidOutCents: 48_500 },
    ],
  });
});

test('an empty ledger has balances without a sign', () => {
  const { months, currency, ...balances } = toShopMoney([], { due_cents: '0', owed_cents: '0' });
  expect({ months, currency }).toEqual({ months: [], currency: 'USD' });
  for (const cents of Object.values(balances)) expect(Object.is(cents, 0)).toBe(true);
});
