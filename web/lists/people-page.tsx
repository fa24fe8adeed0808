import type { ReactNode } from 'react';
import { href, useSearchParams } from 'react-router';
import type { PeopleSort } from '#contract/operations/user-admin.ts';
import type { Rating } from '#contract/people/ratings.ts';
import { EmailAddress, UnverifiedEmail } from '../formats/email-address.tsx';
import { ratedName } from '../formats/rating.ts';
import { SellerName } from '../formats/seller-name.tsx';
import { mayOpen } from '../layout/dashboard-links.ts';
import { PageHeading } from '../layout/page-heading.tsx';
import type { ListEndpoint } from '../requests/reads.ts';
import { useRoles } from '../session/roles.ts';
import { SecondaryLink } from '../ui/button.tsx';
import { Field, Options, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Column, menuColumn } from '../ui/table.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { ListSearch } from './list-search.tsx';
import { ListTable } from './list-view.tsx';
import { type DeletingEndpoint, type Deletion, RowMenu } from './row-menu.tsx';

/** The limit of the endpoint, in characters. */
const MAXIMUM_SEARCH_LENGTH = 100;

const sorts: readonly PeopleSort[] = ['newest', 'name', 'email'];
const sortNames: Readonly<Record<PeopleSort, string>> = { newest: 'Newest', name: 'Name', email: 'Email' };

/** The filter of a list of people. `search` matches a part of a name or an email address; empty matches all. */
interface PeopleFilter {
  search: string;
  sort: PeopleSort;
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
  const roles = useRoles();
  const seesOrders = roles.status === 'known' && mayOpen(roles, href('/dashboard/allOrders'));
  const search = (parameters.get('search') ?? '').trim().slice(0, MAXIMUM_SEARCH_LENGTH);
  const sort = sorts.find((each) => each === parameters.get('sort')) ?? 'newest';

  return (
    <>
      <PageHeading title={title}>{description}</PageHeading>
      {children}
      <ListSearch label="Search by name or email" search={search} maxLength={MAXIMUM_SEARCH_LENGTH}>
        {(submit) => (
          <Field label="Sort by">
            <Select name="sort" value={sort} onChange={submit}>
              <Options values={sorts} label={(each) => sortNames[each]} />
            </Select>
          </Field>
        )}
      </ListSearch>
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
            cell: ({ name, email, emailVerified }) => (
              <span className="block min-w-44 text-right @min-[52rem]:min-w-56 wrap-anywhere @2xl:text-left">
                <EmailAddress>{email}</EmailAddress>
                {!emailVerified && <UnverifiedEmail />}
                {seesOrders && (
                  <span className="mt-1 block text-sm">
                    <TextLink
                      to={`${href('/dashboard/allOrders')}?${new URLSearchParams({ search: email })}`}
                    >
                      Orders<span className="sr-only"> of {name}</span>
                    </TextLink>
                  </span>
                )}
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
