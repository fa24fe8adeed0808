import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { href } from 'react-router';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { formatDollars } from '#contract/platform/money.ts';
import { BookedChip } from '../../bookings/booked-chip.tsx';
import { BookingDialog } from '../../bookings/booking-dialog.tsx';
import { notBuyerMessage } from '../../bookings/not-buyer-message.ts';
import { usePurchase } from '../../bookings/use-purchase.ts';
import { firstName } from '../../formats/first-name.ts';
import { PhoneLink } from '../../formats/phone-link.tsx';
import { HiddenNumber } from '../../laptops/hidden-number.tsx';
import { ReportButton } from '../../laptops/report-button.tsx';
import { ReportLaptopDialog } from '../../laptops/report-dialog.tsx';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { wishIntent } from '../../laptops/wish-intent.ts';
import { WithQueries } from '../../requests/with-queries.tsx';
import { useRoles } from '../../session/roles.ts';
import { useApi, usePerson } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Bar, type BuyActionsProps } from './bar.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

/** The laptop with its seller's contact, which the public page does not contain. */
function useLaptopWithContact({ _id }: ShownLaptop) {
  const api = useApi();
  return useQuery({
    queryKey: ['laptop', _id],
    queryFn: ({ signal }) => api.call(readLaptop, { params: { _id }, signal }),
  });
}

function BuyerActions({ laptop, place }: BuyActionsProps) {
  const purchase = usePurchase(true);
  const dialog = useDialogParameter('book');
  const wishParameter = useDialogParameter('wish');
  const { data } = useLaptopWithContact(laptop);
  const booked = purchase.isBooked(laptop);
  const unpaidBookingId = purchase.unpaidBookingId(laptop);
  const wished = purchase.isWished(laptop);
  const book = (className: string) =>
    unpaidBookingId !== null ? (
      <LinkButton to={href('/dashboard/payment/:id', { id: unpaidBookingId })} className={className}>
        Pay {formatDollars((data ?? laptop).resale_price)}
        <span className="sr-only"> for {laptop.name}</span>
      </LinkButton>
    ) : booked ? (
      <BookedChip laptop={laptop} purchase={purchase} />
    ) : (
      <Button className={className} onClick={() => dialog.open('yes')}>
        Book now
      </Button>
    );
  const addRequestedWish = useEffectEvent(() => {
    if (wishIntent.take(laptop._id)) purchase.wish(laptop);
    wishParameter.close();
  });
  const isWishRequested = place === 'box' && wishParameter.value !== null;
  useEffect(() => {
    if (isWishRequested) addRequestedWish();
  }, [isWishRequested]);
  if (place === 'bar') return <Bar price={laptop.resale_price}>{book('min-w-36')}</Bar>;
  return (
    <div className="flex flex-wrap gap-3">
      <div className="flex flex-1 max-lg:hidden">{book('flex-1 whitespace-nowrap')}</div>
      <Button
        variant="secondary"
        className="flex-1 whitespace-nowrap"
        onClick={() => purchase.wish(laptop)}
        disabled={wished}
        busy={purchase.pendingWishId === laptop._id && 'Adding'}
      >
        Add to Wishlist
      </Button>
      <LinkButton
        to={`${href('/dashboard/messages/:id?', { id: 'new' })}?laptop=${laptop._id}`}
        variant="quiet"
        className="basis-full"
      >
        Ask {firstName(laptop.sellers_name)}
      </LinkButton>
      {(booked || wished) && (
        <p className="basis-full text-muted text-sm">
          {booked && 'You booked this laptop. '}
          {wished && 'It is on your wishlist.'}
        </p>
      )}
      <BookingDialog
        // The price may have changed since the page was opened.
        laptop={data ?? laptop}
        open={dialog.value !== null && !booked}
        purchase={purchase}
        onClose={dialog.close}
      />
    </div>
  );
}

function OwnLaptop() {
  return (
    <Notice className="flex flex-wrap items-center justify-between gap-3">
      <p>This is your laptop.</p>
      <LinkButton variant="secondary" size="small" to={href('/dashboard/myProducts')}>
        My Products
      </LinkButton>
    </Notice>
  );
}

function ActionsByRole(props: BuyActionsProps) {
  const roles = useRoles();
  const { email } = usePerson();
  const contact = useLaptopWithContact(props.laptop);
  const isBar = props.place === 'bar';
  if (roles.status === 'known' && roles.isBuyer) return <BuyerActions {...props} />;
  if (roles.status === 'failed') {
    return isBar ? null : (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
        We could not check your role. {roles.message}
        <Button
          variant="secondary"
          size="small"
          onClick={roles.retry}
          busy={roles.retrying && 'Trying again'}
        >
          Try again
        </Button>
      </p>
    );
  }
  if (roles.status === 'pending' || contact.isPending) {
    const waiting = (
      <Button disabled className={isBar ? 'min-w-36' : 'flex-1 max-lg:hidden'}>
        Book now
      </Button>
    );
    return isBar ? (
      <Bar price={props.laptop.resale_price}>{waiting}</Bar>
    ) : (
      <div className="flex flex-wrap gap-3">
        {waiting}
        <Button variant="secondary" disabled className="flex-1 whitespace-nowrap">
          Add to Wishlist
        </Button>
      </div>
    );
  }
  if (isBar) return null;
  if (contact.data?.seller_email === email) return <OwnLaptop />;
  return <Notice className="text-muted">{notBuyerMessage(roles)}</Notice>;
}

/** Book now and Add to Wishlist of a buyer; for others why they cannot book. */
export function BuyActions(props: BuyActionsProps) {
  return (
    <WithQueries>
      <ActionsByRole {...props} />
    </WithQueries>
  );
}

function ContactPhone({ laptop }: { laptop: ShownLaptop }) {
  const { data, isError, isFetching, refetch } = useLaptopWithContact(laptop);
  if (isError) {
    return (
      <Button
        variant="secondary"
        size="small"
        onClick={() => void refetch()}
        busy={isFetching && 'Loading the phone number'}
      >
        Load the phone number
      </Button>
    );
  }
  if (data?.contact_hidden_until !== undefined) {
    return (
      <>
        <span className="text-muted">Mobile Number </span>
        <HiddenNumber until={data.contact_hidden_until} />
      </>
    );
  }
  if (data?.mobile_number === undefined) return <span className="text-muted">Loading the phone number</span>;
  return (
    <>
      <span className="text-muted">Mobile Number </span>
      <PhoneLink>{data.mobile_number}</PhoneLink>
    </>
  );
}

/** The seller's telephone number. */
export function SellerPhone({ laptop }: { laptop: ShownLaptop }) {
  return (
    <WithQueries>
      <ContactPhone laptop={laptop} />
    </WithQueries>
  );
}

function ReportOfOthers({ laptop }: { laptop: ShownLaptop }) {
  const { email } = usePerson();
  const contact = useLaptopWithContact(laptop);
  const dialog = useDialogParameter('report');
  const [reported, setReported] = useState(false);
  if (contact.data?.seller_email === email) return null;
  return (
    <>
      <ReportButton laptop={laptop} report={{ reported, open: () => dialog.open('yes') }} className="" />
      <ReportLaptopDialog
        laptop={laptop}
        open={dialog.value !== null}
        onClose={dialog.close}
        onReported={() => setReported(true)}
      />
    </>
  );
}

/** Reports the laptop; nothing for its own seller. */
export function ReportAction({ laptop }: { laptop: ShownLaptop }) {
  return (
    <WithQueries>
      <ReportOfOthers laptop={laptop} />
    </WithQueries>
  );
}
