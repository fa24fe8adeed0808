/**
 * The accounts of the ledger:
 * - `processor`: the shop's balance at the card processor (asset);
 * - `bank`: what the shop paid to sellers from its own account (asset);
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
  | 'transfer'
  | 'transfer_reversed'
  | 'settled_by_hand'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'correction';
