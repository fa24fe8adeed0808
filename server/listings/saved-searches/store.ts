import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { SavedSearch } from '#contract/listings/saved-searches.ts';
import { SearchFilters } from '#contract/listings/search.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { emailIntervals, type SavedSearchRow } from './rules.ts';

/** Parses stored filters; those of an earlier version may lack some. */
export const parseFilters = (stored: unknown): SearchFilters => z.parse(SearchFilters, stored);

function selectSearches(reader: Reader) {
  return reader
    .selectFrom('saved_searches')
    .select(['id', 'name', 'filters', 'frequency', 'paused_at', 'created_at', 'last_email_at']);
}

/** Lists a user's saved searches, newest first. */
export async function ofUser(reader: Reader, userId: string): Promise<SavedSearchRow[]> {
  const rows = await selectSearches(reader).where('user_id', '=', userId).orderBy('number', 'desc').execute();
  return rows.map((row) => ({ ...row, filters: parseFilters(row.filters) }));
}

/** Finds a saved search of any user. */
export async function find(
  reader: Reader,
  id: string,
): Promise<(SavedSearchRow & { user_id: string }) | undefined> {
  const row = await selectSearches(reader).select('user_id').where('id', '=', id).executeTakeFirst();
  return row && { ...row, filters: parseFilters(row.filters) };
}

/** Finds the id of a user's search with the same filters. */
export async function findSame(
  reader: Reader,
  userId: string,
  filtersHash: string,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom('saved_searches')
    .select('id')
    .where('user_id', '=', userId)
    .where('filters_sha256', '=', filtersHash)
    .executeTakeFirst();
  return row?.id;
}

export async function count(reader: Reader, userId: string): Promise<number> {
  const row = await reader
    .selectFrom('saved_searches')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Inserts a saved search. @returns its id */
export async function insert(
  transaction: Transaction,
  search: {
    userId: string;
    name: string;
    filters: SearchFilters;
    filtersHash: string;
    frequency: SavedSearch['frequency'];
  },
): Promise<string> {
  const row = await transaction
    .insertInto('saved_searches')
    .values({
      user_id: search.userId,
      name: search.name,
      filters: JSON.stringify(search.filters),
      filters_sha256: search.filtersHash,
      frequency: search.frequency,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The time at which the next email of a row of `saved_searches` may be sent, in SQL. A new daily search waits for a day. */
export const nextEmailAt = sql<Date>`
  greatest(now(), case frequency
    when 'daily' then coalesce(last_email_at, created_at) + ${emailIntervals.daily} * interval '1 millisecond'
    else coalesce(last_email_at, '-infinity') + ${emailIntervals['at once']} * interval '1 millisecond' end)`;

/** Changes the name or the frequency of a user's search. @returns whether it exists */
export async function update(
  transaction: Transaction,
  userId: string,
  id: string,
  change: { name?: string | undefined; frequency?: SavedSearch['frequency'] | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    update saved_searches
       set name = coalesce(${change.name ?? null}, name), frequency = coalesce(${change.frequency ?? null}, frequency)
     where id = ${id} and user_id = ${userId} returning id`.execute(transaction);
  await sql`
    update saved_searches set due_at = ${nextEmailAt}
     where id = ${id} and user_id = ${userId} and due_at is not null`.execute(transaction);
  return rows.length > 0;
}

/** Pauses the emails of a search. Unsent alerts are removed. @returns whether they were not paused */
export async function pause(transaction: Transaction, id: string): Promise<boolean> {
  const result = await transaction
    .updateTable('saved_searches')
    .set({ paused_at: new Date(), due_at: null })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .executeTakeFirst();
  await transaction.deleteFrom('saved_search_news').where('search_id', '=', id).execute();
  return result.numUpdatedRows > 0n;
}

/** Resumes the emails of a search, for changes from now on. @returns whether they were paused */
export async function resume(transaction: Transaction, id: string): Promise<boolean> {
  const result = await transaction
    .updateTable('saved_searches')
    .set({ paused_at: null, known_since: sql`pg_snapshot_xmin(pg_current_snapshot())` })
    .where('id', '=', id)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes one of a user's own searches. @returns whether it was there */
export async function remove(database: Database, userId: string, id: string): Promise<boolean> {
  const result = await database
    .deleteFrom('saved_searches')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Removes all saved searches of a user, with their unsent alerts. */
export async function removeSavedSearches(transaction: Transaction, userId: string): Promise<void> {
  // In the order in which matching locks them, so that the two do not deadlock.
  await transaction
    .selectFrom('saved_searches')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  await transaction.deleteFrom('saved_searches').where('user_id', '=', userId).execute();
}
