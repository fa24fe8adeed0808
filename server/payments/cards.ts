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

/** A proven event of the card provider. */
export interface CardEvent {
  id: string;
  type: string;
  /** The intent that it is about; null for events about something else. */
  transactionId: string | null;
}

/** The card provider does not answer, or not sensibly; the same call may be made again. */
export class CardProcessorAway extends Error {
  override readonly name = 'CardProcessorAway';
}

export interface CardProcessor {
  /** Makes an intent; the same key makes it once. @throws CardProcessorAway */
  createIntent(wanted: {
    amountCents: number;
    bookingId: string;
    description: string;
    idempotencyKey: string;
  }): Promise<CardIntent>;
  /** Null when the provider knows no such intent. @throws CardProcessorAway */
  readIntent(transactionId: string): Promise<CardIntent | null>;
  /** Answers the intent as it is afterwards: canceled, unless it had succeeded already. @throws CardProcessorAway */
  cancelIntent(transactionId: string): Promise<CardIntent | null>;
  /** Gives all of a payment back; the same key, or money already given back, changes nothing. @throws CardProcessorAway */
  refund(wanted: { transactionId: string; amountCents: number; idempotencyKey: string }): Promise<void>;
  /** Checks the signature before anything is read; null when it is not the provider's. */
  readEvent(payload: Buffer, signature: string): CardEvent | null;
}
