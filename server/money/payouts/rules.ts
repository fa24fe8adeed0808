import * as z from 'zod/mini';
import type { Sale, SaleState, SellerMoney } from '#contract/money/payouts.ts';
import type { AmountDue } from '#contract/money/settlements.ts';
import { csvCents, csvText } from '#contract/platform/csv.ts';
import { amountFromCents, currency, formatCents } from '#contract/platform/money.ts';
import type { PayoutAfter } from '#contract/platform/shop-settings.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { commissionAfterRefund } from '../ledger/rules.ts';

/** An order, for the breakdown of a sale. */
export interface SoldOrder
  extends Pick<
    Row<'orders'>,
    | 'id'
    | 'number'
    | 'placed_at'
    | 'price_cents'
    | 'commission_cents'
    | 'refunded_cents'
    | 'released_at'
    | 'state'
    | 'due_at'
  > {
  laptop_name: string;
  /** What the seller bears of the shop's labels. */
  label_cents: number;
  insurance_cents: number;
  /** Null when nothing of this order is due. */
  due: { due_cents: string; hold: PayoutHold } | null;
}

/** Why what is due of an order is not paid now: `complaints` are possible still, or a complaint or bank dispute `stopped` it. */
export type PayoutHold = 'none' | 'complaints' | 'stopped';

const stateOfPayoutHold = {
  none: 'due',
  complaints: 'waiting',
  stopped: 'stopped',
} as const satisfies Record<PayoutHold, SaleState>;

/** The commission and the seller's proceeds of an order after its refunds, in cents. */
export function proceedsOf(
  order: Pick<
    SoldOrder,
    'price_cents' | 'commission_cents' | 'refunded_cents' | 'label_cents' | 'insurance_cents'
  >,
): { commissionCents: number; proceedsCents: number } {
  const { price_cents: priceCents, commission_cents, refunded_cents, label_cents, insurance_cents } = order;
  const commissionCents = commissionAfterRefund(
    { priceCents, commissionCents: commission_cents },
    refunded_cents,
  );
  return {
    commissionCents,
    proceedsCents: priceCents - refunded_cents - commissionCents - label_cents + insurance_cents,
  };
}

/** How the seller's share of an order stands. */
export function saleStateOf(order: SoldOrder): SaleState {
  if (order.refunded_cents === order.price_cents) return 'returned';
  if (order.state === 'charge_disputed') return 'disputed';
  if (order.released_at === null) return 'held';
  return order.due !== null && Number(order.due.due_cents) > 0 ? stateOfPayoutHold[order.due.hold] : 'paid';
}

/** Integer cents as an amount, which is negative for a debt. */
export const signedAmount = (cents: number): number =>
  cents < 0 ? -amountFromCents(-cents) : amountFromCents(cents);

/** The response for a sale. */
export function toSale(order: SoldOrder): Sale {
  const { commissionCents, proceedsCents } = proceedsOf(order);
  const state = saleStateOf(order);
  return {
    _id: order.id,
    productName: order.laptop_name,
    soldAt: order.placed_at.toISOString(),
    price: amountFromCents(order.price_cents),
    refunded: amountFromCents(order.refunded_cents),
    commission: amountFromCents(commissionCents),
    labels: amountFromCents(order.label_cents),
    insurance: amountFromCents(order.insurance_cents),
    proceeds: signedAmount(proceedsCents),
    due: amountFromCents(Number(order.due?.due_cents ?? 0)),
    state,
    ...(state === 'waiting' && order.due_at !== null && { paidAfter: order.due_at.toISOString() }),
    orderState: order.state,
  };
}

/** A seller's balance, and what of it can be paid now. */
export interface BalanceColumns
  extends Pick<Row<'seller_balances'>, 'balance_cents' | 'waiting_cents' | 'disputed_orders'> {
  /** What can be paid now; negative: a debt that no payable money covers. */
  free_cents: string;
  /** The part of sales that are neither over nor in a complaint or bank dispute. */
  unfinished_cents: string;
  /** What the seller owes the shop. Money that is held back does not cover it. */
  debt_cents: string;
}

/** What the shop owes a seller, in cents: due now, waiting for the end of the time for complaints or of the sale, and stopped. */
export interface BalanceParts {
  dueCents: number;
  waitingCents: number;
  unfinishedCents: number;
  /** By a complaint, or all that is not due by a bank dispute. */
  stoppedCents: number;
  /** Whether a bank disputes a payment of the seller. */
  isDisputed: boolean;
}

/** Splits what the shop owes a seller; without the debt, the parts sum to the balance. */
export function balanceParts(row: BalanceColumns, payoutAfter: PayoutAfter): BalanceParts {
  const owedCents = Math.max(0, Number(row.balance_cents) + Number(row.debt_cents));
  const isDisputed = row.disputed_orders > 0;
  const dueCents = Math.min(owedCents, Math.max(0, Number(row.free_cents)));
  const waits = payoutAfter === 'completed' && !isDisputed;
  const waitingCents = waits ? Math.min(owedCents - dueCents, Number(row.waiting_cents)) : 0;
  const restCents = owedCents - dueCents - waitingCents;
  const unfinishedCents = isDisputed ? 0 : Math.min(restCents, Number(row.unfinished_cents));
  return { dueCents, waitingCents, unfinishedCents, stoppedCents: restCents - unfinishedCents, isDisputed };
}

const heldParts = ({ stoppedCents, unfinishedCents, isDisputed }: BalanceParts) => ({
  ...(stoppedCents > 0 && { stopped: { amount: amountFromCents(stoppedCents), isDisputed } }),
  ...(unfinishedCents > 0 && { unfinished: amountFromCents(unfinishedCents) }),
});

/** Why a part of what the shop owes a seller cannot be paid now, as a sentence; empty when all can. */
export function payoutHoldSentence({
  waitingCents,
  unfinishedCents,
  stoppedCents,
  isDisputed,
}: BalanceParts): string {
  if (isDisputed) {
    return 'A bank disputes a payment of this seller, so nothing is paid until it has decided.';
  }
  const reasons = [
    ...(waitingCents > 0
      ? [`${formatCents(waitingCents)} can be paid when the time for complaints is over`]
      : []),
    ...(stoppedCents > 0 ? [`${formatCents(stoppedCents)} when a complaint is settled`] : []),
    ...(unfinishedCents > 0 ? [`${formatCents(unfinishedCents)} of an insurance when its sale is over`] : []),
  ];
  return reasons.length === 0 ? '' : `${reasons.join(', and ')}.`;
}

/** A seller's totals in cents. */
export interface MoneyTotals extends BalanceColumns {
  held_cents: string;
  disputed_cents: string;
  paid_cents: string;
  /** When the first waiting order is completed; null when none waits. */
  waiting_from: Date | null;
}

/** The response for a seller's totals. @param repayment how a debt can be repaid */
export function toMoney(
  totals: MoneyTotals,
  payoutAfter: PayoutAfter,
  repayment: NonNullable<SellerMoney['repayment']>,
): SellerMoney {
  const parts = balanceParts(totals, payoutAfter);
  const { waitingCents } = parts;
  const from = totals.waiting_from;
  const owedCents = Number(totals.debt_cents);
  const disputedCents = Number(totals.disputed_cents);
  return {
    currency: currency.code,
    held: amountFromCents(Number(totals.held_cents)),
    ...(disputedCents > 0 && { disputed: amountFromCents(disputedCents) }),
    ...(waitingCents > 0 &&
      from !== null && { waiting: { amount: amountFromCents(waitingCents), from: from.toISOString() } }),
    ...heldParts(parts),
    due: amountFromCents(parts.dueCents),
    paid: amountFromCents(Number(totals.paid_cents)),
    owed: amountFromCents(owedCents),
    ...(owedCents > 0 && { repayment }),
  };
}

/** A seller with a balance. */
export interface SellerDue extends BalanceColumns {
  seller_id: string;
  seller_name: string;
  seller_email: string;
  seller_ended_at: Date | null;
}

/** The sort key of the list of amounts due. */
export const DueKey = z.tuple([z.string().check(z.regex(/^-?\d{1,18}$/)), z.uuid()]);
export type DueKey = z.infer<typeof DueKey>;

/** The response for an amount that is due. */
export const toAmountDue =
  (payoutAfter: PayoutAfter) =>
  (row: SellerDue): AmountDue => {
    const parts = balanceParts(row, payoutAfter);
    return {
      _id: row.seller_id,
      sellerName: row.seller_name,
      sellerEmail: row.seller_email,
      hasEnded: row.seller_ended_at !== null,
      due: amountFromCents(parts.dueCents),
      ...(parts.waitingCents > 0 && { waiting: amountFromCents(parts.waitingCents) }),
      ...heldParts(parts),
    };
  };

/** The columns of the CSV file of amounts due. */
export const csvHeader = () => `Seller,Email address,Due in ${currency.code},Seller id,Account`;

/** A line of the CSV file of amounts due. */
export const toCsvLine = (row: Omit<SellerDue, Exclude<keyof BalanceColumns, 'free_cents'>>): string =>
  [
    csvText(row.seller_name),
    csvText(row.seller_email),
    csvCents(Number(row.free_cents)),
    row.seller_id,
    row.seller_ended_at === null ? 'active' : 'ended',
  ].join(',');
