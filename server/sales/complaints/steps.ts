import { releasePhotos } from '#server/listings/photos/steps.ts';
import { formatUtcDay } from '#server/people/notifications/rules.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { eraseStatements, laptopInOpenComplaint, type UnfinishedOrder, unfinishedOrders } from './store.ts';

/** Why an account must not be deleted yet; null when it has no open complaint. */
export async function openComplaintRefusal(transaction: Transaction, userId: string): Promise<string | null> {
  const laptop = await laptopInOpenComplaint(transaction, userId);
  if (laptop === null) return null;
  return `A complaint about ${laptop} is open, and both sides must be able to answer. Please wait until it is settled.`;
}

/** Why the owner of an account must not delete it while an order is unfinished. */
function unfinishedOrderSentence({ laptop, state, is_buyer, until }: UnfinishedOrder): string {
  if (until !== null) {
    const who = is_buyer ? 'You can' : `The buyer of ${laptop} can`;
    const what = is_buyer ? ` about ${laptop}` : '';
    return `${who} complain${what} until ${formatUtcDay(until)}, and that needs your account. You can delete it afterwards.`;
  }
  if (state === 'charge_disputed') {
    return `A bank disputes the payment for ${laptop}. Please wait until it has decided.`;
  }
  return `The sale of ${laptop} is not over yet, and the buyer can complain about it. Please wait until it is completed.`;
}

/**
 * Why an account must not be deleted by its owner yet: an order can still be complained about, and both sides must be there for it.
 * @returns a sentence with the day from which it works, if that is known; null without such an order
 */
export async function unfinishedOrderRefusal(
  transaction: Transaction,
  userId: string,
): Promise<string | null> {
  const [last] = await unfinishedOrders(transaction, userId, 1);
  return last === undefined ? null : unfinishedOrderSentence(last);
}

/** The number of laptops that are named. */
const NAMED = 3;

/** What an admin is told about the unfinished orders of an account that was ended. */
function unfinishedOrdersSentence(orders: readonly UnfinishedOrder[]): string {
  const named = orders.slice(0, NAMED).map(({ laptop }) => laptop);
  const rest = orders.length - named.length;
  const laptops = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const count = orders.length === 1 ? 'One order' : `${orders.length} orders`;
  const bought = orders.filter(({ is_buyer }) => is_buyer);
  const isToArrive = ({ state }: UnfinishedOrder) => state === 'to_ship' || state === 'shipped';
  const ends = [
    ...(bought.some(isToArrive)
      ? [
          'A parcel to this buyer that is not sent, or not shown to have arrived, is refunded when the time is over.',
        ]
      : []),
    ...(bought.some((order) => !isToArrive(order))
      ? [
          'This buyer cannot complain or answer any more, so other held money is released to the seller when the time is over, unless the seller must act first.',
        ]
      : []),
    ...(bought.length < orders.length
      ? [
          'A hand-over that the buyer does not confirm and a complaint that this seller does not answer end for the buyer. What the shop owes the seller is not transferred: it stays in Settlements for your decision.',
        ]
      : []),
  ].join(' ');
  return `${count} can be complained about or wait for a bank and go on: ${laptops}. ${ends}`;
}

/** The most orders that a message to an admin is about. */
const MAXIMUM_UNFINISHED = 1_000;

/** What becomes of the unfinished orders of an account that an admin ends; null without any. */
export async function unfinishedOrdersNote(transaction: Transaction, userId: string): Promise<string | null> {
  const orders = await unfinishedOrders(transaction, userId, MAXIMUM_UNFINISHED);
  return orders.length === 0 ? null : unfinishedOrdersSentence(orders);
}

/** Erases the texts and photos of a user's statements, in settled complaints. Their moves are kept. */
export async function removeStatementsOf(transaction: Transaction, userId: string): Promise<void> {
  await releasePhotos(transaction, await eraseStatements(transaction, userId));
}
