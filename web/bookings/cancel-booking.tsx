import { useRef, useState } from 'react';
import { type Booking, cancelBooking } from '#contract/sales/bookings.ts';
import { useWrite } from '../requests/use-write.ts';
import { SmallButton } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';

/** Cancels an unpaid booking after a confirmation. The row shows its new state with the refetched list. */
export function CancelBooking({ order: { _id, productName, state } }: { order: Booking }) {
  const container = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const cancellation = useWrite(cancelBooking, {
    done: ({ deletedCount }) =>
      deletedCount > 0
        ? `Your booking of ${productName} was cancelled.`
        : `Your booking of ${productName} was cancelled already.`,
    untilRead: true,
  });
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
      <AlertDialog
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
        closeLabel="Keep the booking"
        confirm={{
          label: 'Yes, cancel it',
          busy: cancellation.isPending && 'Cancelling',
          onConfirm: () => cancellation.mutate({ params: { _id } }, { onSettled: () => setIsOpen(false) }),
        }}
        finalFocus={() => container.current?.querySelector('button') ?? container.current}
      />
    </>
  );
}
