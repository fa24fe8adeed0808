import { href } from 'react-router';
import { listWishlist, type WishlistItem } from '#contract/wishlist.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { laptopColumns } from '../../../lists/laptop-columns.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { useApi, usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

export const meta = () => privateMeta('My Wishlist');

function Purchase({ item: { _id, productName, state } }: { item: WishlistItem }) {
  if (state !== 'Available') return <Badge tone={state === 'Purchased' ? 'good' : 'neutral'}>{state}</Badge>;
  return (
    <LinkButton size="small" to={href('/dashboard/buy/:id', { id: _id })} aria-label={`Buy ${productName}`}>
      Buy
    </LinkButton>
  );
}

const columns: Column<WishlistItem>[] = [
  ...laptopColumns<WishlistItem>(({ productCode: _id, productName: name, ...item }) => ({
    ...item,
    _id,
    name,
  })),
  { heading: 'Purchase', cell: (item) => <Purchase item={item} /> },
];

export default function MyWishlist() {
  const api = useApi();
  const { email } = usePerson();
  const wishlist = useList(['wishlists', 'own'], (wanted, signal) =>
    api.page(listWishlist, { query: { ...wanted, email }, signal }),
  );
  return (
    <>
      <PageHeading title="My Wishlist">Laptops that you saved for later.</PageHeading>
      <ListTable
        list={wishlist}
        what="your wishlist"
        columns={columns}
        empty={
          <EmptyState
            title="Your wishlist is empty"
            action={<LinkButton to={href('/')}>Find a laptop</LinkButton>}
          >
            Choose ‘Add to Wishlist’ on a laptop that you like and it appears here until it is sold.
          </EmptyState>
        }
      />
    </>
  );
}
