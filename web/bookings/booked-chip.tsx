import { href, Link } from 'react-router';
import type { LaptopToBuy, Purchase } from './use-purchase.ts';

interface BookedChipProps {
  laptop: Pick<LaptopToBuy, '_id' | 'name'>;
  purchase: Pick<Purchase, 'unpaidBookingId'>;
}

/** Marks a laptop that the buyer booked; a link to its payment while it is unpaid. */
export function BookedChip({ laptop, purchase }: BookedChipProps) {
  const bookingId = purchase.unpaidBookingId(laptop);
  const chip =
    'inline-flex min-h-11 items-center justify-center rounded-full bg-border px-5 font-semibold text-foreground';
  if (bookingId === null) return <span className={chip}>Booked</span>;
  return (
    <Link to={href('/dashboard/payment/:id', { id: bookingId })} className={`${chip} hover:bg-subtle`}>
      Booked<span className="whitespace-pre font-normal text-muted"> · Pay</span>
      <span className="sr-only"> for {laptop.name}</span>
    </Link>
  );
}
