import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/operations/people.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Milliseconds between the last keystroke and the search. */
const DEBOUNCE = 300;
/** The limit of the endpoint, in characters. */
const MAXIMUM_SEARCH_LENGTH = 100;

const sorts = [
  ['newest', 'Newest'],
  ['name', 'Name'],
  ['email', 'Email'],
] as const satisfies readonly [PeopleSort, string][];

/** The filter of a list of people. `search` matches a part of a name or an email address; empty matches all. */
interface PeopleFilter {
  search: string;
  sort: PeopleSort;
}

export type PeopleSearch = ReturnType<typeof usePeopleSearch>;

const isSame = (one: PeopleFilter, other: PeopleFilter) =>
  one.search === other.search && one.sort === other.sort;

/**
 * Keeps the filter in the URL, so that it survives a reload and works with the back button. The controls follow a
 * change of the URL from elsewhere, but not their own change, because by then the user may have typed more.
 */
export function usePeopleSearch() {
  const [parameters, setParameters] = useSearchParams();
  const urlFilter: PeopleFilter = {
    search: (parameters.get('search') ?? '').trim().slice(0, MAXIMUM_SEARCH_LENGTH),
    sort: sorts.find(([value]) => value === parameters.get('sort'))?.[0] ?? 'newest',
  };
  const [fields, setFields] = useState(urlFilter);
  const [lastFilter, setLastFilter] = useState(urlFilter);
  /** Filters whose navigation is pending, the oldest first. */
  const [pending, setPending] = useState<readonly PeopleFilter[]>([]);
  if (!isSame(lastFilter, urlFilter)) {
    const ownIndex = pending.findLastIndex((filter) => isSame(filter, urlFilter));
    setLastFilter(urlFilter);
    setPending(pending.slice(ownIndex + 1));
    if (ownIndex === -1) setFields(urlFilter);
  }

  /** Changes the fields and the URL at once. */
  function setFilter(changes: Partial<PeopleFilter>) {
    const next = { ...fields, ...changes };
    const filter = { ...next, search: next.search.trim() };
    setFields(next);
    if (isSame(filter, pending.at(-1) ?? urlFilter)) return;
    setPending([...pending, filter]);
    setParameters(
      {
        ...(filter.search !== '' && { search: filter.search }),
        ...(filter.sort !== 'newest' && { sort: filter.sort }),
      },
      { replace: true, preventScrollReset: true },
    );
  }

  const { search: typed } = fields;
  const applyTypedSearch = useEffectEvent(() => setFilter({}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke restarts the timer
  useEffect(() => {
    const timer = setTimeout(applyTypedSearch, DEBOUNCE);
    return () => clearTimeout(timer);
  }, [typed]);

  return {
    ...urlFilter,
    /** The values of the controls. The URL follows after {@link DEBOUNCE}. */
    fields,
    /** Changes the search field. The URL follows after {@link DEBOUNCE}. */
    setSearchField: (search: string) => setFields((before) => ({ ...before, search })),
    setFilter,
  };
}

/** The query of the lists of people. */
export function toPeopleQuery({ search, sort }: PeopleFilter): { search?: string; sort: PeopleSort } {
  return search === '' ? { sort } : { search, sort };
}

/** The search field and the sort order of a list of people. */
export function PeopleControls({ people }: { people: PeopleSearch }) {
  return (
    <search className="mb-5">
      <form
        className="grid gap-4 sm:grid-cols-[1fr_12rem]"
        onSubmit={(event) => {
          event.preventDefault();
          people.setFilter({});
        }}
      >
        <Field label="Search by name or email">
          <TextInput
            type="search"
            name="search"
            value={people.fields.search}
            maxLength={MAXIMUM_SEARCH_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => people.setSearchField(event.target.value)}
          />
        </Field>
        <Field label="Sort by">
          <Select
            name="sort"
            value={people.fields.sort}
            onChange={(event) => {
              const chosen = sorts.find(([value]) => value === event.target.value);
              if (chosen !== undefined) people.setFilter({ sort: chosen[0] });
            }}
          >
            {sorts.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </form>
    </search>
  );
}

/** The empty state of a search without results. */
export function NoMatches({ people }: { people: PeopleSearch }) {
  return (
    <EmptyState
      title={`Nobody matches “${people.search}”`}
      action={
        <Button variant="secondary" onClick={() => people.setFilter({ search: '' })}>
          Show everybody
        </Button>
      }
    >
      The search looks for these letters in names and in email addresses.
    </EmptyState>
  );
}
