// Without the schema library, so that pages can import it.

/** How well a laptop's listing is checked, from the least. */
export const levels = ['word', 'measured', 'inspected'] as const;
export type Level = (typeof levels)[number];

/**
 * How long a laptop can be away from the shop and keep its level, in days. Nobody knows what happened to it since: when it is
 * listed again later, only what was measured in these days counts.
 */
export const MAXIMUM_ABSENCE_DAYS = 90;

/** The displayed names of the levels. */
export const levelNames: Readonly<Record<Level, string>> = {
  word: 'Seller’s word',
  measured: 'Measured',
  inspected: 'Inspected',
};
