import { useRef } from 'react';
import { Problem } from '#contract/platform/client.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { firstName } from '../formats/first-name.ts';
import { laptopTitleId } from '../laptops/laptop-title-id.ts';
import { Dialog } from '../ui/dialog.tsx';
import { BookingForm, BookingNote, type LaptopToBuy } from './booking-form.tsx';

interface BookingDialogProps {
  laptop: LaptopToBuy;
  open: boolean;
  onClose: () => void;
  /** Called before `onClose` when it is booked. */
  onBooked: () => void;
}

/** The booking form in a dialog, titled with the laptop's name and price. */
export function BookingDialog({ laptop, open, onClose, onBooked }: BookingDialogProps) {
  const isBooked = useRef(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={laptop.name}
      // After a booking most places show another control instead of Book now.
      finalFocus={() => (isBooked.current ? document.getElementById(laptopTitleId(laptop)) : true)}
      description={
        <>
          <p className="figures mb-4 font-bold font-display text-2xl text-foreground">
            {formatAmount(laptop.resale_price)}
          </p>
          <BookingNote
            {...(laptop.sellers_name !== undefined && { seller: firstName(laptop.sellers_name) })}
          />
        </>
      }
    >
      <BookingForm
        laptop={laptop}
        successMessage="Booking Successful. Please check your dashboard for payment."
        // What has to be corrected stays open.
        closesOn={(error) => !(error instanceof Problem && Object.keys(error.errors).length > 0)}
        onClose={(booked) => {
          isBooked.current = booked;
          if (booked) onBooked();
          onClose();
        }}
      />
    </Dialog>
  );
}
