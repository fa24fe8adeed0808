// The card provider's news come late, doubled and out of order, and two answers of its API can overtake each other.
// They are not ordered by time: an event's `created` has whole seconds, and an answer has no time at all. What decides
// is which state can follow which. An update that does not go forward is outdated and changes nothing.

/** For each state the states that can follow it, directly or by way of others. A state that nothing follows is final. */
type StateOrder<State extends string> = Readonly<Record<State, readonly State[]>>;

/** `closed` means that the shop gave the attempt up; money that arrives all the same still counts. */
export const intentStates = {
  open: ['closed', 'settled', 'refunded'],
  closed: ['settled', 'refunded'],
  settled: [],
  refunded: [],
} as const satisfies StateOrder<'open' | 'closed' | 'settled' | 'refunded'>;

/** Of one attempt at a refund: one that was done can still fail when the buyer's bank sends it back. */
export const refundStates = {
  pending: ['done', 'failed'],
  done: ['failed'],
  failed: [],
} as const satisfies StateOrder<'pending' | 'done' | 'failed'>;

/** `open` is from before inquiries were told from chargebacks. A closed inquiry can still become a chargeback. */
export const disputeStates = {
  open: ['inquiry', 'inquiry_closed', 'chargeback', 'won', 'lost'],
  inquiry: ['inquiry_closed', 'chargeback', 'won', 'lost'],
  inquiry_closed: ['chargeback', 'won', 'lost'],
  chargeback: ['won', 'lost'],
  won: [],
  lost: [],
} as const satisfies StateOrder<'open' | 'inquiry' | 'inquiry_closed' | 'chargeback' | 'won' | 'lost'>;

/** A dispute as the shop's books have it. */
export type DisputeState = keyof typeof disputeStates;

/** The states that a state can follow: an update to it is made only from one of these. */
export function statesBefore<State extends string>(order: StateOrder<State>, state: State): State[] {
  const states: State[] = [];
  for (const before in order) if (order[before].includes(state)) states.push(before);
  return states;
}
