import { useInfiniteQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { href } from 'react-router';
import { listCategory } from '#contract/listings/catalogue.ts';
import { usePurchase } from '../../bookings/use-purchase.ts';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import { toTileLaptop } from '../../laptops/tile-laptop.ts';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { ListView } from '../../lists/list-view.tsx';
import { listQuery } from '../../requests/reads.ts';
import { useRoles } from '../../session/roles.ts';
import { useApi } from '../../session/session.tsx';
import { SecondaryLink } from '../../ui/button.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
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

function CardSkeleton() {
  return (
    <div className="grid grid-cols-[1.35fr_1fr] gap-6 rounded-2xl border border-border p-6">
      <Skeleton className="h-[500px] w-full" />
      <div className="flex flex-col gap-4">
        <Skeleton className="h-9 w-4/5" />
        <Skeleton className="h-8 w-1/2" />
        <Skeleton className="h-48" />
        <Skeleton className="mt-auto h-11" />
      </div>
    </div>
  );
}

function TileSkeleton() {
  return (
    <div className="flex gap-3 rounded-xl border border-border p-3 sm:flex-col">
      <Skeleton className="aspect-[4/3] w-32 sm:w-full" />
      <div className="flex flex-1 flex-col gap-3">
        <Skeleton className="h-6 w-4/5" />
        <Skeleton className="h-7 w-1/2" />
        <Skeleton className="h-5 w-3/5" />
      </div>
    </div>
  );
}

/** The laptops of a brand, page by page, with booking and wishlist. */
export function CategoryList({ brandId }: { brandId: string }) {
  const api = useApi();
  const roles = useRoles();
  const isWide = useIsWide();
  const listClasses = isWide ? 'grid gap-8' : 'grid gap-3 sm:grid-cols-2 sm:gap-5';
  const purchase = usePurchase(roles);
  const list = useInfiniteQuery(listQuery(api, listCategory, { params: { id: brandId }, limit: PAGE_SIZE }));
  const laptops = list.data?.pages.flatMap((page) => page.items) ?? [];
  const booking = useDialogParameter('book');

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
        list={list}
        what="the laptops"
        skeleton={
          <div className={listClasses}>
            {['first', 'second', 'third'].map((card) =>
              isWide ? <CardSkeleton key={card} /> : <TileSkeleton key={card} />,
            )}
          </div>
        }
        emptyTitle={`No ${brandId} laptop is for sale right now`}
        emptyAction={<SecondaryLink to={`${href('/')}#brands`}>Choose another brand</SecondaryLink>}
        empty="New laptops appear here as soon as sellers list them."
      >
        {(items) => (
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
        )}
      </ListView>
      <RequestedBooking
        brandId={brandId}
        laptopId={booking.value}
        laptops={list.data === undefined ? null : laptops}
        roles={roles}
        purchase={purchase}
        onClose={booking.close}
      />
    </>
  );
}
