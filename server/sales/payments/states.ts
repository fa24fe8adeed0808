// The card processor's events arrive late, repeated and out of order, and two responses of its API can overtake each
// other. Time cannot order them: an event's `created` has whole seconds, and a response has no time. The order of states
// decides: an update to a state that cannot follow the present one is outdated and changes nothing.

import type { Successors } from '#server/money/refunds/rules.ts';

/** `closed`: the shop gave the attempt up. A payment that arrives later still counts. */
export const intentStates = {
  open: ['closed', 'sold', 'refunded'],
  closed: ['sold', 'refunded'],
  sold: [],
  refunded: [],
} as const satisfies Successors<'open' | 'closed' | 'sold' | 'refunded'>;

/**
 * A closed inquiry can become a chargeback. A lost dispute can be won
 * later: the card processor then reinstates the money.
 */
export const disputeStates = {
  inquiry: ['inquiry_closed', 'disputed', 'won', 'lost'],
  inquiry_closed: ['disputed', 'won', 'lost'],
  disputed: ['won', 'lost'],
  won: [],
  lost: ['won'],
} as const satisfies Successors<'inquiry' | 'inquiry_closed' | 'disputed' | 'won' | 'lost'>;

/** The state of a dispute's row. */
export type DisputeState = keyof typeof disputeStates;
