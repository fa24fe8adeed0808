import type { BalanceTransactionType } from '#contract/ledger.ts';

// The part of the card processor's interface that accounting reads.

/** One movement of the shop's balance at the card processor, in cents. */
export interface BalanceTransaction {
  balanceTransactionId: string;
  type: BalanceTransactionType;
  /** Positive into the balance, negative out of it, before the fee. */
  amountCents: number;
  feeCents: number;
  /** The id of the charge, refund, dispute, transfer, reversal or payout; null for other movements. */
  sourceId: string | null;
  /** The payment of a charge, refund or dispute; else null. */
  transactionId: string | null;
  createdAt: Date;
}

export interface BalanceReader {
  /**
   * Lists the movements that were created from `from` (inclusive) to `until` (exclusive), newest first.
   * @param request.limit 1 to 100
   */
  listBalanceTransactions(request: {
    from: Date;
    until: Date;
    cursor: string | null;
    limit: number;
  }): Promise<{ items: readonly BalanceTransaction[]; nextCursor: string | null }>;
}
