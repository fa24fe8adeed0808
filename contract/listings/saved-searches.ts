import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Id, Inserted, line, Modified } from '#contract/platform/scalars.ts';
import { SearchFilters } from './search.ts';

/** The maximum number of saved searches of a user. */
export const MAXIMUM_SAVED_SEARCHES = 30;

/** The maximum size of the filters of a saved search, in bytes of JSON. */
export const MAXIMUM_FILTERS_BYTES = 1024;

/** The maximum length of the name of a saved search, in characters. */
export const MAXIMUM_NAME_LENGTH = 120;

/** `at once`: within minutes, and then at most every 15 minutes. `daily`: at most every 24 hours. */
export const emailFrequencies = ['at once', 'daily'] as const;
export const EmailFrequency = z.enum(emailFrequencies, {
  error: 'Choose how often to email you: at once or daily',
});
export type EmailFrequency = z.infer<typeof EmailFrequency>;

const SearchName = line(MAXIMUM_NAME_LENGTH, 'Give the search a name');

export const SavedSearch = z.object({
  _id: Id,
  name: z.string(),
  filters: SearchFilters,
  frequency: EmailFrequency,
  /** Whether its emails are paused, also by unsubscribing. */
  paused: z.boolean(),
  /** Whether the account's email address is verified. Without that, no laptops are looked for and no emails are sent. */
  emailVerified: z.boolean(),
  /** ISO 8601 in UTC. */
  savedAt: z.string(),
  /** When the last email was sent, ISO 8601 in UTC; null before the first one. */
  lastEmailAt: z.nullable(z.string()),
});
export type SavedSearch = z.infer<typeof SavedSearch>;

export const NewSavedSearch = z.object({
  name: SearchName,
  /** Words that a search reads as filters are saved as these. */
  filters: SearchFilters,
  frequency: EmailFrequency,
});

export const SavedSearchChange = z.object({
  name: z.optional(SearchName),
  frequency: z.optional(EmailFrequency),
  paused: z.optional(z.boolean({ error: 'Say whether the emails are paused: true or false' })),
});

export const listSavedSearches = endpoint({
  method: 'GET',
  path: '/savedSearches',
  access: 'signed-in',
  summary: 'The caller’s own saved searches, newest first',
  response: z.array(SavedSearch).check(z.maxLength(MAXIMUM_SAVED_SEARCHES)),
});

export const saveSearch = endpoint({
  method: 'POST',
  path: '/savedSearches',
  access: 'signed-in',
  summary:
    'Saves a search, whose new matches and price drops are emailed; a search that is saved already stays as it is',
  body: NewSavedSearch,
  response: z.extend(Inserted, { message: z.string() }),
  limit: 'saving',
  refusals: ['too_many_saved_searches'],
});

export const changeSavedSearch = endpoint({
  method: 'PUT',
  path: '/savedSearches/:_id',
  access: 'signed-in',
  summary: 'Renames one of the caller’s saved searches, changes its frequency, pauses or resumes its emails',
  params: z.object({ _id: Id }),
  body: SavedSearchChange,
  response: Modified,
  limit: 'saving',
  refusals: ['not_found'],
});

export const deleteSavedSearch = endpoint({
  method: 'DELETE',
  path: '/savedSearches/:_id',
  access: 'signed-in',
  summary: 'Deletes one of the caller’s saved searches; `deletedCount` is 0 when it is not there',
  params: z.object({ _id: Id }),
  response: Deleted,
});
