import { selectLaptopForUpdate } from '#server/listings/catalogue/steps.ts';
import { lockActiveAccount } from '#server/people/accounts/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, formatWait, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { requireIdentity } from '../bookings/refusals.ts';
import { type BookedLaptop, bookingState, deliveryToChoose } from '../bookings/rules.ts';
import { type OtherPaymentWindow, openPaymentWindow, type PaymentWindowDecision } from '../bookings/steps.ts';
import { payablePrice, priceToPay } from '../order-price.ts';
import { refundedRefusal, requireBooking } from './actions.ts';
import { applyCapturedPayment, closeAttempt, createIntent } from './attempts.ts';
import { type CardIntent, CardProcessorRefusal } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { MINIMUM_CHECK_INTERVAL_MS } from './rules.ts';
import * as store from './store.ts';

/** @throws Refusal when the booking cannot be paid now */
function requirePayable(booking: BookedLaptop): void {
  switch (bookingState(booking)) {
    case 'Paid':
      throw booking.ended_at === null
        ? new Refusal('already_paid', `You have already paid for ${booking.laptop_name}.`)
        : new Refusal(
            'booking_cancelled',
            `Your order of ${booking.laptop_name} has ended, and you have not been charged again. If it is for sale, you can book it anew.`,
          );
    case 'Sold':
      throw new Refusal(
        'already_sold',
        `${booking.laptop_name} was sold to another buyer. If your card was charged for it, the money comes back.`,
      );
    case 'Cancelled':
      throw new Refusal(
        'booking_cancelled',
        `${booking.cancelled_by === 'buyer' ? `You cancelled your booking of ${booking.laptop_name}.` : `${booking.laptop_name} left the shop.`} If your card was charged for it, the money comes back.`,
      );
    case 'Paused':
      throw new Refusal(
        'sale_paused',
        `A lock was found when ${booking.laptop_name} was measured, so it cannot be paid now. Your booking is kept, and we write to you when the laptop can be paid. If your card was charged for it, the money comes back.`,
      );
    case 'Unpaid':
      return;
  }
}

/** The refusal for a buyer who has to wait, with the place in line. */
function busyRefusal(
  { laptop_name }: BookedLaptop,
  { until, place }: Extract<PaymentWindowDecision, { kind: 'busy' }>,
  now: Date,
): Refusal {
  const line =
    place === null
      ? 'You have had 20 minutes to pay for it, so others come first now.'
      : place === 1
        ? 'You are next in line.'
        : `You are number ${place} in line.`;
  return new Refusal(
    'somebody_is_paying',
    `Somebody is paying for ${laptop_name} right now. ${line} Your booking is kept; please try again ${formatWait(until, now)}.`,
    { retryAt: until, ...(place !== null && { place }) },
  );
}

/** The refusal for a buyer who already has the maximum number of payment windows, with those. */
function tooManyPaymentWindowsRefusal(
  { laptop_name }: BookedLaptop,
  others: readonly OtherPaymentWindow[],
): Refusal {
  const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(
    others.map(({ productName }) => productName),
  );
  const [first] = others;
  return new Refusal(
    'too_many_payment_windows',
    `You are paying for ${names} already, and a buyer can pay for two laptops at the same time. Your booking of ${laptop_name} is kept; pay for one of the others first, or release it.`,
    {
      ...(first !== undefined && { retryAt: first.paymentWindowEndsAt }),
      paymentWindows: others.map(({ paymentWindowEndsAt, ...laptop }) => ({
        ...laptop,
        paymentWindowEndsAt: paymentWindowEndsAt.toISOString(),
      })),
    },
  );
}

/** The payment window under which a buyer pays. */
interface PaymentWindowStatus {
  /** When the exclusive payment window expires; null without one. */
  paymentWindowEndsAt: Date | null;
  /** How many buyers wait in line. The payment window is not renewed while this is above 0. */
  waiting: number;
}

/** A refusal is returned and not thrown, so that the transaction commits the place in line. */
type BeginResult =
  | { refusal: Refusal }
  | {
      attempt: store.IntentRow;
      booking: BookedLaptop;
      amountCents: number;
      paymentWindow: PaymentWindowStatus;
    };

/** Takes or renews the payment window, and finds or inserts the attempt. @throws Refusal */
async function beginAttempt(
  transaction: Transaction,
  caller: Caller,
  input: { bookingId: string; price: number },
): Promise<BeginResult> {
  if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
  const { laptop_id } = await requireBooking(transaction, caller, input.bookingId);
  await selectLaptopForUpdate(transaction, laptop_id);
  const booking = await requireBooking(transaction, caller, input.bookingId);
  requirePayable(booking);
  const price = priceToPay(booking, input.price);
  if ('refusal' in price) throw new Refusal(price.refusal.code, price.refusal.detail);
  const toChoose = deliveryToChoose(booking);
  if (toChoose !== null) {
    throw new Refusal(
      'delivery_not_chosen',
      `${toChoose}. You have not been charged, and your booking is kept; please choose again how you get it.`,
    );
  }
  const amountCents = price.priceCents;
  const now = new Date();
  const { others, ...answer } = await openPaymentWindow(transaction, booking, now);
  if (answer.kind === 'busy') return { refusal: busyRefusal(booking, answer, now) };
  if (answer.kind === 'too_many') return { refusal: tooManyPaymentWindowsRefusal(booking, others) };
  return {
    attempt: await store.openIntent(
      transaction,
      { bookingId: booking.id, amountCents },
      new Date(now.getTime() + MINIMUM_CHECK_INTERVAL_MS),
    ),
    booking,
    amountCents,
    paymentWindow:
      answer.kind === 'open'
        ? { paymentWindowEndsAt: answer.paymentWindow.expiresAt, waiting: answer.waiting }
        : { paymentWindowEndsAt: null, waiting: 0 },
  };
}

/**
 * Creates an attempt's intent. Closes the attempt when the card processor refuses it for good.
 * @throws Refusal `card_processor_refused`, CardProcessorUnavailable
 */
async function createIntentOrRefuse(
  dependencies: PaymentDependencies,
  attempt: store.IntentRow,
  booking: BookedLaptop,
): Promise<CardIntent> {
  try {
    return await createIntent(dependencies, attempt, booking);
  } catch (error) {
    if (!(error instanceof CardProcessorRefusal)) throw error;
    await store.abandonAttempt(dependencies.database, attempt.id);
    throw new Refusal(
      'card_processor_refused',
      `The card processor does not accept a payment for ${booking.laptop_name}. You have not been charged, and your booking is kept; please write to the shop.`,
    );
  }
}

/** Whether a booking can be paid at this price. */
async function isPayableAt(
  { database }: PaymentDependencies,
  caller: Caller,
  bookingId: string,
  amountCents: number,
): Promise<boolean> {
  const booking = await requireBooking(database, caller, bookingId);
  return bookingState(booking) === 'Unpaid' && payablePrice(booking) === amountCents;
}

/** How many attempts to try when each has ended in the meantime. */
const MAXIMUM_ATTEMPTS = 3;

/**
 * Prepares the payment of the caller's booking: takes or renews the payment window and returns the one intent that can pay it.
 * A repeated call returns the same intent while that can still be paid, so the buyer cannot be charged twice.
 * @throws Refusal, CardProcessorUnavailable
 */
export async function preparePayment(
  dependencies: PaymentDependencies,
  caller: Caller,
  input: { bookingId: string; price: number },
): Promise<{ clientSecret: string } & PaymentWindowStatus> {
  const { database, cards } = dependencies;
  requireIdentity(dependencies);
  for (let round = 0; round < MAXIMUM_ATTEMPTS; round += 1) {
    const begun = await database
      .transaction()
      .execute((transaction) => beginAttempt(transaction, caller, input));
    if ('refusal' in begun) throw begun.refusal;
    const { attempt, booking, amountCents, paymentWindow } = begun;
    const known = attempt.transaction_id;
    const intent =
      known === null
        ? await createIntentOrRefuse(dependencies, attempt, booking)
        : await cards.readIntent(known);
    // An attempt from before the price changed. One from before the booking was cancelled and made again may still be
    // closed by the job of the cancellation.
    const isOutdated =
      attempt.amount_cents !== amountCents ||
      attempt.created_at < booking.booked_at ||
      // Changed while the intent was created. A later change finds the intent's id in the row and closes it.
      (known === null && !(await isPayableAt(dependencies, caller, booking.id, amountCents)));
    if (intent?.status === 'payable' && isOutdated) {
      await closeAttempt(dependencies, intent.transactionId);
      continue;
    }
    switch (intent?.status) {
      case 'payable':
      case 'processing':
        return { clientSecret: intent.clientSecret, ...paymentWindow };
      case 'succeeded': {
        // Paid without a report: the browser closed too early, or the event is still on its way.
        const settlement = await applyCapturedPayment(dependencies, intent);
        if (settlement?.kind === 'refunded') throw refundedRefusal(settlement);
        throw new Refusal('already_paid', `You have already paid for ${booking.laptop_name}.`);
      }
      case 'canceled':
        await store.endIntent(database, intent.transactionId, 'closed');
        break;
      case undefined:
        // The card processor does not know the intent: the shop's keys were changed, or test data was deleted.
        if (known !== null) await store.endIntent(database, known, 'closed');
    }
  }
  throw new Refusal(
    'card_processor_unavailable',
    'The payment cannot be prepared right now. You have not been charged; please try again.',
  );
}
