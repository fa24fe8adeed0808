import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/operations/people.ts';
import { SecondaryButton } from '../ui/button.tsx';
import { Field, Options, Select, TextInput } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Milliseconds between the last keystroke and the search. */
const DEBOUNCE = 300;
/** The limit of the endpoint, in characters. */
const MAXIMUM_SEARCH_LENGTH = 100;

const sorts: readonly PeopleSort[] = ['newest', 'name', 'email'];
const sortNames: Readonly<Record<PeopleSort, string>> = { newest: 'Newest', name: 'Name', email: 'Email' };
const toSort = (value: string | null) => sorts.find((sort) => sort === value) ?? 'newest';

/** The filter of a list of people. `search` matches a part of a name or an email address; empty matches all. */
interface PeopleFilter {
  search: string;
  sort: PeopleSort;
}

export type PeopleSearch = ReturnType<typeof usePeopleSearch>;

const readFilter = (parameters: URLSearchParams): PeopleFilter => ({
  search: (parameters.get('search') ?? '').trim().slice(0, MAXIMUM_SEARCH_LENGTH),
  sort: toSort(parameters.get('sort')),
});

/**
 * Keeps the filter in the URL, so that it survives a reload and works with the back button. The field follows a change of the URL from
 * elsewhere, but not while something is being typed.
 */
export function usePeopleSearch() {
  const [parameters, setParameters] = useSearchParams();
  const field = useRef<HTMLInputElement>(null);
  /** Runs while what was typed is not in the URL yet. */
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const { search, sort } = readFilter(parameters);

  function stopTimer() {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  }
  /** Changes the URL at once. @param changes left out: what was typed */
  function setFilter(changes: Partial<PeopleFilter> = {}) {
    stopTimer();
    // Not that of the last render: since the keystroke somebody may have gone back.
    const present = readFilter(new URLSearchParams(location.search));
    const next = { ...present, search: field.current?.value.trim() ?? present.search, ...changes };
    if (next.search === present.search && next.sort === present.sort) return;
    setParameters(
      {
        ...(next.search !== '' && { search: next.search }),
        ...(next.sort !== 'newest' && { sort: next.sort }),
      },
      { replace: true, preventScrollReset: true },
    );
  }
  useEffect(() => {
    const input = field.current;
    if (input !== null && timer.current === null && input.value.trim() !== search) input.value = search;
  }, [search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page is left
  useEffect(() => stopTimer, []);
  return {
    search,
    sort,
    field,
    setFilter,
    /** Changes the URL after {@link DEBOUNCE}. */
    type: () => {
      stopTimer();
      timer.current = setTimeout(setFilter, DEBOUNCE);
    },
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
          people.setFilter();
        }}
      >
        <Field label="Search by name or email">
          <TextInput
            ref={people.field}
            type="search"
            name="search"
            defaultValue={people.search}
            maxLength={MAXIMUM_SEARCH_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={people.type}
          />
        </Field>
        <Field label="Sort by">
          <Select
            name="sort"
            value={people.sort}
            onChange={({ target }) => people.setFilter({ sort: toSort(target.value) })}
          >
            <Options values={sorts} label={(sort) => sortNames[sort]} />
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
        <SecondaryButton onClick={() => people.setFilter({ search: '' })}>Show everybody</SecondaryButton>
      }
    >
      The search looks for these letters in names and in email addresses.
    </EmptyState>
  );
}
