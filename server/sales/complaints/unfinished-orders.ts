import { formatUtcDay } from '#server/people/notifications/rules.ts';
import type { UnfinishedOrder } from './store.ts';

/** Why the owner of an account must not delete it while an order is unfinished. */
export function unfinishedOrderSentence({ laptop, state, is_buyer, until }: UnfinishedOrder): string {
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

/** The number of laptops that are named. */
const NAMED = 3;

/** What an admin is told about the unfinished orders of an account that was ended. */
export function unfinishedOrdersSentence(orders: readonly UnfinishedOrder[]): string {
  const named = orders.slice(0, NAMED).map(({ laptop }) => laptop);
  const rest = orders.length - named.length;
  const laptops = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const count = orders.length === 1 ? 'One order' : `${orders.length} orders`;
  const ends = orders[0]?.is_buyer
    ? 'This buyer cannot complain any more, so held money is released to the seller when the time is over.'
    : 'A complaint that this seller does not answer ends for the buyer, and what the shop owes the seller stays to be paid.';
  return `${count} can be complained about or wait for a bank and go on: ${laptops}. ${ends}`;
}
