/**
 * The accounts of the ledger:
 * - `processor`: the shop's balance at the card processor (asset);
 * - `bank`: what the card processor paid out to the shop, less what the shop paid to sellers by hand (asset);
 * - `held`: money of orders that are not released, per order (liability);
 * - `payable`: what is owed to sellers, per seller (liability; a debit balance is owed by the seller);
 * - `refunds_due`: refunds that are decided and not made yet (liability);
 * - `disputed`: what banks withdrew until their decision (asset);
 * - `commission`: what the shop earned (income);
 * - `processor_fees`, `lost_disputes`: what the shop bears (expenses).
 */
export type LedgerAccount =
  | 'processor'
  | 'bank'
  | 'held'
  | 'payable'
  | 'refunds_due'
  | 'disputed'
  | 'commission'
  | 'processor_fees'
  | 'lost_disputes';

/** What moves money between accounts. */
export type PostingKind =
  | 'sale'
  | 'payment_without_sale'
  | 'release'
  | 'refund_decided'
  | 'refund_made'
  | 'refund_returned'
  | 'processor_fee'
  | 'bank_payout'
  | 'transfer'
  | 'transfer_reversed'
  | 'settled_by_hand'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'correction';

/**
 * The movements of the balance at the card processor:
 * - `refund_failure`: a refund came back;
 * - `dispute`: a bank withdrew a payment; `dispute_reversal`: it came back;
 * - `payout`: to the shop's own bank account; `payout_failure`: it came back;
 * - `other`: anything else, such as a fee of its own.
 */
export type BalanceTransactionType =
  | 'charge'
  | 'refund'
  | 'refund_failure'
  | 'dispute'
  | 'dispute_reversal'
  | 'transfer'
  | 'transfer_reversal'
  | 'payout'
  | 'payout_failure'
  | 'other';
