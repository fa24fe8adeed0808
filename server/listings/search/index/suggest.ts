import { MAXIMUM_SUGGESTED_LAPTOPS } from '#contract/listings/search.ts';
import type { Columns } from './columns.ts';
import {
  addTitleWord,
  addWord,
  countWord,
  highestCount,
  isOfTitleOrFacts,
  resolveWords,
  similarWords,
} from './searched-words.ts';
import type { Word } from './vocabulary.ts';
import { splitWords, wordsBeforeNumbers } from './words.ts';

export interface Suggestion {
  /** Words as {@link splitWords} returns them. */
  text: string;
  /** The exact number of laptops with these words. */
  count: number;
  /**
   * Number of a matching laptop whose spelling the suggestion is shown in, preferably one with the last word in its name; null if
   * none.
   */
  example: number | null;
}

export interface Suggestions {
  searches: Suggestion[];
  /**
   * The numbers of laptops that match the typed words, of which the last can be the beginning of one: first those with that in
   * name or brand, the newest first.
   */
  laptops: number[];
}

const MAXIMUM_SUGGESTIONS = 8;

/** The maximum number of words that are counted for the suggestions: those with most laptops before other words count. */
const MAXIMUM_COUNTED = 64;

/**
 * The words that can stand for the last word: those that begin with it, else similar ones. Words of sellers' texts alone are many,
 * and are only suggested when no other word begins so.
 */
function candidates(columns: Columns, last: string): Word[] {
  const longer = columns.vocabulary
    .withPrefix(last)
    .map((word) => ({ word, highest: highestCount(word) }))
    .sort((one, other) => other.highest - one.highest)
    .map(({ word }) => word);
  const usual: Word[] = [];
  for (const word of longer) {
    if (usual.length === MAXIMUM_COUNTED) break;
    if (isOfTitleOrFacts(columns, word)) usual.push(word);
  }
  if (usual.length > 0) return usual;
  const others = longer.slice(0, MAXIMUM_COUNTED);
  if (others.some((word) => countWord(columns, word, columns.live) > 0)) return others;
  return similarWords(columns, last, MAXIMUM_SUGGESTIONS);
}

/** The numbers of the newest laptops of a bitmap with one of some words: first those with it in name or brand. */
function newestWith(columns: Columns, words: readonly Word[], matching: number, maximum: number): number[] {
  const { bitmaps } = columns;
  const found = new Set<number>();
  for (const add of [addTitleWord, addWord]) {
    if (found.size === maximum) break;
    const rows = bitmaps.allocate();
    for (const word of words) add(rows, word);
    bitmaps.and(rows, rows, matching);
    bitmaps.descend(rows, columns.rows, (row) => found.add(columns.numberOf(row)).size < maximum);
    bitmaps.release(rows);
  }
  return [...found];
}

/**
 * Whether a completion is a number that occurs only in facts and follows no word that takes a number: `dell 7` from `Ryzen 7`;
 * `ryzen 7` is kept.
 */
function isBareNumber(columns: Columns, before: readonly string[], word: Word, matching: number): boolean {
  if (!/^\d+$/.test(word.text) || wordsBeforeNumbers.has(before.at(-1) ?? '')) return false;
  const { bitmaps } = columns;
  const titled = bitmaps.allocate();
  addTitleWord(titled, word);
  const count = bitmaps.countAnd(titled, matching);
  bitmaps.release(titled);
  return count === 0;
}

/** Suggests searches: corrects unknown words and completes the last one, the search with most laptops first. */
export function suggest(columns: Columns, typed: string): Suggestions {
  const words = [...new Set(splitWords(typed))];
  const last = words.pop();
  const others = resolveWords(columns, words, 'whole').words;
  if (last === undefined || others === null) return { searches: [], laptops: [] };
  const { bitmaps, live } = columns;

  const matching = bitmaps.allocate();
  bitmaps.copy(matching, live);
  for (const { words: alternatives } of others) {
    const target = bitmaps.allocate();
    for (const word of alternatives) addWord(target, word);
    bitmaps.and(matching, matching, target);
    bitmaps.release(target);
  }
  const before = others.map(({ text }) => text);
  const possible = candidates(columns, last);
  const searches = possible
    .filter(({ text }) => !before.includes(text))
    .map((word) => ({
      word,
      text: [...before, word.text].join(' '),
      count: countWord(columns, word, matching),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1))
    .filter(({ word }) => !isBareNumber(columns, before, word, matching))
    .slice(0, MAXIMUM_SUGGESTIONS)
    .map(({ word, ...search }) => ({
      ...search,
      example: newestWith(columns, [word], matching, 1)[0] ?? null,
    }));
  // A corrected word uses the most similar candidate only.
  const meant = possible[0]?.text.startsWith(last) ? possible : possible.slice(0, 1);
  const laptops = newestWith(columns, meant, matching, MAXIMUM_SUGGESTED_LAPTOPS);
  bitmaps.release(matching);
  return { searches, laptops };
}
