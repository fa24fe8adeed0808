import * as z from 'zod/mini';
import { formatCents } from '#contract/platform/money.ts';
import { formatUtc, type NotificationText } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { type BookedLaptop, emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import * as disputeStore from './dispute-store.ts';
import { moneyText } from './notifications.ts';
import { formatReason } from './rules.ts';

/** The order of a payment, else the audit trail, which names a payment without one. */
const actionOf = ({ order_id }: BookedLaptop): NotificationText['action'] =>
  order_id === null
    ? { label: 'See the audit trail', path: '/dashboard/auditTrail' }
    : { label: 'See the order', path: `/dashboard/order/${order_id}` };

interface Disputed {
  booking: BookedLaptop;
  dispute: disputeStore.DisputeRow;
  /** Of a lost dispute that was won after all. */
  reinstated: { refundsCents: number; openCents: number };
}

/** A notification to an admin about a dispute. @param facts those besides what identifies the dispute */
function disputeText(
  { booking, dispute }: Disputed,
  title: string,
  paragraphs: NotificationText['paragraphs'],
  facts: [string, string][] = [],
): NotificationText {
  const { laptop, buyer } = emailTexts(booking);
  return moneyText(booking, {
    title: `${title}: ${laptop}`,
    paragraphs,
    facts: [
      ['Buyer', `${buyer}, ${booking.buyer_email}`],
      ['Amount', formatCents(dispute.amount_cents)],
      ['Reason', formatReason(dispute.reason)],
      ['Transaction', dispute.transaction_id],
      ['Dispute', dispute.card_dispute_id],
      ...facts,
    ],
    action: actionOf(booking),
  });
}

const deadlineFact = ({ evidence_due_at }: disputeStore.DisputeRow): [string, string][] =>
  evidence_due_at === null ? [] : [['Answer until', formatUtc(evidence_due_at)]];

const aboutOf = ({ booking, dispute }: Disputed): string =>
  `of ${formatCents(dispute.amount_cents)} for the ${emailTexts(booking).laptop}`;

const evidence =
  'the buyer’s booking and receipt, what was written with the buyer, and the seller’s word on where and when the laptop was handed over';

/** Paragraphs that say how to answer a chargeback. */
function chargebackAdvice({ booking, dispute }: Disputed): string[] {
  const due = dispute.evidence_due_at;
  const meanwhile =
    booking.order_state === 'charge_disputed'
      ? 'Meanwhile the order waits, the shop takes back what it transferred to the seller for it, and pays the seller nothing.'
      : 'No sale waits for this: it had ended before, or the payment bought nothing. Refunds of this payment that were not made yet wait for the bank.';
  return [
    due === null
      ? 'The bank accepts no evidence for this dispute. Wait for its decision.'
      : `Answer it in the card processor’s dashboard until ${formatUtc(due)}: ${evidence}. Without an answer the dispute is lost.`,
    `Do not refund the payment as well: the buyer would get the money twice. ${meanwhile}`,
  ];
}

function inquiryParagraphs(disputed: Disputed): NotificationText['paragraphs'] {
  const due = disputed.dispute.evidence_due_at;
  return [
    `The bank of ${emailTexts(disputed.booking).buyer} asks about the payment ${aboutOf(disputed)}. This is an inquiry: the money stays with the shop for now.`,
    due === null
      ? 'The bank accepts no answer to this inquiry. You get another mail if it becomes a chargeback.'
      : `Answer it in the card processor’s dashboard until ${formatUtc(due)}: ${evidence}. Without an answer it can become a chargeback, which withdraws the money; you get another mail then.`,
  ];
}

/** The notification to an admin about a new dispute. */
function disputeOpenedText(disputed: Disputed): NotificationText {
  const { booking, dispute } = disputed;
  const chargeback = `The bank of ${emailTexts(booking).buyer} disputes the payment ${aboutOf(disputed)}, and the card processor keeps the money back until that is decided.`;
  const paragraphs: NotificationText['paragraphs'] =
    dispute.state === 'inquiry' ? inquiryParagraphs(disputed) : [chargeback, ...chargebackAdvice(disputed)];
  return {
    ...disputeText(disputed, 'A payment is disputed', paragraphs, deadlineFact(dispute)),
    quoted: { id: booking.buyer_id, name: booking.buyer_name },
  };
}

/** The notification to an admin about an inquiry that became a chargeback. */
const disputeEscalatedText = (disputed: Disputed): NotificationText =>
  disputeText(
    disputed,
    'An inquiry has become a chargeback',
    [
      `The inquiry about the payment ${aboutOf(disputed)} has become a chargeback. The card processor has withdrawn the money until that is decided.`,
      ...chargebackAdvice(disputed),
    ],
    deadlineFact(disputed.dispute),
  );

/** What a lost dispute means for the sale. */
function lossText({ booking }: Disputed): string {
  switch (booking.order_state) {
    case 'charged_back':
      return 'The sale has ended, and its money was taken back from the seller or is the seller’s debt. If the buyer has the laptop, getting it back is between the seller and the buyer.';
    case 'charge_disputed':
      return 'The sale waits for the other dispute of its payment. What was lost is taken back from the seller or is the seller’s debt.';
    default:
      return 'No sale ends by this: it had ended before, or the payment bought nothing. This pays the refunds of the payment that were not made; what was refunded already is lost to the shop.';
  }
}

/** The notification to an admin about a closed dispute. */
function disputeClosedText(disputed: Disputed): NotificationText {
  const about = aboutOf(disputed);
  switch (disputed.dispute.state) {
    case 'inquiry_closed':
      return disputeText(disputed, 'The inquiry is closed', [
        `The bank’s inquiry about the payment ${about} is closed: the money stays with the shop.`,
      ]);
    case 'won':
      return disputeText(disputed, 'The dispute is won', [
        `The dispute ${about} has ended in the shop’s favour: the money stays with the shop. Refunds that it stopped are made now.`,
      ]);
    default:
      return disputeText(disputed, 'The dispute is lost', [
        `The dispute ${about} is lost: the buyer has the money back from the bank. ${lossText(disputed)}`,
      ]);
  }
}

/** The notification to an admin about a lost dispute whose money came back. */
function disputeReinstatedText(disputed: Disputed): NotificationText {
  const { dispute, reinstated } = disputed;
  const { refundsCents, openCents } = reinstated;
  return disputeText(disputed, 'A lost dispute was won after all', [
    `The card processor has reinstated ${formatCents(dispute.amount_cents)} of the lost dispute about the ${emailTexts(disputed.booking).laptop}. The money is in the shop’s balance there. The order has ended and is not changed.`,
    ...(refundsCents > 0
      ? [
          `${formatCents(refundsCents)} of it had paid refunds of this payment, which are owed to the buyer again. They are listed among the refunds that wait. To try them again, on the shop’s own machine: ${operatorCommand('admin', `refund-again ${dispute.transaction_id}`)}. Otherwise pay the buyer another way, and record it there.`,
        ]
      : []),
    ...(openCents > 0
      ? [
          `${formatCents(openCents)} is in the ledger’s account ‘suspense’. Please decide whose it is. If the buyer has the laptop, it is the seller’s, who bore the loss; if the laptop went back to the seller, it is the buyer’s.`,
        ]
      : []),
  ]);
}

/** `escalated`: an inquiry has become a chargeback. */
const DisputeUpdate = z.enum(['opened', 'escalated', 'closed', 'reinstated']);
export type DisputeUpdate = z.infer<typeof DisputeUpdate>;

const disputeTexts = {
  opened: disputeOpenedText,
  escalated: disputeEscalatedText,
  closed: disputeClosedText,
  reinstated: disputeReinstatedText,
} as const;

/** A dispute changed its state. The admins are told, unless it has been closed or opened again since. */
export const disputeChanged = notification(
  'payments.dispute-news',
  z.object({ disputeId: z.string(), tell: DisputeUpdate }),
  async ({ database }, { disputeId, tell }) => {
    const dispute = await disputeStore.findDispute(database, disputeId);
    const booking = dispute && (await findBooking(database, dispute.booking_id));
    if (!dispute || !booking) return null;
    // An outdated notification would ask for an answer to a closed dispute, or report an open one as closed.
    const isAboutEnd = tell === 'closed' || tell === 'reinstated';
    if (isAboutEnd === (dispute.closed_at === null)) return null;
    const reinstated = await disputeStore.reinstatedCents(database, dispute.card_dispute_id);
    const text = disputeTexts[tell]({ booking, dispute, reinstated });
    return { admins: 'money', laptopId: booking.laptop_id, text };
  },
);

/** A card network warns of fraud. The admins are told, with what they can do before and after the hand-over. */
export const fraudWarned = notification(
  'payments.fraud-warning-news',
  z.object({ warningId: z.string() }),
  async ({ database }, { warningId }) => {
    const warning = await disputeStore.findFraudWarning(database, warningId);
    const booking = warning && (await findBooking(database, warning.booking_id));
    if (!warning || !booking) return null;
    const { laptop, buyer } = emailTexts(booking);
    const amount = formatCents(booking.price_cents);
    const advice =
      booking.order_state === 'held' || booking.order_state === 'to_ship'
        ? 'The shop still holds the money. Ask the seller not to hand the laptop over or send it for now, and ask the buyer. If the payment looks fraudulent, refund it in full: a refund before the dispute costs no dispute fee, and the laptop stays with its seller.'
        : 'The laptop has probably been handed over, or the order has ended. Collect what shows that the buyer got it: the hand-over code or the tracking number, the messages, the meeting. A refund avoids the dispute and its fee. What the seller was paid already is taken back first; that part of the refund waits, unless you pay it from the shop’s own money.';
    const text = moneyText(booking, {
      quoted: { id: booking.buyer_id, name: booking.buyer_name },
      title: `A payment may be fraudulent: ${laptop}`,
      paragraphs: [
        `The card network warns that the payment of ${amount} by ${buyer} for the ${laptop} is probably fraudulent. Most such payments are disputed later. Nothing was changed by this warning.`,
        advice,
      ],
      facts: [
        ['Buyer', `${buyer}, ${booking.buyer_email}`],
        ['Amount', amount],
        ['Reason', formatReason(warning.fraud_type)],
        ['Transaction', warning.transaction_id],
        ['Warning', warningId],
      ],
      action: actionOf(booking),
    });
    return { admins: 'money', laptopId: booking.laptop_id, text };
  },
);

export const all = [disputeChanged, fraudWarned];
