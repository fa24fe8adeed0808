import type { OpenComplaintState } from '#contract/money/order-states.ts';
import { formatUtc, type Notice } from '#server/people/notifications/rules.ts';
import type { Party } from './rules.ts';

/** A complaint, for its notices. */
interface ComplaintContext {
  orderId: string;
  /** The laptop's name, made safe for emails. */
  laptop: string;
  /** Until when an answer is due; null without a deadline. */
  dueAt: Date | null;
}

const action = ({ orderId }: ComplaintContext): Notice['action'] => ({
  label: 'See the order',
  path: `/dashboard/order/${orderId}`,
});

const subjects = {
  buyer: 'The buyer has',
  seller: 'The seller has',
  admin: 'The shop has',
} as const satisfies Record<Party, string>;

/** The notice about a statement on a complaint. */
export function statementNotice(about: ComplaintContext, tell: 'buyer' | 'seller', by: Party): Notice {
  return {
    topic: 'money',
    title: `A statement about your ${tell === 'buyer' ? 'order' : 'sale'} of ${about.laptop}`,
    paragraphs: [
      `${subjects[by]} added a statement to the complaint. It is on the order, with all answers and with photos, if there are any.`,
    ],
    facts: [['Laptop', about.laptop]],
    action: action(about),
  };
}

const deadlineFact = (dueAt: Date | null): [string, string][] =>
  dueAt === null ? [] : [['Answer until', formatUtc(dueAt)]];

/** The notice to an admin about a complaint that waits for a decision. */
export const contestedNotice = (about: ComplaintContext): Notice => ({
  topic: 'money',
  title: `A complaint about ${about.laptop} waits for a decision`,
  paragraphs: [
    'The buyer and the seller see a complaint differently, so an admin decides. The order shows both sides’ words and photos, the certificate and the measurements.',
    'Without a decision the buyer gets the money back, after the laptop if the buyer has it. Only a parcel that its carrier reports as delivered waits for you.',
  ],
  facts: [['Laptop', about.laptop], ...deadlineFact(about.dueAt)],
  action: action(about),
});

/** What happens without an answer, to the person who must give it. */
const reminders = {
  complaint: 'Please answer the buyer’s complaint. Without an answer the buyer gets the whole price back.',
  offered: 'Please answer the seller’s offer. Without an answer it counts as accepted.',
  contested:
    'A complaint waits for a decision. Without one the buyer gets the whole price back, unless the carrier reports the delivery that the buyer misses.',
  awaiting_return:
    'Please return the laptop and say so on the order. Otherwise the complaint ends, and the money is released to the seller.',
  return_reported:
    'Please say whether you have the laptop back. Without an answer the buyer gets the whole price back.',
} as const satisfies Record<OpenComplaintState, string>;

/** The reminder to the person who must answer. */
export const answerDueNotice = (about: ComplaintContext, state: OpenComplaintState): Notice => ({
  topic: 'money',
  title: `Your answer about ${about.laptop} is due`,
  paragraphs: [reminders[state]],
  facts: [['Laptop', about.laptop], ...deadlineFact(about.dueAt)],
  action: action(about),
});
