import type { ReactNode } from 'react';
import type { Rating } from '#contract/people/ratings.ts';
import { EmailAddress, UnverifiedEmail } from '../formats/email-address.tsx';
import { ratedName } from '../formats/rating.ts';
import { SellerName } from '../formats/seller-name.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import type { ListEndpoint } from '../requests/reads.ts';
import { EmptyState } from '../ui/states.tsx';
import { type Column, menuColumn } from '../ui/table.tsx';
import { ListTable, useList } from './list-view.tsx';
import { NoMatches, PeopleControls, toPeopleQuery, usePeopleSearch } from './people-search.tsx';
import { type DeletingEndpoint, type Deletion, RowMenu } from './row-menu.tsx';

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
