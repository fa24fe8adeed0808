import type * as z from 'zod/mini';
import {
  MAXIMUM_SAVED_SEARCHES,
  type NewSavedSearch,
  type SavedSearch,
  type SavedSearchChange,
} from '#contract/listings/saved-searches.ts';
import type { SearchFilters } from '#contract/listings/search.ts';
import { lockBrandByName } from '#server/listings/catalogue/steps.ts';
import { findUser, lockActiveAccount } from '#server/people/accounts/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { LaptopIndex } from '../search/rules.ts';
import { hashFilters, isTooLarge, isUnfiltered, toResponse } from './rules.ts';
import * as store from './store.ts';

/** Lists the caller's saved searches, newest first. */
export async function list(database: Database, { userId }: Caller): Promise<SavedSearch[]> {
  const user = await findUser(database, userId);
  const rows = await store.ofUser(database, userId);
  return rows.map((row) => toResponse(row, user?.email_verified === true));
}

function requireSavable(filters: z.output<typeof NewSavedSearch>['filters']): void {
  const refuse = (sentence: string) =>
    new Refusal('invalid_input', `${sentence}.`, { errors: { filters: sentence } });
  if (isUnfiltered(filters)) throw refuse('Please choose a filter or type words before you save a search');
  if (isTooLarge(filters)) {
    throw refuse(
      'This search has too many filters to be saved. Nothing was saved; please remove some of them',
    );
  }
}

/** Filters with the present names of their brands, which are neither renamed nor merged before the transaction ends. */
async function withPresentBrands(
  transaction: Transaction,
  { brand, ...others }: SearchFilters,
): Promise<SearchFilters> {
  const present: string[] = [];
  for (const name of brand.map(String)) {
    present.push((await lockBrandByName(transaction, name))?.name ?? name);
  }
  return store.parseFilters({ ...others, brand: present });
}

/**
 * Saves a search. Words that are read as filters are saved as these, so that its emails are about the laptops that its page shows.
 * @returns the id of the new search, or of the caller's search with the same filters
 * @throws Refusal for filters that cannot be saved, and when the caller has too many searches
 */
export async function save(
  { database, laptopIndex }: { database: Database; laptopIndex: Pick<LaptopIndex, 'understand'> },
  { userId }: Caller,
  { name, filters: given, frequency }: z.output<typeof NewSavedSearch>,
): Promise<{ id: string; isNew: boolean }> {
  const understood = laptopIndex.understand(given);
  requireSavable(understood);
  return database.transaction().execute(async (transaction) => {
    // Serializes the caller's requests: the number of searches is counted, and the end of the account removes them.
    if (!(await lockActiveAccount(transaction, userId))) throw accountEnded();
    // A page that was opened before sends the old name of a brand, which no laptop has any more.
    const filters = await withPresentBrands(transaction, understood);
    const filtersHash = hashFilters(filters);
    const same = await store.findSame(transaction, userId, filtersHash);
    if (same !== undefined) return { id: same, isNew: false };
    if ((await store.count(transaction, userId)) >= MAXIMUM_SAVED_SEARCHES) {
      throw new Refusal(
        'too_many_saved_searches',
        `You have ${MAXIMUM_SAVED_SEARCHES} saved searches, which is the most that the shop keeps. Please delete one of them first.`,
      );
    }
    const id = await store.insert(transaction, { userId, name, filters, filtersHash, frequency });
    return { id, isNew: true };
  });
}

/** Changes one of the caller's searches. @returns the number of changed rows @throws Refusal */
export async function change(
  database: Database,
  { userId }: Caller,
  id: string,
  { paused, ...changes }: z.output<typeof SavedSearchChange>,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    if (!(await store.update(transaction, userId, id, changes))) {
      throw new Refusal('not_found', 'You have no such saved search.');
    }
    if (paused === true) await store.pause(transaction, id);
    if (paused === false) await store.resume(transaction, id);
    return 1;
  });
}
