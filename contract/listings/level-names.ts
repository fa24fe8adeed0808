// Without the schema library, so that pages can import it.

/** How well a laptop's listing is checked, from the least. */
export const levels = ['word', 'measured', 'inspected_photos', 'inspected_hand'] as const;
export type Level = (typeof levels)[number];

/** The displayed names of the levels. */
export const levelNames: Readonly<Record<Level, string>> = {
  word: 'Seller’s word',
  measured: 'Measured',
  inspected_photos: 'Inspected from photos',
  inspected_hand: 'Inspected in hand',
};
