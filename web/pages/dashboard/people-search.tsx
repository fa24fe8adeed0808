import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/accounts.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Milliseconds after the last key until a search begins. */
const PAUSE = 300;
/** As much as the call takes. */
const LONGEST_SEARCH = 100;

const sorts = [
  ['newest', 'Newest'],
  ['name', 'Name'],
  ['email', 'Email'],
] as const satisfies readonly [PeopleSort, string][];

export interface PeopleSearch {
  /** A part of a name or of an e-mail; empty: everybody. */
  search: string;
  sort: PeopleSort;
  change: (wanted: { search?: string; sort?: PeopleSort }) => void;
}

/** What is searched for and how it is sorted, kept in the address: a reload and the back button keep it, too. */
export function usePeopleSearch(): PeopleSearch {
  const [parameters, setParameters] = useSearchParams();
  const sort = sorts.find(([value]) => value === parameters.get('sort'))?.[0] ?? 'newest';
  const search = (parameters.get('search') ?? '').trim().slice(0, LONGEST_SEARCH);
  return {
    search,
    sort,
    change: (changes) => {
      const wanted = { search, sort, ...changes };
      const next: Record<string, string> = {};
      if (wanted.search !== '') next.search = wanted.search;
      if (wanted.sort !== 'newest') next.sort = wanted.sort;
      setParameters(next, { replace: true, preventScrollReset: true });
    },
  };
}

/** The query of the lists of people. */
export function queryOf({ search, sort }: PeopleSearch): { search?: string; sort: PeopleSort } {
  return search === '' ? { sort } : { search, sort };
}

/** What is being typed; it becomes the search when the typing pauses, and follows an address that changes. */
function useTyped({ search, change }: PeopleSearch): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(search);
  const [followed, setFollowed] = useState(search);
  if (followed !== search) {
    setFollowed(search);
    if (typed.trim() !== search) setTyped(search);
  }
  useEffect(() => {
    if (typed.trim() === search) return;
    const pause = setTimeout(() => change({ search: typed.trim() }), PAUSE);
    return () => clearTimeout(pause);
  });
  return [typed, setTyped];
}

/** A field to search people by name or e-mail, and a choice of how they are sorted. */
export function PeopleControls({ people }: { people: PeopleSearch }) {
  const [typed, setTyped] = useTyped(people);
  return (
    <search className="mb-5">
      <form
        className="grid gap-4 sm:grid-cols-[1fr_12rem]"
        onSubmit={(event) => {
          event.preventDefault();
          people.change({ search: typed.trim() });
        }}
      >
        <Field label="Search by name or email">
          <TextInput
            type="search"
            name="search"
            value={typed}
            maxLength={LONGEST_SEARCH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Field label="Sort by">
          <Select
            name="sort"
            value={people.sort}
            onChange={(event) => {
              const chosen = sorts.find(([value]) => value === event.target.value);
              if (chosen !== undefined) people.change({ sort: chosen[0], search: typed.trim() });
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

/** A search that found nobody, and the way back to everybody. */
export function NobodyFound({ people }: { people: PeopleSearch }) {
  return (
    <EmptyState
      title={`Nobody matches “${people.search}”`}
      action={
        <Button look="secondary" onClick={() => people.change({ search: '' })}>
          Show everybody
        </Button>
      }
    >
      The search looks for these letters in names and in e-mail addresses.
    </EmptyState>
  );
}
