import { graphicsKinds, operatingSystems, processorFamilies, processorGenerations } from '#contract/facts.ts';
import type { FacetName } from '#contract/search.ts';

/** Words that say nothing in a shop of laptops. */
const ignoredWords = new Set(['laptop', 'laptops', 'and', 'for', 'the', 'with']);

/** The written units that are joined to a number before them. */
const units = new Map([
  ['mb', 'mb'],
  ['gb', 'gb'],
  ['gib', 'gb'],
  ['tb', 'tb'],
  ['tib', 'tb'],
  ['ghz', 'ghz'],
  ['hz', 'hz'],
  ['in', 'in'],
  ['inch', 'in'],
  ['inches', 'in'],
]);

const DIGIT_NINE = 0x39;

const ascii = /^[\x20-\x7e]*$/;
/** NFKD writes ″ as two ′. */
const inchMark = /(\d) ?(?:"|''|′′|”)/g;
const wordOrDecimal = /\d+[.,]\d+(?=[^\d.,]|$)|[\p{L}\p{N}]+/gu;
/** The same for ASCII texts, which are most and take half the time. */
const asciiWordOrDecimal = /\d+[.,]\d+(?=[^\d.,]|$)|[a-z0-9]+/g;
const numberWithUnit = /^(\d+)([a-z]+)$/;
const decimal = /^\d+(?:\.\d+)?$/;

const withoutDiacritics = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '');

/** Joins a number and a unit; undefined if they do not belong together. Inches are the whole ones of a screen. */
function join(number: string, written: string): string | undefined {
  const unit = units.get(written);
  if (unit === undefined || !decimal.test(number)) return undefined;
  if (unit !== 'in') return `${number}${unit}`;
  return Number(number) >= 10 && Number(number) < 22 ? `${Math.floor(Number(number))}in` : undefined;
}

/** Splits `16gb` into a number and a unit and joins them again in their usual form. */
function rejoin(word: string): string | undefined {
  if (word.charCodeAt(0) > DIGIT_NINE || word.charCodeAt(word.length - 1) <= DIGIT_NINE) return undefined;
  const [, number, unit] = numberWithUnit.exec(word) ?? [];
  return number === undefined || unit === undefined ? undefined : join(number, unit);
}

/**
 * Splits a text into its words: lower case, without diacritics, numbers joined with their units (`16 GB` and `16gb`, `15.6"`
 * and `15 inch`).
 */
export function splitWords(text: string): string[] {
  const isAscii = ascii.test(text);
  const lower = (isAscii ? text : withoutDiacritics(text)).toLowerCase();
  const plain = lower.replace(inchMark, '$1 in ');
  const words: string[] = [];
  let previous = '';
  for (const part of plain.match(isAscii ? asciiWordOrDecimal : wordOrDecimal) ?? []) {
    const whole = previous.charCodeAt(0) <= DIGIT_NINE ? join(previous, part) : undefined;
    if (whole !== undefined) words.pop();
    else if (ignoredWords.has(part)) continue;
    previous = whole ?? rejoin(part) ?? part.replace(',', '.');
    words.push(previous);
  }
  return words;
}

/** The distinct words of a text. */
export const wordsOf = (text: string): string[] => [...new Set(splitWords(text))];

const storageSize = (gigabytes: string) =>
  Number(gigabytes) % 1024 === 0 ? `${Number(gigabytes) / 1024}tb` : `${gigabytes}gb`;

const displayName = (names: Readonly<Record<string, string>>) => (value: string) => names[value] ?? value;

/** Words of the facts' names after which a number belongs to the name: `windows 11`, `ryzen 7`. */
export const wordsBeforeNumbers: ReadonlySet<string> = new Set(
  [processorFamilies, processorGenerations, graphicsKinds, operatingSystems].flatMap((names) =>
    splitWords(Object.values(names).join(' / ')).filter((word) => !/\d/.test(word)),
  ),
);

/** The text by which the laptops of a facet's value are found, for the facets that are searched by words. */
export const facetTexts: Partial<Record<FacetName, (value: string) => string>> = {
  brand: (value) => value,
  memory: (value) => `${value}gb`,
  storage: storageSize,
  screen: (value) => `${value}in`,
  processor: displayName(processorFamilies),
  generation: displayName(processorGenerations),
  graphics: displayName(graphicsKinds),
  system: displayName(operatingSystems),
};
