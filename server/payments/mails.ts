import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { mailOf } from '#letters/letter.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import type { Mail } from '../vendors/mail.ts';
import { type RefundReason, refundSentence } from './rules.ts';

/** A sale, as its mails tell of it. */
export interface Sale {
  booking: BookedLaptop;
  seller: { name: string; email: string };
  transactionId: string;
}

const dollars = (cents: number) => formatDollars(dollarsFromCents(cents));

/** The buyer's receipt, with how to reach the seller. */
export function paidMailToBuyer({ booking, seller, transactionId }: Sale, origin: string): Mail {
  return mailOf({
    to: booking.buyer_email,
    subject: `You have paid for ${booking.laptop_name}`,
    greeting: `Hello ${booking.buyer_name},`,
    paragraphs: [
      `Your payment of ${dollars(booking.price_cents)} is complete, and the ${booking.laptop_name} is yours. ${seller.name} knows and will meet you as agreed.`,
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Price', dollars(booking.price_cents)],
      ['Transaction', transactionId],
      ['Seller', `${seller.name}, ${seller.email}`],
      ['Meeting location', booking.location],
    ],
    action: { label: 'See your orders', url: `${origin}/dashboard/myOrders` },
  });
}

/** Tells the seller that the laptop is sold, and to whom. */
export function paidMailToSeller({ booking, seller, transactionId }: Sale, origin: string): Mail {
  return mailOf({
    to: seller.email,
    subject: `${booking.laptop_name} is sold`,
    greeting: `Hello ${seller.name},`,
    paragraphs: [
      `${booking.buyer_name} has paid ${dollars(booking.price_cents)} for your ${booking.laptop_name}. It is off the shelf; please arrange to hand it over.`,
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Price', dollars(booking.price_cents)],
      ['Transaction', transactionId],
      ['Buyer', `${booking.buyer_name}, ${booking.buyer_email}`],
      ['Phone', booking.phone],
      ['Meeting location', booking.location],
    ],
    action: { label: 'See your buyers', url: `${origin}/dashboard/myBuyers` },
  });
}

/** Tells a buyer that money went back, and why. */
export function refundedMail(
  booking: BookedLaptop,
  refund: { reason: RefundReason; amount_cents: number; transaction_id: string },
  origin: string,
): Mail {
  return mailOf({
    to: booking.buyer_email,
    subject: `Your money for ${booking.laptop_name} is on its way back`,
    greeting: `Hello ${booking.buyer_name},`,
    paragraphs: [
      refundSentence(refund.reason, booking.laptop_name),
      `We have sent ${dollars(refund.amount_cents)} back to your card. Banks show it within 5 to 10 days.`,
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Refund', dollars(refund.amount_cents)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See your orders', url: `${origin}/dashboard/myOrders` },
  });
}

/** Tells a buyer that a booked laptop left the shop unsold. */
export function cancelledMail(booking: BookedLaptop, origin: string): Mail {
  return mailOf({
    to: booking.buyer_email,
    subject: `Your booking of ${booking.laptop_name} was cancelled`,
    greeting: `Hello ${booking.buyer_name},`,
    paragraphs: [
      `The ${booking.laptop_name} that you booked has left the shop, so your booking was cancelled. You have not been charged.`,
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Price', dollars(booking.price_cents)],
    ],
    action: { label: 'Look for another', url: `${origin}/home` },
  });
}
