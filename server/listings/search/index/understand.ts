import { isFacet } from '#contract/listings/facets.ts';
import { type Purpose, purposes } from '#contract/listings/purposes.ts';
import {
  MAXIMUM_UNDERSTOOD,
  type SearchFilters,
  type SortOrder,
  type Understanding,
  type UnderstoodParameter,
} from '#contract/listings/search.ts';
import { currency } from '#contract/platform/money.ts';
import { isCommonWord, splitWords, unitSpellings } from './words.ts';

/**
 * Finds the places of laptops for sale.
 * @param words those of a whole part of a place, such as a city
 * @param isNamed whether they follow a word such as “near”; otherwise they are not only words of names and configurations
 */
export type FindPlaces = (words: readonly string[], isNamed: boolean) => string[];

const BEFORE = String.raw`(?<![\p{L}\p{N}])`;
const AFTER = String.raw`(?![\p{L}\p{N}])`;

/** The longest words first: `video editing` before `video`. */
const pattern = ({ words }: Purpose) =>
  new RegExp(
    `${BEFORE}(?:${words
      .toSorted((one, other) => other.length - one.length)
      .map((phrase) => phrase.replaceAll(' ', String.raw`[\s-]+`))
      .join('|')})${AFTER}`,
    'iu',
  );
const purposePatterns = purposes.map((purpose) => ({ ...purpose, pattern: pattern(purpose) }));

/**
 * Prices without a sign or name of the currency are at least this part of the highest one, which is $50 of $50,000: `under 14 inches` is
 * none.
 */
const LEAST_BARE_PRICE = 0.001;
/** The share by which prices may differ from one that is `around` it. */
const AROUND = 0.2;

/** How people write a currency, besides its signs, code and name. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  GBP: ['quid'],
  JPY: ['円', '￥'],
  SGD: ['S$'],
  USD: ['bucks'],
};

/** The sign that a currency has in its own country, such as `$` and `kr`. */
const ownSign = (code: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? code;

const units = Object.keys(unitSpellings).concat(
  'gib',
  'tib',
  'inch',
  'inches',
  'kg',
  'lbs?',
  'years?',
  'months?',
);
const amount = (name: string, marks: string) =>
  [
    String.raw`(?<${name}sign>(?:${marks})\s?)?(?<${name}>\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d{1,2})?)(?<${name}k>k)?`,
    String.raw`(?![.,]?\d)(?<${name}name>\s?(?:${marks}))?`,
    String.raw`(?!\s?(?:${units.filter((unit) => unit !== 'in').join('|')})${AFTER}|[\p{L}\p{N}"″%])`,
  ].join('');
type Bounds = (lower: number, higher: number) => { min_price?: number; max_price?: number };
const low: Bounds = (lower) => ({ min_price: lower });
const high: Bounds = (_, higher) => ({ max_price: higher });
const range: Bounds = (lower, higher) => ({ min_price: lower, max_price: higher });
const around: Bounds = (amount) =>
  range(Math.round(amount * (1 - AROUND)), Math.round(amount * (1 + AROUND)));

const priceRule = (text: string, bounds: Bounds, needsCurrency = false) => ({
  pattern: new RegExp(String.raw`(?<![\p{L}\p{N}.,-])(?:${text})`, 'iu'),
  bounds,
  needsCurrency,
});
const maximum = 'max(?:imum)?';

/** The rules for prices in the shop's currency. */
function createPriceRules() {
  const { code, sign, name } = currency;
  const marks = [sign, ownSign(code), code, name, name.replace(/s$/, ''), ...(otherWords[code] ?? [])]
    .toSorted((one, other) => other.length - one.length)
    .map((mark) => mark.replaceAll('$', String.raw`\$`))
    .join('|');
  const [a, b] = [amount('a', marks), amount('b', marks)];
  return [
    priceRule(String.raw`(?:between|from)\s+${a}\s*(?:and|to|-|–)\s*${b}`, range),
    priceRule(String.raw`${a}\s?(?:-|–|to)\s?${b}`, range, true),
    priceRule(
      String.raw`(?:under|below|(?:less|cheaper|(?:no|not) more) than|up to|at most|${maximum}|within|budget(?: of)?|<=?|≤)\s?${a}`,
      high,
    ),
    priceRule(String.raw`${a}\s(?:or less|or under|${maximum}|budget)${AFTER}`, high),
    priceRule(String.raw`(?:over|above|more than|at least|min(?:imum)?|>=?|≥)\s?${a}`, low),
    priceRule(String.raw`${a}(?:\s(?:or more|and up)${AFTER}|\+)`, low),
    priceRule(String.raw`(?:from|starting at)\s?${a}`, low, true),
    priceRule(String.raw`(?:around|about|roughly|approximately|~)\s?${a}`, around),
    priceRule(a, high, true),
  ];
}

let priceRules = { code: '', rules: createPriceRules() };

/** A part of the words that means parameters. */
interface Found {
  index: number;
  text: string;
  parameters: readonly UnderstoodParameter[];
}

function findPrice(text: string): Found | null {
  if (priceRules.code !== currency.code) priceRules = { code: currency.code, rules: createPriceRules() };
  const most = currency.mostCents / 100;
  for (const { pattern, bounds, needsCurrency } of priceRules.rules) {
    const match = pattern.exec(text);
    const groups = match?.groups;
    if (match === null || groups === undefined) continue;
    const hasCurrency = ['asign', 'aname', 'bsign', 'bname'].some((name) => groups[name]);
    const amounts = (['a', 'b'] as const)
      .filter((name) => groups[name] !== undefined)
      .map((name) => Math.round(Number(groups[name]?.replaceAll(',', '')) * (groups[`${name}k`] ? 1000 : 1)));
    const least = hasCurrency ? 1 : needsCurrency ? Number.POSITIVE_INFINITY : most * LEAST_BARE_PRICE;
    if (amounts.some((each) => each < least || each > most * 20)) continue;
    const parameters = Object.entries(bounds(Math.min(...amounts), Math.max(...amounts))).map(
      ([name, value]) => ({ name, value: String(value) }),
    );
    return { index: match.index, text: match[0], parameters };
  }
  return null;
}

function findPurpose(text: string): Found | null {
  for (const { pattern, parameters } of purposePatterns) {
    const match = pattern.exec(text);
    if (match !== null) return { index: match.index, text: match[0], parameters };
  }
  return null;
}

const placeWord = /\p{L}[\p{L}\p{M}'’.-]*/gu;
const placeBefore = /(?<![\p{L}\p{N}])(?<!\d\s?)(?:near(?:by)?|in|around|from|close to|at)\s+$/iu;
const MAXIMUM_PLACE_WORDS = 4;
/** The first of the longest texts that is a place. */
function findPlace(text: string, findPlaces: FindPlaces): Found | null {
  const words = [...text.matchAll(placeWord)];
  for (let count = MAXIMUM_PLACE_WORDS; count > 0; count -= 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const [first, last] = [words[at], words[at + count - 1]];
      if (first === undefined || last === undefined) continue;
      const named = placeBefore.exec(text.slice(0, first.index));
      const place = text.slice(first.index, last.index + last[0].length);
      const values = findPlaces(splitWords(place), named !== null);
      if (values.length === 0) continue;
      const index = named?.index ?? first.index;
      const parameters = values.map((value) => ({ name: 'place', value }));
      return { index, text: `${named?.[0] ?? ''}${place}`, parameters };
    }
  }
  return null;
}

/** Words in double quotes are searched as they are. A quote after a digit is an inch. */
const quoted = /(?<!\S)["“]([^"“”]+)["”](?!\S)/u;

const cleaned = (text: string) =>
  text
    .split(/\s+/)
    .filter((word) => splitWords(word).some((part) => !isCommonWord(part)))
    .join(' ');

/**
 * Reads words for prices, purposes and places as the filters that they mean. A filter that is given as well, and one that was read
 * before, wins.
 */
export function understand(
  filters: SearchFilters & { sort?: SortOrder | undefined },
  findPlaces: FindPlaces,
): Understanding {
  const isGiven = (name: string) =>
    isFacet(name)
      ? filters[name].length > 0
      : (name === 'sort' ? [filters.sort] : [filters.min_price, filters.max_price]).some(
          (one) => one !== undefined,
        );
  const understood: Understanding['understood'] = [];
  const names = new Set<string>();
  // Every second part is in quotes.
  const parts = filters.q.split(quoted).map((part, at) => {
    if (at % 2 === 1) return `"${part}"`;
    let rest = part;
    while (understood.length < MAXIMUM_UNDERSTOOD) {
      const found = findPrice(rest) ?? findPurpose(rest) ?? findPlace(rest, findPlaces);
      if (found === null) break;
      const { index, text, parameters } = found;
      rest = `${rest.slice(0, index)} ${rest.slice(index + text.length)}`;
      // Several places are alternatives.
      const applied = parameters.filter(
        ({ name }) => !isGiven(name) && (name === 'place' || !names.has(name)),
      );
      for (const { name } of applied) names.add(name);
      understood.push({ text: text.trim(), parameters: applied });
    }
    return rest;
  });
  if (understood.length === 0) return { understood, words: filters.q };
  const words = parts.map((part, at) => (at % 2 === 1 ? part : cleaned(part)));
  return { understood, words: words.filter((part) => part !== '').join(' ') };
}
