import { type ReactNode, useEffect, useRef } from 'react';
import { Form, useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/operations/user-admin.ts';
import type { Rating } from '#contract/people/ratings.ts';
import { EmailAddress, UnverifiedEmail } from '../formats/email-address.tsx';
import { ratedName } from '../formats/rating.ts';
import { SellerName } from '../formats/seller-name.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import type { ListEndpoint } from '../requests/reads.ts';
import { SecondaryLink } from '../ui/button.tsx';
import { Field, Options, Select, TextInput } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Column, menuColumn } from '../ui/table.tsx';
import { ListTable } from './list-view.tsx';
import { type DeletingEndpoint, type Deletion, RowMenu } from './row-menu.tsx';

/** Milliseconds between the last keystroke and the search. */
const DEBOUNCE = 300;
/** The limit of the endpoint, in characters. */
const MAXIMUM_SEARCH_LENGTH = 100;

const sorts: readonly PeopleSort[] = ['newest', 'name', 'email'];
const sortNames: Readonly<Record<PeopleSort, string>> = { newest: 'Newest', name: 'Name', email: 'Email' };

/** The filter of a list of people. `search` matches a part of a name or an email address; empty matches all. */
interface PeopleFilter {
  search: string;
  sort: PeopleSort;
}

/** The search field and the sort order of a list of people. The URL has them, so that they survive a reload and work with the back button. */
function PeopleControls({ search, sort }: PeopleFilter) {
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  /** Runs while what was typed is not in the URL yet. */
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopTimer = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const submit = () => form.current?.requestSubmit();
  useEffect(() => {
    // Follows a change of the URL from elsewhere, but not while something is being typed.
    const input = field.current;
    if (input !== null && timer.current === undefined && input.value.trim() !== search) input.value = search;
  }, [search]);
  return (
    <search className="mb-5">
      <Form
        ref={form}
        replace
        preventScrollReset
        className="grid gap-4 sm:grid-cols-[1fr_12rem]"
        onSubmit={(event) => {
          stopTimer();
          const filter = new FormData(event.currentTarget);
          // A navigation to the same URL would load the whole page again.
          if (String(filter.get('search')).trim() === search && filter.get('sort') === sort)
            event.preventDefault();
        }}
      >
        <Field label="Search by name or email">
          <TextInput
            ref={field}
            type="search"
            name="search"
            defaultValue={search}
            maxLength={MAXIMUM_SEARCH_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={() => {
              stopTimer();
              timer.current = setTimeout(submit, DEBOUNCE);
            }}
          />
        </Field>
        <Field label="Sort by">
          <Select name="sort" value={sort} onChange={submit}>
            <Options values={sorts} label={(each) => sortNames[each]} />
          </Select>
        </Field>
      </Form>
    </search>
  );
}

/** The empty state of a search without results. */
function NoMatches({ search, sort }: PeopleFilter) {
  return (
    <EmptyState
      title={`Nobody matches “${search}”`}
      action={
        <SecondaryLink to={`?sort=${sort}`} replace preventScrollReset>
          Show everybody
        </SecondaryLink>
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
  const [parameters] = useSearchParams();
  const search = (parameters.get('search') ?? '').trim().slice(0, MAXIMUM_SEARCH_LENGTH);
  const sort = sorts.find((each) => each === parameters.get('sort')) ?? 'newest';

  return (
    <>
      <PageHeading title={title}>{description}</PageHeading>
      {children}
      <PeopleControls search={search} sort={sort} />
      <ListTable
        endpoint={endpoint}
        parameters={{ query: { sort, ...(search !== '' && { search }) } }}
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
          search === '' ? (
            <EmptyState title={`No ${roleName}s yet`}>
              Everyone who registers as a {roleName} appears here.
            </EmptyState>
          ) : (
            <NoMatches search={search} sort={sort} />
          )
        }
      />
    </>
  );
}
