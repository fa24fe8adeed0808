import type {
  LedgerDifference,
  MoneyMonth,
  ShopMoney,
  StatementKind,
  StatementLine,
} from '#contract/accounting.ts';
import type { LedgerAccount, PostingKind } from '#contract/ledger.ts';
import { formatCents } from '#contract/money.ts';
import { bankPayoutPosting, type Posting, processorFeePosting } from '../ledger/rules.ts';
import type { BalanceTransaction } from './balance.ts';

/**
 * The postings of a movement at the card processor that nothing else in the shop causes: its fee, payouts to the shop's own
 * bank account, and what the processor took for itself.
 */
export function externalPostings(movement: BalanceTransaction): Posting[] {
  const { balanceTransactionId: reference, type, amountCents, feeCents } = movement;
  const ownFee = type === 'other' ? -amountCents : 0;
  const paidOut = type === 'payout' || type === 'payout_failure' ? -amountCents : 0;
  return [
    ...(feeCents + ownFee === 0 ? [] : [processorFeePosting(reference, feeCents + ownFee)]),
    ...(paidOut === 0 ? [] : [bankPayoutPosting(reference, paidOut)]),
  ];
}

/** The sum of the entries of a month, an account and a kind of posting. */
export interface LedgerTotal {
  /** Such as `2026-11`. */
  month: string;
  account: LedgerAccount;
  kind: PostingKind;
  cents: string;
}

/** The kinds of postings that pay sellers. */
const payoutKinds: readonly PostingKind[] = ['transfer', 'transfer_reversed', 'settled_by_hand'];

const MONTHS_SHOWN = 12;

/** The shop's balances and its last months, from the sums of the ledger. */
export function toShopMoney(
  totals: readonly LedgerTotal[],
): Omit<ShopMoney, 'openComplaints' | 'openDisputes' | 'comparedAt' | 'differences' | 'openDifferences'> {
  const sum = (
    counted: readonly LedgerTotal[],
    account: LedgerAccount,
    isCounted: (kind: PostingKind) => boolean = () => true,
  ): number => {
    let cents = 0;
    for (const total of counted) {
      if (total.account === account && isCounted(total.kind)) cents += Number(total.cents);
    }
    return cents;
  };
  const paidOut = (counted: readonly LedgerTotal[]) =>
    sum(counted, 'payable', (kind) => payoutKinds.includes(kind));
  const byMonth = [...Map.groupBy(totals, ({ month }) => month)].sort(([a], [b]) => (a < b ? -1 : 1));
  const months: MoneyMonth[] = byMonth.slice(-MONTHS_SHOWN).map(([month, own]) => ({
    month,
    salesCents: sum(own, 'processor', (kind) => kind === 'sale'),
    refundsCents: 0 - sum(own, 'refunds_due', (kind) => kind === 'refund_decided'),
    commissionCents: 0 - sum(own, 'commission'),
    feesCents: sum(own, 'processor_fees'),
    paidOutCents: paidOut(own),
  }));
  const dueCents = 0 - sum(totals, 'payable');
  const paidOutCents = paidOut(totals);
  return {
    heldCents: 0 - sum(totals, 'held'),
    dueCents,
    releasedCents: dueCents + paidOutCents,
    paidOutCents,
    refundsDueCents: 0 - sum(totals, 'refunds_due'),
    disputedCents: sum(totals, 'disputed'),
    commissionCents: 0 - sum(totals, 'commission'),
    feesCents: sum(totals, 'processor_fees'),
    lostDisputesCents: sum(totals, 'lost_disputes'),
    processorCents: sum(totals, 'processor'),
    months,
  };
}

/** The first instant of a month such as `2026-11`, in UTC, and of the next one. */
export function monthBounds(month: string): { from: Date; until: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  return { from, until: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
}

/** An entry of a seller's account in the ledger, with its order's laptop. */
export interface StatementRow {
  number: string;
  kind: StatementKind;
  posted_at: Date;
  order_id: string | null;
  laptop_name: string | null;
  amount_cents: string;
}

/** A line of a statement. What the ledger credits is the seller's. */
export const toStatementLine = (row: StatementRow): StatementLine => ({
  at: row.posted_at.toISOString(),
  kind: row.kind,
  orderId: row.order_id,
  productName: row.laptop_name,
  cents: 0 - Number(row.amount_cents),
});

const movementNames: Record<LedgerDifference['movement'], string> = {
  payment: 'payment',
  refund: 'refund of',
  dispute: 'dispute of',
  transfer: 'transfer',
  transfer_reversal: 'reversal',
};

/** The parts of a difference that describe it. */
export interface ComparedAmounts extends Pick<LedgerDifference, 'kind' | 'movement' | 'reference'> {
  /** Cents, as the database returns sums. */
  ledger_cents: string;
  processor_cents: string;
}

/** A difference in one line, for emails and the command line. */
export function describeDifference(row: ComparedAmounts): string {
  const subject = `${movementNames[row.movement]} ${row.reference}`;
  const [ledger, processor] = [
    formatCents(Number(row.ledger_cents)),
    formatCents(Number(row.processor_cents)),
  ];
  switch (row.kind) {
    case 'missing_in_ledger':
      return `${subject}: ${processor} at the card processor, nothing in the ledger`;
    case 'missing_at_processor':
      return `${subject}: ${ledger} in the ledger, nothing at the card processor`;
    case 'wrong_amount':
      return `${subject}: ${processor} at the card processor, ${ledger} in the ledger`;
    case 'payment_without_order':
      return `${subject}: ${processor} at the card processor, and the shop has no order for it`;
  }
}
