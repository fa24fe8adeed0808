import { href } from 'react-router';
import { listWishlist, removeWish, type WishlistItem } from '#contract/listings/wishlist.ts';
import { LevelBadge } from '../../../formats/level-badge.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { WriteButton } from '../../../forms/write-button.tsx';
import { factsLine } from '../../../laptops/facts-line.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { laptopColumns } from '../../../lists/laptop-columns.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/table.tsx';

const tones = {
  Available: 'good',
  Purchased: 'good',
  Sold: 'neutral',
  Gone: 'neutral',
  Paused: 'neutral',
} as const;

const columns: Column<WishlistItem>[] = [
  ...laptopColumns<WishlistItem>(({ productCode: _id, productName: name, ...item }) => ({
    ...item,
    _id,
    name,
    details: factsLine(item.facts),
  })),
  {
    heading: 'Seller',
    cell: ({ sellerName, sellerId, sellerRating }) => (
      <span className="block min-w-24 text-right wrap-anywhere @2xl:text-left">
        <SellerName name={sellerName} id={sellerId} rating={sellerRating} />
      </span>
    ),
  },
  {
    heading: 'State',
    // One column without the level's date: the table has to fit a tablet.
    cell: ({ state, condition, level }) => (
      <span className="flex flex-wrap justify-end gap-1.5 *:whitespace-normal @2xl:flex-col @2xl:items-start">
        <Badge tone={tones[state]}>{state === 'Gone' ? 'No longer for sale' : state}</Badge>
        <Badge>{condition}</Badge>
        <LevelBadge laptop={{ level }} />
      </span>
    ),
  },
  {
    heading: 'Actions',
    hiddenHeading: true,
    wide: true,
    cell: ({ _id, productName, state }) => (
      <div className="flex items-center gap-2 @2xl:flex-col @2xl:items-end @4xl:flex-row @4xl:justify-end">
        {state === 'Available' && (
          <LinkButton
            size="small"
            to={href('/dashboard/buy/:id', { id: _id })}
            aria-label={`Buy ${productName}`}
            className="@max-2xl:min-h-11 @max-2xl:flex-1"
          >
            Buy
          </LinkButton>
        )}
        {/* Also of a purchased one: My Orders keeps the purchase. */}
        <WriteButton
          endpoint={removeWish}
          input={{ params: { _id } }}
          done={`${productName} was removed from your wishlist.`}
          aria-label={`Remove ${productName}`}
          className="@max-2xl:min-h-11"
          busy="Removing"
        >
          Remove
        </WriteButton>
      </div>
    ),
  },
];

export default function MyWishlist() {
  const { email } = usePerson();
  return (
    <>
      <PageHeading title="My Wishlist">Laptops that you saved for later.</PageHeading>
      <ListTable
        endpoint={listWishlist}
        parameters={{ query: { email } }}
        what="your wishlist"
        columns={columns}
        emptyTitle="Your wishlist is empty"
        emptyAction={<LinkButton to={href('/')}>Find a laptop</LinkButton>}
        empty="Choose ‘Add to Wishlist’ on a laptop that you like and it appears here until it is sold."
      />
    </>
  );
}
