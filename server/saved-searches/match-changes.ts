import type { SearchFilters } from '#contract/search.ts';
import type { Database } from '../database/tables.ts';
import { createLaptopMatcher, type LaptopIndex } from '../search/rules.ts';
import {
  type ChangedLaptop,
  type EqualSearches,
  firstPosition,
  insertAlerts,
  readChanges,
  readSearches,
  removeChanges,
  type SearchAlert,
} from './match-store.ts';
import { MAXIMUM_ALERTS, type SearchedFacts } from './rules.ts';

/** Changed laptops that are matched at once. All searches are read for each batch. */
const BATCH_LAPTOPS = 2_000;

/** Searches that are read at once. */
const PAGE_SEARCHES = 500;

/** Alerts that are inserted by one statement. */
const PAGE_ALERTS = 5_000;

/** Whether a laptop of the shop has exactly this word. */
export type IsKnown = LaptopIndex['hasWord'];

const numbered = (facts: readonly (SearchedFacts | null)[]) =>
  facts.flatMap((each, number) => (each === null ? [] : [{ ...each, number }]));

/** A {@link SearchAlert} of any search with the same filters. */
interface FoundChange extends Omit<SearchAlert, 'searchId'> {
  sellerId: string;
}

/** Creates a function that finds the changes that a search reports: laptops that newly match, and price drops. */
function createChangeFinder(laptops: readonly ChangedLaptop[], isKnown: IsKnown) {
  const present = createLaptopMatcher(numbered(laptops.map(({ facts }) => facts)), isKnown);
  const previous = createLaptopMatcher(numbered(laptops.map(({ before }) => before)), isKnown);
  return (filters: SearchFilters): FoundChange[] => {
    const matching = present.match(filters);
    if (matching.length === 0) return [];
    const matchedBefore = new Set(previous.match(filters));
    const found: FoundChange[] = [];
    for (const number of matching) {
      const laptop = laptops[number];
      if (laptop === undefined) continue;
      const { laptopId, sellerId, facts, before } = laptop;
      const { priceCents } = facts;
      const isNew = before === null || !matchedBefore.has(number);
      if (!isNew && before.priceCents <= priceCents) continue;
      found.push({ laptopId, sellerId, priceCents, oldPriceCents: isNew ? null : before.priceCents });
    }
    return found;
  };
}

/** The alerts of a search: at most {@link MAXIMUM_ALERTS}, none about laptops of the search's owner. */
function alertsOf(
  { id, ownerId }: EqualSearches['searches'][number],
  changes: readonly FoundChange[],
): SearchAlert[] {
  const alerts: SearchAlert[] = [];
  for (const { sellerId, ...change } of changes) {
    if (alerts.length === MAXIMUM_ALERTS) break;
    if (sellerId !== ownerId) alerts.push({ ...change, searchId: id });
  }
  return alerts;
}

/** Inserts the alerts of some searches. */
async function insertAlertsOf(
  database: Database,
  groups: readonly EqualSearches[],
  findChanges: (filters: SearchFilters) => FoundChange[],
): Promise<number> {
  let noted = 0;
  let page: SearchAlert[] = [];
  for (const { filters, searches } of groups) {
    const changes = findChanges(filters);
    for (const search of searches) {
      page.push(...alertsOf(search, changes));
      if (page.length < PAGE_ALERTS) continue;
      noted += await insertAlerts(database, page);
      page = [];
    }
  }
  return noted + (await insertAlerts(database, page));
}

/**
 * Matches all laptops that were listed or changed since the last time against all saved searches, in batches. Only one
 * process may do it at a time. A batch is removed after all its alerts are inserted: after a failure it is matched again, and
 * inserting the same alert twice changes nothing.
 * @param isKnown whether a laptop of the shop has exactly this word
 * @returns the numbers of matched laptops and of inserted alerts
 */
export async function matchChanges(
  database: Database,
  isKnown: IsKnown,
  signal: AbortSignal,
): Promise<{ laptops: number; alerts: number }> {
  const total = { laptops: 0, alerts: 0 };
  let after = firstPosition.id;
  for (;;) {
    const changes = await readChanges(database, after, BATCH_LAPTOPS);
    const last = changes.read.at(-1);
    if (last === undefined) return total;
    if (changes.laptops.length > 0) {
      const findChanges = createChangeFinder(changes.laptops, isKnown);
      for (let position: typeof firstPosition | null = firstPosition; position !== null; ) {
        signal.throwIfAborted();
        const { groups, next } = await readSearches(database, position, PAGE_SEARCHES);
        total.alerts += await insertAlertsOf(database, groups, findChanges);
        position = next;
      }
    }
    await removeChanges(database, changes);
    total.laptops += changes.read.length;
    after = last.laptopId;
  }
}
