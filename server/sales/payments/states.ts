// The card processor's events arrive late, repeated and out of order, and two responses of its API can overtake each
// other. Time cannot order them: an event's `created` has whole seconds, and a response has no time. The order of states
// decides: an update to a state that cannot follow the present one is outdated and changes nothing.

/** For each state, the states that can follow it, directly or indirectly. A state without any is final. */
type StateOrder<State extends string> = Readonly<Record<State, readonly State[]>>;

/** `closed`: the shop gave the attempt up. A payment that arrives later still counts. */
export const intentStates = {
  open: ['closed', 'settled', 'refunded'],
  closed: ['settled', 'refunded'],
  settled: [],
  refunded: [],
} as const satisfies StateOrder<'open' | 'closed' | 'settled' | 'refunded'>;

/**
 * States of a refund. A waiting one is not requested yet. One attempt is pending, then done or failed; a done one can fail when the
 * buyer's bank returns the money. A failed one is settled when the bank gives the buyer the money in a dispute.
 */
export const refundStates = {
  waiting: ['pending', 'done', 'failed', 'settled_by_bank'],
  pending: ['done', 'failed', 'settled_by_bank'],
  done: ['failed', 'settled_by_bank'],
  failed: ['settled_by_bank'],
  settled_by_bank: [],
} as const satisfies StateOrder<'waiting' | 'pending' | 'done' | 'failed' | 'settled_by_bank'>;

/**
 * A closed inquiry can become a chargeback. A lost dispute can be won
 * later: the card processor then reinstates the money.
 */
export const disputeStates = {
  inquiry: ['inquiry_closed', 'chargeback', 'won', 'lost'],
  inquiry_closed: ['chargeback', 'won', 'lost'],
  chargeback: ['won', 'lost'],
  won: [],
  lost: ['won'],
} as const satisfies StateOrder<'inquiry' | 'inquiry_closed' | 'chargeback' | 'won' | 'lost'>;

/** The state of a dispute's row. */
export type DisputeState = keyof typeof disputeStates;

/** The states that can precede a state. An update to the state applies only to rows in one of these. */
export function statesBefore<State extends string>(order: StateOrder<State>, state: State): State[] {
  const states: State[] = [];
  for (const before in order) if (order[before].includes(state)) states.push(before);
  return states;
}
