// What a buyer pays for a laptop: its price at the moment of the payment, in the shop's currency, if the buyer has agreed to it
// (decisions 21 and 42). Nothing is added: the commission and the shipping label are the seller's (`proceedsCents` of orders). Triggers
// of `bookings` and `orders` in server/platform/database/schema/sales.sql lower the agreed price and refuse an order at another one.

import { currency, formatCents } from '#contract/platform/money.ts';
import type { RefusalCode } from '#contract/platform/refusals.ts';
import { amountFromCents } from '#contract/platform/scalars.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import type { RefundReason } from '#server/money/refunds/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** The two prices that decide what a buyer pays, in cents. */
export interface BookedPrice extends Pick<Row<'bookings'>, 'price_cents'> {
  laptop_price_cents: number;
}

/** The same, and the two prices of the last notification to the buyer: the laptop's and the agreed one. */
export type NotifiedPrice = BookedPrice &
  Pick<Row<'bookings'>, 'notified_price_cents' | 'agreed_when_notified_cents'>;

/** Why a buyer cannot pay now. */
export interface PriceRefusal {
  code: Extract<RefusalCode, 'price_not_agreed' | 'price_differs'>;
  detail: string;
}

/**
 * The price at which an unpaid booking can be paid: the laptop's, unless that is above the agreed price. A trigger lowers
 * the agreed price with the laptop's.
 * @returns cents; null while the buyer has to agree first
 */
export const payablePrice = ({ laptop_price_cents, price_cents }: BookedPrice): number | null =>
  laptop_price_cents <= price_cents ? laptop_price_cents : null;

/** The prices that a booking shows. @param isUnpaid whether it can still be paid, now or after an agreement */
export function shownPrices(booking: BookedPrice, isUnpaid: boolean): Pick<Booking, 'price' | 'newPrice'> {
  const agreed = amountFromCents(booking.price_cents);
  if (!isUnpaid) return { price: agreed };
  const current = amountFromCents(booking.laptop_price_cents);
  return payablePrice(booking) === null ? { price: agreed, newPrice: current } : { price: current };
}

/** Why a laptop is not booked at the price that the buyer has seen; null when it is. @param seenCents null without one */
export function bookingPriceRefusal(
  laptop: { name: string; resale_price_cents: number },
  seenCents: number | null,
): string | null {
  if (laptop.resale_price_cents === seenCents) return null;
  const price = formatCents(laptop.resale_price_cents);
  return `The price of ${laptop.name} is ${price} now. Please have another look before you book it.`;
}

/** Why a buyer cannot agree to the price that the buyer has seen; null when the buyer can. */
export function agreementRefusal(
  booking: { laptop_name: string; laptop_price_cents: number },
  seenCents: number,
): PriceRefusal | null {
  if (booking.laptop_price_cents === seenCents) return null;
  const price = formatCents(booking.laptop_price_cents);
  return {
    code: 'price_differs',
    detail: `The price of ${booking.laptop_name} has changed again: it is ${price} now. You have not agreed to it; please have another look.`,
  };
}

/**
 * The price at which the payment of an unpaid booking begins.
 * @param seenCents the price that the buyer has seen
 * @returns cents, or the refusal when the buyer has not agreed to the laptop's price, or has seen another one
 */
export function priceToPay(
  booking: BookedPrice & { laptop_name: string },
  seenCents: number,
): { priceCents: number } | { refusal: PriceRefusal } {
  const { laptop_name: laptop } = booking;
  const priceCents = payablePrice(booking);
  if (priceCents === null) {
    const [agreed, now] = [formatCents(booking.price_cents), formatCents(booking.laptop_price_cents)];
    return {
      refusal: {
        code: 'price_not_agreed',
        detail: `The price of ${laptop} has changed from ${agreed} to ${now}. You have not been charged, and your booking is kept; please agree to the new price or cancel the booking.`,
      },
    };
  }
  if (seenCents !== priceCents) {
    const price = formatCents(priceCents);
    return {
      refusal: {
        code: 'price_differs',
        detail: `The price of ${laptop} is ${price}. You have not been charged.`,
      },
    };
  }
  return { priceCents };
}

/**
 * The price of the order that is opened for a captured payment.
 * @param attemptCents the amount of the shop's attempt with this intent; null without one
 * @returns cents, or why the money is refunded: `price_changed` if it was the price when the buyer began to pay, else `wrong_amount`
 */
export function priceOfOrder(
  captured: { receivedCents: number; currency: string },
  booking: BookedPrice,
  attemptCents: number | null,
): { priceCents: number } | { refundReason: Extract<RefundReason, 'wrong_amount' | 'price_changed'> } {
  const { receivedCents } = captured;
  if (captured.currency !== currency.code.toLowerCase()) return { refundReason: 'wrong_amount' };
  if (receivedCents === payablePrice(booking)) return { priceCents: receivedCents };
  return { refundReason: receivedCents === attemptCents ? 'price_changed' : 'wrong_amount' };
}

/** The price of an unpaid booking that its buyer knows, in cents. */
export const knownPrice = ({
  notified_price_cents,
  price_cents,
}: Pick<NotifiedPrice, 'notified_price_cents' | 'price_cents'>): number =>
  notified_price_cents ?? price_cents;

/**
 * Whether the price of an unpaid booking was lowered and raised again without an email about the lowering. The buyer has to
 * agree then, also to a price that the buyer knows from before.
 */
export function isReductionUnannounced(booking: NotifiedPrice): boolean {
  const { price_cents, notified_price_cents, agreed_when_notified_cents } = booking;
  if (payablePrice(booking) !== null || notified_price_cents === null) return false;
  return notified_price_cents > price_cents && agreed_when_notified_cents !== price_cents;
}
