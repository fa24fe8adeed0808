import * as z from 'zod/mini';
import { dollarsFromCents } from '#contract/money.ts';
import type { OrderState } from '#contract/order-states.ts';
import type { MoneyPeriod, Sale, SaleState, SellerMoney } from '#contract/payouts.ts';
import type { AmountDue, Settlement } from '#contract/settlements.ts';
import { commissionAfterRefund } from '../ledger/rules.ts';

/** An order, for the breakdown of a sale. */
export interface SoldOrder {
  id: string;
  number: string;
  seller_id: string;
  laptop_name: string;
  placed_at: Date;
  price_cents: number;
  commission_cents: number;
  refunded_cents: number;
  released_at: Date | null;
  state: OrderState;
  /** Null when nothing of this order is due. */
  due_cents: string | null;
}

/** The commission and the seller's proceeds of an order after its refunds, in cents. */
export function proceedsOf(order: Pick<SoldOrder, 'price_cents' | 'commission_cents' | 'refunded_cents'>): {
  commissionCents: number;
  proceedsCents: number;
} {
  const { price_cents: priceCents, commission_cents, refunded_cents } = order;
  const commissionCents = commissionAfterRefund(
    { priceCents, commissionCents: commission_cents },
    refunded_cents,
  );
  return { commissionCents, proceedsCents: priceCents - refunded_cents - commissionCents };
}

/** How the seller's share of an order stands. */
export function saleStateOf(order: SoldOrder): SaleState {
  if (order.refunded_cents === order.price_cents) return 'returned';
  if (order.released_at === null) return 'held';
  return Number(order.due_cents ?? 0) > 0 ? 'due' : 'paid';
}

/** The response for a sale. */
export function toSale(order: SoldOrder): Sale {
  const { commissionCents, proceedsCents } = proceedsOf(order);
  return {
    _id: order.id,
    productName: order.laptop_name,
    soldAt: order.placed_at.toISOString(),
    price: dollarsFromCents(order.price_cents),
    refunded: dollarsFromCents(order.refunded_cents),
    commission: dollarsFromCents(commissionCents),
    proceeds: dollarsFromCents(proceedsCents),
    due: dollarsFromCents(Number(order.due_cents ?? 0)),
    state: saleStateOf(order),
    orderState: order.state,
  };
}

/** A seller's totals in cents. */
export interface MoneyTotals {
  held_cents: string;
  /** Negative when the seller owes the shop. */
  balance_cents: string;
  paid_cents: string;
}

/** The response for a seller's totals. */
export function toMoney({ held_cents, balance_cents, paid_cents }: MoneyTotals): SellerMoney {
  const balanceCents = Number(balance_cents);
  return {
    held: dollarsFromCents(Number(held_cents)),
    due: dollarsFromCents(Math.max(0, balanceCents)),
    paid: dollarsFromCents(Number(paid_cents)),
    owed: dollarsFromCents(Math.max(0, -balanceCents)),
  };
}

/** A week or month of a seller's money. */
export interface PeriodRow {
  /** The first day, such as `2026-11-23`. */
  first_day: string;
  released_cents: string;
  paid_cents: string;
  taken_back_cents: string;
}

/** The response for a week or month. */
export const toPeriod = (row: PeriodRow): MoneyPeriod => ({
  from: row.first_day,
  released: dollarsFromCents(Number(row.released_cents)),
  paid: dollarsFromCents(Number(row.paid_cents)),
  takenBack: dollarsFromCents(Number(row.taken_back_cents)),
});

/** A seller with a balance. */
export interface SellerDue {
  seller_id: string;
  seller_name: string;
  seller_email: string;
  balance_cents: string;
}

/** The sort key of the list of amounts due. */
export const DueKey = z.tuple([z.string().check(z.regex(/^\d{1,18}$/)), z.uuid()]);
export type DueKey = z.infer<typeof DueKey>;

/** The response for an amount that is due. */
export const toAmountDue = (row: SellerDue): AmountDue => ({
  _id: row.seller_id,
  sellerName: row.seller_name,
  sellerEmail: row.seller_email,
  due: dollarsFromCents(Number(row.balance_cents)),
});

/** A settlement with its people. */
export interface SettlementRow {
  id: string;
  number: string;
  seller_name: string;
  seller_email: string;
  admin_name: string;
  amount_cents: string;
  reference: string;
  settled_at: Date;
}

/** The response for a settlement. */
export const toSettlement = (row: SettlementRow): Settlement => ({
  _id: row.id,
  sellerName: row.seller_name,
  sellerEmail: row.seller_email,
  amount: dollarsFromCents(Number(row.amount_cents)),
  reference: row.reference,
  adminName: row.admin_name,
  at: row.settled_at.toISOString(),
});

/** The columns of the CSV file of amounts due. */
export const CSV_HEADER = ['Seller', 'E-mail address', 'Due in USD', 'Seller id'].join(',');

/** A first character with which spreadsheets calculate a cell (OWASP, CSV injection); leading spaces are skipped. */
const formulaStart = /^\s*[=+\-@\t\r]/;

/** Quotes a text for a CSV file (RFC 4180). A text that a spreadsheet would calculate gets an apostrophe in front. */
function csvText(text: string): string {
  const inert = formulaStart.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}

/** A line of the CSV file of amounts due. */
export const toCsvLine = (row: SellerDue): string =>
  [
    csvText(row.seller_name),
    csvText(row.seller_email),
    dollarsFromCents(Number(row.balance_cents)).toFixed(2),
    row.seller_id,
  ].join(',');
