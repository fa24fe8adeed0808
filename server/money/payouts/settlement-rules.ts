import * as z from 'zod/mini';
import type { Debt, Settlement } from '#contract/money/settlements.ts';
import { amountFromCents } from '#contract/platform/money.ts';
import type { Row } from '#server/platform/database/tables.ts';
import type { SellerDue } from './rules.ts';

/** A seller with a debt. */
export interface IndebtedSeller extends Pick<SellerDue, 'seller_id' | 'seller_name' | 'seller_email'> {
  owed_cents: string;
}

/** What a seller owes the shop. */
export interface SellerDebt {
  /** In cents. */
  owedCents: number;
  /** The part that is being taken back from the seller's account at the card processor. */
  pendingCents: number;
}

/** What a seller can repay, or the shop give up, in cents: what is not being taken back already. */
export const openDebtCents = ({ owedCents, pendingCents }: SellerDebt): number =>
  Math.max(0, owedCents - pendingCents);

/** The sort key of the list of debts: what is owed in cents, and the seller. */
export const DebtKey = z.tuple([z.string().check(z.regex(/^\d{1,18}$/)), z.uuid()]);
export type DebtKey = z.infer<typeof DebtKey>;

/** The response for a debt. */
export const toDebt = (row: IndebtedSeller): Debt => ({
  _id: row.seller_id,
  sellerName: row.seller_name,
  sellerEmail: row.seller_email,
  owed: amountFromCents(Number(row.owed_cents)),
});

/** A payment to a seller, a repayment or a write-off, with its people. */
export interface SettlementRow extends Row<'settlements'> {
  seller_name: string;
  seller_email: string;
  admin_name: string;
}

/** The response for what an admin recorded. */
export const toSettlement = (row: SettlementRow): Settlement => ({
  _id: row.id,
  kind: row.kind,
  sellerName: row.seller_name,
  sellerEmail: row.seller_email,
  amount: amountFromCents(Number(row.amount_cents)),
  note: row.reference ?? row.reason ?? '',
  adminName: row.admin_name,
  at: row.settled_at.toISOString(),
});

/** What a seller writes on a repayment: enough of the seller's id to find it among all sellers. */
export const repaymentReference = (sellerId: string): string =>
  `SELLER-${sellerId.replaceAll('-', '').slice(0, 12).toUpperCase()}`;
