import { formatAmount } from '#contract/platform/scalars.ts';
import { agreeToPrice, type Booking } from '#contract/sales/bookings.ts';
import { useWrite } from '../requests/use-write.ts';
import { Button } from '../ui/button.tsx';

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
  // Also after a refusal the booking is read: the price may have changed again.
  const agreement = useWrite(agreeToPrice, {
    done: () => `You agreed to ${price} for ${productName}. You can pay now.`,
    untilRead: true,
  });
  return (
    <Button
      size={size}
      aria-label={`Agree to ${price} for ${productName}`}
      busy={agreement.isPending && 'Agreeing'}
      onClick={() => agreement.mutate({ params: { _id }, body: { price: newPrice } })}
    >
      Agree to {price}
    </Button>
  );
}
