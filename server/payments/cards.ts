// What the shop wants of a card provider, in the shop's own words; `vendors/stripe.ts` does it with Stripe.

/** A payment intent as the shop needs to know it. */
export interface CardIntent {
  /** The provider's id of the intent; what the specification calls transactionId. */
  transactionId: string;
  /** `payable`: a card may still be entered. `processing`: confirmed, not yet decided. */
  status: 'payable' | 'processing' | 'succeeded' | 'canceled';
  amountCents: number;
  /** Cents that have really been taken. */
  receivedCents: number;
  /** ISO 4217 in lower case. */
  currency: string;
  /** The booking that the intent was made for, from its metadata; null on intents that are not the shop's. */
  bookingId: string | null;
  clientSecret: string;
}

/** A refund as the card provider has it. */
export interface CardRefund {
  /** The provider's id of the refund; null when it refused to make one. */
  refundId: string | null;
  /** The intent whose money it gives back. */
  transactionId: string;
  /** `succeeded` can still become `failed`, days later: the buyer's bank sends the money back then. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Why it failed, in the provider's word for it; null unless it did. */
  failureReason: string | null;
}

/** A buyer's dispute as the card provider has it. */
export interface CardDispute {
  /** The provider's id of the dispute. */
  disputeId: string;
  /** The intent whose payment is disputed; null on payments without one, which are not the shop's. */
  transactionId: string | null;
  amountCents: number;
  /** In the provider's word for it, such as `fraudulent`. */
  reason: string;
  /**
   * `inquiry`: the bank asks, and no money has moved yet; `inquiry_closed`: it has the answer. `chargeback`: the money
   * is withdrawn until that is decided. `won`: the shop keeps the money. `lost`: the buyer has it back.
   */
  state: 'inquiry' | 'inquiry_closed' | 'chargeback' | 'won' | 'lost';
  /** Until when the shop can answer with evidence; null when it cannot. */
  evidenceDueAt: Date | null;
}

/** What an event of the card provider is about. It only makes the shop ask: nothing of it is believed. */
export type CardEventObject =
  | { kind: 'intent'; transactionId: string }
  | { kind: 'refund'; transactionId: string; cardRefundId: string }
  | { kind: 'dispute'; transactionId: string; cardDisputeId: string };

/** A proven event of the card provider. */
export interface CardEvent {
  id: string;
  type: string;
  /** Null for events about something else. */
  about: CardEventObject | null;
}

/** The card provider does not answer, or not sensibly; the same call may be made again. */
export class CardProcessorUnavailable extends Error {
  override readonly name = 'CardProcessorUnavailable';
}

/** The card provider refuses for good: the same call will be refused however often it is made. */
export class CardProcessorRefusal extends Error {
  override readonly name = 'CardProcessorRefusal';
}

export interface CardProcessor {
  /** Makes an intent; the same key makes it once. @throws CardProcessorUnavailable, CardProcessorRefusal */
  createIntent(wanted: {
    amountCents: number;
    bookingId: string;
    description: string;
    idempotencyKey: string;
  }): Promise<CardIntent>;
  /** Null when the provider knows no such intent. @throws CardProcessorUnavailable */
  readIntent(transactionId: string): Promise<CardIntent | null>;
  /** Answers the intent as it is afterwards: canceled, unless it had succeeded already. @throws CardProcessorUnavailable */
  cancelIntent(transactionId: string): Promise<CardIntent | null>;
  /**
   * Gives all of a payment back; the same key, or money already given back, changes nothing. The answer may be that of
   * an earlier call by the same key: how the refund is now is told by `readRefund`. @throws CardProcessorUnavailable
   */
  refund(wanted: { transactionId: string; amountCents: number; idempotencyKey: string }): Promise<CardRefund>;
  /** Null when the provider knows no such refund. @throws CardProcessorUnavailable */
  readRefund(refundId: string): Promise<CardRefund | null>;
  /** Null when the provider knows no such dispute. @throws CardProcessorUnavailable */
  readDispute(disputeId: string): Promise<CardDispute | null>;
  /**
   * Checks the signature before anything is read.
   * @returns `unsigned` when it is not the provider's, `malformed` when what is signed is no event
   */
  readEvent(payload: Buffer, signature: string): CardEvent | 'unsigned' | 'malformed';
}

/**
 * The same card provider for a caller that may have to end: once the signal is aborted, each call fails at once, also
 * one that is under way. What it asked for may still happen there, as after any answer that gets lost.
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
    createIntent: (wanted) => within(() => cards.createIntent(wanted)),
    readIntent: (id) => within(() => cards.readIntent(id)),
    cancelIntent: (id) => within(() => cards.cancelIntent(id)),
    refund: (wanted) => within(() => cards.refund(wanted)),
    readRefund: (id) => within(() => cards.readRefund(id)),
    readDispute: (id) => within(() => cards.readDispute(id)),
    readEvent: (payload, signature) => cards.readEvent(payload, signature),
  };
}
