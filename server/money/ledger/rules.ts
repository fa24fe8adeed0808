import type { LedgerAccount, PostingKind } from '#contract/money/ledger.ts';
import { roundDown } from '#contract/platform/money.ts';

// The entries of each kind of posting. A debit is positive, a credit negative; all in cents.

/** One line of a posting. */
export type Entry =
  | { account: 'held'; amountCents: number; orderId: string }
  | { account: 'payable'; amountCents: number; sellerId: string; orderId: string | null }
  | { account: Exclude<LedgerAccount, 'held' | 'payable'>; amountCents: number; orderId: string | null };

/** A movement of money: entries that balance, and what caused it. */
export interface Posting {
  kind: PostingKind;
  /** What caused it, such as a transaction id. A kind is posted once per reference. */
  reference: string;
  entries: readonly Entry[];
}

/** The part of an order that its postings depend on. */
export interface LedgerOrder {
  id: string;
  sellerId: string;
  priceCents: number;
  /** The commission on the whole price, frozen at the sale. */
  commissionCents: number;
  /** What was refunded before this posting. */
  refundedCents: number;
  /** Whether the seller was credited before this posting. */
  isReleased: boolean;
}

/** The shop's commission on what is left of an order after a refund, in proportion, rounded down. */
export function commissionAfterRefund(
  { priceCents, commissionCents }: Pick<LedgerOrder, 'priceCents' | 'commissionCents'>,
  refundedCents: number,
): number {
  // The product can exceed the integers that a number holds.
  return roundDown(
    Number((BigInt(commissionCents) * BigInt(priceCents - refundedCents)) / BigInt(priceCents)),
  );
}

const processor = (amountCents: number): Entry => ({ account: 'processor', amountCents, orderId: null });

/** An account that is kept neither per order nor per seller. */
type ShopAccount = Exclude<LedgerAccount, 'held' | 'payable'>;

/** Two entries that move an amount between accounts of the shop. */
const move = (
  from: ShopAccount,
  to: ShopAccount,
  amountCents: number,
  orderId: string | null = null,
): Entry[] => [
  { account: to, amountCents, orderId },
  { account: from, amountCents: -amountCents, orderId },
];

/** A kind of posting that moves an amount between two accounts of the shop. @returns a function that makes such a posting */
const moving =
  (kind: PostingKind, from: ShopAccount, to: ShopAccount) =>
  (reference: string, amountCents: number): Posting => ({
    kind,
    reference,
    entries: move(from, to, amountCents),
  });

/** A payment bought a laptop: the shop holds the money for the order. */
export const salePosting = (order: LedgerOrder, transactionId: string): Posting => ({
  kind: 'sale',
  reference: transactionId,
  entries: [
    processor(order.priceCents),
    { account: 'held', amountCents: -order.priceCents, orderId: order.id },
  ],
});

/** A payment bought nothing and is refunded. */
export const paymentWithoutSalePosting = moving('payment_without_sale', 'refunds_due', 'processor');

/** An order is released: its seller is owed the price, less the commission. */
export function releasePosting(order: LedgerOrder): Posting {
  const left = order.priceCents - order.refundedCents;
  const commission = commissionAfterRefund(order, order.refundedCents);
  return {
    kind: 'release',
    reference: order.id,
    entries: nonZero([
      { account: 'held', amountCents: left, orderId: order.id },
      { account: 'payable', amountCents: commission - left, sellerId: order.sellerId, orderId: order.id },
      { account: 'commission', amountCents: -commission, orderId: order.id },
    ]),
  };
}

/**
 * Takes an amount back from an order: from what is held, or after the release from the seller and, in proportion, from the
 * commission.
 */
function refundEntries(order: LedgerOrder, amountCents: number): Entry[] {
  if (!order.isReleased) return [{ account: 'held', amountCents, orderId: order.id }];
  const commission =
    commissionAfterRefund(order, order.refundedCents) -
    commissionAfterRefund(order, order.refundedCents + amountCents);
  return [
    {
      account: 'payable',
      amountCents: amountCents - commission,
      sellerId: order.sellerId,
      orderId: order.id,
    },
    { account: 'commission', amountCents: commission, orderId: order.id },
  ];
}

/**
 * Money of an order goes back at the cost of its sale. The reference is the order with the sum that went back so far, because an order
 * gives money back several times.
 * @param amountCents what the sale bears
 * @param goodwillCents the part of it that the buyer got before as goodwill: the shop gets that back
 */
export function refundDecidedPosting(order: LedgerOrder, amountCents: number, goodwillCents = 0): Posting {
  return {
    kind: 'refund_decided',
    reference: `${order.id}-${order.refundedCents + amountCents}`,
    entries: nonZero([
      ...refundEntries(order, amountCents),
      { account: 'refunds_due', amountCents: goodwillCents - amountCents, orderId: order.id },
      { account: 'goodwill', amountCents: -goodwillCents, orderId: order.id },
    ]),
  };
}

/** The buyer of an order gets money back at the shop's own cost. @param refundId the refund's id */
export const goodwillPosting = (orderId: string, amountCents: number, refundId: string): Posting => ({
  kind: 'goodwill',
  reference: refundId,
  entries: move('refunds_due', 'goodwill', amountCents, orderId),
});

/**
 * A refund that an operator made at the card processor, and that no order and no payment explains.
 * @param reference the refund's id
 */
export const unexplainedRefundPosting = moving('unknown_movement', 'refunds_due', 'suspense');

/** An unexplained refund came back, so that nothing is to be explained. @param reference the attempt's */
export const unexplainedRefundReturnedPosting = moving('unknown_movement', 'suspense', 'refunds_due');

/** A refund left the balance at the card processor. */
export const refundMadePosting = moving('refund_made', 'processor', 'refunds_due');

/** The shop paid a failed refund from its own bank account. @param reference the refund's id */
export const refundPaidByHandPosting = moving('settled_by_hand', 'bank', 'refunds_due');

/** The buyer's bank returned a refund: it is due again. */
export const refundReturnedPosting = moving('refund_returned', 'refunds_due', 'processor');

/** The card processor kept its fee. @param reference the id of its balance transaction */
export const processorFeePosting = moving('processor_fee', 'processor', 'processor_fees');

/**
 * The card processor paid out to the shop's own bank account; a negative amount came back.
 * @param reference the id of its balance transaction
 */
export const bankPayoutPosting = moving('bank_payout', 'processor', 'bank');

/**
 * The shop topped up its balance at the card processor from its bank account; a negative amount went back.
 * @param reference the id of the balance transaction
 */
export const topUpPosting = moving('top_up', 'bank', 'processor');

/**
 * The card processor holds an amount of the shop's balance back; a negative amount is released.
 * @param reference the id of the balance transaction
 */
export const reservePosting = moving('reserve', 'processor', 'reserved');

/**
 * A movement at the card processor that the shop does not know: nobody's until an admin explains it.
 * @param amountCents positive into the balance @param reference the id of the balance transaction
 */
export const unknownMovementPosting = moving('unknown_movement', 'suspense', 'processor');

/**
 * An admin explained an unknown movement: it leaves the suspense account.
 * @param reference the movement's, or what the account has of a refund or a dispute with the explained difference
 * @param amountCents positive into the balance
 */
export const explanationPosting = (
  reference: string,
  amountCents: number,
  account: 'processor_fees' | 'bank' | 'reserved' | 'written_off' | 'lost_disputes',
): Posting => ({ kind: 'correction', reference, entries: move(account, 'suspense', amountCents) });

/** A bank withdrew a payment until it decides. */
export const disputeOpenedPosting = moving('dispute_opened', 'processor', 'disputed');

/** The bank decided for the shop, and the money came back. */
export const disputeWonPosting = moving('dispute_won', 'disputed', 'processor');

/** The part of a lost dispute that is taken back from an order, in cents: at most what is left of it. */
export const takenBackOf = (order: LedgerOrder, amountCents: number, paidByBankCents: number): number =>
  Math.min(amountCents - paidByBankCents, order.priceCents - order.refundedCents);

/**
 * The bank decided for the buyer. Its money first pays refunds that were decided and failed; the seller bears what is left of
 * the order, the shop the rest.
 * @param order null for a payment without an order
 * @param paidByBankCents the failed refunds that this pays
 */
export function disputeLostPosting(
  cardDisputeId: string,
  amountCents: number,
  order: LedgerOrder | null,
  paidByBankCents = 0,
): Posting {
  const orderId = order?.id ?? null;
  const takenBackCents = order === null ? 0 : takenBackOf(order, amountCents, paidByBankCents);
  return {
    kind: 'dispute_lost',
    reference: cardDisputeId,
    entries: nonZero([
      { account: 'refunds_due', amountCents: paidByBankCents, orderId },
      ...(order === null ? [] : refundEntries(order, takenBackCents)),
      { account: 'lost_disputes', amountCents: amountCents - paidByBankCents - takenBackCents, orderId },
      { account: 'disputed', amountCents: -amountCents, orderId },
    ]),
  };
}

/** The reference of {@link refundPaidByBankPosting}. */
export const refundPaidByBankReference = (refundId: string): string => `refund-${refundId}`;

/** A refund failed after a dispute was lost: the bank had given the buyer that money, so the loss was this refund. */
export const refundPaidByBankPosting = (refundId: string, amountCents: number): Posting => ({
  kind: 'dispute_lost',
  reference: refundPaidByBankReference(refundId),
  entries: move('lost_disputes', 'refunds_due', amountCents),
});

/**
 * Money of a lost dispute came back. The refunds that it had paid are owed to the buyer again. Whose the rest is, an admin decides: the
 * laptop may be the seller's again, and sold to somebody else.
 */
export const disputeReinstatedPosting = (
  cardDisputeId: string,
  amountCents: number,
  refundsCents: number,
): Posting => ({
  kind: 'dispute_reinstated',
  reference: cardDisputeId,
  entries: nonZero([
    { account: 'processor', amountCents, orderId: null },
    { account: 'refunds_due', amountCents: -refundsCents, orderId: null },
    { account: 'suspense', amountCents: refundsCents - amountCents, orderId: null },
  ]),
});

/** A transfer to a seller's account at the card processor. @param reference the transfer's id there */
export const transferPosting = (
  reference: string,
  { sellerId, orderId, amountCents }: { sellerId: string; orderId: string | null; amountCents: number },
): Posting => ({
  kind: 'transfer',
  reference,
  entries: [{ account: 'payable', amountCents, sellerId, orderId }, processor(-amountCents)],
});

/** An admin explained a transfer that belongs to no order. @param reference the transfer's id at the card processor */
export const explainedTransferPosting = (
  reference: string,
  amountCents: number,
  account: 'bank' | 'written_off',
): Posting => ({ kind: 'transfer', reference, entries: move('processor', account, amountCents) });

/** A transfer came back from a seller's account. @param reference the reversal's id */
export const transferReversedPosting = (
  reference: string,
  { sellerId, orderId, amountCents }: { sellerId: string; orderId: string | null; amountCents: number },
): Posting => ({
  kind: 'transfer_reversed',
  reference,
  entries: [processor(amountCents), { account: 'payable', amountCents: -amountCents, sellerId, orderId }],
});

/** Entries that lower what the shop owes a seller, out of an account of the shop. */
const pay = (
  sellerId: string,
  from: ShopAccount,
  amountCents: number,
  orderId: string | null = null,
): Entry[] => [
  { account: 'payable', amountCents, sellerId, orderId },
  { account: from, amountCents: -amountCents, orderId },
];

/** Entries that raise what the shop owes a seller, at the cost of an account of the shop. */
const credit = (...paid: Parameters<typeof pay>): Entry[] => reversed(pay(...paid)).reverse();

/** The shop paid a seller from its own bank account. */
export const settledByHandPosting = (
  reference: string,
  { sellerId, amountCents }: { sellerId: string; amountCents: number },
): Posting => ({ kind: 'settled_by_hand', reference, entries: pay(sellerId, 'bank', amountCents) });

/** A seller repaid a part of a debt to the shop's bank account. */
export const repaidByHandPosting = (
  reference: string,
  { sellerId, amountCents }: { sellerId: string; amountCents: number },
): Posting => ({ kind: 'repaid_by_hand', reference, entries: credit(sellerId, 'bank', amountCents) });

/** The shop gives up a part of what a seller owes it. */
export const writtenOffPosting = (
  reference: string,
  { sellerId, amountCents }: { sellerId: string; amountCents: number },
): Posting => ({ kind: 'written_off', reference, entries: credit(sellerId, 'written_off', amountCents) });

/** A label that was bought. All amounts in cents. */
export interface LedgerLabel {
  id: string;
  orderId: string;
  costCents: number;
  premiumCents: number;
  /** What the seller bears of both; the rest is the shop's. */
  chargedCents: number;
}

/** Entries that share an amount between the seller's advances and the shop: a debit for an amount that the carrier is owed. */
const sharedEntries = (orderId: string, chargedCents: number, amountCents: number): Entry[] => [
  { account: 'label_advances', amountCents: chargedCents, orderId },
  { account: 'shipping', amountCents: amountCents - chargedCents, orderId },
  { account: 'carrier_payable', amountCents: -amountCents, orderId },
];

/** The part of a label's cost that the seller bears; the rest of what the seller bears is of the premium. */
const chargedCostOf = ({ costCents, chargedCents }: LedgerLabel) => Math.min(costCents, chargedCents);

/** A carrier sold a label: the shop owes its price, and the seller bears the agreed part. */
export const labelBoughtPosting = (label: LedgerLabel): Posting => ({
  kind: 'label_bought',
  reference: label.id,
  entries: nonZero(sharedEntries(label.orderId, chargedCostOf(label), label.costCents)),
});

/** The parcel of a label is insured: as {@link labelBoughtPosting} for the premium. */
export const labelInsuredPosting = (label: LedgerLabel): Posting => ({
  kind: 'label_insured',
  reference: label.id,
  entries: nonZero(
    sharedEntries(label.orderId, label.chargedCents - chargedCostOf(label), label.premiumCents),
  ),
});

/** The carrier gives the price and the premium of an unused label back. */
export const labelRefundedPosting = (label: LedgerLabel): Posting => ({
  kind: 'label_refunded',
  reference: label.id,
  entries: reversed(
    nonZero(sharedEntries(label.orderId, label.chargedCents, label.costCents + label.premiumCents)),
  ),
});

/** A seller pays for a label: the order was released, or has ended. */
export const labelChargedPosting = (
  { id, orderId, chargedCents }: LedgerLabel,
  sellerId: string,
): Posting => ({
  kind: 'label_charged',
  reference: id,
  entries: pay(sellerId, 'label_advances', chargedCents, orderId),
});

/** The insurance pays for a lost parcel to the shop's account with the carrier: the money is the seller's, who bore the loss. */
export const insurancePaidPosting = (
  labelId: string,
  { orderId, sellerId, amountCents }: { orderId: string; sellerId: string; amountCents: number },
): Posting => ({
  kind: 'insurance_paid',
  reference: labelId,
  entries: credit(sellerId, 'carrier_payable', amountCents, orderId),
});

/** The insurance takes back what it paid for a parcel that was found, from the shop's account with the carrier: from the seller, too. */
export function insuranceReturnedPosting(...paid: Parameters<typeof insurancePaidPosting>): Posting {
  const { entries, ...posting } = insurancePaidPosting(...paid);
  return { ...posting, kind: 'insurance_returned', entries: reversed(entries) };
}

/** The shop paid a carrier from its bank account. @param reference the bank's, or the invoice's */
export const carrierPaidPosting = moving('carrier_paid', 'bank', 'carrier_payable');

const reversed = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, amountCents: -entry.amountCents }));

const nonZero = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ amountCents }) => amountCents !== 0);
