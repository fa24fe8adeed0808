import { formatCents } from '#contract/platform/money.ts';
import type { Notice } from '#server/people/notifications/rules.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import { type BookedLaptop, emailTexts, isLoweringUnreported, knownPrice, payablePrice } from './rules.ts';

/** The notice to the seller of a booked laptop. */
export function bookedNotice(booking: BookedLaptop): Notice {
  const { laptop, buyer } = emailTexts(booking);
  return {
    topic: 'bookings',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `${laptop} was booked`,
    paragraphs: [
      `${buyer} has booked your ${laptop}. It stays in the shop until somebody has paid for it; we write to you then.`,
      booking.delivery === 'ship'
        ? 'The buyer wants it sent by parcel. You read the address once it is paid.'
        : 'Where the buyer wants to meet you is on My Buyers.',
    ],
    facts: [
      ['Laptop', laptop],
      ['Price', formatCents(booking.price_cents)],
      ['Buyer', buyer],
      ['Phone', formatPhone(booking.phone)],
    ],
    action: { label: 'See your buyers', path: '/dashboard/myBuyers' },
  };
}

/** The notice to the seller of a laptop whose buyer cancelled the booking. */
export function cancelledByBuyerNotice(booking: BookedLaptop): Notice {
  const { laptop, buyer } = emailTexts(booking);
  return {
    topic: 'bookings',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `A booking of ${laptop} was cancelled`,
    paragraphs: [
      `${buyer} has cancelled the booking of your ${laptop}. Your laptop is listed as before, and other bookings are unaffected.`,
    ],
    facts: [
      ['Laptop', laptop],
      ['Price', formatCents(booking.price_cents)],
      ['Buyer', buyer],
    ],
    action: { label: 'See your buyers', path: '/dashboard/myBuyers' },
  };
}

/** The notice to a buyer about the new price of a booked laptop. */
export function priceChangedNotice(booking: BookedLaptop): Notice {
  const { laptop } = emailTexts(booking);
  const known = knownPrice(booking);
  const [agreed, now] = [formatCents(booking.price_cents), formatCents(booking.laptop_price_cents)];
  const before = isLoweringUnreported(booking) ? agreed : formatCents(known);
  const act = booking.laptop_price_cents < known ? 'lowered' : 'raised';
  const change = isLoweringUnreported(booking)
    ? `lowered the price from ${formatCents(known)} to ${agreed}, and has raised it to ${now} since.`
    : `has ${act} the price from ${before} to ${now}.`;
  const isPayable = payablePrice(booking) !== null;
  return {
    topic: 'bookings',
    title: `New price for ${laptop}: ${now}`,
    paragraphs: [
      `The seller of the ${laptop} that you booked ${change}`,
      isPayable
        ? `Your booking is kept at ${now}: you can pay that in My Orders, and you have not been charged. If the price rises, you are asked before you pay more.`
        : `Your booking was last valid at ${agreed}. To buy at ${now}, agree to the new price in My Orders and pay; otherwise cancel there. Your booking is kept until then. You have not been charged.`,
    ],
    facts: [
      ['Laptop', laptop],
      ['Price before', before],
      ['Price now', now],
    ],
    action: {
      label: isPayable ? 'See your orders' : 'Agree or cancel',
      path: '/dashboard/myOrders',
    },
  };
}

/** The notice to a buyer with an unpaid booking of a laptop on which a lock was found. */
export function salePausedNotice(booking: BookedLaptop): Notice {
  const { laptop } = emailTexts(booking);
  return {
    topic: 'bookings',
    title: `${laptop} cannot be paid now`,
    paragraphs: [
      `The ${laptop} that you booked was measured, and a lock was found on it, such as a password of an earlier owner. The shop does not sell a locked laptop, so it cannot be paid now.`,
      'Your booking is kept. The seller was told how to have the lock released, and we write to you when the laptop can be paid. If you have just paid for it, the money goes back to your card.',
    ],
    facts: [['Laptop', laptop]],
    action: { label: 'See your orders', path: '/dashboard/myOrders' },
  };
}

/** The notice to a buyer with an unpaid booking of a laptop whose lock was released. */
export function saleContinuesNotice(booking: BookedLaptop): Notice {
  const { laptop } = emailTexts(booking);
  return {
    topic: 'bookings',
    title: `${laptop} can be paid again`,
    paragraphs: [
      `The ${laptop} that you booked was measured again, and the lock was not found any more. You can pay for it in My Orders.`,
    ],
    facts: [['Laptop', laptop]],
    action: { label: 'See your orders', path: '/dashboard/myOrders' },
  };
}
