import { formatAmount } from '#contract/platform/scalars.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import { AgreeToPrice } from '../../../bookings/agree-to-price.tsx';
import { CancelBooking } from '../../../bookings/cancel-booking.tsx';

/** The laptop's price was raised: the buyer agrees to the new one, or cancels. */
export function NewPrice({ booking }: { booking: Booking }) {
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
