import { formatAmount } from '#contract/platform/scalars.ts';
import { agreeToPrice, type Booking } from '#contract/sales/bookings.ts';
import { WriteButton } from '../forms/write-button.tsx';

interface AgreeToPriceProps {
  booking: Pick<Booking, '_id' | 'productName'> & { newPrice: number };
  size?: 'regular' | 'small';
}

/** Agrees to the new price of a booked laptop. The booking can be paid with the refetched data. */
export function AgreeToPrice({
  booking: { _id, productName, newPrice },
  size = 'regular',
}: AgreeToPriceProps) {
  const price = formatAmount(newPrice);
  return (
    <WriteButton
      endpoint={agreeToPrice}
      input={{ params: { _id }, body: { price: newPrice } }}
      done={`You agreed to ${price} for ${productName}. You can pay now.`}
      variant="primary"
      size={size}
      aria-label={`Agree to ${price} for ${productName}`}
      busy="Agreeing"
    >
      Agree to {price}
    </WriteButton>
  );
}
