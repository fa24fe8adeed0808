import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Booking, readBooking } from '#contract/bookings.ts';
import { formatDollars } from '#contract/scalars.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { DetailError, QueryView } from '../../../requests/query-view.tsx';
import { useApi, useSettings } from '../../../session/session.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { CardForm } from './card-form.tsx';
import { loadCardProcessor } from './card-processor.ts';
import { PaymentResult } from './payment-result.tsx';
import { isOpen } from './payment-state.ts';
import { usePayment } from './use-payment.ts';

export const meta = () => privateMeta('Payment');

const elementsOptions = { locale: 'en' } as const;

function PaymentPanel({ booking }: { booking: Booking }) {
  const { cards } = useSettings();
  const payment = usePayment(booking);
  const open = isOpen(payment.state);
  const processor = useQuery({
    queryKey: ['card-processor'],
    queryFn: () => loadCardProcessor(cards),
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
  if (!open) return <PaymentResult payment={payment} name={booking.productName} />;
  return (
    <div className="rounded-xl border border-line bg-surface p-5 sm:p-8">
      <p className="mb-6 text-lg">
        Please pay <strong className="figures">{formatDollars(booking.price)}</strong> for{' '}
        {booking.productName}
      </p>
      <QueryView
        query={processor}
        what="the card field"
        errorTitle="The card field is missing"
        skeleton={
          <>
            <Skeleton className="h-5 w-16" />
            <Skeleton className="mt-2 h-11" />
            <Skeleton className="mt-5 h-11 w-40" />
          </>
        }
      >
        {(stripe) => (
          <Elements stripe={stripe} options={elementsOptions}>
            <CardForm payment={payment} price={booking.price} />
          </Elements>
        )}
      </QueryView>
    </div>
  );
}

function Order({ booking }: { booking: Booking }) {
  return (
    <div className="grid items-start gap-6 md:grid-cols-[1fr_16rem] lg:gap-10">
      <section aria-label="Your payment">
        <PaymentPanel booking={booking} />
      </section>
      <section aria-label="Your order" className="order-first flex gap-4 md:order-none md:block">
        {booking.image !== '' && (
          <Photo
            url={booking.image}
            alt={booking.productName}
            sizes="(width >= 48rem) 256px, 112px"
            eager
            className="aspect-4/3 w-28 shrink-0 rounded-xl object-cover md:w-full"
          />
        )}
        <dl className="min-w-0 text-sm md:mt-4">
          <dt className="text-quiet">Meeting location</dt>
          <dd className="wrap-anywhere">{booking.location}</dd>
          <dt className="mt-2 text-quiet">Your phone number</dt>
          <dd className="figures">{booking.phone}</dd>
        </dl>
      </section>
    </div>
  );
}

export default function PaymentPage() {
  const { id = '' } = useParams();
  const api = useApi();
  const query = useQuery({
    queryKey: ['bookings', 'one', id],
    queryFn: ({ signal }) => api.call(readBooking, { params: { _id: id }, signal }),
    refetchOnMount: 'always',
  });
  return (
    <>
      <PageHeading title="Payment" />
      <QueryView
        query={query}
        what="your order"
        failure={<DetailError query={query} what="this order" back="myOrders" />}
        skeleton={
          <div className="grid gap-6 md:grid-cols-[1fr_16rem] lg:gap-10">
            <Skeleton className="h-72" />
            <Skeleton className="order-first h-21 md:order-none md:h-64" />
          </div>
        }
      >
        {(booking) => <Order key={id} booking={booking} />}
      </QueryView>
    </>
  );
}
