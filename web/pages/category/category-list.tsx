import { useSyncExternalStore } from 'react';
import { href } from 'react-router';
import { listCategory } from '#contract/listings/catalogue.ts';
import { usePurchase } from '../../bookings/use-purchase.ts';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import { toTileLaptop } from '../../laptops/tile-laptop.ts';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { ListView, useList } from '../../lists/list-view.tsx';
import { useRoles } from '../../session/roles.ts';
import { SecondaryLink } from '../../ui/button.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { useKeepFocus } from '../../ui/use-keep-focus.ts';
import { LaptopCard } from './laptop-card.tsx';
import { RequestedBooking } from './requested-booking.tsx';

const PAGE_SIZE = 12;
const WIDE = '(width >= 64rem)';

/** Whether the window has room for large cards: in a narrow one they are columns, and higher than the window. */
function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(WIDE);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(WIDE).matches,
    () => false,
  );
}

/** The laptops of a brand, page by page, with booking and wishlist. */
export function CategoryList({ brandId }: { brandId: string }) {
  const roles = useRoles();
  const isWide = useIsWide();
  const listClasses = isWide ? 'grid gap-8' : 'grid gap-3 sm:grid-cols-2 sm:gap-5';
  const purchase = usePurchase(roles);
  const pages = { params: { id: brandId }, limit: PAGE_SIZE };
  const list = useList(listCategory, pages);
  const laptops = list.data?.pages.flatMap((page) => page.items) ?? [];
  const booking = useDialogParameter('book');
  useKeepFocus();

  return (
    <>
      {roles.status === 'failed' && (
        <div className="mb-8">
          <ErrorState
            title="We could not check your role"
            message={`${roles.message} Until then nothing can be booked.`}
            onRetry={roles.retry}
            retrying={roles.retrying}
          />
        </div>
      )}
      <ListView
        endpoint={listCategory}
        parameters={pages}
        what="the laptops"
        skeleton={
          <div className={listClasses}>
            {['first', 'second', 'third'].map((card) => (
              <Skeleton key={card} className={isWide ? 'h-[548px]' : 'h-40'} />
            ))}
          </div>
        }
        emptyTitle={`No ${brandId} laptop is for sale right now`}
        emptyAction={<SecondaryLink to={`${href('/')}#brands`}>Choose another brand</SecondaryLink>}
        empty="New laptops appear here as soon as sellers list them."
      >
        {(items) => (
          <>
            {/* Each large card has a heading of this level. */}
            {!isWide && <h2 className="sr-only">Laptops for sale</h2>}
            <ul className={listClasses}>
              {items.map((laptop, index) =>
                isWide ? (
                  <LaptopCard
                    key={laptop._id}
                    laptop={laptop}
                    eager={index === 0}
                    roles={roles}
                    purchase={purchase}
                    onBook={() => booking.open(laptop._id)}
                  />
                ) : (
                  <li key={laptop._id} className="flex">
                    <LaptopTile laptop={toTileLaptop(laptop)} eager={index === 0} />
                  </li>
                ),
              )}
            </ul>
          </>
        )}
      </ListView>
      {list.data !== undefined && roles.status === 'known' && !purchase.isLoading && (
        <RequestedBooking
          booking={booking}
          laptops={
            roles.isBuyer
              ? laptops.filter((laptop) => !purchase.isOwn(laptop) && !purchase.isBooked(laptop))
              : []
          }
          purchase={purchase}
        />
      )}
    </>
  );
}
