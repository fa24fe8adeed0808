import { useRef, useState } from 'react';
import { type Booking, cancelBooking } from '#contract/sales/bookings.ts';
import { WriteQuestion } from '../forms/write-button.tsx';
import { SmallButton } from '../ui/button.tsx';

/** Cancels an unpaid booking after a confirmation. The row shows its new state with the refetched list. */
export function CancelBooking({ order: { _id, productName, state } }: { order: Booking }) {
  const container = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {/* Takes the focus when the button has been removed. */}
      <span ref={container} tabIndex={-1}>
        {(state === 'Unpaid' || state === 'Paused') && (
          <SmallButton
            className="@max-2xl:min-h-11"
            aria-label={`Cancel booking of ${productName}`}
            onClick={() => setIsOpen(true)}
          >
            Cancel booking
          </SmallButton>
        )}
      </span>
      <WriteQuestion
        endpoint={cancelBooking}
        input={{ params: { _id } }}
        done={({ deletedCount }) =>
          `Your booking of ${productName} was cancelled${deletedCount > 0 ? '' : ' already'}.`
        }
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Cancel this booking?"
        message={
          <>
            <span className="block font-semibold text-foreground wrap-anywhere">{productName}</span>
            The seller is told, and other buyers can pay for the laptop. While it is for sale you can book it
            again.
            <span className="mt-2 block">
              If you are paying right now: a payment that arrives later goes back to your card.
            </span>
          </>
        }
        yes="Yes, cancel it"
        busy="Cancelling"
        no="Keep the booking"
        finalFocus={() => container.current?.querySelector('button') ?? container.current}
      />
    </>
  );
}
