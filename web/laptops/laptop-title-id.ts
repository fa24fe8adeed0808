import type { Laptop } from '#contract/listings/catalogue.ts';

/** The id of the heading of a laptop's card. A dialog about the laptop returns the focus to it. */
export const laptopTitleId = ({ _id }: Pick<Laptop, '_id'>) => `laptop-${_id}`;
