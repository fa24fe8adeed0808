import type { Suggestions } from '#contract/listings/search.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { foundLaptopsByNumber } from '../catalogue/steps.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { displaySpelling } from './spelling.ts';

/** Suggests searches for typed words, in the writing of a laptop that has them, and laptops that match. */
export async function suggestLaptops(
  { reader, origin, index }: { reader: Reader; origin: string; index: LaptopIndex },
  typed: string,
): Promise<Suggestions> {
  const { searches, laptops } = index.suggest(typed);
  const examples = searches.flatMap(({ example }) => example ?? []);
  const found = await foundLaptopsByNumber(reader, [...new Set([...examples, ...laptops])], origin);
  const titleOf = (number: number | null) => {
    const laptop = number === null ? undefined : found.get(number);
    return laptop === undefined ? '' : `${laptop.name} / ${laptop.category_Id} / ${laptop.location}`;
  };
  return {
    suggestions: searches.map(({ read, text, count, example }) => ({
      text: `${read} ${displaySpelling(text, titleOf(example))}`.trim(),
      count,
    })),
    laptops: laptops.flatMap((number) => {
      const laptop = found.get(number);
      if (laptop === undefined) return [];
      const { _id, name, image, resale_price } = laptop;
      return [{ _id, name, image, resale_price }];
    }),
  };
}
