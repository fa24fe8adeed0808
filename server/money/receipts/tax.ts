import type { ReceiptKind } from '#contract/money/accounting.ts';
import { currency } from '#contract/platform/money.ts';

/** How the shop was taxed when a receipt was issued. */
export interface TaxScheme {
  /** What the tax is called: `VAT`. */
  name: string;
  /** The tax that is included in the commission, in hundredths of a percent; 0 for none. */
  commissionBasisPoints: number;
  /** What receipts of sales say about tax; null for nothing. */
  saleNote: string | null;
}

/** What a receipt says about tax. */
export interface StatedTax {
  /** The included tax; null when none is stated. `cents` is rounded to an amount of the shop's currency. */
  line: { name: string; basisPoints: number; cents: number } | null;
  note: string | null;
}

/** The tax that a receipt states. A shop with another law has another rule, which `server/shop.ts` names. */
export type TaxRule = (receipt: { kind: ReceiptKind; amountCents: number }, scheme: TaxScheme) => StatedTax;

/**
 * The sale is between the buyer and the seller, whose taxes the shop does not know. The shop taxes its commission, in which the tax is
 * included (Directive 2006/112/EC, article 78: the consideration without the tax is the amount / (1 + rate)).
 */
export const taxOfCommission: TaxRule = (
  { kind, amountCents },
  { name, commissionBasisPoints: basisPoints, saleNote },
) => {
  if (kind === 'sale' || kind === 'sale_credit') return { line: null, note: saleNote };
  if (basisPoints === 0) return { line: null, note: null };
  const exact = (amountCents * basisPoints) / (10_000 + basisPoints);
  const cents = Math.round(exact / currency.smallestAmount) * currency.smallestAmount;
  return { line: { name, basisPoints, cents }, note: null };
};
