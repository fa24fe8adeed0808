import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { renderEmail } from '#emails/email.ts';
import type { Account } from '#emails/user-text.ts';
import type { EmailMessage } from '../vendors/email.ts';
import { type BookedLaptop, emailTexts } from './rules.ts';

/** The email to the seller of a booked laptop. */
export function bookedEmail(booking: BookedLaptop, seller: Account, origin: string): EmailMessage {
  const { laptop, buyer, location } = emailTexts(booking);
  return renderEmail({
    to: seller,
    subject: `${laptop} was booked`,
    paragraphs: [
      `${buyer} has booked your ${laptop}. It stays in the shop until somebody has paid for it; we write to you then.`,
    ],
    facts: [
      ['Laptop', laptop],
      ['Price', formatDollars(dollarsFromCents(booking.price_cents))],
      ['Buyer', buyer],
      ['Phone', booking.phone],
      ['Meeting location', location],
    ],
    action: { label: 'See your buyers', url: `${origin}/dashboard/myBuyers` },
  });
}

/** The email to the seller of a laptop whose buyer cancelled the booking. */
export function cancelledByBuyerEmail(booking: BookedLaptop, seller: Account, origin: string): EmailMessage {
  const { laptop, buyer } = emailTexts(booking);
  return renderEmail({
    to: seller,
    subject: `A booking of ${laptop} was cancelled`,
    paragraphs: [
      `${buyer} has cancelled the booking of your ${laptop}. Your laptop is listed as before, and other bookings of it stay.`,
    ],
    facts: [
      ['Laptop', laptop],
      ['Price', formatDollars(dollarsFromCents(booking.price_cents))],
      ['Buyer', buyer],
    ],
    action: { label: 'See your buyers', url: `${origin}/dashboard/myBuyers` },
  });
}
