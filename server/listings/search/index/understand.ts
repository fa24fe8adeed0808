import { isFacet } from '#contract/listings/facets.ts';
import { purposes } from '#contract/listings/purposes.ts';
import {
  MAXIMUM_UNDERSTOOD,
  type SearchFilters,
  type SortOrder,
  type Understanding,
  type UnderstoodParameter,
} from '#contract/listings/search.ts';
import { currency } from '#contract/platform/money.ts';
import type { LaptopTable } from './laptop-table.ts';
import { commonWords, splitWords, unitSpellings } from './words.ts';

const BEFORE = String.raw`(?<![\p{L}\p{N}])`;
const AFTER = String.raw`(?![\p{L}\p{N}])`;

/** Words that mean parameters. */
interface Rule {
  pattern: RegExp;
  /** @returns null when the found words mean something else */
  read(groups: Readonly<Record<string, string | undefined>>): readonly UnderstoodParameter[] | null;
}

/** The longest words first: `video editing` before `video`. */
const purposeRules = purposes.map(({ words, parameters }): Rule => {
  const phrases = words
    .toSorted((one, other) => other.length - one.length)
    .map((phrase) => phrase.replaceAll(' ', String.raw`[\s-]+`));
  return { pattern: new RegExp(`${BEFORE}(?:${phrases.join('|')})${AFTER}`, 'iu'), read: () => parameters };
});

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
  JPY: ['円'],
  SGD: ['S$'],
  USD: ['bucks'],
};

/** The sign that a currency has in its own country, such as `$` and `kr`. */
const ownSign = (code: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? code;

/** What a number before it is no price. `in` is also a word. */
const units = [
  ...Object.keys(unitSpellings).filter((unit) => unit !== 'in'),
  ...'gib tib inch inches kg lbs? grams? years? months? days? hours? percent watts? hertz fps'.split(' '),
].join('|');
/** @param marks the currency's signs and names */
const amount = (name: string, marks: string) =>
  [
    String.raw`(?<${name}sign>(?:${marks})\s?)?(?<${name}>\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d{1,2})?)(?<${name}k>k)?`,
    String.raw`(?![.,]?\d)(?<${name}name>\s?(?:${marks}))?`,
    String.raw`(?!\s?(?:${units})${AFTER}|[\p{L}\p{N}"″%])`,
  ].join('');

const percent = String.raw`[\p{L}\s<>=≥≤~]*(?:\d\d|100)(?![\d.,k])`;
/** Where no price begins: at a percentage of a battery and at a number of cycles. */
const noPrice = String.raw`(?<!(?:battery|health|life|capacity)\s+(?=${percent}))(?!${percent}\s?battery)(?<!cycles?\s+(?:count\s+)?)`;
/** A rule whose pattern has the amounts `low`, `high` or `about`. @param needsCurrency whether its sign or name must be there */
function priceRule(text: string, needsCurrency = false): Rule {
  const most = currency.mostCents / 100;
  return {
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}.,-])${noPrice}(?:${text})`, 'iu'),
    read: (groups) => {
      const names = ['low', 'high', 'about'].filter((name) => groups[name] !== undefined);
      const amounts = names.map((name) =>
        Math.round(Number(groups[name]?.replaceAll(',', '')) * (groups[`${name}k`] ? 1000 : 1)),
      );
      const hasCurrency = names.some((name) => groups[`${name}sign`] ?? groups[`${name}name`]);
      // Models are seldom two round numbers, as prices of a range are: `500-700`.
      const isRange = names.length === 2 && amounts.every((each) => each % 50 === 0);
      const isBare = isRange || !needsCurrency;
      const least = hasCurrency ? 1 : isBare ? most * LEAST_BARE_PRICE : Number.POSITIVE_INFINITY;
      if (amounts.some((each) => each < least || each > most * 20)) return null;
      const around = names.includes('about') ? AROUND : 0;
      const min_price = { name: 'min_price', value: String(Math.round(Math.min(...amounts) * (1 - around))) };
      const max_price = { name: 'max_price', value: String(Math.round(Math.max(...amounts) * (1 + around))) };
      return [...(names[0] === 'high' ? [] : [min_price]), ...(names.at(-1) === 'low' ? [] : [max_price])];
    },
  };
}
const maximum = 'max(?:imum)?';

/** The rules for prices in the shop's currency, and those for purposes. */
function createRules(): Rule[] {
  const { code, sign, name } = currency;
  const marks = [sign, ownSign(code), code, name, name.replace(/s$/, ''), ...(otherWords[code] ?? [])]
    .toSorted((one, other) => other.length - one.length)
    .map((mark) => mark.replaceAll('$', String.raw`\$`))
    .join('|');
  const [low, high, about] = [amount('low', marks), amount('high', marks), amount('about', marks)];
  return [
    priceRule(String.raw`(?:between|from)\s+${low}\s*(?:and|to|-|–)\s*${high}`),
    priceRule(String.raw`${low}\s?(?:-|–|to)\s?${high}`, true),
    priceRule(
      String.raw`(?:under|below|(?:less|cheaper|(?:no|not) more) than|up to|at most|${maximum}|within|budget(?: of)?|<=?|≤)\s?${high}`,
    ),
    priceRule(String.raw`${high}\s(?:or less|or under|${maximum}|budget)${AFTER}`),
    priceRule(String.raw`(?:over|above|more than|at least|min(?:imum)?|>=?|≥)\s?${low}`),
    priceRule(String.raw`${low}(?:\s(?:or more|and up)${AFTER}|\+)`),
    priceRule(String.raw`(?:from|starting at)\s?${low}`, true),
    priceRule(String.raw`(?:around|about|roughly|approximately|~)\s?${about}`),
    priceRule(high, true),
    ...purposeRules,
  ];
}

let current = { currency: currency.code, rules: createRules() };

/** A part of the words that means parameters. */
interface Found {
  index: number;
  text: string;
  parameters: readonly UnderstoodParameter[];
}

/** What the first rule that applies finds. */
function findByRule(text: string): Found | null {
  if (current.currency !== currency.code) current = { currency: currency.code, rules: createRules() };
  for (const { pattern, read } of current.rules) {
    const match = pattern.exec(text);
    const parameters = match && read(match.groups ?? {});
    if (match !== null && parameters !== null) return { index: match.index, text: match[0], parameters };
  }
  return null;
}

const placeWord = /\p{L}[\p{L}\p{M}'’.-]*/gu;
const placeBefore = /(?<![\p{L}\p{N}])(?<!\d\s?)(?:near(?:by)?|in|around|from|close to|at)\s+$/iu;
const MAXIMUM_PLACE_WORDS = 4;
/** The first of the longest texts that is a place. */
function findPlace(text: string, table: LaptopTable): Found | null {
  const words = [...text.matchAll(placeWord)];
  for (let count = MAXIMUM_PLACE_WORDS; count > 0; count -= 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const [first, last] = [words[at], words[at + count - 1]];
      if (first === undefined || last === undefined) continue;
      const named = placeBefore.exec(text.slice(0, first.index));
      const place = text.slice(first.index, last.index + last[0].length);
      const values = table.findPlaces(splitWords(place), named !== null);
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
    .filter((word) => splitWords(word).some((part) => !commonWords.has(part)))
    .join(' ');

/**
 * Reads words for prices, purposes and places as the filters that they mean. A filter that is given as well, and one that was read
 * before, wins.
 */
export function understand(
  table: LaptopTable,
  filters: SearchFilters & { sort?: SortOrder | undefined },
): Understanding {
  const price = filters.min_price ?? filters.max_price;
  const isGiven = (name: string) =>
    isFacet(name) ? filters[name].length > 0 : (name === 'sort' ? filters.sort : price) !== undefined;
  const understood: Understanding['understood'] = [];
  const names = new Set<string>();
  // Every second part is in quotes.
  const parts = filters.q.split(quoted).map((part, at) => {
    if (at % 2 === 1) return `"${part}"`;
    let rest = part;
    while (understood.length < MAXIMUM_UNDERSTOOD) {
      const found = findByRule(rest) ?? findPlace(rest, table);
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
