import { Elements } from '@stripe/react-stripe-js';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { Delivery } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { type Booking, readBooking } from '#contract/sales/bookings.ts';
import { chooseBookingDelivery } from '#contract/sales/shipping.ts';
import { AgreeToPrice } from '../../../bookings/agree-to-price.tsx';
import { BookingPrice } from '../../../bookings/booking-price.tsx';
import { CancelBooking } from '../../../bookings/cancel-booking.tsx';
import {
  DeliveryFields,
  type DeliveryValues,
  fromAddressIn,
  shownAt,
  toDelivery,
} from '../../../bookings/delivery-fields.tsx';
import { AddressLines } from '../../../formats/address-lines.tsx';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { SellerName } from '../../../formats/seller-name.tsx';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useSettings } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { CardForm } from './card-form.tsx';
import { loadCardProcessor } from './card-processor.ts';
import { PaymentResult } from './payment-result.tsx';
import { isOpen } from './payment-state.ts';
import { type Payment, usePayment } from './use-payment.ts';

const steps = {
  meet: ['Booked', 'Pay', 'Hand-over'],
  ship: ['Booked', 'Pay', 'Parcel'],
} as const satisfies Record<Delivery, readonly string[]>;

/** The steps of an order, with the current one marked. */
function PaymentSteps({ isPaid, delivery }: { isPaid: boolean; delivery: Delivery }) {
  const current = isPaid ? 2 : 1;
  return (
    <ol aria-label="Steps of your order" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {steps[delivery].map((step, index) => (
        <li
          key={step}
          {...(index === current && { 'aria-current': 'step' as const })}
          className={`flex items-center gap-2 before:h-px before:w-4 before:bg-border-strong first:before:hidden ${index === current ? 'font-semibold' : 'text-muted'}`}
        >
          <span
            className={`figures grid size-6 place-items-center rounded-full ${
              index === current
                ? 'bg-accent text-surface'
                : index < current
                  ? 'bg-success-soft text-success'
                  : 'border border-border-strong'
            }`}
          >
            {index + 1}
          </span>
          {step}
          {index < current && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

/** The laptop's price was raised: the buyer agrees to the new one, or cancels. */
function NewPrice({ booking }: { booking: Booking }) {
  const { productName, price, newPrice } = booking;
  if (newPrice === undefined) return null;
  return (
    <div className="flex flex-col items-start gap-3 rounded-xl border border-primary bg-primary-soft p-5">
      <h2 className="text-lg">The price was raised</h2>
      <p className="max-w-prose">
        The seller asks <strong className="figures">{formatAmount(newPrice)}</strong> for {productName} now.
        It was <span className="figures">{formatAmount(price)}</span>. You have not been charged, and your
        booking is kept: agree to the new price and pay, or cancel.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <AgreeToPrice booking={{ ...booking, newPrice }} />
        <CancelBooking order={booking} />
      </div>
    </div>
  );
}

const elementsOptions = { locale: 'en' } as const;

/** The card processor's library, whose script is loaded beside the booking. */
function useCardProcessorOptions() {
  const { cards } = useSettings();
  return {
    queryKey: ['card-processor'],
    queryFn: () => loadCardProcessor(cards),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  };
}

function PaymentPanel({ booking, payment }: { booking: Booking; payment: Payment }) {
  const open = isOpen(payment.state);
  const processor = useQuery({ ...useCardProcessorOptions(), enabled: open });
  if (payment.state.step === 'new-price') return <NewPrice booking={booking} />;
  if (!open) return <PaymentResult payment={payment} booking={booking} />;
  return (
    <div className="card">
      <p className="mb-6 text-lg wrap-anywhere">
        Please pay <strong className="figures">{formatAmount(booking.price)}</strong> for{' '}
        {booking.productName}
      </p>
      <QueryView query={processor} what="the card field" skeleton="h-31">
        {(stripe) => (
          <Elements stripe={stripe} options={elementsOptions}>
            <CardForm payment={payment} price={booking.price} delivery={booking.delivery} />
          </Elements>
        )}
      </QueryView>
    </div>
  );
}

function ChangeDelivery({ booking }: { booking: Booking }) {
  const { _id, delivery, location = '', shipTo, deliveries = [] } = booking;
  const { shippingCountries } = useSettings();
  const [only = 'meet', other] = deliveries;
  const laptop = {
    delivery: other === undefined ? only : ('both' as const),
    ships_from: booking.shipsFrom ?? shippingCountries[0],
  };
  const form = useWriteForm(chooseBookingDelivery, {
    defaultValues: {
      delivery,
      location,
      ...fromAddressIn(laptop.ships_from, shipTo?.address),
    } satisfies DeliveryValues,
    input: (values: DeliveryValues) => ({ params: { _id }, body: toDelivery(values, laptop) }),
    rename: shownAt,
    done: 'Your choice is saved.',
  });
  return (
    <>
      <Button variant="secondary" size="small" className="mt-2" onClick={form.dialog.open}>
        Change
      </Button>
      <FormDialog
        form={form}
        title="How you get it"
        description={booking.productName}
        submit="Save"
        busy="Saving"
      >
        <DeliveryFields field={form.field} laptop={laptop} chosen={form.watch('delivery')} />
      </FormDialog>
    </>
  );
}

/** Where the buyer gets the laptop, which can be changed until it is paid. */
function DeliveryEntry({ booking }: { booking: Booking }) {
  const { delivery, meeting, location, shipTo, state } = booking;
  return (
    <>
      {delivery === 'meet' ? (
        (meeting?.place ?? location)
      ) : (
        <AddressLines lines={shipTo?.lines ?? ['Not chosen any more']} />
      )}
      {state === 'Unpaid' && (
        <span className="block">
          <ChangeDelivery booking={booking} />
        </span>
      )}
    </>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="py-2">
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function Summary({ booking, isPaid }: { booking: Booking; isPaid: boolean }) {
  return (
    // On phones above the form, so that the buyer sees what is paid; below what comes of it.
    <section aria-label="Your order" className={isPaid ? undefined : 'order-first md:order-none'}>
      <div className="flex items-center gap-4 md:block">
        {booking.image !== '' && (
          <Photo
            url={booking.image}
            alt=""
            sizes="(width >= 48rem) 256px, 112px"
            eager
            className="aspect-4/3 w-[112px] shrink-0 rounded-xl object-cover md:w-full"
          />
        )}
        <h2 className="text-lg md:mt-4">{booking.productName}</h2>
      </div>
      <dl className="mt-3 divide-y divide-border border-border border-y text-sm">
        <Entry name="Seller">
          <SellerName name={booking.sellerName} id={booking.sellerId} rating={booking.sellerRating} />
          {booking.sellerPhone !== undefined && (
            <>
              <br />
              <PhoneLink>{booking.sellerPhone}</PhoneLink>
            </>
          )}
        </Entry>
        <Entry name={booking.delivery === 'ship' ? 'Ships free to' : 'Meeting location'}>
          <DeliveryEntry booking={booking} />
        </Entry>
        <Entry name="Your phone number">
          <span className="figures">{booking.phone}</span>
        </Entry>
        <div className="flex items-baseline justify-between gap-4 py-2">
          <dt className="font-semibold">{isPaid ? 'Paid' : 'Total'}</dt>
          <dd className="figures text-right font-bold font-display text-xl">
            <BookingPrice booking={booking} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Order({ booking }: { booking: Booking }) {
  const payment = usePayment(booking);
  const { step } = payment.state;
  return (
    <>
      {step !== 'refused' && step !== 'refunded' && (
        <div className="mb-6">
          <PaymentSteps isPaid={step === 'paid'} delivery={booking.delivery} />
        </div>
      )}
      <div className="grid items-start gap-6 md:grid-cols-[1fr_16rem] lg:gap-10">
        <section aria-label="Your payment">
          <PaymentPanel booking={booking} payment={payment} />
        </section>
        <Summary booking={booking} isPaid={step === 'paid'} />
      </div>
    </>
  );
}

export default function PaymentPage() {
  const { id = '' } = useParams();
  const query = useRead(readBooking, { params: { _id: id } }, { refetchOnMount: 'always' });
  usePrefetchQuery(useCardProcessorOptions());
  return (
    // tokens.css hides the footer.
    <div data-checkout>
      <PageHeading title="Payment" />
      <QueryView query={query} what="this order" back="myOrders">
        {(booking) => <Order key={id} booking={booking} />}
      </QueryView>
    </div>
  );
}
