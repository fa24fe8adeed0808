import { formatCents } from '#contract/platform/money.ts';
import { formatUtc, type Notice } from '#server/people/notifications/rules.ts';
import { type BookedLaptop, emailTexts } from '../bookings/rules.ts';
import { formatReason } from './rules.ts';
import type { DisputeState } from './states.ts';

interface Disputed {
  booking: BookedLaptop;
  dispute: {
    card_dispute_id: string;
    transaction_id: string;
    amount_cents: number;
    reason: string;
    evidence_due_at: Date | null;
    state: DisputeState;
  };
}

const factsOf = ({ booking, dispute }: Disputed): [string, string][] => [
  ['Laptop', emailTexts(booking).laptop],
  ['Buyer', `${emailTexts(booking).buyer}, ${booking.buyer_email}`],
  ['Amount', formatCents(dispute.amount_cents)],
  ['Reason', formatReason(dispute.reason)],
  ['Transaction', dispute.transaction_id],
  ['Dispute', dispute.card_dispute_id],
];

const factsWithDeadline = (disputed: Disputed): [string, string][] => {
  const due = disputed.dispute.evidence_due_at;
  return [
    ...factsOf(disputed),
    ...(due === null ? [] : [['Answer until', formatUtc(due)] as [string, string]]),
  ];
};

const evidence =
  'the buyer’s booking and receipt, what was written with the buyer, and the seller’s word on where and when the laptop was handed over';

/** Paragraphs that say how to answer a chargeback. */
function chargebackAdvice({ dispute }: Disputed): string[] {
  const due = dispute.evidence_due_at;
  return [
    due === null
      ? 'The bank accepts no evidence for this dispute. Wait for its decision.'
      : `Answer it in the card processor’s dashboard until ${formatUtc(due)}: ${evidence}. Without an answer the dispute is lost.`,
    'Do not refund the payment as well: the buyer would get the money twice. Meanwhile the order waits, the shop takes back what it transferred to the seller for it, and pays the seller nothing.',
  ];
}

function inquiryParagraphs({ booking, dispute }: Disputed): Notice['paragraphs'] {
  const due = dispute.evidence_due_at;
  return [
    `The bank of ${emailTexts(booking).buyer} asks about the payment of ${formatCents(dispute.amount_cents)} for the ${emailTexts(booking).laptop}. This is an inquiry: the money stays with the shop for now.`,
    due === null
      ? 'The bank accepts no answer to this inquiry. You get another mail if it becomes a chargeback.'
      : `Answer it in the card processor’s dashboard until ${formatUtc(due)}: ${evidence}. Without an answer it can become a chargeback, which withdraws the money; you get another mail then.`,
  ];
}

/** The notice to an admin about a new dispute. */
export function disputeOpenedNotice(disputed: Disputed): Notice {
  const { booking, dispute } = disputed;
  const chargeback = `The bank of ${emailTexts(booking).buyer} disputes the payment of ${formatCents(dispute.amount_cents)} for the ${emailTexts(booking).laptop}, and the card processor keeps the money back until that is decided.`;
  return {
    topic: 'money',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `A payment is disputed: ${emailTexts(booking).laptop}`,
    paragraphs:
      dispute.state === 'inquiry' ? inquiryParagraphs(disputed) : [chargeback, ...chargebackAdvice(disputed)],
    facts: factsWithDeadline(disputed),
    action: { label: 'See the audit trail', path: '/dashboard/auditTrail' },
  };
}

/** The notice to an admin about an inquiry that became a chargeback. */
export function disputeEscalatedNotice(disputed: Disputed): Notice {
  const { booking, dispute } = disputed;
  return {
    topic: 'money',
    title: `An inquiry has become a chargeback: ${emailTexts(booking).laptop}`,
    paragraphs: [
      `The inquiry about the payment of ${formatCents(dispute.amount_cents)} for the ${emailTexts(booking).laptop} has become a chargeback. The card processor has withdrawn the money until that is decided.`,
      ...chargebackAdvice(disputed),
    ],
    facts: factsWithDeadline(disputed),
    action: { label: 'See the audit trail', path: '/dashboard/auditTrail' },
  };
}

function outcomeOf({ booking, dispute }: Disputed): { title: string; sentence: string } {
  const about = `of ${formatCents(dispute.amount_cents)} for the ${emailTexts(booking).laptop}`;
  if (dispute.state === 'inquiry_closed') {
    return {
      title: 'The inquiry is closed',
      sentence: `The bank’s inquiry about the payment ${about} is closed: the money stays with the shop.`,
    };
  }
  if (dispute.state === 'won') {
    return {
      title: 'The dispute is won',
      sentence: `The dispute ${about} has ended in the shop’s favour: the money stays with the shop.`,
    };
  }
  return {
    title: 'The dispute is lost',
    sentence: `The dispute ${about} is lost: the buyer has the money back from the bank. The sale has ended, and its money was taken back from the seller or is the seller’s debt. If the buyer has the laptop, getting it back is between the seller and the buyer.`,
  };
}

/** The notice to an admin about a closed dispute. */
export function disputeClosedNotice(disputed: Disputed): Notice {
  const { title, sentence } = outcomeOf(disputed);
  return {
    topic: 'money',
    title: `${title}: ${emailTexts(disputed.booking).laptop}`,
    paragraphs: [sentence],
    facts: factsOf(disputed),
    action: { label: 'See the audit trail', path: '/dashboard/auditTrail' },
  };
}

/** The notice to an admin about a lost dispute whose money came back. */
export function disputeReinstatedNotice(disputed: Disputed): Notice {
  const { booking, dispute } = disputed;
  const amount = formatCents(dispute.amount_cents);
  return {
    topic: 'money',
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
    title: `A lost dispute was won after all: ${emailTexts(booking).laptop}`,
    paragraphs: [
      `The card processor has reinstated ${amount} of the lost dispute about the ${emailTexts(booking).laptop}. The money is in the shop’s balance there, and in the ledger’s account ‘suspense’: the order has ended and is not changed.`,
      'Please decide whose it is. If the buyer has the laptop, it is the seller’s, who bore the loss; if the laptop went back to the seller, it is the buyer’s.',
    ],
    facts: factsOf(disputed),
    action: { label: 'See the audit trail', path: '/dashboard/auditTrail' },
  };
}
