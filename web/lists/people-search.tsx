import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/people.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Milliseconds after the last key until a search begins. */
const PAUSE = 300;
/** As much as the call takes. */
const LONGEST_SEARCH = 100;

const sorts = [
  ['newest', 'Newest'],
  ['name', 'Name'],
  ['email', 'Email'],
] as const satisfies readonly [PeopleSort, string][];

/** What a list of people is narrowed to. `search` is a part of a name or of an e-mail; empty: everybody. */
interface Wanted {
  search: string;
  sort: PeopleSort;
}

export interface PeopleSearch extends Wanted {
  /** What stands in the fields. It becomes the address a moment later. */
  fields: Wanted;
  /** Changes the field alone. */
  type: (typed: string) => void;
  /** Changes the address, and the fields with it. */
  change: (changes: Partial<Wanted>) => void;
}

const isSame = (one: Wanted, other: Wanted) => one.search === other.search && one.sort === other.sort;

/**
 * What is searched for and how it is sorted, kept in the address: a reload and the back button keep it, too. The
 * fields follow an address that somebody else changes. They do not follow their own: by then they may be ahead of it.
 */
export function usePeopleSearch(): PeopleSearch {
  const [parameters, setParameters] = useSearchParams();
  const address: Wanted = {
    search: (parameters.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
    sort: sorts.find(([value]) => value === parameters.get('sort'))?.[0] ?? 'newest',
  };
  const [fields, setFields] = useState(address);
  const [followed, setFollowed] = useState(address);
  /** What the address was asked to become and is not yet, the oldest first. */
  const [asked, setAsked] = useState<readonly Wanted[]>([]);
  if (!isSame(followed, address)) {
    const own = asked.findLastIndex((wanted) => isSame(wanted, address));
    setFollowed(address);
    setAsked(asked.slice(own + 1));
    if (own === -1) setFields(address);
  }

  function change(changes: Partial<Wanted>) {
    const next = { ...fields, ...changes };
    const wanted = { ...next, search: next.search.trim() };
    setFields(next);
    if (isSame(wanted, asked.at(-1) ?? address)) return;
    setAsked([...asked, wanted]);
    setParameters(
      {
        ...(wanted.search !== '' && { search: wanted.search }),
        ...(wanted.sort !== 'newest' && { sort: wanted.sort }),
      },
      { replace: true, preventScrollReset: true },
    );
  }

  const { search: typed } = fields;
  const changeLater = useEffectEvent(() => change({}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter begins the pause anew
  useEffect(() => {
    const pause = setTimeout(changeLater, PAUSE);
    return () => clearTimeout(pause);
  }, [typed]);

  return { ...address, fields, type: (search) => setFields((before) => ({ ...before, search })), change };
}

/** The query of the lists of people. */
export function queryOf({ search, sort }: Wanted): { search?: string; sort: PeopleSort } {
  return search === '' ? { sort } : { search, sort };
}

/** A field to search people by name or e-mail, and a choice of how they are sorted. */
export function PeopleControls({ people }: { people: PeopleSearch }) {
  return (
    <search className="mb-5">
      <form
        className="grid gap-4 sm:grid-cols-[1fr_12rem]"
        onSubmit={(event) => {
          event.preventDefault();
          people.change({});
        }}
      >
        <Field label="Search by name or email">
          <TextInput
            type="search"
            name="search"
            value={people.fields.search}
            maxLength={LONGEST_SEARCH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => people.type(event.target.value)}
          />
        </Field>
        <Field label="Sort by">
          <Select
            name="sort"
            value={people.fields.sort}
            onChange={(event) => {
              const chosen = sorts.find(([value]) => value === event.target.value);
              if (chosen !== undefined) people.change({ sort: chosen[0] });
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
