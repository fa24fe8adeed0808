import type { OpenComplaintState } from '#contract/money/order-states.ts';
import { formatUtc, type Notice } from '#server/people/notifications/rules.ts';
import { type OrderForNotice, orderNotice } from '../orders/steps.ts';
import type { Party } from './rules.ts';

const subjects = {
  buyer: 'The buyer has',
  seller: 'The seller has',
  admin: 'The shop has',
} as const satisfies Record<Party, string>;

/** The notice about a statement on a complaint. */
export const statementNotice = (about: OrderForNotice, tell: 'buyer' | 'seller', by: Party): Notice =>
  orderNotice(about, `A statement about your ${tell === 'buyer' ? 'order' : 'sale'} of ${about.laptop}`, [
    `${subjects[by]} added a statement to the complaint. It is on the order, with all answers and with photos, if there are any.`,
  ]);

const deadlineFact = ({ order: { due_at } }: OrderForNotice): [string, string][] =>
  due_at === null ? [] : [['Answer until', formatUtc(due_at)]];

/** The notice to an admin about a complaint that waits for a decision. */
export const contestedNotice = (about: OrderForNotice): Notice =>
  orderNotice(
    about,
    `A complaint about ${about.laptop} waits for a decision`,
    [
      'The buyer and the seller see a complaint differently, so an admin decides. The order shows both sides’ words and photos, the certificate and the measurements.',
      'Without a decision the buyer gets the money back, after the laptop if the buyer has it. Only a parcel that its carrier reports as delivered waits for you.',
    ],
    deadlineFact(about),
  );

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
export const answerDueNotice = (about: OrderForNotice, state: OpenComplaintState): Notice =>
  orderNotice(about, `Your answer about ${about.laptop} is due`, [reminders[state]], deadlineFact(about));
