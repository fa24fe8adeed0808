import { recipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { type BookedLaptop, bookingState } from '../bookings/rules.ts';
import { bookingsOfLaptop, findBooking } from '../bookings/steps.ts';
import type { Mailer } from '../vendors/mail.ts';
import { makeIntent, type PaymentDependencies, settleIntent } from './actions.ts';
import { type CardIntent, CardProcessorRefusal, untilAborted } from './cards.ts';
import { takeDisputesToCheck } from './dispute-store.ts';
import { followDispute } from './disputes.ts';
import * as mails from './mails.ts';
import { postponeRefundCheck, refundReasonsOf, refundsToCheck } from './refund-store.ts';
import { lookAfterRefund } from './refunds.ts';
import {
  ABANDONED_MILLISECONDS,
  nextCheck,
  nextRefundCheck,
  REPEATABLE_MILLISECONDS,
  tomorrow,
} from './rules.ts';
import { bookingCancelled } from './steps.ts';
import * as store from './store.ts';

/** What follows a payment, a refund or a laptop's leaving; all of it runs as jobs, at least once. */
export interface FollowUpDependencies extends PaymentDependencies {
  mailer: Mailer;
  origin: string;
}

/** Takes over what the card provider says of an intent now. Late, doubled and reordered news end the same. */
async function takeOver(dependencies: PaymentDependencies, intent: CardIntent): Promise<void> {
  if (intent.status === 'succeeded') await settleIntent(dependencies, intent);
  if (intent.status === 'canceled')
    await store.endIntent(dependencies.database, intent.transactionId, 'closed');
}

/** An event says that something happened to an intent: asks what is true now, and takes that over. */
export async function followEvent(dependencies: PaymentDependencies, transactionId: string): Promise<void> {
  const intent = await dependencies.cards.readIntent(transactionId);
  if (intent !== null) await takeOver(dependencies, intent);
}

/** Forgets the events that the card provider cannot repeat any more. */
export function forgetOldEvents(
  { database }: Pick<PaymentDependencies, 'database'>,
  now: Date,
): Promise<void> {
  return store.removeEvents(database, new Date(now.getTime() - REPEATABLE_MILLISECONDS));
}

/** How much is asked of the card provider side by side: the connections to the database must stay open to buyers. */
const ROUND = 10;

/** Works off all items, so that one payment in trouble never holds up the others. @returns the failures */
async function workOff<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; start += ROUND) {
    const outcomes = await Promise.allSettled(items.slice(start, start + ROUND).map(work));
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  return failures;
}

function throwFirst(failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures[0];
}

/** Cancels an attempt at the card provider, and takes over how it is afterwards: canceled, or paid a moment before. */
async function close(dependencies: PaymentDependencies, transactionId: string): Promise<void> {
  const intent = await dependencies.cards.cancelIntent(transactionId);
  if (intent === null) await store.endIntent(dependencies.database, transactionId, 'closed');
  else await takeOver(dependencies, intent);
}

/** Cancels the attempts at a laptop that can no longer be paid for. One that was just paid goes back instead. */
export async function closeAttemptsAt(dependencies: PaymentDependencies, laptopId: string): Promise<void> {
  const open = await store.openIntentsOfLaptop(dependencies.database, laptopId);
  throwFirst(await workOff(open, (transactionId) => close(dependencies, transactionId)));
}

/**
 * Cancels the open attempts of a buyer who wants to leave, or had to.
 * @returns whether the card provider is still working on one, so that money may yet be taken @throws CardProcessorAway
 */
export async function closeAttemptsOf(dependencies: PaymentDependencies, buyerId: string): Promise<boolean> {
  const open = await store.openIntentsOfBuyer(dependencies.database, buyerId);
  throwFirst(await workOff(open, (transactionId) => close(dependencies, transactionId)));
  return (await store.openIntentsOfBuyer(dependencies.database, buyerId)).length > 0;
}

/** Mails the buyer or the seller about a payment. */
export async function tellPaid(
  { database, mailer, origin }: FollowUpDependencies,
  { paymentId, tell }: { paymentId: string; tell: 'buyer' | 'seller' },
): Promise<void> {
  const payment = await store.findPaymentById(database, paymentId);
  const booking = payment && (await findBooking(database, payment.booking_id));
  const seller = booking && (await findUser(database, booking.seller_id));
  if (!payment || !booking || !seller) return;
  const sale = { booking, seller: recipient(seller), transactionId: payment.transaction_id };
  await mailer.send(
    tell === 'buyer' ? mails.paidMailToBuyer(sale, origin) : mails.paidMailToSeller(sale, origin),
  );
}

const isToBeTold = (booking: BookedLaptop) =>
  bookingState(booking) === 'Cancelled' && booking.buyer_ended_at === null;

/**
 * Cancels the attempts at paying for a laptop that left the shop unsold, and has each who had booked it told by a job
 * of their own: a letter that is refused is tried again without the others.
 */
export async function tellWithdrawn(dependencies: PaymentDependencies, laptopId: string): Promise<void> {
  const { database, enqueue } = dependencies;
  await closeAttemptsAt(dependencies, laptopId);
  await database.transaction().execute(async (transaction) => {
    for (const booking of await bookingsOfLaptop(transaction, laptopId)) {
      if (isToBeTold(booking)) await enqueue(transaction, bookingCancelled, { bookingId: booking.id });
    }
  });
}

/** Mails a buyer that a booked laptop left the shop unsold, unless the letter about the money says so. */
export async function tellCancelled(
  { database, mailer, origin }: FollowUpDependencies,
  bookingId: string,
): Promise<void> {
  const booking = await findBooking(database, bookingId);
  if (booking === null || !isToBeTold(booking)) return;
  const refunds = await refundReasonsOf(database, bookingId);
  if (refunds.includes('left_the_shop')) return;
  const mayBeCharged = refunds.length > 0 || (await store.hasOpenIntent(database, bookingId));
  await mailer.send(mails.cancelledMail(booking, mayBeCharged, origin));
}

/** The intent of an attempt whose id the shop never learned; null when there is none, and the attempt has ended. */
async function findIntentId(
  dependencies: PaymentDependencies,
  attempt: store.IntentRow,
  { booking, abandoned }: { booking: BookedLaptop; abandoned: boolean },
): Promise<string | null> {
  const { database } = dependencies;
  // Without the id no buyer has got the client secret, so nobody can pay. After a day the key is no longer known at
  // the card processor either, and asking again would make another intent.
  if (abandoned) {
    await store.abandonAttempt(database, attempt.id);
    return null;
  }
  try {
    return (await makeIntent(dependencies, attempt, booking)).transactionId;
  } catch (error) {
    if (!(error instanceof CardProcessorRefusal)) throw error;
    await store.abandonAttempt(database, attempt.id);
    return null;
  }
}

/** Asks about one attempt, and ends it at the card provider when it has been abandoned or can buy nothing any more. */
async function lookAfter(
  dependencies: PaymentDependencies,
  attempt: store.IntentRow,
  now: Date,
): Promise<void> {
  const { database, cards } = dependencies;
  const abandoned = now.getTime() - attempt.created_at.getTime() > ABANDONED_MILLISECONDS;
  const booking = await findBooking(database, attempt.booking_id);
  if (booking === null) return;
  const transactionId =
    attempt.transaction_id ?? (await findIntentId(dependencies, attempt, { booking, abandoned }));
  if (transactionId === null) return;
  if (abandoned || bookingState(booking) !== 'Unpaid') return close(dependencies, transactionId);
  const intent = await cards.readIntent(transactionId);
  if (intent === null) await store.endIntent(database, transactionId, 'closed');
  else await takeOver(dependencies, intent);
}

/**
 * Takes what is due and works it off, until nothing is due or the card provider answers nobody any more.
 * @returns the failures; what failed has been put off, so that it keeps nothing else out of the next round
 */
async function untilNothingIsDue<Item>(
  signal: AbortSignal,
  take: () => Promise<readonly Item[]>,
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (;;) {
    if (signal.aborted) return failures;
    const due = await take();
    const failed = await workOff(due, work);
    failures.push(...failed);
    if (due.length < ROUND || failed.length === due.length) return failures;
  }
}

/**
 * Looks after money of which nothing has been heard: a browser closed between the card's confirmation and its report,
 * an event that never came, a server that was killed in between, a refund that the card provider would not make for
 * so long that its job was given up, that takes its time, or that the buyer's bank may yet send back, a dispute that
 * is open. Runs on a timer in every process, until nothing is due; whatever fails keeps nothing else waiting.
 * @param signal ends it: calls under way fail, and no other begins
 * @throws the first failure of a round; what was due then is asked about again later
 */
export async function reconcile(
  unbounded: PaymentDependencies,
  now: Date,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const dependencies = { ...unbounded, cards: untilAborted(unbounded.cards, signal) };
  const { database } = dependencies;
  const attempts = () =>
    database.transaction().execute(async (transaction) => {
      const due = await store.intentsToCheck(transaction, now, ROUND);
      for (const attempt of due) {
        await store.postponeCheck(transaction, attempt.id, nextCheck(attempt.created_at, now));
      }
      return due;
    });
  const refunds = () =>
    database.transaction().execute(async (transaction) => {
      const due = await refundsToCheck(transaction, now, ROUND);
      for (const refund of due) {
        await postponeRefundCheck(transaction, refund.id, nextRefundCheck(refund, now));
      }
      return due;
    });
  const disputes = () =>
    database
      .transaction()
      .execute((transaction) => takeDisputesToCheck(transaction, now, tomorrow(now), ROUND));
  throwFirst([
    ...(await untilNothingIsDue(signal, attempts, (attempt) => lookAfter(dependencies, attempt, now))),
    ...(await untilNothingIsDue(signal, refunds, ({ id }) => lookAfterRefund(dependencies, id))),
    ...(await untilNothingIsDue(signal, disputes, (cardDisputeId) =>
      followDispute(dependencies, cardDisputeId),
    )),
  ]);
}
