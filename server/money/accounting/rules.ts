import type {
  LedgerDifference,
  MoneyMonth,
  MovementExplanation,
  ShopMoney,
  StatementKind,
  StatementLine,
} from '#contract/money/accounting.ts';
import type { LedgerAccount, PostingKind } from '#contract/money/ledger.ts';
import { currency, formatCents } from '#contract/platform/money.ts';
import type { Row } from '#server/platform/database/tables.ts';
import {
  bankPayoutPosting,
  explanationPosting,
  type Posting,
  processorFeePosting,
  reservePosting,
  topUpPosting,
  unknownMovementPosting,
} from '../ledger/rules.ts';
import type { BalanceTransaction } from './balance-reader.ts';

/** The currency of the shop and of its ledger, in ISO 4217 and lower case, as movements have it. */
export const shopCurrency = (): string => currency.code.toLowerCase();

/** What a movement did besides its fee, if nothing else in the shop causes such movements. */
function causedPosting({
  balanceTransactionId: reference,
  type,
  amountCents,
}: BalanceTransaction): Posting | null {
  switch (type) {
    case 'payout':
    case 'payout_failure':
      return bankPayoutPosting(reference, -amountCents);
    case 'top_up':
      return topUpPosting(reference, amountCents);
    case 'reserve':
      return reservePosting(reference, -amountCents);
    case 'other':
      return unknownMovementPosting(reference, amountCents);
    default:
      return null;
  }
}

/**
 * The postings of a movement at the card processor that nothing else in the shop causes: its fee, what the processor took or held
 * back by itself, payouts to the shop's own bank account, top-ups, and what the shop does not know. None for a movement in another
 * currency, which cannot be added to the shop's.
 */
export function externalPostings(movement: BalanceTransaction): Posting[] {
  const { balanceTransactionId: reference, type, amountCents, feeCents } = movement;
  if (movement.currency !== shopCurrency()) return [];
  const fee = feeCents + (type === 'fee' ? -amountCents : 0);
  const caused = amountCents === 0 ? null : causedPosting(movement);
  return [...(fee === 0 ? [] : [processorFeePosting(reference, fee)]), ...(caused === null ? [] : [caused])];
}

/** The account of each explanation of an unknown movement. */
const explainedAccounts = {
  fee: 'processor_fees',
  own_money: 'bank',
  reserve: 'reserved',
  seller_loss: 'written_off',
} as const satisfies Partial<Record<StoredExplanation, LedgerAccount>>;

/** The account of each explanation of what the suspense account has of a refund or a dispute. */
export const suspendedAccounts = {
  shop_loss: 'lost_disputes',
  paid_by_hand: 'bank',
} as const satisfies Partial<Record<MovementExplanation, LedgerAccount>>;

/** The account of each explanation of a transfer that is missing in the ledger. */
export const transferAccounts: Readonly<
  Partial<Record<MovementExplanation, Extract<LedgerAccount, 'bank' | 'written_off'>>>
> = { own_money: 'bank', seller_loss: 'written_off' };

/** What an admin can say about a movement of the balance. */
export type StoredExplanation = Exclude<MovementExplanation, keyof typeof suspendedAccounts>;

/** Whether an explanation is one of the suspense account's refunds and disputes. */
export const isOfSuspended = (
  explanation: MovementExplanation,
): explanation is keyof typeof suspendedAccounts => explanation in suspendedAccounts;

/**
 * The posting of an explanation.
 * @returns null for money in another currency, which stays outside of the ledger; undefined when the explanation is not one of the
 * movement
 */
export function postingOfExplanation(
  {
    id,
    amount_cents,
    currency: ofMovement,
  }: Pick<Row<'balance_transactions'>, 'id' | 'amount_cents' | 'currency'>,
  explanation: StoredExplanation,
): Posting | null | undefined {
  const isOtherCurrency = ofMovement !== shopCurrency();
  if (explanation === 'other_currency') return isOtherCurrency ? null : undefined;
  if (isOtherCurrency) return undefined;
  return explanationPosting(id, Number(amount_cents), explainedAccounts[explanation]);
}

/** The sum of the entries of a month, an account and a kind of posting. */
export interface LedgerTotal {
  /** Such as `2026-11`. */
  month: string;
  account: LedgerAccount;
  kind: PostingKind;
  cents: string;
}

/** The kinds of postings that pay sellers, or take payments back. */
const payoutKinds: readonly PostingKind[] = [
  'transfer',
  'transfer_reversed',
  'settled_by_hand',
  'repaid_by_hand',
];

const MONTHS_SHOWN = 12;

/** What the shop owes sellers, and what other sellers owe the shop, in cents. */
export interface SellersBalances {
  due_cents: string;
  owed_cents: string;
}

/**
 * The shop's balances and its last months, from the sums of the ledger.
 * @param balances of the sellers; the ledger's account of all sellers has only the difference
 */
export function toShopMoney(
  totals: readonly LedgerTotal[],
  balances: SellersBalances,
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
    refundsCents: 0 - sum(own, 'refunds_due', (kind) => kind === 'refund_decided' || kind === 'goodwill'),
    commissionCents: 0 - sum(own, 'commission'),
    feesCents: sum(own, 'processor_fees'),
    paidOutCents: paidOut(own),
  }));
  return {
    currency: currency.code,
    heldCents: 0 - sum(totals, 'held'),
    dueCents: Number(balances.due_cents),
    owedCents: Number(balances.owed_cents),
    releasedCents:
      0 - sum(totals, 'payable', (kind) => !payoutKinds.includes(kind) && kind !== 'written_off'),
    paidOutCents: paidOut(totals),
    refundsDueCents: 0 - sum(totals, 'refunds_due'),
    disputedCents: sum(totals, 'disputed'),
    commissionCents: 0 - sum(totals, 'commission'),
    feesCents: sum(totals, 'processor_fees'),
    lostDisputesCents: sum(totals, 'lost_disputes'),
    goodwillCents: sum(totals, 'goodwill'),
    shippingCents: sum(totals, 'shipping'),
    labelAdvancesCents: sum(totals, 'label_advances'),
    carrierPayableCents: 0 - sum(totals, 'carrier_payable'),
    writtenOffCents: sum(totals, 'written_off'),
    reservedCents: sum(totals, 'reserved'),
    suspenseCents: 0 - sum(totals, 'suspense'),
    processorCents: sum(totals, 'processor'),
    months,
  };
}

/** The first and the last day of a month such as `2026-11`. */
export function daysOfMonth(month: string): { from: string; until: string } {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return { from: `${month}-01`, until: last.toISOString().slice(0, 10) };
}

/** An entry of a seller's account in the ledger, with its order's laptop. */
export interface StatementRow {
  number: string;
  kind: StatementKind;
  posted_at: Date;
  /** The day in the shop's time zone. */
  day: string;
  order_id: string | null;
  laptop_name: string | null;
  amount_cents: string;
}

/** A line of a statement. What the ledger credits is the seller's. */
export const toStatementLine = (row: StatementRow): StatementLine => ({
  at: row.posted_at.toISOString(),
  date: row.day,
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
  transfer_reversal: 'reversals of',
  other: 'movement',
};

/** The parts of a difference that describe it. */
export interface ComparedAmounts
  extends Pick<LedgerDifference, 'kind' | 'movement' | 'reference' | 'detail'> {
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
    case 'unknown_movement':
      return `${subject}: ${processor} (${row.detail}), which the shop does not know; it is in the suspense account`;
    case 'other_currency':
      return `${subject}: at the card processor in ${row.detail}, which is not in the ledger; ${ledger} there`;
  }
}
