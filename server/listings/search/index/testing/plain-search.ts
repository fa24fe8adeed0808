// Searches an array of laptops in the plainest way. The tests compare the index with it.
import { byFacet, type FacetName, facetNames } from '#contract/listings/facets.ts';
import {
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/listings/facts.ts';
import type { LaptopIndex, SearchRequest } from '../laptop-index.ts';
import type { LaptopRow } from '../row.ts';
import type { suggest } from '../suggest.ts';
import { mistakesBetween } from '../vocabulary.ts';
import { meanings, noteWords, searchedWords, splitWords } from '../words.ts';

type Laptops = readonly LaptopRow[];

const screenSizeOf = (inches: unknown) => Math.min(17, Math.max(12, Math.floor(Number(inches))));

const groups = ['8-or-more', '16-or-more', '32-or-more', '14-or-less', 'dedicated'];

/** The values under which a laptop is counted, and the groups of values to which it belongs. */
function valuesOf(facet: FacetName, laptop: LaptopRow): readonly string[] {
  const fact = laptop[facet] ?? null;
  if (fact === null) return [];
  if (facet === 'screen') {
    const size = screenSizeOf(fact);
    return [String(size), ...(size <= 14 ? ['14-or-less'] : [])];
  }
  if (facet === 'memory') {
    const floors = [8, 16, 32].filter((least) => Number(fact) >= least);
    return [String(fact), ...floors.map((least) => `${least}-or-more`)];
  }
  if (facet === 'graphics') return [String(fact), ...(fact === 'integrated' ? [] : ['dedicated'])];
  if (facet === 'battery') return [90, 80, 70].filter((floor) => Number(fact) >= floor).map(String);
  if (facet === 'verified') return fact === true ? ['yes'] : [];
  if (facet === 'shipping') return fact === true ? ['free'] : [];
  return [String(fact)];
}

const displayNames: Readonly<Record<string, string>> = {
  ...processorFamilies,
  ...processorGenerations,
  ...graphicsKinds,
  ...operatingSystems,
};

/** Keeps the results of a function. */
function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

const titleWordsOf = memoize(({ brand, name }: LaptopRow) => splitWords(`${brand} / ${name}`));

const usualWordsOf = memoize((laptop: LaptopRow): string[] => {
  const { memory, storage, screen, processor, generation, graphics, system } = laptop;
  const sizes = [
    memory !== null && `${memory}gb`,
    storage !== null && (Number(storage) % 1024 === 0 ? `${Number(storage) / 1024}tb` : `${storage}gb`),
    screen !== null && `${screenSizeOf(screen)}in`,
  ];
  const names = [processor, generation, graphics, system].map((kind) => displayNames[String(kind)] ?? '');
  return splitWords(
    [
      laptop.name,
      String(laptop.brand),
      String(laptop.place),
      ...sizes.filter((size) => size !== false),
      ...names,
    ].join(' / '),
  );
});

/** The words of a laptop's name, brand, facts and configuration. */
const statedWordsOf = memoize((laptop: LaptopRow): string[] => [
  ...usualWordsOf(laptop),
  ...laptop.configuration.split(' / ').flatMap(splitWords),
]);

/** The same with those of the description. */
const wordsOf = memoize((laptop: LaptopRow): string[] => [
  ...statedWordsOf(laptop),
  ...noteWords(laptop.notes),
]);

const hasWord = (laptop: LaptopRow, word: string) => wordsOf(laptop).includes(word);
const countWord = (laptops: Laptops, word: string) =>
  laptops.filter((laptop) => hasWord(laptop, word)).length;
const vocabularyOf = memoize((laptops: Laptops) => [
  ...new Set(laptops.flatMap((laptop) => wordsOf(laptop))),
]);

function trigramsOf(word: string): string[] {
  const padded = `  ${word} `;
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))];
}

/** Whether two words are the same but for two neighbouring letters. */
function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(0, at)}${one[at + 1]}${one[at]}${one.slice(at + 2)}` === other;
}

function similarity(one: string, other: string): number {
  if (isSwapped(one, other)) return 1;
  const [first, second] = [trigramsOf(one), trigramsOf(other)];
  const common = first.filter((trigram) => second.includes(trigram)).length;
  return common / (first.length + second.length - common);
}

/** Whether a misspelled word can mean another: one of up to three letters only with one letter more. */
const canMean = (word: string, other: string) =>
  word.length > 3
    ? other.length > 2 && mistakesBetween(word, other) <= (word.length > 5 ? 2 : 1)
    : other.startsWith(word) && other.length === word.length + 1;

function similarWords(laptops: Laptops, word: string): string[] {
  if (/\d/.test(word)) return [];
  return vocabularyOf(laptops)
    .filter((other) => !/\d/.test(other) && canMean(word, other))
    .map((other) => ({ other, alike: similarity(word, other), count: countWord(laptops, other) }))
    .filter(({ alike }) => alike >= 0.3)
    .map(({ other, alike, count }) => ({ other, rank: alike + 0.05 * Math.log10(count) }))
    .sort((a, b) => b.rank - a.rank || (a.other < b.other ? -1 : 1))
    .map(({ other }) => other);
}

/** The alternatives of each searched word; none of an unknown one. */
function resolve(laptops: Laptops, typed: string[], last: boolean): { text: string; words: string[] }[] {
  const vocabulary = vocabularyOf(laptops);
  let corrections = 0;
  return typed.map((text, index) => {
    const withSame = (word: string) => meanings(word).filter((each) => vocabulary.includes(each));
    const same = withSame(text);
    if (same.length > 0) return { text, words: same };
    const longer = vocabulary.filter((word) => word.startsWith(text));
    if (last && index === typed.length - 1 && longer.length > 0) return { text, words: longer };
    corrections += 1;
    const [similar] = similarWords(laptops, text);
    return similar === undefined || corrections > 4
      ? { text, words: [] }
      : { text: similar, words: withSame(similar) };
  });
}

/** Searches an array. The result has neither `corrected` nor the next position, and reads no words as filters. */
export function plainSearch(
  laptops: Laptops,
  { filters, sort, limit, after }: SearchRequest,
): Pick<ReturnType<LaptopIndex['search']>, 'total' | 'numbers' | 'facets' | 'skipped'> & {
  closest: { number: number; filters: string[]; words: string[] }[];
  /** The filters whose removal alone gives matches. */
  loosen: { filters: string[]; total: number }[];
  searched: string;
} {
  const typed = searchedWords(filters.q);
  const words = resolve(laptops, typed, true);
  const conditions = new Map<string, (laptop: LaptopRow) => boolean>();
  const chosenOf = (facet: FacetName) => filters[facet].map(String);
  for (const facet of facetNames) {
    const chosen = chosenOf(facet);
    if (chosen.length > 0)
      conditions.set(facet, (laptop) => valuesOf(facet, laptop).some((value) => chosen.includes(value)));
  }
  if (typed.length > 0) {
    conditions.set('q', (laptop) =>
      words.every(({ words: alternatives }) => alternatives.some((word) => hasWord(laptop, word))),
    );
  }
  const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = filters;
  if (filters.min_price !== undefined || filters.max_price !== undefined) {
    conditions.set('price', ({ priceCents }) => priceCents >= low * 100 && priceCents <= high * 100);
  }
  const matching = (except?: string) =>
    laptops.filter((laptop) => [...conditions].every(([name, test]) => name === except || test(laptop)));

  const keyOf = (laptop: LaptopRow): number => {
    if (sort === 'price') return laptop.priceCents;
    if (sort === '-price') return -laptop.priceCents;
    if (sort === 'saving') return laptop.priceCents - laptop.originalCents;
    if (sort === 'newest') return 0;
    const areIn = (known: readonly string[]) =>
      words.every(({ words: alternatives }) => alternatives.some((word) => known.includes(word)));
    return areIn(titleWordsOf(laptop)) ? 0 : areIn(statedWordsOf(laptop)) ? 1 : 2;
  };
  const compare = (a: { key: number; number: number }, b: { key: number; number: number }) =>
    a.key - b.key || b.number - a.number;
  const sorted = matching()
    .map((laptop) => ({ key: keyOf(laptop), number: laptop.number }))
    .sort(compare);
  const further = sorted.filter((position) => after === null || compare(after, position) < 0);
  const numbers = further.slice(0, limit).map(({ number }) => number);

  const countsOf = (facet: FacetName) => {
    const counts = new Map<string, number>();
    for (const laptop of matching(facet)) {
      for (const value of valuesOf(facet, laptop)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const chosen = chosenOf(facet);
    // Of groups, only this one is listed without being chosen.
    const isListed = (value: string) =>
      !groups.includes(value) || value === 'dedicated' || chosen.includes(value);
    const values = [...counts]
      .filter(([value]) => isListed(value))
      .map(([value, count]) => ({ value, count }))
      .concat(
        chosen
          .filter((value) => groups.includes(value) && !counts.has(value))
          .map((value) => ({ value, count: 0 })),
      )
      .sort(
        (a, b) =>
          Number(groups.includes(b.value)) - Number(groups.includes(a.value)) ||
          b.count - a.count ||
          (a.value < b.value ? -1 : 1),
      );
    const listed = facet === 'place' ? values.slice(0, 20) : values;
    const missing = chosenOf(facet).filter((value) => !listed.some((other) => other.value === value));
    return [...listed, ...missing.map((value) => ({ value, count: counts.get(value) ?? 0 }))];
  };
  const conditionsAndWords = conditions.size - (conditions.has('q') ? 1 : 0) + words.length;
  const closest = () =>
    laptops
      .map((laptop) => {
        const failing = [...conditions]
          .filter(([name, test]) => name !== 'q' && !test(laptop))
          .map(([name]) => name);
        const missing = words.filter((each) => !each.words.some((word) => hasWord(laptop, word)));
        const price = laptop.priceCents / 100;
        const off = failing.includes('price') ? Math.max(low - price, price - high) : 0;
        return {
          lacking: failing.length + missing.length,
          distance: failing.length + missing.length + off / (off + 1_000),
          laptop: { number: laptop.number, filters: failing, words: missing.map(({ text }) => text) },
        };
      })
      .filter(({ lacking }) => lacking < conditionsAndWords || conditions.has('price'))
      .sort((a, b) => a.distance - b.distance || b.laptop.number - a.laptop.number)
      .slice(0, 6)
      .map(({ laptop }) => laptop);
  const total = matching().length;
  return {
    total,
    numbers,
    skipped: sorted.length - further.length,
    facets: byFacet(countsOf),
    loosen:
      total > 0
        ? []
        : [...conditions.keys()]
            .map((name) => ({ filters: [name], total: matching(name).length }))
            .filter((without) => without.total > 0),
    searched: words.map(({ text }) => text).join(' '),
    closest: total > 0 ? [] : closest(),
  };
}

/** Suggests searches over an array. */
export function plainSuggest(laptops: Laptops, text: string): ReturnType<typeof suggest> {
  const typed = [...new Set(splitWords(text))];
  const last = typed.pop();
  const before = resolve(laptops, typed, false);
  if (last === undefined || before.some(({ words }) => words.length === 0))
    return { searches: [], laptops: [] };
  const texts = before.map((word) => word.text);
  const matching = laptops.filter((laptop) =>
    before.every(({ words }) => words.some((word) => hasWord(laptop, word))),
  );
  const beginning = vocabularyOf(laptops).filter((word) => word.startsWith(last));
  const usual = beginning.filter((word) => laptops.some((laptop) => usualWordsOf(laptop).includes(word)));
  const longer = usual.length > 0 ? usual : beginning;
  const newestFirst = (words: readonly string[]) => {
    const isTitled = (laptop: LaptopRow) => words.some((word) => titleWordsOf(laptop).includes(word));
    const found = matching.filter((laptop) => words.some((word) => hasWord(laptop, word)));
    return found
      .map((laptop) => ({ number: laptop.number, key: isTitled(laptop) ? 0 : 1 }))
      .sort((a, b) => a.key - b.key || b.number - a.number)
      .map(({ number }) => number);
  };
  const similar = similarWords(laptops, last).slice(0, 8);
  const isBareNumber = (suggested: string) => {
    const [word = '', previous = ''] = suggested.split(' ').reverse();
    const isNumbered = Object.values(displayNames).some((name) => splitWords(name).includes(previous));
    return (
      /^\d+$/.test(word) &&
      !(isNumbered && !/\d/.test(previous)) &&
      !matching.some((laptop) => titleWordsOf(laptop).includes(word))
    );
  };
  const searches = (longer.length > 0 ? longer : similar)
    .filter((word) => !texts.includes(word))
    .map((word) => ({
      read: '',
      text: [...texts, word].join(' '),
      count: countWord(matching, word),
      example: newestFirst([word])[0] ?? null,
    }))
    .filter(({ count, text: suggested }) => count > 0 && !isBareNumber(suggested))
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
    .slice(0, 8);
  return { searches, laptops: newestFirst(longer.length > 0 ? longer : similar.slice(0, 1)).slice(0, 2) };
}
