import * as z from 'zod/mini';
import { formatCents } from '#contract/platform/money.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { isReductionUnannounced, knownPrice, payablePrice } from '../order-price.ts';
import { type BookedLaptop, bookingState, emailTexts } from './rules.ts';
import * as store from './store.ts';

/** A notification about a booking. @param text.facts those besides the laptop */
const bookingText = (
  booking: BookedLaptop,
  { facts = [], ...text }: Omit<NotificationText, 'topic'>,
): NotificationText => ({
  topic: 'bookings',
  ...text,
  facts: [['Laptop', emailTexts(booking).laptop], ...facts],
});

/** A notification to the seller about what a buyer did. */
const textToSeller = (
  booking: BookedLaptop,
  { facts, ...text }: Pick<NotificationText, 'title' | 'paragraphs' | 'facts'>,
): NotificationText =>
  bookingText(booking, {
    ...text,
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    facts: [
      ['Price', formatCents(booking.price_cents)],
      ['Buyer', emailTexts(booking).buyer],
      ...(facts ?? []),
    ],
    action: { label: 'See your buyers', path: '/dashboard/myBuyers' },
  });

const ownOrders: NotificationText['action'] = { label: 'See your orders', path: '/dashboard/myOrders' };

/** Two bookings and their cancellations. */
const MAXIMUM_TOLD_A_DAY = 4;

/** Whether a seller was notified so often of a buyer's bookings of a laptop that more would be a way to flood the seller. */
const isToldEnough = async (database: Database, booking: BookedLaptop): Promise<boolean> =>
  (await store.countToldToday(database, booking, MAXIMUM_TOLD_A_DAY)) === MAXIMUM_TOLD_A_DAY;

/**
 * A laptop was booked. The seller is told, unless the booking was cancelled since, or the same buyer has booked and cancelled it again
 * and again: My Buyers shows what became of it.
 */
export const bookingMade = notification(
  'bookings.booking-made',
  z.object({ bookingId: z.string() }),
  async ({ database }, { bookingId }) => {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) === 'Cancelled') return null;
    if (await isToldEnough(database, booking)) return null;
    const { laptop, buyer } = emailTexts(booking);
    const text = textToSeller(booking, {
      title: `${laptop} was booked`,
      paragraphs: [
        `${buyer} has booked your ${laptop}. It stays in the shop until somebody has paid for it; we write to you then.`,
        booking.delivery === 'ship'
          ? 'The buyer wants it sent by parcel. You read the address once it is paid.'
          : 'Where the buyer wants to meet you is on My Buyers.',
      ],
      facts: [['Phone', formatPhone(booking.phone)]],
    });
    return { userId: booking.seller_id, laptopId: booking.laptop_id, text };
  },
);

/** A buyer cancelled a booking. The seller is told, unless the laptop was booked again since, or as of {@link bookingMade}. */
export const bookingCancelledByBuyer = notification(
  'bookings.cancelled-by-buyer',
  z.object({ bookingId: z.string() }),
  async ({ database }, { bookingId }) => {
    const booking = await store.findBooking(database, bookingId);
    if (booking?.cancelled_by !== 'buyer' || (await isToldEnough(database, booking))) return null;
    const { laptop, buyer } = emailTexts(booking);
    const text = textToSeller(booking, {
      title: `A booking of ${laptop} was cancelled`,
      paragraphs: [
        `${buyer} has cancelled the booking of your ${laptop}. Your laptop is listed as before, and other bookings are unaffected.`,
      ],
    });
    return { userId: booking.seller_id, laptopId: booking.laptop_id, text };
  },
);

/** The notification to a buyer with an unpaid booking of a laptop on which a lock was found, or of which it was released. */
function salePausedText(booking: BookedLaptop, isPaused: boolean): NotificationText {
  const { laptop } = emailTexts(booking);
  return bookingText(booking, {
    title: isPaused ? `${laptop} cannot be paid now` : `${laptop} can be paid again`,
    paragraphs: isPaused
      ? [
          `The ${laptop} that you booked was measured, and a lock was found on it, such as a password of an earlier owner. The shop does not sell a locked laptop, so it cannot be paid now.`,
          'Your booking is kept. The seller was told how to have the lock released, and we write to you when the laptop can be paid. If you have just paid for it, the money goes back to your card.',
        ]
      : [
          `The ${laptop} that you booked was measured again, and the lock was not found any more. You can pay for it in My Orders.`,
        ],
    action: ownOrders,
  });
}

/** A lock was found on a booked laptop, or was released. The buyer is told, unless that has changed since. */
export const salePaused = notification(
  'bookings.sale-paused',
  z.object({ bookingId: z.string(), isPaused: z.boolean() }),
  async ({ database }, { bookingId, isPaused }) => {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) !== (isPaused ? 'Paused' : 'Unpaid')) return null;
    const text = salePausedText(booking, isPaused);
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, text };
  },
);

/** The price of a booked laptop changed. `priceVersion` is the laptop's version with the new price. */
export const priceChanged = job(
  'bookings.price-changed',
  z.object({ bookingId: z.string(), priceVersion: z.int() }),
);

/** The notification to a buyer about the new price of a booked laptop. */
function priceChangedText(booking: BookedLaptop): NotificationText {
  const { laptop } = emailTexts(booking);
  const known = knownPrice(booking);
  const [agreed, now] = [formatCents(booking.price_cents), formatCents(booking.laptop_price_cents)];
  const before = isReductionUnannounced(booking) ? agreed : formatCents(known);
  const act = booking.laptop_price_cents < known ? 'lowered' : 'raised';
  const change = isReductionUnannounced(booking)
    ? `lowered the price from ${formatCents(known)} to ${agreed}, and has raised it to ${now} since.`
    : `has ${act} the price from ${before} to ${now}.`;
  const isPayable = payablePrice(booking) !== null;
  return bookingText(booking, {
    title: `New price for ${laptop}: ${now}`,
    paragraphs: [
      `The seller of the ${laptop} that you booked ${change}`,
      isPayable
        ? `Your booking is kept at ${now}: you can pay that in My Orders, and you have not been charged. If the price rises, you are asked before you pay more.`
        : `Your booking was last valid at ${agreed}. To buy at ${now}, agree to the new price in My Orders and pay; otherwise cancel there. Your booking is kept until then. You have not been charged.`,
    ],
    facts: [
      ['Price before', before],
      ['Price now', now],
    ],
    action: isPayable ? ownOrders : { ...ownOrders, label: 'Agree or cancel' },
  });
}

/**
 * Emails a buyer about the price of a booked laptop, unless the buyer knows it and whether to agree to it: of several changes,
 * the job of the last one does. A price that changes while the person is notified is told as well.
 */
export async function notifyPriceChanged(
  { database, notifier }: NotificationDependencies,
  { bookingId, priceVersion }: { bookingId: string; priceVersion: number },
  jobId: string,
): Promise<void> {
  let told = false;
  for (;;) {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) !== 'Unpaid') return;
    if (booking.laptop_price_cents === knownPrice(booking) && !isReductionUnannounced(booking)) return;
    if (!told && booking.laptop_price_version !== priceVersion) return;
    const event = `${jobId} ${booking.laptop_price_version}`;
    await notifier.notify(
      { userId: booking.buyer_id, event, laptopId: booking.laptop_id },
      priceChangedText(booking),
    );
    await store.recordToldPrice(database, booking);
    told = true;
  }
}

export const all = [bookingMade, bookingCancelledByBuyer, salePaused];
