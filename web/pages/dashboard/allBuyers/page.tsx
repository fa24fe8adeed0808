import { useQueryClient } from '@tanstack/react-query';
import { type Buyer, deleteBuyer, listBuyers } from '#contract/people.ts';
import { EmailAddress, UnverifiedEmail } from '../../../formats/email-address.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { DeleteButton } from '../../../lists/delete-button.tsx';
import { ListTable } from '../../../lists/list-table.tsx';
import { NoMatches, PeopleControls, toPeopleQuery, usePeopleSearch } from '../../../lists/people-search.tsx';
import { useList } from '../../../lists/use-list.ts';
import { dashboardMeta } from '../../../metadata/dashboard-meta.ts';
import { useApi } from '../../../session/session.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

export const meta = () => dashboardMeta('All Buyers');

export default function AllBuyers() {
  const api = useApi();
  const cache = useQueryClient();
  const people = usePeopleSearch();
  const buyers = useList(['buyers', people.search, people.sort], (page, signal) =>
    api.page(listBuyers, { query: { ...page, ...toPeopleQuery(people) }, signal }),
  );

  const columns: Column<Buyer>[] = [
    {
      heading: 'Name',
      lead: true,
      cell: (buyer) => <span className="block min-w-32 font-semibold wrap-anywhere">{buyer.name}</span>,
    },
    {
      heading: 'Email',
      cell: (buyer) => (
        <span className="block min-w-44 text-right @min-[52rem]:min-w-56 wrap-anywhere @2xl:text-left">
          <EmailAddress>{buyer.email}</EmailAddress>
          {!buyer.emailVerified && <UnverifiedEmail />}
        </span>
      ),
    },
    {
      heading: 'Delete',
      hiddenHeading: true,
      cell: (buyer) => (
        <DeleteButton
          name={buyer.name}
          consequence="The account ends at once and its unpaid bookings are cancelled. What was paid stays on record."
          remove={() => api.call(deleteBuyer, { params: { _id: buyer._id } })}
          refresh={() => cache.invalidateQueries({ queryKey: ['buyers'] })}
        />
      ),
    },
  ];

  return (
    <>
      <PageHeading title="All Buyers">Everyone who has registered to buy here.</PageHeading>
      <PeopleControls people={people} />
      <ListTable
        list={buyers}
        what="all buyers"
        columns={columns}
        empty={
          people.search === '' ? (
            <EmptyState title="No buyers yet">Everyone who registers as a buyer appears here.</EmptyState>
          ) : (
            <NoMatches people={people} />
          )
        }
      />
    </>
  );
}
