import { useRef } from 'react';
import { formatDollars } from '#contract/platform/money.ts';
import { laptopTitleId } from '../laptops/laptop-title-id.ts';
import { Dialog } from '../ui/dialog.tsx';
import { BookingForm } from './booking-form.tsx';
import type { LaptopToBuy, Purchase } from './use-purchase.ts';

interface BookingDialogProps {
  laptop: LaptopToBuy;
  open: boolean;
  purchase: Purchase;
  onClose: () => void;
}

/** The booking form in a dialog, titled with the laptop's name and price. */
export function BookingDialog({ laptop, open, purchase, onClose }: BookingDialogProps) {
  const isBooked = useRef(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={laptop.name}
      // After a booking most places show another control instead of Book now.
      finalFocus={() => (isBooked.current ? document.getElementById(laptopTitleId(laptop)) : true)}
      description={
        <span className="figures font-bold font-display text-2xl text-foreground">
          {formatDollars(laptop.resale_price)}
        </span>
      }
    >
      <BookingForm
        laptopName={laptop.name}
        book={(details) => purchase.book(laptop, details)}
        successMessage="Booking Successful. Please check your dashboard for payment."
        closesOn={() => true}
        onClose={(booked) => {
          isBooked.current = booked;
          onClose();
        }}
      />
    </Dialog>
  );
}
