// The interface of a card processor. `server/providers/stripe.ts` implements it with Stripe.

/** A payment intent, with the fields that the shop uses. */
export interface CardIntent {
  /** The intent's id, which the specification calls transactionId. */
  transactionId: string;
  /** `payable`: a card can still be entered. `processing`: confirmed, the result is pending. */
  status: 'payable' | 'processing' | 'succeeded' | 'canceled';
  amountCents: number;
  /** The captured amount, in cents. */
  receivedCents: number;
  /** ISO 4217 in lower case. */
  currency: string;
  /** The booking's id from the metadata; null on intents that are not the shop's. */
  bookingId: string | null;
  clientSecret: string;
}

/** A refund at the card processor. */
export interface CardRefund {
  /** The refund's id; null when the card processor refused to create it. */
  refundId: string | null;
  /** The refunded intent. */
  transactionId: string;
  amountCents: number;
  /** The shop's name of its attempt; null on refunds that the shop did not make. */
  reference: string | null;
  /** `succeeded` can become `failed` days later, when the buyer's bank returns the money. */
  status: 'pending' | 'succeeded' | 'failed';
  /** The card processor's reason code for a failure, else null. */
  failureReason: string | null;
  /** Why it is pending: `funds` when the shop's balance does not cover it yet. Null unless it is pending. */
  pendingReason: 'processing' | 'funds' | null;
}

/** A buyer's dispute at the card processor. */
export interface CardDispute {
  /** The dispute's id. */
  disputeId: string;
  /** The disputed intent; null on payments without one, which are not the shop's. */
  transactionId: string | null;
  amountCents: number;
  /** The card processor's reason code, such as `fraudulent`. */
  reason: string;
  /**
   * `inquiry`: the bank asks a question and no money has moved. `inquiry_closed`: it was answered. `disputed`: the money
   * is withdrawn until the decision. `won`: the shop keeps the money. `lost`: the buyer gets it back.
   */
  state: 'inquiry' | 'inquiry_closed' | 'disputed' | 'won' | 'lost';
  /** The deadline for evidence; null when none can be submitted. */
  evidenceDueAt: Date | null;
}

/** A warning of a card network that a payment is probably fraudulent. A dispute often follows. */
export interface FraudWarning {
  warningId: string;
  /** Null on payments without an intent, which are not the shop's. */
  transactionId: string | null;
  /** The network's code, such as `made_with_stolen_card`. */
  fraudType: string;
  /** False when the payment was refunded or disputed already. */
  isActionable: boolean;
}

/** The object that an event is about. The shop reads its current state and uses no other data of the event. */
export type CardEventObject =
  | { kind: 'intent'; transactionId: string }
  | { kind: 'refund'; transactionId: string; cardRefundId: string }
  | { kind: 'dispute'; transactionId: string; cardDisputeId: string }
  | { kind: 'fraud_warning'; warningId: string };

/** An object of payouts to sellers that an event is about. */
export type PayoutEventObject =
  | { kind: 'account'; accountId: string }
  /** A bank account of a seller's account was added, changed or removed; `changedAt` is ISO 8601 in UTC. */
  | { kind: 'bank_account'; accountId: string; changedAt: string }
  | { kind: 'transfer'; transferId: string }
  | { kind: 'payout'; accountId: string; payoutId: string };

/** An event with a valid signature. */
export interface CardEvent {
  id: string;
  type: string;
  /** Null for events about other objects. */
  about: CardEventObject | PayoutEventObject | null;
}

/** The card processor does not answer, or not as specified. The call can be retried. */
export class CardProcessorUnavailable extends Error {
  override readonly name = 'CardProcessorUnavailable';
}

/** The card processor rejects the call. A retry would be rejected too. */
export class CardProcessorRefusal extends Error {
  override readonly name = 'CardProcessorRefusal';
}

/** How to reach a buyer. */
export interface BuyerContact {
  name: string;
  /** Null until the buyer's address is verified: the card processor sends receipts to it. */
  verifiedEmail: string | null;
  phone: string;
}

/** A payment to create, with what the card processor compares for fraud and prints on statements and receipts. */
export interface NewIntent {
  amountCents: number;
  bookingId: string;
  description: string;
  /** The laptop's brand. */
  brand: string;
  buyer: BuyerContact & {
    id: string;
    /** The buyer's customer at the card processor. */
    customerId: string;
    /** Where the buyer gets the laptop: the meeting place as it was typed in the booking, or the address of the parcel. */
    address: {
      line1: string;
      line2?: string;
      city?: string;
      state?: string;
      postal_code?: string;
      country?: string;
    };
  };
  seller: { id: string };
  idempotencyKey: string;
}

export interface CardProcessor {
  /**
   * Creates a customer that has nothing but the account's id, once per idempotency key.
   * @returns the customer's id @throws CardProcessorUnavailable, CardProcessorRefusal
   */
  createCustomer(request: { buyerId: string; idempotencyKey: string }): Promise<string>;
  /** @returns false when there is no such customer, or no more @throws CardProcessorUnavailable, CardProcessorRefusal */
  updateCustomer(customerId: string, contact: BuyerContact): Promise<boolean>;
  /** Deletes a customer unless that was done before. @throws CardProcessorUnavailable, CardProcessorRefusal */
  deleteCustomer(customerId: string): Promise<void>;
  /** Creates an intent, once per idempotency key. @throws CardProcessorUnavailable, CardProcessorRefusal */
  createIntent(request: NewIntent): Promise<CardIntent>;
  /** Null when there is no such intent. @throws CardProcessorUnavailable */
  readIntent(transactionId: string): Promise<CardIntent | null>;
  /** Cancels an intent. @returns the intent afterwards: canceled, unless it had succeeded @throws CardProcessorUnavailable */
  cancelIntent(transactionId: string): Promise<CardIntent | null>;
  /**
   * Refunds a payment, in whole or in part. A repeated key changes nothing. The result can be that of an earlier call with the same
   * key; `readRefund` reads the current state.
   * @returns a failed refund without an id when the card processor refuses, such as more than is left of the payment
   * @throws CardProcessorUnavailable
   */
  refund(request: {
    transactionId: string;
    amountCents: number;
    /** The shop's name of the attempt. */
    reference: string;
    idempotencyKey: string;
  }): Promise<CardRefund>;
  /** Null when there is no such refund. @throws CardProcessorUnavailable */
  readRefund(refundId: string): Promise<CardRefund | null>;
  /** Lists the refunds of a payment, oldest first, also those that an operator made. @throws CardProcessorUnavailable */
  listRefunds(transactionId: string): Promise<readonly CardRefund[]>;
  /** Null when there is no such dispute. @throws CardProcessorUnavailable */
  readDispute(disputeId: string): Promise<CardDispute | null>;
  /** Null when there is no such warning. @throws CardProcessorUnavailable */
  readFraudWarning(warningId: string): Promise<FraudWarning | null>;
  /**
   * Verifies the signature and parses the event.
   * @param secrets those of the destinations that the shop created, besides the configured ones
   * @returns `unsigned` without a valid signature, `malformed` when the signed payload is no event
   */
  readEvent(
    payload: Buffer,
    signature: string,
    secrets: readonly string[],
  ): CardEvent | 'unsigned' | 'malformed';
}

/**
 * Wraps a card processor so that an aborted signal rejects calls under way and later ones. An aborted call may still take
 * effect at the card processor, as when a response is lost.
 */
export function withAbortSignal(cards: CardProcessor, signal: AbortSignal): CardProcessor {
  async function within<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const aborted = Promise.withResolvers<never>();
    const abort = () =>
      aborted.reject(new CardProcessorUnavailable('The shop is closing', { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([aborted.promise, ...(signal.aborted ? [] : [call()])]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
  return {
    createCustomer: (request) => within(() => cards.createCustomer(request)),
    updateCustomer: (id, contact) => within(() => cards.updateCustomer(id, contact)),
    deleteCustomer: (id) => within(() => cards.deleteCustomer(id)),
    createIntent: (request) => within(() => cards.createIntent(request)),
    readIntent: (id) => within(() => cards.readIntent(id)),
    cancelIntent: (id) => within(() => cards.cancelIntent(id)),
    refund: (request) => within(() => cards.refund(request)),
    readRefund: (id) => within(() => cards.readRefund(id)),
    listRefunds: (id) => within(() => cards.listRefunds(id)),
    readDispute: (id) => within(() => cards.readDispute(id)),
    readFraudWarning: (id) => within(() => cards.readFraudWarning(id)),
    readEvent: (...event) => cards.readEvent(...event),
  };
}
