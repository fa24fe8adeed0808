import { clockDays, type OrderState } from '#contract/money/order-states.ts';
import { formatCents } from '#contract/platform/money.ts';
import { type Account, nameIfVerified } from '#emails/user-text.ts';
import type { RefundReason } from '#server/money/refunds/rules.ts';
import type { Notice } from '#server/people/notifications/rules.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { type BookedLaptop, emailTexts } from '../bookings/rules.ts';
import { disputeFailures, formatReason, refundSentence } from './rules.ts';

/** The data of the notices about a sale. */
export interface Sale {
  booking: BookedLaptop;
  seller: Account;
  transactionId: string;
}

/** The notice to the buyer, which is a receipt, with the seller's address. */
export function paidNoticeToBuyer({ booking, seller, transactionId }: Sale): Notice {
  return {
    topic: 'money',
    quoted: { id: booking.seller_id, name: booking.seller_name },
    title: `You have paid for ${emailTexts(booking).laptop}`,
    paragraphs: [
      `Your payment of ${formatCents(booking.price_cents)} is complete, and the ${emailTexts(booking).laptop} is yours. ${nameIfVerified(seller, seller.name, 'The seller')} knows and ${booking.delivery === 'ship' ? 'sends it to you for free' : 'will meet you as agreed'}.`,
      booking.delivery === 'ship'
        ? `The order shows the address, which you can correct until it is sent, and then the tracking number. If it is not sent within ${clockDays('to_ship')} days, your money comes back by itself.`
        : 'Where you wanted to meet is on My Orders.',
    ],
    facts: [
      ['Laptop', emailTexts(booking).laptop],
      ['Price', formatCents(booking.price_cents)],
      ['Transaction', transactionId],
      ['Seller', `${nameIfVerified(seller, seller.name, 'The seller')}, ${seller.email}`],
    ],
    action: { label: 'See your orders', path: '/dashboard/myOrders' },
  };
}

/** The notice to the seller of a sold laptop, with the buyer's contact. */
export function paidNoticeToSeller({ booking, transactionId }: Sale): Notice {
  return {
    topic: 'money',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `${emailTexts(booking).laptop} is sold`,
    paragraphs: [
      `${emailTexts(booking).buyer} has paid ${formatCents(booking.price_cents)} for your ${emailTexts(booking).laptop}. It is no longer listed; ${booking.delivery === 'ship' ? `please send it within ${clockDays('to_ship')} days` : 'please arrange the handover'}.`,
      booking.delivery === 'ship'
        ? 'The order has the address and what you need to send it, which costs the buyer nothing. If it is not sent in time, the sale ends, and the buyer gets the price back.'
        : 'Where the buyer wants to meet you is on My Buyers.',
    ],
    facts: [
      ['Laptop', emailTexts(booking).laptop],
      ['Price', formatCents(booking.price_cents)],
      ['Transaction', transactionId],
      ['Buyer', `${emailTexts(booking).buyer}, ${booking.buyer_email}`],
      ['Phone', formatPhone(booking.phone)],
    ],
    action:
      booking.delivery === 'ship' && booking.order_id !== null
        ? { label: 'See the order', path: `/dashboard/order/${booking.order_id}` }
        : { label: 'See your buyers', path: '/dashboard/myBuyers' },
  };
}

/** An admin's words to both people, as a paragraph; nothing without any. */
const quoted = (note: string): string[] => (note === '' ? [] : [`“${note}”`]);

/**
 * The notice to a buyer about a refund.
 * @param waitingCents what of the payment's refunds waits until the seller's money is back
 */
export function refundedNotice(
  booking: BookedLaptop,
  refund: { reason: RefundReason; amount_cents: number; transaction_id: string; note: string },
  waitingCents: number,
): Notice {
  return {
    topic: 'money',
    title: `Your money for ${emailTexts(booking).laptop} is on its way back`,
    paragraphs: [
      refundSentence(refund.reason, emailTexts(booking).laptop),
      ...quoted(refund.note),
      `We have sent ${formatCents(refund.amount_cents)} back to your card. Banks show it within 5 to 10 days.`,
      ...(waitingCents === 0
        ? []
        : [
            `Another ${formatCents(waitingCents)} is yours and not on its way yet: the seller has it, and the shop takes it back. Your order shows how that stands.`,
          ]),
    ],
    facts: [
      ['Laptop', emailTexts(booking).laptop],
      ['Refund', formatCents(refund.amount_cents)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See your orders', path: '/dashboard/myOrders' },
  };
}

/** The notice to a buyer whose refund waits until the seller's money is back. */
export const refundWaitsNotice = (
  booking: BookedLaptop,
  waitingCents: number,
  path: Notice['action']['path'],
): Notice => ({
  topic: 'money',
  title: `A part of your money for ${emailTexts(booking).laptop} waits`,
  paragraphs: [
    `${formatCents(waitingCents)} for the ${emailTexts(booking).laptop} is yours, and is not on its way to your card yet: the seller was paid already, and the shop could not take it back so far.`,
    'The shop goes on trying, and an admin can decide to pay you at once. You get a mail as soon as it is on its way. You need not do anything.',
  ],
  facts: [
    ['Laptop', emailTexts(booking).laptop],
    ['Waits', formatCents(waitingCents)],
  ],
  action: { label: 'See the order', path },
});

/** The notice to an admin about a refund that waits until the seller's money is back. */
export const refundWaitsNoticeToAdmin = (booking: BookedLaptop, amountCents: number): Notice => ({
  topic: 'money',
  title: `A refund waits for the seller’s money: ${emailTexts(booking).laptop}`,
  paragraphs: [
    `${formatCents(amountCents)} for the ${emailTexts(booking).laptop} is due to the buyer. The seller was paid already, and the money could not be taken back so far. The buyer was told.`,
    'The refund goes on by itself when the money comes back. You can also pay it from the shop’s own money now, in the list of complaints; the seller keeps owing it.',
  ],
  facts: [
    ['Laptop', emailTexts(booking).laptop],
    ['Waits', formatCents(amountCents)],
  ],
  action: { label: 'See the refunds that wait', path: '/dashboard/complaints' },
});

/** The notice to a seller about money of a sale that goes back without a complaint. */
export function refundDecidedNotice(
  booking: BookedLaptop,
  refund: { reason: RefundReason; amountCents: number; note: string },
  order: { path: Notice['action']['path']; isRefunded: boolean; laptopWithBuyer: boolean },
): Notice {
  const { laptop } = emailTexts(booking);
  const amount = formatCents(refund.amountCents);
  const cost =
    refund.reason === 'goodwill'
      ? `The shop gives ${amount} for the ${laptop} to the buyer at its own cost. What you get for the sale stays as it is.`
      : `The shop gives ${amount} for the ${laptop} back to the buyer, so you get less for the sale. If you were paid already, it is taken back from your account or from your next sales.`;
  const laptopSentence =
    order.isRefunded && !order.laptopWithBuyer
      ? ['The whole price has gone back, and the buyer does not have the laptop: it is yours again.']
      : [];
  return {
    topic: 'money',
    title: `A refund of your sale of ${laptop}`,
    paragraphs: [cost, ...quoted(refund.note), ...laptopSentence],
    facts: [
      ['Laptop', laptop],
      ['Refund', amount],
    ],
    action: { label: 'See the order', path: order.path },
  };
}

/** What a refund that was made at the card processor means for the order of its payment. */
function orderAfterRefund(state: OrderState | null): string {
  if (state === null) return 'This payment has no order.';
  if (state === 'refunded') return 'The whole price has gone back, so the order is refunded.';
  if (state === 'charged_back') return 'The buyer’s bank had taken the money back before.';
  return 'What is paid to the seller is only the rest.';
}

/** The notice to an admin about a refund that was made at the card processor. */
export function refundFoundNotice(
  booking: BookedLaptop,
  found: {
    amountCents: number;
    unexplainedCents: number;
    orderState: OrderState | null;
    cardRefundId: string;
  },
  path: Notice['action']['path'],
): Notice {
  const { laptop } = emailTexts(booking);
  const order = orderAfterRefund(found.orderState);
  return {
    topic: 'money',
    title: `A refund was made at the card processor: ${laptop}`,
    paragraphs: [
      `${formatCents(found.amountCents)} for the ${laptop} went back to the buyer, and the shop did not make this refund. It is recorded. ${order}`,
      ...(found.unexplainedCents === 0
        ? []
        : [
            `${formatCents(found.unexplainedCents)} of it is more than was left to give back. It is in the account “suspense” of the ledger. Please find out why it was made.`,
          ]),
    ],
    facts: [
      ['Laptop', laptop],
      ['Refund', formatCents(found.amountCents)],
      ['At the card processor', found.cardRefundId],
    ],
    action: { label: 'See the order', path },
  };
}

/**
 * The notice to a buyer whose booking was cancelled because the laptop left the shop.
 * @param mayBeCharged whether a payment was captured, or still can be
 */
export function cancelledNotice(booking: BookedLaptop, mayBeCharged: boolean): Notice {
  const money = mayBeCharged
    ? 'If your card was charged for it, the money comes back.'
    : 'You have not been charged.';
  return {
    topic: 'money',
    title: `Your booking of ${emailTexts(booking).laptop} was cancelled`,
    paragraphs: [
      `The ${emailTexts(booking).laptop} that you booked has left the shop, so your booking was cancelled. ${money}`,
    ],
    facts: [
      ['Laptop', emailTexts(booking).laptop],
      ['Price', formatCents(booking.price_cents)],
    ],
    action: { label: 'Look for another', path: '/home' },
  };
}

/** The notice to a buyer whose refund failed. */
export function refundFailedNotice(
  booking: BookedLaptop,
  refund: { amount_cents: number; transaction_id: string },
): Notice {
  return {
    topic: 'money',
    title: `Your refund for ${emailTexts(booking).laptop} has failed`,
    paragraphs: [
      `We tried to give your ${formatCents(refund.amount_cents)} for the ${emailTexts(booking).laptop} back to your card, and that has failed.`,
      'The money is with us and is still yours. Our team knows and looks after it; you get a mail as soon as it is on its way again.',
      'If this card is closed or was replaced, please answer this mail, so that we find another way.',
    ],
    facts: [
      ['Laptop', emailTexts(booking).laptop],
      ['Refund', formatCents(refund.amount_cents)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See your orders', path: '/dashboard/myOrders' },
  };
}

/** The notice to an admin about a refund that waits for funds. */
export function refundUnfundedNotice(refund: { amount_cents: number; transaction_id: string }): Notice {
  return {
    topic: 'money',
    title: 'A refund waits for money in the shop’s balance',
    paragraphs: [
      `The shop’s available balance at the card processor does not cover a refund of ${formatCents(refund.amount_cents)}. The card processor makes it by itself as soon as the balance suffices; the buyer waits until then.`,
      'Add money to the balance in the card processor’s dashboard. The health page says what the balance holds and which payout schedule keeps the money there.',
    ],
    facts: [
      ['Refund', formatCents(refund.amount_cents)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See the health of the shop', path: '/dashboard/health' },
  };
}

/** The notice to an admin about a failed refund, with the command that retries it. */
export function refundFailedNoticeToAdmin(failed: {
  booking: BookedLaptop;
  refund: { amount_cents: number; transaction_id: string };
  failureReason: string;
}): Notice {
  const { booking, refund, failureReason } = failed;
  return {
    topic: 'money',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `A refund has failed: ${emailTexts(booking).laptop}`,
    paragraphs: [
      `${formatCents(refund.amount_cents)} for the ${emailTexts(booking).laptop} could not be given back to ${emailTexts(booking).buyer}. The money is with the shop and is still the buyer’s, who has been told so by mail.`,
      ...(disputeFailures.includes(failureReason)
        ? [
            'The bank has the money until it has decided a dispute. Do not pay the buyer another way meanwhile: if the shop wins, it is tried again by itself.',
          ]
        : [
            `To try it again, on the shop’s own machine: ${operatorCommand('admin', `refund-again ${refund.transaction_id}`)}`,
            'If it fails again, pay the buyer another way, and record it among the refunds that wait.',
          ]),
    ],
    facts: [
      ['Laptop', emailTexts(booking).laptop],
      ['Buyer', `${emailTexts(booking).buyer}, ${booking.buyer_email}`],
      ['Refund', formatCents(refund.amount_cents)],
      ['Reason', formatReason(failureReason)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See the refunds that wait', path: '/dashboard/complaints' },
  };
}
