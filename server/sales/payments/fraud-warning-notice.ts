import { formatCents } from '#contract/platform/money.ts';
import type { Notice } from '#server/people/notifications/rules.ts';
import { type BookedLaptop, emailTexts } from '../bookings/rules.ts';
import type { FraudWarningRow } from './fraud-warning-store.ts';
import { formatReason } from './rules.ts';

/** The notice to an admin about an early fraud warning, with what an admin can do before and after the hand-over. */
export function fraudWarningNotice(
  booking: BookedLaptop,
  {
    transaction_id,
    fraud_type,
    warning_id,
  }: Pick<FraudWarningRow, 'transaction_id' | 'fraud_type' | 'warning_id'>,
): Notice {
  const { laptop, buyer } = emailTexts(booking);
  const advice =
    booking.order_state === 'held' || booking.order_state === 'to_ship'
      ? 'The shop still holds the money. Ask the seller not to hand the laptop over or send it for now, and ask the buyer. If the payment looks fraudulent, refund it in full: a refund before the dispute costs no dispute fee, and the laptop stays with its seller.'
      : 'The laptop has probably been handed over, or the order has ended. Collect what shows that the buyer got it: the hand-over code or the tracking number, the messages, the meeting. A refund avoids the dispute and its fee. What the seller was paid already is taken back first; that part of the refund waits, unless you pay it from the shop’s own money.';
  return {
    topic: 'money',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `A payment may be fraudulent: ${laptop}`,
    paragraphs: [
      `The card network warns that the payment of ${formatCents(booking.price_cents)} by ${buyer} for the ${laptop} is probably fraudulent. Most such payments are disputed later. Nothing was changed by this warning.`,
      advice,
    ],
    facts: [
      ['Laptop', laptop],
      ['Buyer', `${buyer}, ${booking.buyer_email}`],
      ['Amount', formatCents(booking.price_cents)],
      ['Reason', formatReason(fraud_type)],
      ['Transaction', transaction_id],
      ['Warning', warning_id],
    ],
    action:
      booking.order_id === null
        ? { label: 'See the audit trail', path: '/dashboard/auditTrail' }
        : { label: 'See the order', path: `/dashboard/order/${booking.order_id}` },
  };
}
