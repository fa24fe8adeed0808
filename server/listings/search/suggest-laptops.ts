import {
  factChoices,
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/listings/facts.ts';
import { type Suggestions, withoutIgnorable } from '#contract/listings/search.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { foundLaptopsByNumber } from '../catalogue/steps.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { separate, splitWords, unitSpellings } from './index/words.ts';

const numberWithUnit = new RegExp(`^(\\d+(?:\\.\\d+)?)(${Object.keys(unitSpellings).join('|')})$`);

const token = /\p{N}+[.,]\p{N}+|[\p{L}\p{N}]+/gu;

/** The spellings of the words of a text, the first of each. Accents and capitals are kept. */
function spellingsIn(text: string): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const [written] of separate(withoutIgnorable(text)).normalize('NFC').matchAll(token)) {
    const [word, ...others] = splitWords(written);
    if (word !== undefined && others.length === 0 && !spellings.has(word)) spellings.set(word, written);
  }
  return spellings;
}

/** The spellings of words by which facts are found, and of frequent ones in configurations. */
const factSpellings = spellingsIn(
  [processorFamilies, processorGenerations, graphicsKinds, operatingSystems, factChoices]
    .flatMap((names) => Object.values(names).flat())
    .concat('NVMe DDR3 DDR4 DDR5 LPDDR3 LPDDR4 LPDDR4X LPDDR5 LPDDR5X IPS OLED FHD QHD UHD SATA LTS')
    .join(' / '),
);

/**
 * Writes the words of a search as people do: `xps 13in 16gb` as `XPS 13″ 16 GB`.
 * @param text words as {@link splitWords} returns them
 * @param title name and brand of a laptop, whose spelling comes first
 * @returns a text with the same words
 */
export function displaySpelling(text: string, title: string): string {
  const words = text.split(' ');
  const spellings = spellingsIn(title);
  const written = words
    .map((word) => {
      const [, number, unit] = numberWithUnit.exec(word) ?? [];
      if (number !== undefined && unit !== undefined) return `${number}${unitSpellings[unit]}`;
      return spellings.get(word) ?? factSpellings.get(word) ?? word;
    })
    .join(' ');
  return splitWords(written).join(' ') === text ? written : text;
}

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
    laptops: laptops.flatMap((number) => found.get(number) ?? []),
  };
}
