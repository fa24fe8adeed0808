import * as z from 'zod/mini';
import { type OpenComplaintState, openComplaintStates } from '#contract/money/order-states.ts';
import { formatUtc } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import { responsibleParty } from '../orders/rules.ts';
import { findNotifiedOrder, isReturnUnaddressed, type NotifiedOrder, orderText } from '../orders/steps.ts';
import type { Party } from './rules.ts';
import { findStatement } from './store.ts';

// The notifications about moves are those of orders.

const subjects = {
  buyer: 'The buyer has',
  seller: 'The seller has',
  admin: 'The shop has',
} as const satisfies Record<Party, string>;

/** A statement was added to a complaint. The buyer and the seller are told, other than its author. */
export const statementAdded = notification(
  'complaints.statement-added',
  z.object({ statementId: z.string() }),
  async ({ database }, { statementId }) => {
    const statement = await findStatement(database, statementId);
    const found = statement && (await findNotifiedOrder(database, statement.order_id));
    if (!found) return null;
    const said = `${subjects[statement.party]} added a statement to the complaint. It is on the order, with all answers and with photos, if there are any.`;
    const others = (['buyer', 'seller'] as const).filter((person) => person !== statement.party);
    return others.map((person) => {
      const sale = person === 'buyer' ? 'order' : 'sale';
      return found.to(person, orderText(found, `A statement about your ${sale} of ${found.laptop}`, [said]));
    });
  },
);

const deadlineFact = ({ order: { due_at } }: NotifiedOrder): [string, string][] =>
  due_at === null ? [] : [['Answer until', formatUtc(due_at)]];

/** A complaint became contested. The admins are told, unless it was decided since. */
export const complaintContested = notification(
  'complaints.contested',
  z.object({ orderId: z.string() }),
  async ({ database }, { orderId }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found?.order.state !== 'contested') return null;
    const title = `A complaint about ${found.laptop} waits for a decision`;
    const paragraphs = [
      'The buyer and the seller see a complaint differently, so an admin decides. The order shows both sides’ words and photos, the certificate and the measurements.',
      'Without a decision the buyer gets the money back, after the laptop if the buyer has it. Only a parcel that its carrier reports as delivered waits for you.',
    ] as const;
    return found.to('admin', orderText(found, title, paragraphs, deadlineFact(found)));
  },
);

/** What happens without an answer, to the person who must give it. */
const reminders = {
  complaint:
    'Please answer the buyer’s complaint. Without an answer the buyer gets the whole price back, after the laptop if the buyer has it. Only about a parcel that its carrier reports as delivered, the shop decides.',
  offered: 'Please answer the seller’s offer. Without an answer it counts as accepted.',
  contested:
    'A complaint waits for a decision. Without one the buyer gets the whole price back, unless the carrier reports the delivery that the buyer misses.',
  awaiting_return:
    'Please return the laptop and say so on the order. Otherwise the complaint ends, and the money is released to the seller.',
  return_reported:
    'Please say whether you have the laptop back. Without an answer the buyer gets the whole price back.',
} as const satisfies Record<OpenComplaintState, string>;

/** An answer is due soon. The party that must give it is reminded, unless it was given since. */
export const answerIsDue = notification(
  'complaints.answer-is-due',
  z.object({ orderId: z.string(), state: z.enum(openComplaintStates) }),
  async ({ database }, { orderId, state }) => {
    const found = await findNotifiedOrder(database, orderId);
    if (found?.order.state !== state) return null;
    const title = `Your answer about ${found.laptop} is due`;
    const isUnaddressed = await isReturnUnaddressed(database, found.order);
    const reminder = isUnaddressed
      ? 'Please enter on the order to which address the laptop returns. Without an address the buyer gets the whole price back.'
      : reminders[state];
    const text = orderText(found, title, [reminder], deadlineFact(found));
    return found.to(isUnaddressed ? 'seller' : responsibleParty[state], text);
  },
);

export const all = [statementAdded, complaintContested, answerIsDue];
