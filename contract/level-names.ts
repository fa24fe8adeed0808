// Without the schema library, so that pages can import it.

/** How well a laptop's listing is checked, from the least. */
export const levels = ['word', 'measured', 'inspected_photos', 'inspected_hand'] as const;
export type Level = (typeof levels)[number];

/** The levels of laptops that the shop has inspected, by the kind of inspection. */
export const inspectedLevels = ['inspected_photos', 'inspected_hand'] as const satisfies readonly Level[];

/** Whether the shop has inspected a laptop, from photos or in hand. */
export const isInspected = (level: Level): level is (typeof inspectedLevels)[number] =>
  inspectedLevels.some((inspected) => inspected === level);

/**
 * How long a laptop can be away from the shop and keep its level, in days. Nobody knows what happened to it since: when it is
 * listed again later, only what was measured in these days counts.
 */
export const MAXIMUM_ABSENCE_DAYS = 90;

/** The displayed names of the levels. */
export const levelNames: Readonly<Record<Level, string>> = {
  word: 'Seller’s word',
  measured: 'Measured',
  inspected_photos: 'Inspected from photos',
  inspected_hand: 'Inspected in hand',
};
