import type { CardAct } from '#contract/moderation.ts';
import { centsFromDollars, dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { type BookedLaptop, bookingState } from '../bookings/rules.ts';
import { findBooking, takeHold } from '../bookings/steps.ts';
import { lockLaptop } from '../catalogue/steps.ts';
import type { Database, Reader, Transaction } from '../database/tables.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { CardIntent, CardProcessor } from './cards.ts';
import { refundSentence, SHORTEST_WAIT } from './rules.ts';
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
async function demandBooking(reader: Reader, caller: Caller, id: string): Promise<BookedLaptop> {
  const booking = await findBooking(reader, id);
  if (booking === null || booking.buyer_id !== caller.userId) {
    throw new Refusal('not_found', 'There is no such booking of yours.');
  }
  return booking;
}

/** Why a booking cannot be paid now. @throws Refusal */
function demandPayable(booking: BookedLaptop): void {
  switch (bookingState(booking)) {
    case 'Paid':
      throw new Refusal('already_paid', `You have already paid for ${booking.laptop_name}.`);
    case 'Sold':
      throw new Refusal(
        'already_sold',
        `${booking.laptop_name} was sold to another buyer. If your card was charged for it, the money comes back.`,
      );
    case 'Cancelled':
      throw new Refusal(
        'booking_cancelled',
        `${booking.laptop_name} left the shop. If your card was charged for it, the money comes back.`,
      );
    case 'Unpaid':
      return;
  }
}

/** A person's words for a moment that lies within the next minutes. */
function inMinutes(moment: Date, now: Date): string {
  const minutes = Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 60_000));
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}

/** Takes the hold and finds or opens the attempt. @throws Refusal */
async function begin(
  transaction: Transaction,
  caller: Caller,
  wanted: { bookingId: string; price: number },
): Promise<{ attempt: store.IntentRow; booking: BookedLaptop; heldUntil: Date | null }> {
  const { laptop_id } = await demandBooking(transaction, caller, wanted.bookingId);
  await lockLaptop(transaction, laptop_id);
  const booking = await demandBooking(transaction, caller, wanted.bookingId);
  demandPayable(booking);
  if (centsFromDollars(wanted.price) !== booking.price_cents) {
    const price = formatDollars(dollarsFromCents(booking.price_cents));
    throw new Refusal(
      'price_differs',
      `The price of ${booking.laptop_name} is ${price}. You have not been charged.`,
    );
  }
  const now = new Date();
  const hold = await takeHold(transaction, booking, now);
  if (hold.kind === 'busy') {
    const when = inMinutes(hold.until, now);
    throw new Refusal(
      'somebody_is_paying',
      `Somebody is paying for ${booking.laptop_name} right now. Your booking is kept; please try again ${when}.`,
      { retryAt: hold.until },
    );
  }
  return {
    attempt: await store.openIntent(transaction, booking, new Date(now.getTime() + SHORTEST_WAIT)),
    booking,
    heldUntil: hold.kind === 'held' ? hold.hold.expiresAt : null,
  };
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
    description: booking.laptop_name,
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

function refundedRefusal(settlement: Extract<Settlement, { kind: 'refunded' }>): Refusal {
  const sentence = refundSentence(settlement.reason, settlement.laptopName);
  const money =
    settlement.state === 'failed'
      ? 'Giving your money back to your card has failed; it is still yours, and we look after it.'
      : 'Your money is on its way back to your card.';
  return new Refusal('refunded', `${sentence} ${money}`);
}

/** How often an attempt that ended meanwhile is replaced by a new one before giving up. */
const MAXIMUM_ATTEMPTS = 3;

/**
 * Prepares the payment of the caller's booking: takes or renews the hold, and answers the one intent that can pay it.
 * Asked again, it answers the same intent for as long as that can still be paid, so no second charge is possible.
 * @throws Refusal, CardProcessorAway
 */
export async function preparePayment(
  dependencies: PaymentDependencies,
  caller: Caller,
  wanted: { bookingId: string; price: number },
): Promise<{ clientSecret: string; heldUntil: Date | null }> {
  const { database, cards } = dependencies;
  for (let round = 0; round < MAXIMUM_ATTEMPTS; round += 1) {
    const { attempt, booking, heldUntil } = await database
      .transaction()
      .execute((transaction) => begin(transaction, caller, wanted));
    const known = attempt.transaction_id;
    const intent =
      known === null ? await makeIntent(dependencies, attempt, booking) : await cards.readIntent(known);
    switch (intent?.status) {
      case 'payable':
      case 'processing':
        return { clientSecret: intent.clientSecret, heldUntil };
      case 'succeeded': {
        // It was paid while nobody was looking: a browser closed too early, a message that is still on its way.
        const settlement = await settleIntent(dependencies, intent);
        if (settlement?.kind === 'refunded') throw refundedRefusal(settlement);
        throw new Refusal('already_paid', `You have already paid for ${booking.laptop_name}.`);
      }
      case 'canceled':
        await store.endIntent(database, intent.transactionId, 'closed');
        break;
      case undefined:
        // The card provider has never heard of it: the shop's keys were changed, or test data deleted.
        if (known !== null) await store.endIntent(database, known, 'closed');
    }
  }
  throw new Refusal(
    'card_processor_unavailable',
    'The payment cannot be prepared right now. You have not been charged; please try again.',
  );
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
