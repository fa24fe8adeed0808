import { useState } from 'react';
import { Navigate } from 'react-router';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { BookingDialog } from '../../bookings/booking-dialog.tsx';
import type { Purchase } from '../../bookings/use-purchase.ts';
import type { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';

interface RequestedBookingProps {
  /** The parameter of the URL that names the laptop. */
  booking: ReturnType<typeof useDialogParameter>;
  /** The laptops on this page that the person can book. */
  laptops: readonly Laptop[];
  purchase: Purchase;
}

/** The booking dialog of the laptop in the URL. The page of one that cannot be booked here says why, or books it. */
export function RequestedBooking({ booking, laptops, purchase }: RequestedBookingProps) {
  // The last one is kept while its dialog closes.
  const [opened, setOpened] = useState<Laptop | null>(null);
  // From a booking in this dialog until it is closed.
  const [hasBooked, setHasBooked] = useState(false);
  const id = booking.value;
  if (id === null && hasBooked) setHasBooked(false);
  if (id !== null && !hasBooked && (opened?._id !== id || purchase.isBooked(opened))) {
    const requested = laptops.find((laptop) => laptop._id === id);
    if (requested === undefined)
      return <Navigate to={`/laptop/${encodeURIComponent(id)}?book=yes`} replace />;
    setOpened(requested);
  }
  if (opened === null) return null;
  return (
    <BookingDialog
      key={opened._id}
      laptop={opened}
      open={id === opened._id && !hasBooked}
      onBooked={() => {
        setHasBooked(true);
        purchase.addBooked(opened);
      }}
      onClose={booking.close}
    />
  );
}
