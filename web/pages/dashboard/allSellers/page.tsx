import { useQueryClient } from '@tanstack/react-query';
import { deleteSeller, listSellers, type Seller, verifySeller } from '#contract/people.ts';
import { EmailAddress, UnverifiedEmail } from '../../../formats/email-address.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { DeleteButton } from '../../../lists/delete-button.tsx';
import { ListTable } from '../../../lists/list-table.tsx';
import { NoMatches, PeopleControls, toPeopleQuery, usePeopleSearch } from '../../../lists/people-search.tsx';
import { RowAction } from '../../../lists/row-action.tsx';
import { useList } from '../../../lists/use-list.ts';
import { dashboardMeta } from '../../../metadata/dashboard-meta.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge, VerifiedIcon } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

export const meta = () => dashboardMeta('All Sellers');

function Verification({ seller, refresh }: { seller: Seller; refresh: () => Promise<void> }) {
  const api = useApi();
  return (
    <RowAction
      label="Verify"
      busyLabel="Verifying"
      name={seller.name}
      variant="primary"
      run={() => api.call(verifySeller, { params: { email: seller.email } })}
      refresh={refresh}
      done={{ title: 'Verification Successful!', message: `${seller.name} is now a verify seller.` }}
    >
      {seller.status ? (
        <Badge tone="good">
          <VerifiedIcon />
          Verified
        </Badge>
      ) : undefined}
    </RowAction>
  );
}

export default function AllSellers() {
  const api = useApi();
  const cache = useQueryClient();
  const people = usePeopleSearch();
  const sellers = useList(['sellers', people.search, people.sort], (page, signal) =>
    api.page(listSellers, { query: { ...page, ...toPeopleQuery(people) }, signal }),
  );
  const refresh = () => cache.invalidateQueries({ queryKey: ['sellers'] });

  const columns: Column<Seller>[] = [
    {
      heading: 'Name',
      lead: true,
      cell: (seller) => <span className="block min-w-32 font-semibold wrap-anywhere">{seller.name}</span>,
    },
    {
      heading: 'Email',
      cell: (seller) => (
        <span className="block min-w-44 text-right @min-[52rem]:min-w-56 wrap-anywhere @2xl:text-left">
          <EmailAddress>{seller.email}</EmailAddress>
          {!seller.emailVerified && <UnverifiedEmail />}
        </span>
      ),
    },
    {
      heading: 'Verification',
      cell: (seller) => <Verification seller={seller} refresh={refresh} />,
    },
    {
      heading: 'Delete',
      hiddenHeading: true,
      cell: (seller) => (
        <DeleteButton
          name={seller.name}
          consequence="The account ends at once, its unsold laptops leave the shop, and unpaid bookings of them are cancelled."
          remove={() => api.call(deleteSeller, { params: { _id: seller._id } })}
          refresh={refresh}
        />
      ),
    },
  ];

  return (
    <>
      <PageHeading title="All Sellers">
        Everyone who sells here. Buyers see on every laptop whether its seller is verified.
      </PageHeading>
      <PeopleControls people={people} />
      <ListTable
        list={sellers}
        what="all sellers"
        columns={columns}
        empty={
          people.search === '' ? (
            <EmptyState title="No sellers yet">Everyone who registers as a seller appears here.</EmptyState>
          ) : (
            <NoMatches people={people} />
          )
        }
      />
    </>
  );
}
