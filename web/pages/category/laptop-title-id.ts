import type { Laptop } from '#contract/catalogue.ts';

/** The id of the heading of a laptop's card. A dialog about the laptop returns the focus to it. */
export const laptopTitleId = ({ _id }: Laptop) => `laptop-${_id}`;
