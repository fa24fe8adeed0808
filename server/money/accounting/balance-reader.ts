import type { BalanceTransactionType } from '#contract/money/ledger.ts';

// The part of the card processor's interface that accounting reads.

/** One movement of the shop's balance at the card processor, in cents of its currency. */
export interface BalanceTransaction {
  balanceTransactionId: string;
  type: BalanceTransactionType;
  /** The processor's own name of the kind, such as `connect_reserved_funds`. */
  category: string;
  /** Positive into the balance, negative out of it, before the fee. */
  amountCents: number;
  feeCents: number;
  /** The id of the charge, refund, dispute, transfer, reversal or payout; null for other movements. */
  sourceId: string | null;
  /** The payment of a charge, refund or dispute; else null. */
  transactionId: string | null;
  /** The transfer of a reversal; else null. */
  transferId: string | null;
  /** ISO 4217 in lower case. */
  currency: string;
  createdAt: Date;
}

export interface BalanceReader {
  /**
   * Lists the movements that were created from `from` (inclusive) to `until` (exclusive), to the second, newest first.
   * @param request.limit 1 to 100
   */
  listBalanceTransactions(request: {
    from: Date;
    until: Date;
    cursor: string | null;
    limit: number;
  }): Promise<{ items: readonly BalanceTransaction[]; nextCursor: string | null }>;
}
