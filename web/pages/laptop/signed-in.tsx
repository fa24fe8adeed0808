import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { href, useRevalidator } from 'react-router';
import { readViewerStatus, type ViewerStatus } from '#contract/listings/catalogue.ts';
import { reportLaptop, reportReasons } from '#contract/listings/reports.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { BookedChip } from '../../bookings/booked-chip.tsx';
import { BookingDialog } from '../../bookings/booking-dialog.tsx';
import { NotBuyer } from '../../bookings/not-buyer.tsx';
import { useWish } from '../../bookings/use-purchase.ts';
import { firstName } from '../../formats/first-name.ts';
import { ReportDialog } from '../../forms/report-dialog.tsx';
import { OwnLaptopNotice } from '../../laptops/own-laptop-notice.tsx';
import { SellerNumber } from '../../laptops/seller-number.tsx';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { wishIntent } from '../../laptops/wish-intent.ts';
import { useRead } from '../../requests/reads.ts';
import { Button, LinkButton, SmallButton } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BuyBar, buyButton } from './buy-bar.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

interface LaptopProps {
  laptop: ShownLaptop;
}

/** What the person may do with the laptop, and its seller's telephone number, which the public page does not contain. */
const useViewerStatus = ({ _id }: ShownLaptop) => useRead(readViewerStatus, { params: { _id } });

function BuyerActions({ laptop, own }: LaptopProps & { own: ViewerStatus }) {
  const { wish, pendingWishId } = useWish();
  const dialog = useDialogParameter('book');
  const wishParameter = useDialogParameter('wish');
  // Until the booking is read.
  const [isJustBooked, setIsJustBooked] = useState(false);
  const { wished, resale_price } = own;
  const { revalidate } = useRevalidator();
  const isOtherPrice = resale_price !== laptop.resale_price;
  useEffect(() => {
    // The rest of the page is as old as the page.
    if (isOtherPrice) void revalidate();
  }, [isOtherPrice, revalidate]);
  const booked = isJustBooked || own.booking !== null;
  const unpaidBookingId = own.booking?.isUnpaid === true ? own.booking._id : null;
  const book =
    unpaidBookingId !== null ? (
      <LinkButton to={href('/dashboard/payment/:id', { id: unpaidBookingId })} className={buyButton}>
        Pay {formatAmount(resale_price)}
        <span className="sr-only"> for {laptop.name}</span>
      </LinkButton>
    ) : booked ? (
      <BookedChip laptop={laptop} bookingId={null} />
    ) : (
      <Button className={buyButton} onClick={() => dialog.open('yes')}>
        Book now
      </Button>
    );
  const addRequestedWish = useEffectEvent(() => {
    if (wishIntent.take(laptop._id)) wish(laptop);
    wishParameter.close();
  });
  const isWishRequested = wishParameter.value !== null;
  useEffect(() => {
    if (isWishRequested) addRequestedWish();
  }, [isWishRequested]);
  return (
    <div className="flex flex-wrap gap-3">
      <BuyBar price={resale_price}>{book}</BuyBar>
      <Button
        variant="secondary"
        className="flex-1 whitespace-nowrap"
        onClick={() => wish(laptop)}
        disabled={wished}
        busy={pendingWishId === laptop._id && 'Adding'}
      >
        Add to Wishlist
      </Button>
      <LinkButton
        to={`${href('/dashboard/messages/:id?', { id: 'new' })}?laptop=${laptop._id}`}
        variant="quiet"
        className="basis-full wrap-anywhere"
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
        laptop={{ ...laptop, resale_price }}
        open={dialog.value !== null && !booked}
        onBooked={() => setIsJustBooked(true)}
        onClose={dialog.close}
      />
    </div>
  );
}

interface BuyActionsProps extends LaptopProps {
  /** Shown until it is known what the person may do. */
  visitor: ReactNode;
}

/** Book now and Add to Wishlist of a buyer; for others why they cannot book. */
export function BuyActions({ laptop, visitor }: BuyActionsProps) {
  const own = useViewerStatus(laptop);
  if (own.data?.role === 'buyer') return <BuyerActions laptop={laptop} own={own.data} />;
  if (own.data?.role === 'owner') return <OwnLaptopNotice />;
  if (own.data !== undefined) return <NotBuyer isSeller={own.data.role === 'seller'} />;
  if (!own.isError) return visitor;
  return (
    <ErrorText className="flex flex-wrap items-center gap-3">
      We could not check your role. {own.error.message}
      <SmallButton onClick={() => void own.refetch()} busy={own.isFetching && 'Trying again'}>
        Try again
      </SmallButton>
    </ErrorText>
  );
}

/** The seller's telephone number. */
export function SellerPhone({ laptop }: LaptopProps) {
  const { data, isError, isFetching, refetch } = useViewerStatus(laptop);
  if (isError) {
    return (
      <SmallButton onClick={() => void refetch()} busy={isFetching && 'Loading the phone number'}>
        Load the phone number
      </SmallButton>
    );
  }
  if (data?.mobile_number === undefined && data?.contact_hidden_until === undefined)
    return <span className="text-muted">Loading the phone number</span>;
  return (
    <>
      <span className="text-muted">Mobile Number </span>
      <SellerNumber laptop={data} />
    </>
  );
}

/** Reports the laptop; nothing for its own seller. */
export function ReportAction({ laptop }: LaptopProps) {
  const own = useViewerStatus(laptop);
  const dialog = useDialogParameter('report');
  const [reported, setReported] = useState(false);
  if (own.data?.role === 'owner') return null;
  return (
    <>
      <SmallButton variant="quiet" disabled={reported} onClick={() => dialog.open('yes')}>
        <Icon name="flag" className="size-4 shrink-0" />
        {reported ? 'You reported this item' : 'Report this item'}
        <span className="sr-only">: {laptop.name}</span>
      </SmallButton>
      <ReportDialog
        title="Report this item"
        description={
          <p>
            Tell the shop’s administrators what is wrong with{' '}
            <strong className="text-foreground">{laptop.name}</strong>. They read every report, and you are
            told the result by email.
          </p>
        }
        target={{
          name: laptop.name,
          reasons: reportReasons,
          noteHint: 'What you saw, and where. The seller is not told who you are.',
          endpoint: reportLaptop,
          input: ({ reason, note }) => ({ body: { productCode: laptop._id, reason, note } }),
        }}
        open={dialog.value !== null}
        onClose={dialog.close}
        onReported={() => setReported(true)}
      />
    </>
  );
}
