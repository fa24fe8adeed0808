import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatDollars } from '#contract/platform/scalars.ts';
import { agreeToPrice, type Booking } from '#contract/sales/bookings.ts';
import { errorMessage } from '../requests/error-message.ts';
import { ownListKeys } from '../requests/own-lists.ts';
import { useApi } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';

interface AgreeToPriceProps {
  booking: Pick<Booking, '_id' | 'productName'> & { newPrice: number };
  size?: 'regular' | 'small';
}

/** Agrees to the new price of a booked laptop. The booking can be paid with the refetched data. */
export function AgreeToPrice({
  booking: { _id, productName, newPrice },
  size = 'regular',
}: AgreeToPriceProps) {
  const api = useApi();
  const cache = useQueryClient();
  const price = formatDollars(newPrice);
  const agreement = useMutation({
    mutationFn: (agreed: number) => api.call(agreeToPrice, { params: { _id }, body: { price: agreed } }),
    onSuccess: (_answer, agreed) =>
      toast.success(`You agreed to ${formatDollars(agreed)} for ${productName}. You can pay now.`),
    onError: (error) => toast.error(errorMessage(error)),
    // Also after a refusal: the price may have changed again.
    onSettled: () => cache.invalidateQueries({ queryKey: ownListKeys.bookings }),
  });
  return (
    <Button
      size={size}
      aria-label={`Agree to ${price} for ${productName}`}
      busy={agreement.isPending && 'Agreeing'}
      onClick={() => agreement.mutate(newPrice)}
    >
      Agree to {price}
    </Button>
  );
}
