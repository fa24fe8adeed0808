import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Laptop, readLaptop } from '#contract/listings/catalogue.ts';
import { type Client, Problem } from '#contract/platform/client.ts';
import { BookingDialog } from '../../bookings/booking-dialog.tsx';
import type { Purchase } from '../../bookings/use-purchase.ts';
import { keyOf } from '../../requests/reads.ts';
import type { RoleCheck } from '../../session/roles.ts';
import { useApi } from '../../session/session.tsx';
import { AlertDialog } from '../../ui/dialog.tsx';

interface RequestedBookingProps {
  brandId: string;
  /** The laptop in the URL's `book` parameter. */
  laptopId: string | null;
  /** The laptops on this page so far; null while they are loading. */
  laptops: readonly Laptop[] | null;
  roles: RoleCheck;
  purchase: Purchase;
  onClose: () => void;
}

/** The last opened laptop. It is kept while its dialog closes. */
interface Opened {
  laptop: Laptop;
  /** Why it cannot be booked, or null. */
  notice: string | null;
}

function noticeFor(laptop: Laptop, isBuyer: boolean, purchase: Purchase): string | null {
  if (!isBuyer) return 'Booking is for buyers, and you are signed in with an account of another role.';
  if (purchase.isOwn(laptop)) return `${laptop.name} is your laptop.`;
  return purchase.isBooked(laptop) ? `You already booked ${laptop.name}. Pay for it under My Orders.` : null;
}

/** Reads a laptop that is for sale. @throws Problem also for a sold laptop, whose page the shop still shows */
async function readForSale(api: Client, laptopId: string, signal: AbortSignal): Promise<Laptop> {
  const laptop = await api.call(readLaptop, { params: { _id: laptopId }, signal });
  if (!laptop.paid) return laptop;
  throw new Problem({ status: 410, code: 'no_longer_for_sale', detail: `${laptop.name} has been sold.` });
}

/** Opens the booking dialog of the laptop in the URL, or says why it cannot be booked. */
export function RequestedBooking(props: RequestedBookingProps) {
  const { brandId, laptopId, laptops, roles, purchase, onClose } = props;
  const api = useApi();
  const [opened, setOpened] = useState<Opened | null>(null);
  const listed = laptops?.find((laptop) => laptop._id === laptopId);
  // The laptop may be on a page that is not loaded, for example after a reload.
  const unlistedLaptop = useQuery({
    queryKey: [...keyOf(readLaptop, { params: { _id: laptopId } }), 'for sale'],
    queryFn:
      laptopId === null || laptops === null || listed !== undefined
        ? skipToken
        : ({ signal }) => readForSale(api, laptopId, signal),
  });
  const laptop = listed ?? unlistedLaptop.data;
  const isRequested = laptopId !== null && laptops !== null && roles.status === 'known';

  if (isRequested && laptop !== undefined && opened?.laptop._id !== laptopId) {
    setOpened({ laptop, notice: noticeFor(laptop, roles.isBuyer, purchase) });
  } else if (laptopId === null && opened?.notice === null && purchase.isBooked(opened.laptop)) {
    // Going back to this entry must show the notice instead of the form.
    setOpened({ ...opened, notice: noticeFor(opened.laptop, true, purchase) });
  }

  const open = isRequested && opened?.laptop._id === laptopId;
  const isUnavailable = isRequested && laptop === undefined && !open && unlistedLaptop.isError;
  const isGone =
    isUnavailable && unlistedLaptop.error instanceof Problem && unlistedLaptop.error.status === 410;
  const hasOthers = (laptops ?? []).length > 0;
  return (
    <>
      {opened !== null && (
        <BookingDialog
          key={opened.laptop._id}
          laptop={opened.laptop}
          open={open && opened.notice === null}
          onBooked={() => purchase.addBooked(opened.laptop)}
          onClose={onClose}
        />
      )}
      <AlertDialog
        open={isUnavailable || (open && opened.notice !== null)}
        onClose={onClose}
        title={isGone ? 'No longer for sale' : 'This one cannot be booked'}
        message={
          isUnavailable ? (
            <>
              {unlistedLaptop.error.message}
              {isGone && hasOthers && ` Other ${brandId} laptops are for sale; some may be as good.`}
            </>
          ) : (
            opened?.notice
          )
        }
        {...(isGone && hasOthers && { closeLabel: `See other ${brandId} laptops` })}
      />
    </>
  );
}
