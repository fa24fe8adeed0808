import type { CardAct } from '#contract/moderation.ts';
import { defangLinks } from '#emails/user-text.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { Database, Reader, Transaction } from '../database/tables.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { CardIntent, CardProcessor } from './cards.ts';
import { refundSentence } from './rules.ts';
import { type Settlement, settle } from './steps.ts';
import * as store from './store.ts';

/** What taking and settling payments needs. */
export interface PaymentDependencies {
  database: Database;
  enqueue: Enqueue;
  cards: CardProcessor;
  /** Forgets kept answers of the catalogue at once, so that who paid sees the laptop gone. */
  forgetCatalogue(): void;
  /** Writes into the audit trail, in the transaction of what it tells. */
  record(transaction: Transaction, entry: { act: CardAct; subject: string; note: string }): Promise<void>;
}

/** The caller's own booking. @throws Refusal the same for somebody else's as for an unknown one */
export async function demandBooking(reader: Reader, caller: Caller, id: string): Promise<BookedLaptop> {
  const booking = await findBooking(reader, id);
  if (booking === null || booking.buyer_id !== caller.userId) {
    throw new Refusal('not_found', 'There is no such booking of yours.');
  }
  return booking;
}

/**
 * The card provider's intent of an attempt whose name is not known yet. Its key makes it once: asked for again, after
 * an answer that never came, it is the same. @throws CardProcessorAway
 */
export async function makeIntent(
  { database, cards }: PaymentDependencies,
  attempt: store.IntentRow,
  booking: BookedLaptop,
): Promise<CardIntent> {
  const made = await cards.createIntent({
    amountCents: attempt.amount_cents,
    bookingId: attempt.booking_id,
    // It stands in the processor's own receipts.
    description: defangLinks(booking.laptop_name),
    idempotencyKey: `payment-intent-${attempt.id}`,
  });
  await store.nameIntent(database, attempt.id, made.transactionId);
  return made;
}

/** Settles taken money, in a transaction of its own. */
export async function settleIntent(
  { database, enqueue, forgetCatalogue }: PaymentDependencies,
  intent: CardIntent,
): Promise<Settlement | null> {
  const settlement = await database
    .transaction()
    .execute((transaction) => settle(transaction, enqueue, intent));
  forgetCatalogue();
  return settlement;
}

/** Told to a buyer whose money goes back. */
export function refundedRefusal(settlement: Extract<Settlement, { kind: 'refunded' }>): Refusal {
  const sentence = refundSentence(settlement.reason, settlement.laptopName);
  const money =
    settlement.state === 'failed'
      ? 'Giving your money back to your card has failed; it is still yours, and we look after it.'
      : 'Your money is on its way back to your card.';
  return new Refusal('refunded', `${sentence} ${money}`);
}

/**
 * Records a payment that the browser reports, after asking the card provider about it.
 * @returns the payment's id, the same each time @throws Refusal, CardProcessorAway
 */
export async function recordPayment(
  dependencies: PaymentDependencies,
  caller: Caller,
  reported: { transactionId: string; bookingId: string },
): Promise<string> {
  const booking = await demandBooking(dependencies.database, caller, reported.bookingId);
  const intent = await dependencies.cards.readIntent(reported.transactionId);
  if (intent === null || intent.bookingId !== booking.id) {
    throw new Refusal('payment_not_proven', 'The card processor knows no such payment for this booking.');
  }
  if (intent.status !== 'succeeded') {
    throw new Refusal(
      'payment_not_proven',
      intent.status === 'processing'
        ? 'The card processor is still working on this payment. You will get a mail when it is through.'
        : 'The card processor has not taken this payment. You have not been charged.',
    );
  }
  const settlement = await settleIntent(dependencies, intent);
  if (settlement === null) {
    throw new Refusal('payment_not_proven', 'The card processor knows no such payment for this booking.');
  }
  if (settlement.kind === 'refunded') throw refundedRefusal(settlement);
  return settlement.paymentId;
}
