import type { OpenComplaintState } from '#contract/order-states.ts';
import { renderEmail } from '#emails/email.ts';
import { type Account, quoteIfVerified } from '#emails/user-text.ts';
import { formatUtc } from '../payments/rules.ts';
import type { EmailMessage } from '../vendors/email.ts';
import type { Party } from './rules.ts';

interface EmailContext {
  orderId: string;
  laptop: string;
  to: Account;
}

const action = ({ orderId }: EmailContext, origin: string) => ({
  label: 'See the order',
  url: `${origin}/dashboard/order/${orderId}`,
});

const subjects = {
  buyer: 'The buyer has',
  seller: 'The seller has',
  admin: 'The shop has',
} as const satisfies Record<Party, string>;

/** The email about a statement on a complaint. */
export function statementEmail(
  about: EmailContext,
  [tell, { by, author, text }]: readonly [
    'buyer' | 'seller',
    { by: Party; author: Pick<Account, 'emailVerified'>; text: string },
  ],
  origin: string,
): EmailMessage {
  const quoted = quoteIfVerified(author, text, '');
  return renderEmail({
    to: about.to,
    subject: `A statement about your ${tell === 'buyer' ? 'order' : 'sale'} of ${about.laptop}`,
    paragraphs: [
      `${subjects[by]} added a statement to the complaint. Photos, if there are any, and all answers are on the order.`,
      ...(quoted === '' ? [] : [`“${quoted}”`]),
    ],
    facts: [['Laptop', about.laptop]],
    action: action(about, origin),
  });
}

const deadlineFact = (dueAt: Date | null): [string, string][] =>
  dueAt === null ? [] : [['Answer until', formatUtc(dueAt)]];

/** The email to an admin about a complaint that waits for a decision. */
export const contestedEmail = (about: EmailContext & { dueAt: Date | null }, origin: string): EmailMessage =>
  renderEmail({
    to: about.to,
    subject: `A complaint about ${about.laptop} waits for a decision`,
    paragraphs: [
      'The buyer and the seller see a complaint differently, so an admin decides. The order shows both sides’ words and photos, the certificate and the measurements.',
      'Without a decision the buyer gets the money back, after the laptop if the buyer has it.',
    ],
    facts: [['Laptop', about.laptop], ...deadlineFact(about.dueAt)],
    action: action(about, origin),
  });

/** What happens without an answer, to the person who must give it. */
const reminders = {
  complaint: 'Please answer the buyer’s complaint. Without an answer the buyer gets the whole price back.',
  offered: 'Please answer the seller’s offer. Without an answer it counts as accepted.',
  contested: 'A complaint waits for a decision. Without one the buyer gets the whole price back.',
  awaiting_return:
    'Please return the laptop and say so on the order. Otherwise the complaint ends, and the money is the seller’s.',
  return_reported:
    'Please say whether you have the laptop back. Without an answer the buyer gets the whole price back.',
} as const satisfies Record<OpenComplaintState, string>;

/** The reminder to the person who must answer. */
export const answerDueEmail = (
  about: EmailContext & { dueAt: Date | null },
  state: OpenComplaintState,
  origin: string,
): EmailMessage =>
  renderEmail({
    to: about.to,
    subject: `Your answer about ${about.laptop} is due`,
    paragraphs: [reminders[state]],
    facts: [['Laptop', about.laptop], ...deadlineFact(about.dueAt)],
    action: action(about, origin),
  });
