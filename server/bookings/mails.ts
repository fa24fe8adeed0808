import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { mailOf } from '#letters/letter.ts';
import type { Mail } from '../vendors/mail.ts';
import type { BookedLaptop } from './rules.ts';

/** Tells a seller that a laptop was booked. */
export function bookedMail(
  booking: BookedLaptop,
  seller: { name: string; email: string },
  origin: string,
): Mail {
  return mailOf({
    to: seller.email,
    subject: `${booking.laptop_name} was booked`,
    greeting: `Hello ${seller.name},`,
    paragraphs: [
      `${booking.buyer_name} has booked your ${booking.laptop_name}. It stays in the shop until somebody has paid for it; we write to you then.`,
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Price', formatDollars(dollarsFromCents(booking.price_cents))],
      ['Buyer', booking.buyer_name],
      ['Phone', booking.phone],
      ['Meeting location', booking.location],
    ],
    action: { label: 'See your buyers', url: `${origin}/dashboard/myBuyers` },
  });
}
