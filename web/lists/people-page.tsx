import { type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/operations/people.ts';
import type { Rating } from '#contract/people/ratings.ts';
import { EmailAddress, UnverifiedEmail } from '../formats/email-address.tsx';
import { ratedName } from '../formats/rating.ts';
import { SellerName } from '../formats/seller-name.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import type { ListEndpoint } from '../requests/reads.ts';
import { SecondaryButton } from '../ui/button.tsx';
import { Field, Options, Select, TextInput } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Column, menuColumn } from '../ui/table.tsx';
import { ListTable, useList } from './list-view.tsx';
import { type DeletingEndpoint, type Deletion, RowMenu } from './row-menu.tsx';

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

type PeopleSearch = ReturnType<typeof usePeopleSearch>;

const readFilter = (parameters: URLSearchParams): PeopleFilter => ({
  search: (parameters.get('search') ?? '').trim().slice(0, MAXIMUM_SEARCH_LENGTH),
  sort: toSort(parameters.get('sort')),
});

/**
 * Keeps the filter in the URL, so that it survives a reload and works with the back button. The field follows a change of the URL from
 * elsewhere, but not while something is being typed.
 */
function usePeopleSearch() {
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
function toPeopleQuery({ search, sort }: PeopleFilter): { search?: string; sort: PeopleSort } {
  return search === '' ? { sort } : { search, sort };
}

/** The search field and the sort order of a list of people. */
function PeopleControls({ people }: { people: PeopleSearch }) {
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
function NoMatches({ people }: { people: PeopleSearch }) {
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

interface Person {
  _id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  isBoth?: true | undefined;
  rating?: Rating | undefined;
}

interface PeoplePageProps<Item> {
  title: string;
  description: string;
  roleName: 'buyer' | 'seller';
  endpoint: ListEndpoint<Item>;
  /** The columns between the address and the delete button. */
  columns?: readonly Column<Item>[];
  /** What else a deletion changes. */
  consequence: string;
  /** What a deletion changes besides, of a person in both lists. */
  consequenceOfBoth: string;
  /** The call that deletes an account. */
  deletion: DeletingEndpoint;
  /** The menu of a row that has more than the deletion. */
  menu?: (item: Item, deletion: Deletion) => ReactNode;
  /** Shown above the search. */
  children?: ReactNode;
}

/** A page with the searchable list of all accounts of a role. */
export function PeoplePage<Item extends Person>(props: PeoplePageProps<Item>) {
  const { title, description, roleName, endpoint, columns = [], menu, children } = props;
  const people = usePeopleSearch();
  const list = useList(endpoint, { query: toPeopleQuery(people) });

  return (
    <>
      <PageHeading title={title}>{description}</PageHeading>
      {children}
      <PeopleControls people={people} />
      <ListTable
        list={list}
        what={`all ${roleName}s`}
        columns={[
          {
            heading: 'Name',
            lead: true,
            cell: ({ _id, name, rating, isBoth }) => (
              <span className="block min-w-32 font-semibold wrap-anywhere">
                {roleName === 'seller' ? (
                  <SellerName name={name} id={_id} rating={rating} />
                ) : (
                  ratedName(name, rating)
                )}
                {isBoth === true && (
                  <span className="block font-normal text-muted text-sm">
                    {roleName === 'seller' ? 'Also buys' : 'Also sells'}
                  </span>
                )}
              </span>
            ),
          },
          {
            heading: 'Email',
            cell: ({ email, emailVerified }) => (
              <span className="block min-w-44 text-right @min-[52rem]:min-w-56 wrap-anywhere @2xl:text-left">
                <EmailAddress>{email}</EmailAddress>
                {!emailVerified && <UnverifiedEmail />}
              </span>
            ),
          },
          ...columns,
          menuColumn<Item>((item) => {
            const consequence =
              item.isBoth === true ? `${props.consequence} ${props.consequenceOfBoth}` : props.consequence;
            const deletion = { consequence, endpoint: props.deletion, _id: item._id };
            return menu?.(item, deletion) ?? <RowMenu name={item.name} deletion={deletion} />;
          }, 'More actions'),
        ]}
        empty={
          people.search === '' ? (
            <EmptyState title={`No ${roleName}s yet`}>
              Everyone who registers as a {roleName} appears here.
            </EmptyState>
          ) : (
            <NoMatches people={people} />
          )
        }
      />
    </>
  );
}
