/** How long buyers and sellers have for their part of an order: the least and the most days that a shop can choose. */
export const deadlineBounds = {
  /** The money of a meeting is held for so long without a hand-over, and then released. */
  hold: [3, 30],
  /** A paid laptop is sent within so long. */
  sending: [2, 14],
  /** A buyer can complain for so long after the hand-over or the delivery. */
  looking: [3, 60],
  /** A seller answers a complaint within so long. */
  answering: [3, 14],
  /** A laptop is returned within so long. */
  returning: [7, 30],
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>;

/** In days. */
export type Deadlines = Record<keyof typeof deadlineBounds, number>;

/** The deadlines of a fresh shop. */
export const defaultDeadlines: Deadlines = { hold: 7, sending: 5, looking: 14, answering: 5, returning: 14 };

const current = { ...defaultDeadlines };

/** The deadlines of this shop, of which a process serves one. An order keeps the dates that it has. */
export const deadlines: Readonly<Deadlines> = current;

/** Sets the deadlines of this process: on the server when the settings are read, in a page before it is rendered or hydrated. */
export const setDeadlines = (next: Deadlines): void => void Object.assign(current, next);
