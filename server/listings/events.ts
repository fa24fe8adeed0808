// What happens to a laptop. The rooms of this wing publish it; server/laptop-events.ts says who reacts.

import type { Context } from '#server/platform/context.ts';
import type { Row, Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';

/**
 * Reacts to an event in its transaction, in which the laptop is locked. It may refuse what happens.
 * @throws Refusal
 */
export type Reaction<Event> = (transaction: Transaction, event: Event, enqueue: Enqueue) => Promise<void>;

/** The laptop as it is stored. */
interface Change {
  before: Row<'laptops'>;
}

/** Who reacts to what, in this order. */
export interface LaptopEvents {
  /** Listed, from a draft if it has an id. */
  listed: readonly Reaction<{ laptopId: string; sellerId: string; draftId: string | undefined }>[];
  /** A seller asks for a change. Before its transaction, for what asks the card processor; nothing is checked yet. */
  changeRequested: readonly ((
    change: Record<'laptopId' | 'sellerId', string> & { version: number },
  ) => Promise<void>)[];
  /** About to change. */
  changing: readonly Reaction<Change>[];
  changed: readonly Reaction<Change>[];
  /** @param event.priceVersion the version of the listing with the new price */
  priceChanged: readonly Reaction<{ laptopId: string; priceVersion: number }>[];
  /** Withdrawn before, and for sale again. */
  relisted: readonly Reaction<{ laptop: Row<'laptops'> }>[];
  withdrawn: readonly Reaction<{ laptopId: string }>[];
  takenDown: readonly Reaction<{ laptopId: string }>[];
}

/** What publishing needs. */
export interface PublishDependencies extends Pick<Context, 'enqueue' | 'shop'> {
  laptopEvents: LaptopEvents;
}

/** Lets each reaction follow an event, one after the other. @throws Refusal of the first that refuses */
export async function publish<Event>(
  transaction: Transaction,
  reactions: readonly Reaction<Event>[],
  event: Event,
  enqueue: Enqueue,
): Promise<void> {
  for (const react of reactions) await react(transaction, event, enqueue);
}
