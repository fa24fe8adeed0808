import * as z from 'zod/mini';
import { deadlineDays, type OrderState } from '#contract/money/order-states.ts';
import { formatCents } from '#contract/platform/money.ts';
import { nameIfVerified } from '#emails/user-text.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { findEmailRecipient } from '#server/people/accounts/steps.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { type BookedLaptop, emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import { findOrder, findOrderIdOfPayment } from '../orders/steps.ts';
import { disputeFailures, formatReason, isCancelledForBuyer, refundSentence } from './rules.ts';
import * as store from './store.ts';

/** A notification about the money of a booked laptop. @param text.facts those besides the laptop */
export const moneyText = (
  booking: BookedLaptop,
  { facts = [], ...text }: Omit<NotificationText, 'topic'>,
): NotificationText => ({
  topic: 'money',
  ...text,
  facts: [['Laptop', emailTexts(booking).laptop], ...facts],
});

const ownOrders: NotificationText['action'] = { label: 'See your orders', path: '/dashboard/myOrders' };
const refundsThatWait: NotificationText['action'] = {
  label: 'See the refunds that wait',
  path: '/dashboard/complaints',
};

/**
 * A laptop was paid for. The buyer gets a receipt, unless the sale has ended since; the seller gets the buyer's contact, as long as the
 * laptop is to be handed over or sent.
 */
export const paid = notification(
  'payments.paid',
  z.object({ orderId: z.string() }),
  async ({ database }, { orderId }) => {
    const order = await findOrder(database, orderId);
    const booking = order && (await findBooking(database, order.booking_id));
    const seller = booking && (await findEmailRecipient(database, booking.seller_id));
    if (!booking || !seller) return null;
    const { laptop, buyer } = emailTexts(booking);
    const price = formatCents(booking.price_cents);
    const isSent = booking.delivery === 'ship';
    const sellerName = nameIfVerified(seller, seller.name, 'The seller');
    const facts: [string, string][] = [
      ['Price', price],
      ['Transaction', order.transaction_id],
    ];
    const toBuyer = moneyText(booking, {
      quoted: { id: booking.seller_id, name: booking.seller_name },
      title: `You have paid for ${laptop}`,
      paragraphs: [
        `Your payment of ${price} is complete, and the ${laptop} is yours. ${sellerName} knows and ${isSent ? 'sends it to you for free' : 'will meet you as agreed'}.`,
        isSent
          ? `The order shows the address, which you can correct until it is sent, and then the tracking number. If it is not sent within ${deadlineDays('to_ship')} days, your money comes back by itself.`
          : 'Where you wanted to meet is on My Orders.',
      ],
      facts: [...facts, ['Seller', `${sellerName}, ${seller.email}`]],
      action: ownOrders,
    });
    const toSeller = moneyText(booking, {
      quoted: { id: booking.buyer_id, name: booking.buyer_name },
      title: `${laptop} is sold`,
      paragraphs: [
        `${buyer} has paid ${price} for your ${laptop}. It is no longer listed; ${isSent ? `please send it within ${deadlineDays('to_ship')} days` : 'please arrange the handover'}.`,
        isSent
          ? 'The order has the address and what you need to send it, which costs the buyer nothing. If it is not sent in time, the sale ends, and the buyer gets the price back.'
          : 'Where the buyer wants to meet you is on My Buyers.',
      ],
      facts: [...facts, ['Buyer', `${buyer}, ${booking.buyer_email}`], ['Phone', formatPhone(booking.phone)]],
      action: isSent
        ? { label: 'See the order', path: `/dashboard/order/${orderId}` }
        : { label: 'See your buyers', path: '/dashboard/myBuyers' },
    });
    const laptopId = booking.laptop_id;
    const isAwaited = order.state === 'held' || order.state === 'to_ship';
    return [
      order.stands ? { userId: booking.buyer_id, laptopId, text: toBuyer } : null,
      isAwaited ? { userId: booking.seller_id, laptopId, text: toSeller } : null,
    ];
  },
);

/** A booked laptop left the shop unsold. The buyer is told, unless the email about the refund says so. */
export const bookingCancelled = notification(
  'payments.booking-cancelled',
  z.object({ bookingId: z.string() }),
  async ({ database }, { bookingId }) => {
    const booking = await findBooking(database, bookingId);
    if (!booking || !isCancelledForBuyer(booking)) return null;
    const refunds = await refundStore.refundReasonsOf(database, bookingId);
    if (refunds.includes('left_the_shop')) return null;
    const mayBeCharged = refunds.length > 0 || (await store.hasOpenIntent(database, bookingId));
    const { laptop } = emailTexts(booking);
    const money = mayBeCharged
      ? 'If your card was charged for it, the money comes back.'
      : 'You have not been charged.';
    const text = moneyText(booking, {
      title: `Your booking of ${laptop} was cancelled`,
      paragraphs: [
        `The ${laptop} that you booked has left the shop, so your booking was cancelled. ${money}`,
      ],
      facts: [['Price', formatCents(booking.price_cents)]],
      action: { label: 'Look for another', path: '/home' },
    });
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, text };
  },
);

/** Reads a refund and its booking. */
async function findRefund(database: Database, refundId: string) {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  return refund && booking && { refund, booking };
}

/** An admin's words to both people, as a paragraph; nothing without any. */
const quoted = (note: string): string[] => (note === '' ? [] : [`“${note}”`]);

/** A refund succeeded. The buyer is told, unless it has failed since. */
export const refunded = notification(
  'payments.refunded',
  z.object({ refundId: z.string() }),
  async ({ database }, { refundId }) => {
    const found = await findRefund(database, refundId);
    if (found?.refund.state !== 'done') return null;
    const { refund, booking } = found;
    const { laptop } = emailTexts(booking);
    const amount = formatCents(refund.amount_cents);
    const waitingCents = await refundStore.waitingCents(database, refund.transaction_id);
    const waiting = `Another ${formatCents(waitingCents)} is yours and not on its way yet: the seller has it, and the shop takes it back. Your order shows how that stands.`;
    const text = moneyText(booking, {
      title: `Your money for ${laptop} is on its way back`,
      paragraphs: [
        refundSentence(refund.reason, laptop),
        ...quoted(refund.note),
        `We have sent ${amount} back to your card. Banks show it within 5 to 10 days.`,
        ...(waitingCents === 0 ? [] : [waiting]),
      ],
      facts: [
        ['Refund', amount],
        ['Transaction', refund.transaction_id],
      ],
      action: ownOrders,
    });
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, text };
  },
);

/** The order of a payment; undefined without one. */
async function orderOf(database: Database, transactionId: string) {
  const orderId = await findOrderIdOfPayment(database, transactionId);
  return orderId === null ? undefined : findOrder(database, orderId);
}

/** The link to an order, or to the audit trail without one. */
const linkTo = (order: { id: string } | undefined): NotificationText['action'] => ({
  label: 'See the order',
  path: order === undefined ? '/dashboard/auditTrail' : `/dashboard/order/${order.id}`,
});

/** Money of a sale goes back without a complaint. The seller is told; the buyer is told when it is on its way. */
export const refundDecided = notification(
  'payments.refund-decided',
  z.object({ refundId: z.string(), amountCents: z.int() }),
  async ({ database }, { refundId, amountCents }) => {
    const found = await findRefund(database, refundId);
    const order = found && (await orderOf(database, found.refund.transaction_id));
    if (!found || !order) return null;
    const { refund, booking } = found;
    const { laptop } = emailTexts(booking);
    const amount = formatCents(amountCents);
    const cost =
      refund.reason === 'goodwill'
        ? `The shop gives ${amount} for the ${laptop} to the buyer at its own cost. What you get for the sale stays as it is.`
        : `The shop gives ${amount} for the ${laptop} back to the buyer, so you get less for the sale. If you were paid already, it is taken back from your account or from your next sales.`;
    const laptopSentence =
      order.state === 'refunded' && !order.laptop_with_buyer
        ? ['The whole price has gone back, and the buyer does not have the laptop: it is yours again.']
        : [];
    const text = moneyText(booking, {
      title: `A refund of your sale of ${laptop}`,
      paragraphs: [cost, ...quoted(refund.note), ...laptopSentence],
      facts: [['Refund', amount]],
      action: linkTo(order),
    });
    return { userId: booking.seller_id, laptopId: booking.laptop_id, text };
  },
);

/** What a refund that was made at the card processor means for the order of its payment. */
function orderAfterRefund(state: OrderState | null): string {
  if (state === null) return 'This payment has no order.';
  if (state === 'refunded') return 'The whole price has gone back, so the order is refunded.';
  if (state === 'charged_back') return 'The buyer’s bank had taken the money back before.';
  return 'What is paid to the seller is only the rest.';
}

/** A refund was found that the shop did not make. The admins are told. */
export const refundFound = notification(
  'payments.refund-found',
  z.object({ cardRefundId: z.string() }),
  async ({ database }, { cardRefundId }) => {
    const refunds = await refundStore.refundsOfCardRefund(database, cardRefundId);
    const [first] = refunds;
    const booking = first && (await findBooking(database, first.booking_id));
    if (!first || !booking) return null;
    const order = await orderOf(database, first.transaction_id);
    const sum = (counted: typeof refunds) =>
      formatCents(counted.reduce((total, { amount_cents }) => total + amount_cents, 0));
    const unexplained = refunds.filter(({ reason }) => reason === 'unexplained');
    const suspense = `${sum(unexplained)} of it is more than was left to give back. It is in the account “suspense” of the ledger. Please find out why it was made.`;
    const { laptop } = emailTexts(booking);
    const text = moneyText(booking, {
      title: `A refund was made at the card processor: ${laptop}`,
      paragraphs: [
        `${sum(refunds)} for the ${laptop} went back to the buyer, and the shop did not make this refund. It is recorded. ${orderAfterRefund(order?.state ?? null)}`,
        ...(unexplained.length === 0 ? [] : [suspense]),
      ],
      facts: [
        ['Refund', sum(refunds)],
        ['At the card processor', cardRefundId],
      ],
      action: linkTo(order),
    });
    return { admins: 'money', laptopId: booking.laptop_id, text };
  },
);

/** A refund has waited for the seller's money for some time. The buyer and the admins are told, unless it does not wait any more. */
export const refundWaits = notification(
  'payments.refund-waits',
  z.object({ refundId: z.string() }),
  async ({ database }, { refundId }) => {
    const found = await findRefund(database, refundId);
    if (found?.refund.state !== 'waiting') return null;
    const { refund, booking } = found;
    const { laptop } = emailTexts(booking);
    const amount = formatCents(refund.amount_cents);
    const toBuyer = moneyText(booking, {
      title: `A part of your money for ${laptop} waits`,
      paragraphs: [
        `${amount} for the ${laptop} is yours, and is not on its way to your card yet: the seller was paid already, and the shop could not take it back so far.`,
        'The shop goes on trying, and an admin can decide to pay you at once. You get a mail as soon as it is on its way. You need not do anything.',
      ],
      facts: [['Waits', amount]],
      action: linkTo(await orderOf(database, refund.transaction_id)),
    });
    const toAdmins = moneyText(booking, {
      title: `A refund waits for the seller’s money: ${laptop}`,
      paragraphs: [
        `${amount} for the ${laptop} is due to the buyer. The seller was paid already, and the money could not be taken back so far. ${booking.buyer_ended_at === null ? 'The buyer was told.' : 'The buyer’s account has ended, so the buyer was not told.'}`,
        'The refund goes on by itself when the money comes back. You can also pay it from the shop’s own money now, in the list of complaints; the seller keeps owing it.',
      ],
      facts: [['Waits', amount]],
      action: refundsThatWait,
    });
    return [
      { userId: booking.buyer_id, laptopId: booking.laptop_id, text: toBuyer },
      { admins: 'money', laptopId: booking.laptop_id, text: toAdmins },
    ];
  },
);

/** A refund failed. The buyer and the admins are told, unless it was made or tried again since. */
export const refundFailed = notification(
  'payments.refund-failed',
  z.object({ refundId: z.string(), failureReason: z.string() }),
  async ({ database }, { refundId, failureReason }) => {
    const found = await findRefund(database, refundId);
    if (found?.refund.state !== 'failed') return null;
    const { refund, booking } = found;
    const { laptop, buyer } = emailTexts(booking);
    const amount = formatCents(refund.amount_cents);
    const toBuyer = moneyText(booking, {
      title: `Your refund for ${laptop} has failed`,
      paragraphs: [
        `We tried to give your ${amount} for the ${laptop} back to your card, and that has failed.`,
        'The money is with us and is still yours. Our team knows and looks after it; you get a mail as soon as it is on its way again.',
        'If this card is closed or was replaced, please answer this mail, so that we find another way.',
      ],
      facts: [
        ['Refund', amount],
        ['Transaction', refund.transaction_id],
      ],
      action: ownOrders,
    });
    const hasEnded = booking.buyer_ended_at !== null;
    const toAdmins = moneyText(booking, {
      ...(!hasEnded && { quoted: { id: booking.buyer_id, name: booking.buyer_name } }),
      title: `A refund has failed: ${laptop}`,
      paragraphs: [
        hasEnded
          ? `${amount} for the ${laptop} could not be given back to its buyer, whose account has ended. The money is with the shop and is still the buyer’s, who has not been told: nothing is sent to an ended account.`
          : `${amount} for the ${laptop} could not be given back to ${buyer}. The money is with the shop and is still the buyer’s, who has been told so by mail.`,
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
        // The shop has told this buyer that name and address are kept apart. A mail would be a copy of them.
        [
          'Buyer',
          hasEnded
            ? 'in the table “bookkeeping” of the shop’s database, under this transaction'
            : `${buyer}, ${booking.buyer_email}`,
        ],
        ['Refund', amount],
        ['Reason', formatReason(failureReason)],
        ['Transaction', refund.transaction_id],
      ],
      action: refundsThatWait,
    });
    return [
      { userId: booking.buyer_id, laptopId: booking.laptop_id, text: toBuyer },
      { admins: 'money', laptopId: booking.laptop_id, text: toAdmins },
    ];
  },
);

/** An admin paid a failed refund from the shop's bank account. The buyer is told. @param reference the bank's */
export const refundPaidByHand = notification(
  'payments.refund-paid-by-hand',
  z.object({ refundId: z.string(), reference: z.string() }),
  async ({ database }, { refundId, reference }) => {
    const found = await findRefund(database, refundId);
    if (!found) return null;
    const { refund, booking } = found;
    const { laptop } = emailTexts(booking);
    const amount = formatCents(refund.amount_cents);
    const text = moneyText(booking, {
      title: `Your refund for ${laptop} was paid another way`,
      paragraphs: [
        `Your ${amount} for the ${laptop} could not be given back to your card, so the shop has paid it from its bank account.`,
        'The reference below is the bank’s. If the money does not arrive, please answer this mail with it.',
      ],
      facts: [
        ['Refund', amount],
        ['Reference', reference],
        ['Transaction', refund.transaction_id],
      ],
      action: ownOrders,
    });
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, text };
  },
);

/** A refund waits for funds in the balance at the card processor. The admins are told, unless it does no longer. */
export const refundUnfunded = notification(
  'payments.refund-unfunded',
  z.object({ refundId: z.string() }),
  async ({ database }, { refundId }) => {
    const refund = await refundStore.findRefundById(database, refundId);
    if (refund?.state !== 'pending' || refund.unfunded_attempt !== refund.attempt) return null;
    const { amount_cents: amountCents, transaction_id: transaction } = refund;
    const text: NotificationText = {
      topic: 'money',
      title: 'A refund waits for money in the shop’s balance',
      paragraphs: [
        `The shop’s available balance at the card processor does not cover a refund of ${formatCents(amountCents)}. The card processor makes it by itself as soon as the balance suffices; the buyer waits until then.`,
        'Add money to the balance in the card processor’s dashboard. The health page says what the balance holds and which payout schedule keeps the money there.',
      ],
      facts: [
        ['Refund', formatCents(amountCents)],
        ['Transaction', transaction],
      ],
      action: { label: 'See the health of the shop', path: '/dashboard/health' },
    };
    return { admins: 'money', text };
  },
);

export const all = [
  paid,
  bookingCancelled,
  refunded,
  refundDecided,
  refundFound,
  refundWaits,
  refundFailed,
  refundPaidByHand,
  refundUnfunded,
];
