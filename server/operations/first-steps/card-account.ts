// The part of the card processor's interface that prepares the shop's own account there.

/** `snapshot` for events with a copy of their object, `thin` for those about sellers' accounts, which only refer to it. */
export type EventPayload = 'snapshot' | 'thin';

/** A place to which the card processor sends events. */
interface EventDestination {
  id: string;
  /** Null when the events do not go to a URL. */
  url: string | null;
  payload: EventPayload;
  /** False when the card processor sends nothing any more. */
  isEnabled: boolean;
  /** Whether this program created it, for any shop. */
  isOwn: boolean;
}

/** The card processor did not do it. The message says why, in its own words. */
export class CardAccountError extends Error {}

/** The shop's own account at the card processor. Each call throws a {@link CardAccountError} when it is refused or not answered. */
export interface CardAccount {
  listEventDestinations(): Promise<EventDestination[]>;
  /** Creates a destination. @returns its id, and the secret that signs its events, which is returned only here */
  createEventDestination(request: {
    url: string;
    payload: EventPayload;
  }): Promise<{ id: string; secret: string }>;
  /** Removes a destination, unless it is removed already. */
  removeEventDestination(id: string): Promise<void>;
  /** Stops the automatic payouts to the shop's bank, which would take the money that is due to sellers. */
  stopAutomaticPayouts(): Promise<void>;
}
