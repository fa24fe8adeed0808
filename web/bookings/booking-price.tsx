import { formatAmount } from '#contract/platform/money.ts';
import type { Booking } from '#contract/sales/bookings.ts';

/** The price of a booking. Of one whose price was raised: the new one, with the last one that applied. */
export function BookingPrice({
  booking: { price, newPrice },
}: {
  booking: Pick<Booking, 'price' | 'newPrice'>;
}) {
  if (newPrice === undefined) return formatAmount(price);
  return (
    // One box, because a narrow row lays its parts out side by side.
    <span className="text-right">
      {formatAmount(newPrice)}{' '}
      <span className="block whitespace-nowrap font-normal text-muted text-sm">
        was {formatAmount(price)}
      </span>
    </span>
  );
}
