import type { Reader } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type BookedLaptop, bookingState } from '../bookings/rules.ts';
import { bookingsOfLaptop, findBooking, salePaused } from '../bookings/steps.ts';
import { applyCapturedPayment, closeIntents } from './attempts.ts';
import { CardProcessorUnavailable } from './card-processor.ts';
import { deleteCustomer } from './customers.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { bookingCancelled } from './notifications.ts';
import { isCancelledForBuyer, refundSentence, refundStateSentences } from './rules.ts';
import type { PaymentOutcome } from './steps.ts';
import { type BookingsOf, type OpenIntent, openIntents } from './store.ts';

export type { PaymentDependencies } from './dependencies.ts';

/** Maps an unreachable card processor to a refusal. @throws Refusal `card_processor_unavailable` */
export async function mapUnavailable<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CardProcessorUnavailable) {
      throw new Refusal(
        'card_processor_unavailable',
        'The card processor cannot be reached right now. Your booking is kept; please try again in a moment.',
      );
    }
    throw error;
  }
}

/** The caller's own booking. @throws Refusal `not_found`, the same for another user's booking as for an unknown id */
export async function requireBooking(reader: Reader, caller: Caller, id: string): Promise<BookedLaptop> {
  const booking = await findBooking(reader, id);
  if (booking?.buyer_id !== caller.userId) {
    throw new Refusal('not_found', 'There is no such booking of yours.');
  }
  return booking;
}

/** The refusal for a payment that is refunded. */
export function refundedRefusal(settlement: Extract<PaymentOutcome, { kind: 'refunded' }>): Refusal {
  const sentence = refundSentence(settlement.reason, settlement.laptopName);
  return new Refusal('refunded', `${sentence} ${refundStateSentences[settlement.state]}`);
}

/**
 * Applies a payment that the browser reports, after reading its status from the card processor.
 * @returns the order's id, the same on each call @throws Refusal, CardProcessorUnavailable
 */
export async function recordPayment(
  dependencies: PaymentDependencies,
  caller: Caller,
  reported: { transactionId: string; bookingId: string },
): Promise<string> {
  const booking = await requireBooking(dependencies.database, caller, reported.bookingId);
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
  const settlement = await applyCapturedPayment(dependencies, intent);
  if (settlement === null) {
    throw new Refusal('payment_not_proven', 'The card processor knows no such payment for this booking.');
  }
  if (settlement.kind === 'refunded') throw refundedRefusal(settlement);
  return settlement.orderId;
}

/**
 * Cancels a buyer's open payment attempts.
 * @returns whether one is still being processed, so that money may yet be taken
 * @throws Refusal `card_processor_unavailable`
 */
export async function cancelPaymentsOfBuyer(
  dependencies: PaymentDependencies,
  buyerId: string,
): Promise<boolean> {
  const bookings = { column: 'buyer_id', id: buyerId } as const;
  const { database } = dependencies;
  await mapUnavailable(closeIntents(dependencies, await openIntents(database, bookings)));
  return (await openIntents(database, bookings)).length > 0;
}

/**
 * Closes open attempts of bookings that cannot be paid any more. The attempts are read first: one that a buyer starts afterwards,
 * because the laptop is for sale again and booked again, stays open however late this runs.
 */
export async function closeUnpayableAttempts(
  dependencies: PaymentDependencies,
  bookings: BookingsOf,
): Promise<void> {
  const { database } = dependencies;
  const open = await openIntents(database, bookings);
  const cancelled: OpenIntent[] = [];
  for (const intent of open) {
    const booking = await findBooking(database, intent.bookingId);
    if (booking !== undefined && bookingState(booking) !== 'Unpaid') cancelled.push(intent);
  }
  await closeIntents(dependencies, cancelled);
}

/** Handles a laptop's withdrawal: closes its open payment attempts and queues emails to the buyers whose bookings it cancelled. */
export async function handleLaptopWithdrawn(
  dependencies: PaymentDependencies,
  { laptopId, at }: { laptopId: string; at: string },
): Promise<void> {
  const { database, enqueue } = dependencies;
  await closeUnpayableAttempts(dependencies, { column: 'laptop_id', id: laptopId });
  await database.transaction().execute(async (transaction) => {
    for (const booking of await bookingsOfLaptop(transaction, laptopId)) {
      // An earlier withdrawal is stored when the laptop is for sale again; so is this one, if that came before this job.
      const isEarlier = booking.cancelled_at !== null && booking.cancelled_at < new Date(at);
      if (isCancelledForBuyer(booking) && !isEarlier) {
        await enqueue(transaction, bookingCancelled, { bookingId: booking.id });
      }
    }
  });
}

/** Handles a lock that was found on a laptop or released: closes open attempts, and queues emails to buyers with bookings. */
export async function handleDeviceLockChanged(
  dependencies: PaymentDependencies,
  laptopId: string,
): Promise<void> {
  const { database, enqueue } = dependencies;
  await closeUnpayableAttempts(dependencies, { column: 'laptop_id', id: laptopId });
  await database.transaction().execute(async (transaction) => {
    for (const booking of await bookingsOfLaptop(transaction, laptopId)) {
      const state = bookingState(booking);
      if (state !== 'Paused' && state !== 'Unpaid') continue;
      await enqueue(transaction, salePaused, { bookingId: booking.id, isPaused: state === 'Paused' });
    }
  });
}

/**
 * Handles `buyerEnded`: closes the buyer's open attempts, of which reconciliation follows those that are still being
 * processed, and deletes the customer. @throws CardProcessorUnavailable, CardProcessorRefusal
 */
export async function handleBuyerEnded(dependencies: PaymentDependencies, buyerId: string): Promise<void> {
  await closeUnpayableAttempts(dependencies, { column: 'buyer_id', id: buyerId });
  await deleteCustomer(dependencies, buyerId);
}
