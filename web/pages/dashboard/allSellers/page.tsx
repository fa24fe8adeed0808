import { deleteSeller, listSellers, type Seller, verifySeller } from '#contract/people.ts';
import { PeoplePage } from '../../../lists/people-page.tsx';
import { RowAction } from '../../../lists/row-action.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge, VerifiedIcon } from '../../../ui/badge.tsx';

export const meta = () => privateMeta('All Sellers');

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
        <Badge tone="trust">
          <VerifiedIcon />
          Verified
        </Badge>
      ) : undefined}
    </RowAction>
  );
}

export default function AllSellers() {
  const api = useApi();
  return (
    <PeoplePage
      title="All Sellers"
      description="Everyone who sells here. Buyers see on every laptop whether its seller is verified."
      roleName="seller"
      load={(query, signal) => api.page(listSellers, { query, signal })}
      columns={(refresh) => [
        {
          heading: 'Verification',
          cell: (seller) => <Verification seller={seller} refresh={refresh} />,
        },
      ]}
      consequence="The account ends at once, its unsold laptops leave the shop, and unpaid bookings of them are cancelled."
      remove={(_id) => api.call(deleteSeller, { params: { _id } })}
    />
  );
}
