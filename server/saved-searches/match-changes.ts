import type { SearchFilters } from '#contract/search.ts';
import type { Database } from '../database/tables.ts';
import { createLaptopMatcher, type LaptopIndex } from '../search/rules.ts';
import {
  type ChangedLaptop,
  type EqualSearches,
  firstPosition,
  type News,
  noteNews,
  readChanges,
  readSearches,
  removeChanges,
} from './match-store.ts';
import { MAXIMUM_NEWS, type SearchedFacts } from './rules.ts';

/** Changed laptops that are matched at once. All searches are read for each batch. */
const BATCH_LAPTOPS = 2_000;

/** Searches that are read at once. */
const PAGE_SEARCHES = 500;

/** News that are noted by one statement. */
const PAGE_NEWS = 5_000;

/** Whether a laptop of the shop has exactly this word. */
export type IsKnown = LaptopIndex['hasWord'];

const numbered = (facts: readonly (SearchedFacts | null)[]) =>
  facts.flatMap((each, number) => (each === null ? [] : [{ ...each, number }]));

/** Creates a function that finds what changes mean for a search: laptops that newly match, and price drops. */
function createNewsFinder(laptops: readonly ChangedLaptop[], isKnown: IsKnown) {
  const present = createLaptopMatcher(numbered(laptops.map(({ facts }) => facts)), isKnown);
  const previous = createLaptopMatcher(numbered(laptops.map(({ before }) => before)), isKnown);
  return (filters: SearchFilters): Omit<News, 'searchId'>[] => {
    const matching = present.match(filters);
    if (matching.length === 0) return [];
    const matchedBefore = new Set(previous.match(filters));
    const news: Omit<News, 'searchId'>[] = [];
    for (const number of matching) {
      const laptop = laptops[number];
      if (laptop === undefined) continue;
      const { laptopId, facts, before } = laptop;
      const { priceCents } = facts;
      const isNew = before === null || !matchedBefore.has(number);
      if (!isNew && before.priceCents <= priceCents) continue;
      news.push({ laptopId, priceCents, oldPriceCents: isNew ? null : before.priceCents });
      if (news.length === MAXIMUM_NEWS) break;
    }
    return news;
  };
}

/** Notes the news of some searches. */
async function noteNewsOf(
  database: Database,
  searches: readonly EqualSearches[],
  newsOf: (filters: SearchFilters) => Omit<News, 'searchId'>[],
): Promise<number> {
  let noted = 0;
  let page: News[] = [];
  for (const { filters, ids } of searches) {
    const news = newsOf(filters);
    for (const searchId of ids) {
      for (const each of news) page.push({ ...each, searchId });
      if (page.length < PAGE_NEWS) continue;
      noted += await noteNews(database, page);
      page = [];
    }
  }
  return noted + (await noteNews(database, page));
}

/**
 * Matches all laptops that were listed or changed since the last time against all saved searches, in batches. Only one
 * process may do it at a time. A batch is removed after all its news are noted: after a failure it is matched again, and
 * noting the same news twice changes nothing.
 * @param isKnown whether a laptop of the shop has exactly this word
 * @returns the numbers of matched laptops and of noted news
 */
export async function matchChanges(
  database: Database,
  isKnown: IsKnown,
  signal: AbortSignal,
): Promise<{ laptops: number; news: number }> {
  const total = { laptops: 0, news: 0 };
  let after = firstPosition.id;
  for (;;) {
    const changes = await readChanges(database, after, BATCH_LAPTOPS);
    const last = changes.read.at(-1);
    if (last === undefined) return total;
    if (changes.laptops.length > 0) {
      const newsOf = createNewsFinder(changes.laptops, isKnown);
      for (let position: typeof firstPosition | null = firstPosition; position !== null; ) {
        signal.throwIfAborted();
        const { searches, next } = await readSearches(database, position, PAGE_SEARCHES);
        total.news += await noteNewsOf(database, searches, newsOf);
        position = next;
      }
    }
    await removeChanges(database, changes);
    total.laptops += changes.read.length;
    after = last.laptopId;
  }
}
