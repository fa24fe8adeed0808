/** How long buyers and sellers have for their part of an order, in days. */
export interface Deadlines {
  /** The money of a meeting is held for so long without a hand-over, and then released. */
  hold: number;
  /** A paid laptop is sent within so long. */
  sending: number;
  /** A buyer can complain for so long after the hand-over or the delivery. */
  looking: number;
  /** A seller answers a complaint within so long. */
  answering: number;
  /** A laptop is returned within so long. */
  returning: number;
}

/** The deadlines of a fresh shop. */
export const defaultDeadlines: Deadlines = { hold: 7, sending: 5, looking: 14, answering: 5, returning: 14 };

/** What a shop can choose: the least and the most days. */
export const deadlineBounds = {
  hold: [3, 30],
  sending: [2, 14],
  looking: [3, 60],
  answering: [3, 14],
  returning: [7, 30],
} as const satisfies Readonly<Record<keyof Deadlines, readonly [least: number, most: number]>>;

/** A value for each deadline. */
export const eachDeadline = <Value>(
  toValue: (name: keyof Deadlines) => Value,
): Record<keyof Deadlines, Value> => ({
  hold: toValue('hold'),
  sending: toValue('sending'),
  looking: toValue('looking'),
  answering: toValue('answering'),
  returning: toValue('returning'),
});

const current = { ...defaultDeadlines };

/** The deadlines of this shop, of which a process serves one. An order keeps the dates that it has. */
export const deadlines: Readonly<Deadlines> = current;

/** Sets the deadlines of this process: on the server when the settings are read, in a page before it is rendered or hydrated. */
export const setDeadlines = (next: Deadlines): void => void Object.assign(current, next);
