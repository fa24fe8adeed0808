import { facetNames, facets } from '#contract/listings/facets.ts';
import { withoutIgnorable } from '#contract/listings/search.ts';

/** Names of what the shop sells, and other words that say nothing there. */
const plainName = /\b(?:laptop|notebook|computer|pc|machine)s?\b/i;
const ignoredWords = new Set(['and', 'for', 'the', 'with']);

/** Words of sentences. Those of descriptions are not kept, and searches do without them. */
export const commonWords: ReadonlySet<string> = new Set(
  `always because bought came come comes days everything fine first found left life little make months nothing old owner
   second sell selling spent thing things time use using well work working works year years
   a about after all also an any are as at be because been before best both but buy by can could did do does each every
   few find from get give good had has have he her here his how i if in into is it its just like looking me more most my near
   need of on one only or other our out over own please ram same she should show so some someone something still
   than that their them then there they this those to too two under until up us used very want was we were what when where
   which while who will would you your`.split(/\s+/),
);

/** Different words for the same: a laptop with one of them has them all. In descriptions only the first says so. */
const sameWords: readonly (readonly string[])[] = [
  ['touchscreen', 'touch'],
  ['4k', 'ultrahd', '3840'],
  ['2k', 'qhd', '1440p', '2560'],
  ['fhd', 'fullhd', '1080p', '1920'],
  ['2in1', 'convertible', '360'],
  ['windows', 'win'],
];
const others = new Map(sameWords.flatMap((group) => group.map((word) => [word, group] as const)));

/** A word and the words that mean the same. */
export const meanings = (word: string): readonly string[] => others.get(word) ?? [word];

/** The units that are joined to a number before them, so that a number alone is one of a model; with their spelling after it. */
export const unitSpellings: Readonly<Record<string, string>> = {
  mb: ' MB',
  gb: ' GB',
  tb: ' TB',
  mhz: ' MHz',
  ghz: ' GHz',
  hz: ' Hz',
  in: '″',
  bit: '-bit',
  cores: ' cores',
  cycles: ' cycles',
  mah: ' mAh',
  nits: ' nits',
  // Of NVIDIA's models.
  ti: ' Ti',
  wh: ' Wh',
};

/** Other ways to write a unit. */
const otherUnits = new Map(Object.entries({ gib: 'gb', tib: 'tb', inch: 'in', inches: 'in' }));

/** NFKD writes ″ as two ′. */
const inchMark = /(\d) ?(?:"|''|′′|”)/g;
const wordOrDecimal = /\d+[.,]\d+(?=[^\d.,]|$)|[\p{L}\p{N}]+/gu;
const numberWithUnit = /^(\d+)([a-z]+)$/;
const decimal = /^\d+(?:\.\d+)?$/;

/**
 * What is also written as two words, and so always split: letters and a number (`xps13`, `rtx3060`), and the two numbers of HP's
 * models (`840g5`). Single letters belong to their number (`i7`, `t480`), and so does the generation of memory (`ddr4`).
 */
const twoWords = /(?<![a-z0-9])(?!(?:lp)?ddr\d)[a-z]{2,}(?=\d)|(?<!\d)\d{3}(?=g\d)/gi;
/** What is also written as several words, and always joined. */
const oneWord = /\b(?:2[ -]in[ -]1|touch[ -]screen|full[ -]hd|ultra[ -]hd)\b/g;
/** `1920x1080` is two numbers. */
const resolution = /(?<=\d{3})x(?=\d{3})/g;
const memoryKind = /^(?:lp)?ddr$/;
const memoryGeneration = /^[2-9][lx]?$/;

/** Separates letters and numbers that are also written as two words. */
export const separate = (text: string): string => text.replace(twoWords, '$& ');

/** Characters that are not displayed do not end a word. */
const withoutDiacritics = (text: string) => withoutIgnorable(text.normalize('NFKD')).replace(/\p{M}/gu, '');

/** A size in the unit in which storage is sold: 0.5 TB is 512 GB, and 1000 or 1024 GB are 1 TB. */
function joinSize(size: string, unit: string): string {
  const number = Number(size);
  const gigabytes = number * 1024;
  if (unit === 'tb' && number > 0 && number < 1 && Number.isInteger(gigabytes)) return `${gigabytes}gb`;
  const thousand = number % 1024 === 0 ? 1024 : 1000;
  if (unit === 'gb' && number > 0 && number % thousand === 0) return `${number / thousand}tb`;
  return `${size}${unit}`;
}

/** Joins two words that are one: a number and its unit. Inches are the whole ones of a screen. */
function join(first: string, second: string): string | undefined {
  if (memoryKind.test(first)) return memoryGeneration.test(second) ? `${first}${second}` : undefined;
  const unit = otherUnits.get(second) ?? second;
  if (!Object.hasOwn(unitSpellings, unit) || !decimal.test(first)) return undefined;
  if (unit !== 'in') return joinSize(first, unit);
  return Number(first) >= 10 && Number(first) < 22 ? `${Math.floor(Number(first))}in` : undefined;
}

/** Splits `16gb` into a number and a unit and joins them again in their usual form. */
function rejoin(word: string): string | undefined {
  const [, number, unit] = numberWithUnit.exec(word) ?? [];
  return number === undefined || unit === undefined ? undefined : join(number, unit);
}

/**
 * Splits a text into its words: lower case, without diacritics, numbers joined with their units (`16 GB` and `16gb`, `15.6"`
 * and `15 inch`), letters and numbers apart (`XPS13` and `xps 13`). Laptops and searches are split alike.
 */
export function splitWords(text: string): string[] {
  const plain = separate(
    withoutDiacritics(text)
      .toLowerCase()
      .replace(inchMark, '$1 in ')
      .replace(oneWord, (words) => words.replace(/[ -]/g, ''))
      .replace(resolution, ' '),
  );
  const words: string[] = [];
  let previous = '';
  for (const part of plain.match(wordOrDecimal) ?? []) {
    const whole = join(previous, part);
    if (whole !== undefined) words.pop();
    else if (ignoredWords.has(part) || plainName.test(part)) continue;
    previous = whole ?? rejoin(part) ?? part.replace(',', '.');
    words.push(previous);
  }
  return words;
}

/** The distinct words of a text. */
export const wordsOf = (text: string): string[] => [...new Set(splitWords(text))];

/** The words of a search that laptops must have: without common ones, unless there are only these (`used laptop` is any). */
export function searchedWords(text: string): string[] {
  const words = wordsOf(text);
  const others = words.filter((word) => !commonWords.has(word));
  return others.length > 0 || plainName.test(text) ? others : words;
}

/** The maximum number of words of a description by which a laptop is found. */
const MAXIMUM_NOTE_WORDS = 12;

/** Ends what a sentence denies or asserts. */
const clauseEnd = /(?<![.!?;,:()\n])[.!?;,:()\n]+(?:\s|$)/;
const negation = /\b(?:no|not|none|never|without|cannot|nor)\b|n[’']t\b/i;

/**
 * The first words of a description by which a laptop is found: without common ones, sizes, which are of the configuration, what a
 * clause denies (`no touch screen`), and ambiguous words for a fact (`what your hands touch`).
 */
export function noteWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const clause of text.split(clauseEnd)) {
    for (const word of splitWords(clause.split(negation, 1)[0] ?? '')) {
      const isLong = word.length > 2 || /^\d/.test(word);
      if (!isLong || commonWords.has(word) || numberWithUnit.test(word) || meanings(word)[0] !== word)
        continue;
      words.add(word);
      if (words.size === MAXIMUM_NOTE_WORDS) return words;
    }
  }
  return words;
}

/** Words of facts' names after which a number belongs to the name: `windows 11`, `ryzen 7`. */
export const wordsBeforeNumbers: ReadonlySet<string> = new Set(
  facetNames.flatMap((name) => {
    const { order, words } = facets[name];
    const texts = typeof order === 'object' && words !== undefined ? order.map(words) : [];
    return texts.flatMap(splitWords).filter((word) => !/\d/.test(word));
  }),
);
