import { formatCents } from '#contract/money.ts';
import type { Notice } from '../notifications/rules.ts';
import { type BookedLaptop, emailTexts, payablePrice } from './rules.ts';

/** The notice to the seller of a booked laptop. */
export function bookedNotice(booking: BookedLaptop): Notice {
  const { laptop, buyer, location } = emailTexts(booking);
  return {
    topic: 'bookings',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `${laptop} was booked`,
    paragraphs: [
      `${buyer} has booked your ${laptop}. It stays in the shop until somebody has paid for it; we write to you then.`,
    ],
    facts: [
      ['Laptop', laptop],
      ['Price', formatCents(booking.price_cents)],
      ['Buyer', buyer],
      ['Phone', booking.phone],
      ['Meeting location', location],
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

/**
 * The notice to a buyer about the new price of a booked laptop.
 * @param known the price that the buyer knew before, in cents
 */
export function priceChangedNotice(booking: BookedLaptop, known: number): Notice {
  const { laptop } = emailTexts(booking);
  const isLower = booking.laptop_price_cents < known;
  const [before, now] = [formatCents(known), formatCents(booking.laptop_price_cents)];
  const change = `The seller of the ${laptop} that you booked has ${isLower ? 'lowered' : 'raised'} the price from ${before} to ${now}.`;
  const isPayable = payablePrice(booking) !== null;
  return {
    topic: 'bookings',
    title: `New price for ${laptop}: ${now}`,
    paragraphs: isPayable
      ? [
          change,
          `You pay ${now}; you do not need to do anything else. Your booking is kept, and you have not been charged.`,
        ]
      : [
          change,
          `You have agreed to ${formatCents(booking.price_cents)}. Please agree to the new price in My Orders before you pay, or cancel your booking there. Your booking is kept until then, and you have not been charged.`,
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
