/**
 * The accounts of the ledger:
 * - `processor`: the shop's balance at the card processor (asset);
 * - `bank`: payouts of the card processor to the shop and repayments of sellers, less top-ups and what the shop paid to sellers by
 *   hand (asset);
 * - `held`: money of orders that are not released, per order (liability);
 * - `payable`: what is owed to sellers, per seller (liability; a debit balance is owed by the seller);
 * - `refunds_due`: refunds that are decided and not made yet (liability);
 * - `disputed`: what banks withdrew until their decision (asset);
 * - `reserved`: what the card processor holds back, such as for negative balances of sellers' accounts (asset);
 * - `suspense`: movements at the card processor that the shop cannot explain yet, either way;
 * - `commission`: what the shop earned (income);
 * - `carrier_payable`: what the shop owes carriers for labels and insurance, less what they gave back and paid (liability);
 * - `label_advances`: labels that sellers bear, until their order ends or is released (asset);
 * - `processor_fees`, `lost_disputes`, `goodwill`, `written_off`, `shipping`: what the shop bears (expenses).
 */
export type LedgerAccount =
  | 'processor'
  | 'bank'
  | 'held'
  | 'payable'
  | 'refunds_due'
  | 'disputed'
  | 'commission'
  | 'reserved'
  | 'suspense'
  | 'processor_fees'
  | 'lost_disputes'
  | 'goodwill'
  | 'written_off'
  | 'carrier_payable'
  | 'label_advances'
  | 'shipping';

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
  | 'dispute_reinstated'
  | 'goodwill'
  | 'repaid_by_hand'
  | 'written_off'
  | 'top_up'
  | 'reserve'
  | 'unknown_movement'
  | 'label_bought'
  | 'label_insured'
  | 'label_refunded'
  | 'label_charged'
  | 'insurance_paid'
  | 'insurance_returned'
  | 'carrier_paid'
  | 'correction';

/**
 * The movements of the balance at the card processor:
 * - `refund_failure`: a refund came back;
 * - `dispute`: a bank withdrew a payment; `dispute_reversal`: it came back;
 * - `payout`: to the shop's own bank account; `payout_failure`: it came back;
 * - `fee`: a fee or a tax that the processor took by itself;
 * - `top_up`: the shop paid in from its bank account, or with a minus sign took that back;
 * - `reserve`: the processor holds money of the shop back, or releases it;
 * - `other`: anything else. An admin has to say what it was.
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
  | 'fee'
  | 'top_up'
  | 'reserve'
  | 'other';
