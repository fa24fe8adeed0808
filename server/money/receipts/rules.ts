import * as z from 'zod/mini';
import type {
  IssuedReceipt,
  Receipt,
  ReceiptEntry,
  ReceiptKind,
  ShopIdentity,
} from '#contract/money/accounting.ts';
import { amountFromCents, currency } from '#contract/platform/money.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { commissionAfterRefund, type LedgerOrder } from '../ledger/rules.ts';
import type { StatedTax, TaxRule } from './tax.ts';

export type { TaxRule } from './tax.ts';

/** A receipt that a change of an order causes. */
export interface DueReceipt {
  kind: ReceiptKind;
  recipient: 'buyer' | 'seller';
  amountCents: number;
}

/** The order of a receipt. */
export interface ReceiptedOrder extends LedgerOrder {
  buyerId: string;
  laptopName: string;
}

/** What a move of an order changes, for its receipts. Amounts are in cents. */
export interface ReceiptedChange {
  returnedCents: number;
  goodwillCents: number;
  isCredited: boolean;
}

/**
 * The receipts of a move of an order: a credit note for what goes back to the buyer, and the commission that the release
 * charged or that went back with the money.
 * @param order before the move
 * @param change.returnedCents what the sale bears
 * @param change.goodwillCents the part of it that went back to the buyer before, with a credit note of its own
 * @param change.isCredited whether the move credited the seller
 */
export function receiptsOfMove(
  order: LedgerOrder,
  { returnedCents, goodwillCents, isCredited }: ReceiptedChange,
): DueReceipt[] {
  const before = commissionAfterRefund(order, order.refundedCents);
  const after = commissionAfterRefund(order, order.refundedCents + returnedCents);
  const receipts: DueReceipt[] = [
    { kind: 'sale_credit', recipient: 'buyer', amountCents: returnedCents - goodwillCents },
    { kind: 'commission', recipient: 'seller', amountCents: isCredited ? after : 0 },
    { kind: 'commission_credit', recipient: 'seller', amountCents: order.isReleased ? before - after : 0 },
  ];
  return receipts.filter(({ amountCents }) => amountCents > 0);
}

/** A receipt's row. */
export interface ReceiptRow
  extends Omit<Row<'receipts'>, 'year' | 'sequence' | 'time_zone' | 'identity_since'> {
  /** The day of issue in the receipt's time zone, such as `2026-11-30`. */
  day: string;
}

/**
 * The tax scheme at the time of a receipt, or of the one that it corrects; null on receipts from before the first change of the settings.
 */
type TaxColumns = {
  [Name in 'tax_name' | 'commission_tax_basis_points' | 'sale_tax_note']: Row<'shop_identities'>[Name] | null;
} & {
  /** The sum of the credit notes of the same order before this one; 0 for other receipts. */
  credited_before_cents: string;
};

/**
 * What a receipt states about tax. A credit note states what it adds to the tax of the credit notes before it: rounded alone, all of them
 * together would not cancel the tax of the receipt that they correct.
 * @param tax the rule of this shop
 */
export function taxOf(
  {
    kind,
    amount_cents,
    credited_before_cents,
    ...row
  }: Pick<ReceiptRow, 'kind' | 'amount_cents'> & TaxColumns,
  tax: TaxRule,
): StatedTax {
  const scheme = {
    name: row.tax_name ?? defaultShopSettings.tax.name,
    commissionBasisPoints: row.commission_tax_basis_points ?? 0,
    saleNote: row.sale_tax_note,
  };
  const beforeCents = Number(credited_before_cents);
  const before = tax({ kind, amountCents: beforeCents }, scheme);
  const { line, note } = tax({ kind, amountCents: beforeCents + amount_cents }, scheme);
  return { line: line && { ...line, cents: line.cents - (before.line?.cents ?? 0) }, note };
}

/** A receipt in the list of a period. */
export interface IssuedReceiptRow extends ReceiptRow, TaxColumns {
  recipient_name: string;
  transaction_id: string;
  corrects: string | null;
  /** Microseconds since 1970 of the issue. */
  at: string;
}

/** The sort key of the receipts of a period: microseconds since 1970, and the row number. */
export const ReceiptKey = z.tuple([
  z.string().check(z.regex(/^\d{1,17}$/)),
  z.string().check(z.regex(/^\d{1,18}$/)),
]);
export type ReceiptKey = z.infer<typeof ReceiptKey>;

/** A receipt with the people and the payment of its order. */
export interface PrintedReceipt
  extends ReceiptRow,
    TaxColumns,
    Pick<Row<'shop_identities'>, 'legal_name' | 'address' | 'register_number' | 'tax_id'> {
  buyer_id: string;
  buyer_name: string;
  seller_name: string;
  transaction_id: string;
  corrects: string | null;
  /** Null on receipts from before the first change of the settings, like the other columns of the identity. */
  shop_name: string | null;
}

/** The shop's identity, from its row. */
const toIdentity = (row: PrintedReceipt): ShopIdentity => ({
  name: row.shop_name ?? defaultShopSettings.name,
  legalName: row.legal_name,
  address: row.address,
  registerNumber: row.register_number,
  taxId: row.tax_id,
});

/** A receipt in a list. */
export const toEntry = (row: ReceiptRow): ReceiptEntry => ({
  number: row.receipt_number,
  kind: row.kind,
  issuedAt: row.issued_at.toISOString(),
  date: row.day,
  orderId: row.order_id,
  productName: row.laptop_name,
  amount: amountFromCents(row.amount_cents),
});

/** A receipt in the list of a period. */
export const toIssuedReceipt = (row: IssuedReceiptRow): IssuedReceipt => ({
  ...toEntry(row),
  recipientName: row.recipient_name,
});

/** The response for a receipt. @param tax the rule of this shop */
export function toReceipt(row: PrintedReceipt, tax: TaxRule): Receipt {
  const { line, note } = taxOf(row, tax);
  return {
    ...toEntry(row),
    currency: currency.code,
    recipientName: row.recipient_id === row.buyer_id ? row.buyer_name : row.seller_name,
    buyerName: row.buyer_name,
    sellerName: row.seller_name,
    transactionId: row.transaction_id,
    issuer: toIdentity(row),
    corrects: row.corrects,
    tax: line && { name: line.name, percent: line.basisPoints / 100, amount: amountFromCents(line.cents) },
    taxNote: note,
  };
}
