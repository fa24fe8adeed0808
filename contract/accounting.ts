import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Dollars, Id, Paging } from './scalars.ts';

/**
 * What a receipt is about:
 * - `sale`: a buyer paid for a laptop; `sale_credit`: the buyer got money back;
 * - `commission`: the shop charged a seller; `commission_credit`: the seller got a part of the commission back.
 */
export const receiptKinds = ['sale', 'sale_credit', 'commission', 'commission_credit'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/** `margin`: the margin scheme for second-hand goods (Articles 312 to 325 of the EU's VAT Directive). */
export const taxSchemes = ['none', 'margin'] as const;
export type TaxScheme = (typeof taxSchemes)[number];

/** A receipt's number: the year, and the place within it. */
export const ReceiptNumber = z
  .string({ error: 'This is not the number of a receipt' })
  .check(z.regex(/^[0-9]{4}-[0-9]{6,9}$/, { error: 'This is not the number of a receipt' }));

/** A receipt in a list. */
export const ReceiptEntry = z.object({
  number: ReceiptNumber,
  kind: z.enum(receiptKinds),
  /** ISO 8601 in UTC. */
  issuedAt: z.string(),
  orderId: Id,
  productName: z.string(),
  amount: Dollars,
});
export type ReceiptEntry = z.infer<typeof ReceiptEntry>;

/** A receipt to print. */
export const Receipt = z.extend(ReceiptEntry, {
  recipientName: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  transactionId: z.string(),
  taxScheme: z.enum(taxSchemes),
  /** The receipt that a credit note corrects; null on others. */
  corrects: z.nullable(ReceiptNumber),
});
export type Receipt = z.infer<typeof Receipt>;

export const listReceipts = endpoint({
  method: 'GET',
  path: '/receipts',
  access: 'signed-in',
  summary: 'The caller’s receipts and credit notes, newest first',
  query: Paging,
  answer: z.array(ReceiptEntry),
});

export const readReceipt = endpoint({
  method: 'GET',
  path: '/receipts/:number',
  access: 'signed-in',
  summary: 'A receipt of the caller; for admins any',
  params: z.object({ number: ReceiptNumber }),
  answer: Receipt,
  refusals: ['not_found'],
});

/** What changed the amount that the shop owes a seller. */
export const statementKinds = [
  'release',
  'refund_decided',
  'dispute_lost',
  'transfer',
  'transfer_reversed',
  'settled_by_hand',
  'correction',
] as const;
export type StatementKind = (typeof statementKinds)[number];

/** An amount in cents; negative when it is the shop's. */
const SignedCents = z.int();

export const StatementLine = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  kind: z.enum(statementKinds),
  orderId: z.nullable(Id),
  productName: z.nullable(z.string()),
  /** What the line adds to what the shop owes the seller. */
  cents: SignedCents,
});
export type StatementLine = z.infer<typeof StatementLine>;

export const Statement = z.object({
  month: z.string(),
  /** What the shop owed the seller when the month began. */
  openingCents: SignedCents,
  lines: z.array(StatementLine),
  /** What it owed when the month ended, or now. */
  closingCents: SignedCents,
});
export type Statement = z.infer<typeof Statement>;

export const readStatement = endpoint({
  method: 'GET',
  path: '/statement',
  access: ['Seller'],
  summary: 'What the shop owed the calling seller in a month, and each change of it',
  query: z.object({
    /** In UTC, such as `2026-11`. */
    month: z.string({ error: 'A month is a year and a month, such as 2026-11' }).check(
      z.regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/, {
        error: 'A month is a year and a month, such as 2026-11',
      }),
    ),
  }),
  answer: Statement,
  limit: 'export',
});

/** The kinds of movements at the card processor that are compared with the ledger. */
export const comparedMovements = ['payment', 'refund', 'dispute', 'transfer', 'transfer_reversal'] as const;
export type ComparedMovement = (typeof comparedMovements)[number];

/**
 * How the ledger and the card processor differ: only the card processor has a movement, only the ledger has it, the amounts
 * are different, or the shop recorded a payment without an order.
 */
export const differenceKinds = [
  'missing_in_ledger',
  'missing_at_processor',
  'wrong_amount',
  'payment_without_order',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const LedgerDifference = z.object({
  _id: Id,
  kind: z.enum(differenceKinds),
  movement: z.enum(comparedMovements),
  /** The card processor's id: of the payment for payments, refunds and disputes, else of the transfer or reversal. */
  reference: z.string(),
  /** What the ledger has. */
  ledgerCents: SignedCents,
  /** What the card processor has. */
  processorCents: SignedCents,
  /** ISO 8601 in UTC. */
  foundAt: z.string(),
});
export type LedgerDifference = z.infer<typeof LedgerDifference>;

/** The shop's money of a month, in cents. */
export const MoneyMonth = z.object({
  /** In UTC, such as `2026-11`. */
  month: z.string(),
  salesCents: SignedCents,
  refundsCents: SignedCents,
  commissionCents: SignedCents,
  feesCents: SignedCents,
  paidOutCents: SignedCents,
});
export type MoneyMonth = z.infer<typeof MoneyMonth>;

export const ShopMoney = z.object({
  /** Of orders that are not released. */
  heldCents: SignedCents,
  /** Owed to sellers and not paid out. */
  dueCents: SignedCents,
  /** Credited to sellers so far. */
  releasedCents: SignedCents,
  /** Paid out to sellers so far. */
  paidOutCents: SignedCents,
  /** Refunds that are decided and not made. */
  refundsDueCents: SignedCents,
  /** Withdrawn by banks until they decide. */
  disputedCents: SignedCents,
  commissionCents: SignedCents,
  feesCents: SignedCents,
  lostDisputesCents: SignedCents,
  /** The balance at the card processor according to the ledger. */
  processorCents: SignedCents,
  openComplaints: z.int(),
  openDisputes: z.int(),
  /** The last twelve months with movements, oldest first. */
  months: z.array(MoneyMonth),
  /** When the ledger was last compared with the card processor, ISO 8601 in UTC; null for never. */
  comparedAt: z.nullable(z.string()),
  /** The newest open differences. */
  differences: z.array(LedgerDifference),
  openDifferences: z.int(),
});
export type ShopMoney = z.infer<typeof ShopMoney>;

export const readShopMoney = endpoint({
  method: 'GET',
  path: '/shopMoney',
  access: ['Admin'],
  summary: 'The shop’s balances, its last twelve months, and the differences from the card processor',
  answer: ShopMoney,
});
