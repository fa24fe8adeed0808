import { href, useNavigate, useParams } from 'react-router';
import { readWishlistItem, type WishlistItem } from '#contract/listings/wishlist.ts';
import { Problem } from '#contract/platform/client.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { BookingForm, BookingNote } from '../../../bookings/booking-form.tsx';
import { lastBooking } from '../../../bookings/use-last-booking.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { usePrefetch, useRead } from '../../../requests/reads.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { EmptyState } from '../../../ui/states.tsx';

/** HTTP statuses after which a retry cannot succeed. */
const finalStatuses = [403, 404, 409];

const unavailable = {
  Purchased: {
    title: 'You have bought it already',
    explanation: 'My Orders lists it as paid.',
  },
  Sold: { title: 'It is sold', explanation: 'Somebody else bought this laptop. Others may be as good.' },
  Gone: { title: 'It left the shop', explanation: 'Its seller took this laptop out of the shop.' },
  Paused: {
    title: 'It cannot be bought now',
    explanation:
      'A lock was found when this laptop was measured. Once its seller has it released, it is for sale again.',
  },
} as const;

function Item({ item }: { item: WishlistItem }) {
  const navigate = useNavigate();
  return (
    <div className="grid items-start gap-6 md:grid-cols-[16rem_1fr] lg:gap-10">
      <section aria-label="The laptop" className="flex gap-4 md:block">
        {item.image !== '' && (
          <Photo
            url={item.image}
            alt={item.productName}
            sizes="(width >= 48rem) 256px, 128px"
            eager
            className="aspect-4/3 w-[128px] shrink-0 rounded-xl object-cover md:w-full"
          />
        )}
        <div className="md:mt-4">
          <h2 className="text-xl">{item.productName}</h2>
          <p className="figures mt-1 font-semibold text-lg">{formatAmount(item.price)}</p>
        </div>
      </section>
      <section aria-label="Your booking" className="card">
        {item.state === 'Available' ? (
          <div className="flex flex-col gap-5">
            <BookingNote />
            <BookingForm
              laptop={{ ...item, name: item.productName, resale_price: item.price }}
              successMessage="Booking Successful. Now pay the bill."
              closesOn={(error) => error instanceof Problem && finalStatuses.includes(error.status)}
              // Replaces the history entry: Back leads to the page before the form.
              onClose={() => navigate(href('/dashboard/myOrders'), { replace: true })}
            />
          </div>
        ) : (
          <EmptyState
            title={unavailable[item.state].title}
            action={
              item.state === 'Purchased' ? (
                <LinkButton to={href('/dashboard/myOrders')}>Go to My Orders</LinkButton>
              ) : (
                <LinkButton to={href('/')}>Find another laptop</LinkButton>
              )
            }
          >
            {unavailable[item.state].explanation}
          </EmptyState>
        )}
      </section>
    </div>
  );
}

export default function BuyPage() {
  const { id = '' } = useParams();
  const query = useRead(readWishlistItem, { params: { _id: id } }, { refetchOnMount: 'always' });
  usePrefetch(listBookings, lastBooking);
  return (
    <>
      <PageHeading title="Book this laptop">You pay afterwards, from My Orders.</PageHeading>
      <QueryView query={query} what="this laptop" back="myWishlist">
        {(item) => <Item key={id} item={item} />}
      </QueryView>
    </>
  );
}
