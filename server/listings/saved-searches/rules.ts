import { createHash } from 'node:crypto';
import { MAXIMUM_FILTERS_BYTES, type SavedSearch } from '#contract/listings/saved-searches.ts';
import type { SearchFilters } from '#contract/listings/search.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { searchedWords } from '../search/rules.ts';

/** The least time between two emails of a search, in milliseconds. */
export const emailIntervals = {
  'at once': 15 * 60_000,
  daily: DAY_MS,
} as const satisfies Record<SavedSearch['frequency'], number>;

/** The number of laptops that an email lists. */
export const MAXIMUM_LISTED = 10;

/** The number of laptops per search from which on no others are kept for its next email. */
export const MAXIMUM_ALERTS = 50;

/** The filters in a form in which equal searches are equal texts: words as they are searched, without empty filters. */
function normalForm({ q, ...filters }: SearchFilters): string {
  const entries = Object.entries({ ...filters, q: searchedWords(q) })
    .filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(entries);
}

/** Whether the filters exclude no laptop. */
export const isUnfiltered = (filters: SearchFilters): boolean => normalForm(filters) === '[]';

export const isTooLarge = (filters: SearchFilters): boolean =>
  Buffer.byteLength(JSON.stringify(filters)) > MAXIMUM_FILTERS_BYTES;

/** SHA-256 of the filters' normal form, hexadecimal. */
export const hashFilters = (filters: SearchFilters): string =>
  createHash('sha256').update(normalForm(filters)).digest('hex');

/** The path and parameters of a search's results. */
export function resultsPath(filters: SearchFilters): `/${string}` {
  const parameters = Object.entries(filters).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== '')
      .map((one) => [name, String(one)]),
  );
  return `/laptops?${new URLSearchParams(parameters)}`;
}

/** A saved search, with its owner. */
export interface SavedSearchRow {
  id: string;
  name: string;
  filters: SearchFilters;
  frequency: SavedSearch['frequency'];
  paused_at: Date | null;
  created_at: Date;
  last_email_at: Date | null;
}

export const toResponse = (row: SavedSearchRow, emailVerified: boolean): SavedSearch => ({
  _id: row.id,
  name: row.name,
  filters: row.filters,
  frequency: row.frequency,
  paused: row.paused_at !== null,
  emailVerified,
  savedAt: row.created_at.toISOString(),
  lastEmailAt: row.last_email_at?.toISOString() ?? null,
});
