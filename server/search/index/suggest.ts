import type { Columns } from './columns.ts';
import { addWord, countWord, highestCount, resolveWords, similarWords } from './searched-words.ts';
import type { Word } from './vocabulary.ts';
import { splitWords } from './words.ts';

export interface Suggestion {
  text: string;
  /** The exact number of laptops with these words. */
  count: number;
}

const MAXIMUM_SUGGESTIONS = 8;

/** The maximum number of words that are counted for the suggestions: those with most laptops before other words count. */
const MAXIMUM_COUNTED = 64;

/** The words that can stand for the last word: those that begin with it, else similar ones. */
function candidates(columns: Columns, last: string): Word[] {
  const longer = columns.vocabulary
    .withPrefix(last)
    .map((word) => ({ word, highest: highestCount(word) }))
    .sort((one, other) => other.highest - one.highest)
    .slice(0, MAXIMUM_COUNTED)
    .map(({ word }) => word);
  if (longer.some((word) => countWord(columns, word, columns.live) > 0)) return longer;
  return similarWords(columns, last, MAXIMUM_SUGGESTIONS);
}

/** Suggests searches: corrects unknown words and completes the last one, the search with most laptops first. */
export function suggest(columns: Columns, typed: string): Suggestion[] {
  const words = [...new Set(splitWords(typed))];
  const last = words.pop();
  if (last === undefined) return [];
  const { bitmaps, live } = columns;
  const others = resolveWords(columns, words, 'whole').words;
  if (others === null) return [];

  const matching = bitmaps.allocate();
  bitmaps.copy(matching, live);
  for (const { words: alternatives } of others) {
    const target = bitmaps.allocate();
    for (const word of alternatives) addWord(target, word);
    bitmaps.and(matching, matching, target);
    bitmaps.release(target);
  }
  const before = others.map(({ text }) => text);
  const suggestions = candidates(columns, last)
    .filter(({ text }) => !before.includes(text))
    .map((word) => ({ text: [...before, word.text].join(' '), count: countWord(columns, word, matching) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1));
  bitmaps.release(matching);
  return suggestions.slice(0, MAXIMUM_SUGGESTIONS);
}
