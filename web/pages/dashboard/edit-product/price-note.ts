import type { OwnListing } from '#contract/listings/catalogue.ts';
import { formatAmount } from '#contract/platform/scalars.ts';

const count = (buyers: number) =>
  buyers === 1 ? '1 buyer has a booking that is' : `${buyers} buyers have bookings that are`;
const they = (buyers: number) => (buyers === 1 ? 'This buyer' : 'They');

/**
 * What a new price does to the unpaid bookings, in sentences.
 * @param typed the price in the form; null when it is not a price
 */
export function describePriceChange(
  { unpaidBookings, resale_price }: Pick<OwnListing, 'unpaidBookings' | 'resale_price'>,
  typed: number | null,
): string[] {
  return unpaidBookings.map(({ agreedPrice, count: buyers }) => {
    const known = `${count(buyers)} valid at ${formatAmount(agreedPrice)}.`;
    if (typed === null || typed === resale_price) return known;
    const price = formatAmount(typed);
    if (typed > agreedPrice) {
      return `${known} ${they(buyers)} will be asked to agree to ${price}, and can cancel instead.`;
    }
    return `${known} ${they(buyers)} will be told of the new price and pay ${price}. If you raise the price later, they have to agree to it before they pay.`;
  });
}
