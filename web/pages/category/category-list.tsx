import { useInfiniteQuery } from '@tanstack/react-query';
import { href } from 'react-router';
import { listCategory } from '#contract/listings/catalogue.ts';
import { notBuyerMessage } from '../../bookings/not-buyer-message.ts';
import { usePurchase } from '../../bookings/use-purchase.ts';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { QueryError, StaleDataNotice } from '../../requests/query-view.tsx';
import { readNextPage } from '../../requests/read-next-page.ts';
import { listQuery } from '../../requests/reads.ts';
import { useRoles } from '../../session/roles.ts';
import { useApi } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { type CardSize, CardSizeSwitch, useCardSize } from './card-size.tsx';
import { CompactCard } from './compact-card.tsx';
import { LaptopCard } from './laptop-card.tsx';
import { RequestedBooking } from './requested-booking.tsx';

const PAGE_SIZE = 12;

const cards = { large: LaptopCard, compact: CompactCard } as const;
const gridClasses = {
  large: 'grid grid-cols-1 gap-8',
  compact:
    'grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.25rem),1fr))] gap-3 sm:gap-5 lg:grid-cols-3 xl:grid-cols-4',
} as const;
/** The number of cards in the first viewport, whose photos load at once. */
const eagerCount = { large: 1, compact: 4 } as const;

function LargeSkeleton() {
  return (
    <div className="grid gap-6 rounded-2xl border border-line p-5 lg:grid-cols-[1.35fr_1fr] lg:p-6">
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

function CompactSkeleton() {
  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line p-3">
      <Skeleton className="aspect-[4/3] w-full" />
      <Skeleton className="h-6 w-4/5" />
      <Skeleton className="h-8 w-1/2" />
      <Skeleton className="h-11" />
    </div>
  );
}

function CardSkeletons({ view }: { view: CardSize }) {
  const skeletons = view === 'large' ? ['first', 'second'] : ['first', 'second', 'third', 'fourth'];
  const Card = view === 'large' ? LargeSkeleton : CompactSkeleton;
  return (
    <Loading what="laptops">
      <div className={gridClasses[view]}>
        {skeletons.map((card) => (
          <Card key={card} />
        ))}
      </div>
    </Loading>
  );
}

/** The laptops of a brand, page by page, with booking and wishlist. */
export function CategoryList({ brandId }: { brandId: string }) {
  const api = useApi();
  const roles = useRoles();
  const [view, setView] = useCardSize();
  const Card = cards[view];
  const purchase = usePurchase(roles.status === 'known' && roles.isBuyer);
  const list = useInfiniteQuery({
    ...listQuery(api, listCategory, { params: { id: brandId }, limit: PAGE_SIZE }),
  });
  const laptops = list.data?.pages.flatMap((page) => page.items) ?? [];
  const booking = useDialogParameter('book');

  return (
    <>
      <div className="mt-4 mb-6 flex">
        <CardSizeSwitch view={view} onChoose={setView} />
      </div>
      {view === 'compact' && roles.status === 'known' && !roles.isBuyer && (
        <p className="mb-6 rounded-lg bg-sunken px-4 py-3 text-quiet">{notBuyerMessage(roles)}</p>
      )}
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
      <StaleDataNotice query={list} />
      {list.isPending ? (
        <CardSkeletons view={view} />
      ) : list.data === undefined ? (
        <QueryError query={list} title="The laptops could not be loaded" />
      ) : laptops.length === 0 ? (
        <EmptyState
          title={`No ${brandId} laptop is for sale right now`}
          action={
            <LinkButton variant="secondary" to={`${href('/')}#brands`}>
              Choose another brand
            </LinkButton>
          }
        >
          New laptops appear here as soon as sellers list them.
        </EmptyState>
      ) : (
        <ul className={gridClasses[view]}>
          {laptops.map((laptop, index) => (
            <Card
              key={laptop._id}
              laptop={laptop}
              eager={index < eagerCount[view]}
              roles={roles}
              purchase={purchase}
              onBook={() => booking.open(laptop._id)}
            />
          ))}
        </ul>
      )}
      {list.isFetchNextPageError && (
        <p role="alert" className="mt-8 text-red">
          {list.error.message}
        </p>
      )}
      {list.hasNextPage && (
        <div className="mt-8 flex justify-center">
          <Button
            variant="secondary"
            onClick={() => void readNextPage(list)}
            busy={list.isFetchingNextPage && 'Loading more'}
          >
            Show more
          </Button>
        </div>
      )}
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
