import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchFilters } from '#contract/listings/search.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { processTogether } from '#server/platform/jobs/failed-items.ts';
import { createLaptopMatcher, type LaptopIndex, type SearchedFacts } from '../search/rules.ts';
import {
  type Change,
  type ChangedLaptop,
  type EqualSearches,
  firstPosition,
  insertAlerts,
  parseChanges,
  readChanges,
  readSearches,
  removeChanges,
  type SearchAlert,
} from './match-store.ts';
import { MAXIMUM_ALERTS } from './rules.ts';
import { parseFilters } from './store.ts';

/** Changed laptops that are matched at once. All searches are read for each batch. */
const BATCH_LAPTOPS = 2_000;

/** Searches that are read at once. */
const PAGE_SEARCHES = 500;

/** Searches with different filters that are evaluated without a pause, about 5 ms with the largest filters. */
const PIECE_SEARCHES = 20;

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
  { onUnreadable }: MatchOptions,
): Promise<number> {
  let noted = 0;
  let page: SearchAlert[] = [];
  for (const [index, { filters, searches }] of groups.entries()) {
    if (index % PIECE_SEARCHES === PIECE_SEARCHES - 1) await nextTurn();
    let parsed: SearchFilters;
    try {
      parsed = parseFilters(filters);
    } catch (cause) {
      onUnreadable(new Error(`the filters of the saved search ${searches[0]?.id} cannot be read`, { cause }));
      continue;
    }
    const changes = findChanges(parsed);
    for (const search of searches) {
      page.push(...alertsOf(search, changes));
      if (page.length < PAGE_ALERTS) continue;
      noted += await insertAlerts(database, page);
      page = [];
    }
  }
  return noted + (await insertAlerts(database, page));
}

/** Matches changed laptops against the saved searches, and removes their rows. @returns the number of inserted alerts */
async function matchBatch(
  database: Database,
  changes: readonly Change[],
  options: MatchOptions,
): Promise<number> {
  const laptops = parseChanges(changes);
  let alerts = 0;
  if (laptops.length > 0) {
    const findChanges = createChangeFinder(laptops, options.isKnown);
    for (let position: typeof firstPosition | null = firstPosition; position !== null; ) {
      options.signal.throwIfAborted();
      const { groups, next } = await readSearches(database, position, PAGE_SEARCHES);
      alerts += await insertAlertsOf(database, groups, findChanges, options);
      position = next;
    }
  }
  await removeChanges(database, changes);
  return alerts;
}

interface MatchOptions {
  isKnown: IsKnown;
  signal: AbortSignal;
  onUnreadable: (error: Error) => void;
}

/**
 * Matches all laptops that were listed or changed since the last time against the saved searches of people with a confirmed address, in
 * batches. Only one
 * process may do it at a time. A batch is removed after all its alerts are inserted: after a failure it is matched again, and
 * inserting the same alert twice changes nothing.
 * @param isKnown whether a laptop of the shop has exactly this word
 * @returns the numbers of matched laptops and of inserted alerts, and the failures: laptops that were postponed, and searches that
 *   cannot be read
 */
export async function matchChanges(
  database: Database,
  isKnown: IsKnown,
  signal: AbortSignal,
  now = new Date(),
): Promise<{ laptops: number; alerts: number; failures: readonly unknown[] }> {
  const failures = new Map<string, unknown>();
  const add = (failure: unknown) => failures.set(String(failure), failure);
  const options = { isKnown, signal, onUnreadable: add };
  const total = { laptops: 0, alerts: 0 };
  let after = firstPosition.id;
  for (;;) {
    const changes = await readChanges(database, [after, BATCH_LAPTOPS], now);
    const last = changes.at(-1);
    if (last === undefined) return { ...total, failures: [...failures.values()] };
    const match = async (laptopIds: readonly string[]) => {
      const ids = new Set(laptopIds);
      const batch = changes.filter(({ laptopId }) => ids.has(laptopId));
      total.alerts += await matchBatch(database, batch, options);
      total.laptops += batch.length;
    };
    const laptopIds = changes.map(({ laptopId }) => laptopId);
    const failed = await processTogether(database, 'saved searches', laptopIds, match, { now, signal });
    failed.forEach(add);
    after = last.laptopId;
  }
}
