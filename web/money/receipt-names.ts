import type { ReceiptKind } from '#contract/money/accounting.ts';

/** What a receipt of each kind is called. */
export const receiptNames: Readonly<Record<ReceiptKind, string>> = {
  sale: 'Receipt',
  sale_credit: 'Credit note',
  commission: 'Commission note',
  commission_credit: 'Commission credit note',
};
