import * as z from 'zod/mini';
import { purposes } from '#contract/listings/purposes.ts';
import { MAXIMUM_SUGGESTED_LAPTOPS, SearchFilters } from '#contract/listings/search.ts';
import { byCount } from './facet-column.ts';
import type { LaptopTable } from './laptop-table.ts';
import { findMatches, readFilters, readSearch } from './matches.ts';
import { newestOf } from './page.ts';
import type { RowSet } from './row-set.ts';
import { resolveWords, rowsWith, similarWords } from './searched-words.ts';
import { places, type Word } from './vocabulary.ts';
import { searchedWords, wordsBeforeNumbers } from './words.ts';

const MAXIMUM_SUGGESTIONS = 8;

const noFilters = z.parse(SearchFilters, {});

/** The maximum number of words that are counted for the suggestions: those with most laptops before other words count. */
const MAXIMUM_COUNTED = 64;

/**
 * The words that can stand for the last word: those that begin with it, else similar ones. Words of sellers' texts alone are many,
 * and are only suggested when no other word begins so.
 */
function candidates(table: LaptopTable, last: string): Word[] {
  const longer = table.vocabulary.withPrefix(last).sort((one, other) => other.size - one.size);
  const usual = longer.filter((word) => table.has(word, [places.title, places.facts]));
  const found = usual.length > 0 ? usual : longer.filter((word) => table.has(word));
  return found.length > 0 ? found.slice(0, MAXIMUM_COUNTED) : similarWords(table, last, MAXIMUM_SUGGESTIONS);
}

/** The numbers of the newest laptops of some rows with one of some words: first those with it in name or brand. */
function newestWith(table: LaptopTable, words: readonly Word[], all: RowSet, limit: number): number[] {
  const { titled, any } = rowsWith(table, words);
  const found = [titled, any].flatMap((rows) => newestOf(table, all.and(rows), limit));
  return [...new Set(found)].slice(0, limit);
}

/**
 * Whether a completion is a number that occurs only in facts and follows no word that takes a number: `dell 7` from `Ryzen 7`;
 * `ryzen 7` is kept.
 */
const isBareNumber = (previous: string | undefined, word: Word, rows: RowSet): boolean =>
  /^\d+$/.test(word.text) && !wordsBeforeNumbers.has(previous ?? '') && word.count(rows, places.title) === 0;

/** The shortest beginning of a purpose that is completed, and the maximum number of purposes that are suggested. */
const MINIMUM_BEGINNING = 3;
const MAXIMUM_PURPOSES = 2;

/** Completes the last words to words for purposes: `dell vid` to `dell video editing`. */
function completePurposes(typed: string): string[] {
  const words = typed.split(/\s+/);
  for (let at = 0; at < words.length; at += 1) {
    const beginning = words.slice(at).join(' ').toLowerCase();
    if (beginning.length < MINIMUM_BEGINNING || !/^\p{L}/u.test(beginning)) continue;
    const completed = purposes.flatMap(
      (purpose) => purpose.words.find((each) => each.toLowerCase().startsWith(beginning)) ?? [],
    );
    if (completed.length > 0) return completed.map((each) => [...words.slice(0, at), each].join(' '));
  }
  return [];
}

/**
 * Suggests searches: completes the last words to a purpose; corrects unknown words and completes the last one, the search with most
 * laptops first.
 * @returns `searches`: the typed phrases that were read as filters, and a purpose that completes the typed words, as they are written;
 *   further words as {@link splitWords} returns them; the exact number of laptops; and the number of one, preferably with the last word
 *   in its name, whose spelling the words are shown in. `laptops`: the numbers of some that match the typed words, of which the last can
 *   be the beginning of one: first those with that in name or brand, the newest first
 */
export function suggest(table: LaptopTable, typed: string) {
  const query = (q: string) => ({ ...noFilters, q });
  const find = (q: string) => readSearch(table, query(q)).matches.all;
  const whole = (q: string, found = find(q)) => ({ read: q, text: '', count: found.size, example: null });
  const text = typed.trim();
  const ofPurposes = completePurposes(text)
    .map((q) => whole(q))
    .filter(({ count }) => count > 0)
    .slice(0, MAXIMUM_PURPOSES);
  const { understanding, filters } = readFilters(table, query(text));
  const phrases = understanding.understood.map((each) => each.text);
  if (phrases.some((phrase) => text.endsWith(phrase))) {
    const found = find(text);
    const others = ofPurposes.filter(({ read }) => read.toLowerCase() !== text.toLowerCase());
    return {
      searches: [whole(text, found), ...others].filter(({ count }) => count > 0),
      laptops: newestOf(table, found, MAXIMUM_SUGGESTED_LAPTOPS),
    };
  }
  const words = searchedWords(filters.q);
  const last = words.at(-1);
  const others = resolveWords(table, words.slice(0, -1), { isWhole: true });
  if (last === undefined || others.some((word) => word.words.length === 0)) {
    return { searches: ofPurposes, laptops: [] };
  }
  const { all } = findMatches(table, filters, others);
  const before = others.map((word) => word.text);
  const possible = candidates(table, last);
  const searches = possible
    .filter(({ text }) => !before.includes(text))
    .map((word) => ({ word, value: [...before, word.text].join(' '), count: word.count(all) }))
    .filter(({ word, count }) => count > 0 && !isBareNumber(before.at(-1), word, all))
    .sort(byCount)
    .slice(0, MAXIMUM_SUGGESTIONS)
    .map(({ word, value, count }) => {
      const q = [...phrases, value].join(' ');
      // The words can mean a further filter, as `gaming` does.
      const isFilter = readFilters(table, query(q)).understanding.understood.length > phrases.length;
      return { word, value, q, count: isFilter ? find(q).size : count };
    })
    .filter(
      ({ q, count }) => count > 0 && !ofPurposes.some(({ read }) => read.toLowerCase() === q.toLowerCase()),
    )
    .sort(byCount)
    .map(({ word, value, count }) => ({
      ...{ read: phrases.join(' '), text: value, count },
      example: newestWith(table, [word], all, 1)[0] ?? null,
    }));
  // A corrected word uses the most similar candidate only.
  const meant = possible[0]?.text.startsWith(last) ? possible : possible.slice(0, 1);
  return {
    searches: [...ofPurposes, ...searches].slice(0, MAXIMUM_SUGGESTIONS),
    laptops: newestWith(table, meant, all, MAXIMUM_SUGGESTED_LAPTOPS),
  };
}
