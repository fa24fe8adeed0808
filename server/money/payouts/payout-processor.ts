// The interface of the card processor's payouts to sellers. `server/providers/stripe-connect.ts` implements it with Stripe Connect.
// All amounts are in cents of the shop's currency.
import type { PayoutEntityType, PayoutRequirement } from '#contract/money/payouts.ts';

/**
 * Whether an account may do something. `pending`: the processor is verifying it. `restricted`: the seller must provide
 * information, or the processor refused the account. `unsupported`: not in this country.
 */
export type CapabilityStatus = 'active' | 'pending' | 'restricted' | 'unsupported';

/** A seller's account at the processor. */
export interface PayoutAccount {
  accountId: string;
  isClosed: boolean;
  /** Whether the account can receive transfers. */
  transfers: CapabilityStatus;
  /** Whether the account's balance can be paid out to the seller's bank. */
  payouts: CapabilityStatus;
  requirements: readonly PayoutRequirement[];
}

/** A payout from a seller's account to the seller's bank. */
export interface BankPayout {
  payoutId: string;
  accountId: string;
  amountCents: number;
  /** `paid` can become `failed` days later, when the bank returns the money to the account's balance. */
  status: 'under_way' | 'paid' | 'failed';
  /** The processor's reason code, such as `account_closed`; null unless failed. */
  failureCode: string | null;
  /** The failure in the processor's words; null unless failed. */
  failureText: string | null;
  /** The id of the bank account; null when the processor does not say. */
  destination: string | null;
  /** When the bank is expected to have it. */
  arrivesAt: Date;
  createdAt: Date;
}

/** The charge of a payment. */
export interface Charge {
  chargeId: string;
  /** What was refunded of it, without refunds that failed. */
  refundedCents: number;
  /** The group of the transfers from it; null before the first one. */
  transferGroup: string | null;
}

/** A transfer that the processor made. */
export interface MadeTransfer {
  transferId: string;
  accountId: string;
  amountCents: number;
  madeAt: Date;
}

/** The processor does not answer, or not as specified. The call can be retried with the same key. */
export class PayoutProcessorUnavailable extends Error {
  override readonly name = 'PayoutProcessorUnavailable';
}

/**
 * Why the processor rejects a call. `account_cannot_receive`: transfers to the account are not active. `unknown_account`: it
 * does not exist, is closed, or is not the shop's. `other_region`: the account is in a region that the shop cannot transfer
 * to. `other_currency`: the payment was settled in another currency than the shop's. `insufficient_funds`: the balance, the charge's rest or the transfer's rest is less than the amount.
 */
export type PayoutRefusalReason =
  | 'account_cannot_receive'
  | 'unknown_account'
  | 'other_region'
  | 'other_currency'
  | 'insufficient_funds'
  | 'other';

/** The processor rejects the call. Nothing was changed. A retry with the same key is rejected too. */
export class PayoutRefusal extends Error {
  override readonly name = 'PayoutRefusal';
  readonly reason: PayoutRefusalReason;

  constructor(reason: PayoutRefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Payouts through the card processor. Each call throws PayoutProcessorUnavailable when a retry may succeed. A call with an
 * idempotency key takes effect once; the processor forgets a key after 24 hours, so a later retry must first look for the
 * effect, by `findTransfer` or `findReversal`.
 */
export interface PayoutProcessor {
  /** Creates an account that can receive transfers once the seller is onboarded. @throws PayoutRefusal */
  createAccount(request: {
    sellerId: string;
    email: string;
    name: string;
    entityType: PayoutEntityType;
    /** ISO 3166-1 alpha-2. */
    country: string;
    idempotencyKey: string;
  }): Promise<PayoutAccount>;
  /**
   * Creates a link to the processor's page where the seller provides information, and the bank account.
   * @param request.returnUrl where the processor sends the seller afterwards, whether or not all was provided
   * @param request.refreshUrl where it sends the seller when the link was used or has expired
   * @returns its URL, which can be opened once @throws PayoutRefusal
   */
  createOnboardingLink(request: {
    accountId: string;
    returnUrl: string;
    refreshUrl: string;
  }): Promise<string>;
  /** Null when there is no such account. A closed account has `isClosed`. */
  readAccount(accountId: string): Promise<PayoutAccount | null>;
  /**
   * Transfers to a seller's account.
   * @param request.chargeId the charge that the money comes from; the transfer then waits for its funds. Null to take it from
   * the available balance
   * @param request.reference the caller's name of the transfer, by which `findTransfer` finds it
   * @returns the transfer's id @throws PayoutRefusal
   */
  createTransfer(request: {
    accountId: string;
    amountCents: number;
    orderId: string;
    chargeId: string | null;
    reference: string;
    idempotencyKey: string;
  }): Promise<string>;
  /**
   * Finds a transfer by its account and reference.
   * @param request.since no earlier transfer is looked at
   * @returns its id; null when there is none
   */
  findTransfer(request: { accountId: string; reference: string; since: Date }): Promise<string | null>;
  /** Lists all transfers from a charge, by its group. */
  listTransfers(transferGroup: string): Promise<MadeTransfer[]>;
  /** The sum of a transfer's reversals. Null when there is no such transfer. */
  reversedCents(transferId: string): Promise<number | null>;
  /**
   * Takes a transfer back, in whole or in part.
   * @returns the reversal's id @throws PayoutRefusal, such as when the account's balance is too low
   */
  reverseTransfer(request: {
    transferId: string;
    amountCents: number;
    reference: string;
    idempotencyKey: string;
  }): Promise<string>;
  /** Finds a reversal by its reference. @returns its id; null when there is none */
  findReversal(request: { transferId: string; reference: string }): Promise<string | null>;
  /** Null when there is no such payout, or the account is closed or unknown. */
  readPayout(request: { accountId: string; payoutId: string }): Promise<BankPayout | null>;
  /** Lists an account's latest payouts. @param request.limit 1 to 100 */
  listPayouts(request: { accountId: string; limit: number }): Promise<BankPayout[]>;
  /** The charge of a paid intent. Null when there is no such intent, or it is not paid. */
  chargeOf(transactionId: string): Promise<Charge | null>;
}
