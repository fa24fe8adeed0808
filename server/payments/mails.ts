import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { mailOf } from '#letters/letter.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import type { Mail } from '../vendors/mail.ts';
import { inWords, type RefundReason, refundSentence } from './rules.ts';

/** A sale, as its mails tell of it. */
export interface Sale {
  booking: BookedLaptop;
  seller: { name: string; email: string };
  transactionId: string;
}

/** Cents for people to read. */
export const dollars = (cents: number): string => formatDollars(dollarsFromCents(cents));

const inUtc = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A moment for people to read who may be anywhere. */
export const moment = (date: Date): string => `${inUtc.format(date)} UTC`;

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

/**
 * Tells a buyer that a booked laptop left the shop unsold.
 * @param mayBeCharged whether money was taken, or may yet be taken, for this booking
 */
export function cancelledMail(booking: BookedLaptop, mayBeCharged: boolean, origin: string): Mail {
  const money = mayBeCharged
    ? 'If your card was charged for it, the money comes back.'
    : 'You have not been charged.';
  return mailOf({
    to: booking.buyer_email,
    subject: `Your booking of ${booking.laptop_name} was cancelled`,
    greeting: `Hello ${booking.buyer_name},`,
    paragraphs: [
      `The ${booking.laptop_name} that you booked has left the shop, so your booking was cancelled. ${money}`,
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Price', dollars(booking.price_cents)],
    ],
    action: { label: 'Look for another', url: `${origin}/home` },
  });
}

/** Tells a buyer that giving money back has failed, and that nothing is to be done about it but to wait. */
export function refundFailedMail(
  booking: BookedLaptop,
  refund: { amount_cents: number; transaction_id: string },
  origin: string,
): Mail {
  return mailOf({
    to: booking.buyer_email,
    subject: `Your refund for ${booking.laptop_name} has failed`,
    greeting: `Hello ${booking.buyer_name},`,
    paragraphs: [
      `We tried to give your ${dollars(refund.amount_cents)} for the ${booking.laptop_name} back to your card, and that has failed.`,
      'The money is with us and is still yours. Our team knows and looks after it; you get a mail as soon as it is on its way again.',
      'If this card is closed or was replaced, please answer this mail, so that we find another way.',
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Refund', dollars(refund.amount_cents)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See your orders', url: `${origin}/dashboard/myOrders` },
  });
}

type Person = { name: string; email: string };

/** Tells an admin that a buyer's money could not be given back, and the way out. */
export function refundFailedMailToAdmin(
  admin: Person,
  failed: {
    booking: BookedLaptop;
    refund: { amount_cents: number; transaction_id: string };
    failureReason: string;
  },
  origin: string,
): Mail {
  const { booking, refund, failureReason } = failed;
  return mailOf({
    to: admin.email,
    subject: `A refund has failed: ${booking.laptop_name}`,
    greeting: `Hello ${admin.name},`,
    paragraphs: [
      `${dollars(refund.amount_cents)} for the ${booking.laptop_name} could not be given back to ${booking.buyer_name}. The money is with the shop and is still the buyer’s, who has been told so by mail.`,
      `To try it again, on the shop’s own machine: npm run admin -- refund-again ${refund.transaction_id}`,
      'If it fails again, ask the buyer for another way to be paid.',
    ],
    facts: [
      ['Laptop', booking.laptop_name],
      ['Buyer', `${booking.buyer_name}, ${booking.buyer_email}`],
      ['Refund', dollars(refund.amount_cents)],
      ['Reason', inWords(failureReason)],
      ['Transaction', refund.transaction_id],
    ],
    action: { label: 'See the audit trail', url: `${origin}/dashboard/auditTrail` },
  });
}

interface Disputed {
  booking: BookedLaptop;
  dispute: {
    card_dispute_id: string;
    transaction_id: string;
    amount_cents: number;
    reason: string;
    evidence_due_at: Date | null;
    state: 'open' | 'won' | 'lost';
  };
}

const factsOf = ({ booking, dispute }: Disputed): [string, string][] => [
  ['Laptop', booking.laptop_name],
  ['Buyer', `${booking.buyer_name}, ${booking.buyer_email}`],
  ['Amount', dollars(dispute.amount_cents)],
  ['Reason', inWords(dispute.reason)],
  ['Transaction', dispute.transaction_id],
  ['Dispute', dispute.card_dispute_id],
];

/** Tells an admin that a buyer disputes a payment, what to do, and until when. */
export function disputeOpenedMail(admin: Person, disputed: Disputed, origin: string): Mail {
  const { booking, dispute } = disputed;
  const due = dispute.evidence_due_at;
  return mailOf({
    to: admin.email,
    subject: `A payment is disputed: ${booking.laptop_name}`,
    greeting: `Hello ${admin.name},`,
    paragraphs: [
      `The bank of ${booking.buyer_name} disputes the payment of ${dollars(dispute.amount_cents)} for the ${booking.laptop_name}, and the card processor keeps the money back until that is decided.`,
      due === null
        ? 'The bank takes no answer to this dispute: there is nothing to do but to wait.'
        : `Answer it in the card processor’s dashboard until ${moment(due)}: the buyer’s booking and receipt, what was written with the buyer, and the seller’s word on where and when the laptop was handed over. Without an answer the dispute is lost.`,
      'Do not give the money back besides: the buyer would have it twice. In the shop the sale stays as it is.',
    ],
    facts: [...factsOf(disputed), ...(due === null ? [] : [['Answer until', moment(due)] as const])],
    action: { label: 'See the audit trail', url: `${origin}/dashboard/auditTrail` },
  });
}

/** Tells an admin how a dispute has ended. */
export function disputeClosedMail(admin: Person, disputed: Disputed, origin: string): Mail {
  const { booking, dispute } = disputed;
  const won = dispute.state === 'won';
  return mailOf({
    to: admin.email,
    subject: `The dispute is ${won ? 'won' : 'lost'}: ${booking.laptop_name}`,
    greeting: `Hello ${admin.name},`,
    paragraphs: [
      won
        ? `The dispute of ${dollars(dispute.amount_cents)} for the ${booking.laptop_name} has ended in the shop’s favour: the money stays with the shop.`
        : `The dispute of ${dollars(dispute.amount_cents)} for the ${booking.laptop_name} is lost: the buyer has the money back from the bank. In the shop the sale stays as it is; whether the laptop comes back is between you, the seller and the buyer.`,
    ],
    facts: factsOf(disputed),
    action: { label: 'See the audit trail', url: `${origin}/dashboard/auditTrail` },
  });
}
