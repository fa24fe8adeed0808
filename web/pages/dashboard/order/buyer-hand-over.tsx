import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmOrder, type Order } from '#contract/sales/orders.ts';
import { handOverLink } from '../../../orders/hand-over-link.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { toast } from '../../../ui/toast.tsx';

interface BuyerHandOverProps {
  order: Order;
  /** Six digits. */
  code: string;
  refresh: () => Promise<void>;
}

/** The buyer's code for the hand-over, as digits and as a QR code, and the button to release the money without it. */
export function BuyerHandOver({ order, code, refresh }: BuyerHandOverProps) {
  const api = useApi();
  const [isOpen, setIsOpen] = useState(false);
  const confirmation = useMutation({
    mutationFn: () => api.call(confirmOrder, { params: { _id: order._id } }),
    onSuccess: () => toast.success('Thank you. The money is released to the seller.'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: async () => {
      await refresh();
      setIsOpen(false);
    },
  });
  return (
    <section aria-labelledby="your-code" className="card flex flex-col gap-5 sm:flex-row sm:items-center">
      <QrCode
        text={handOverLink(window.location.origin, { orderId: order._id, code })}
        label="Your code as a QR code, for the seller to scan"
        className="size-[160px] shrink-0"
      />
      <div className="min-w-0">
        <h2 id="your-code" className="text-xl">
          Your code for the hand-over
        </h2>
        <p className="figures mt-2 font-semibold text-[min(2.25rem,12vw)] leading-tight tracking-[0.2em]">
          {code}
        </p>
        <p className="mt-3 max-w-prose">
          Show it when you have the laptop in your hands and are content: whoever enters it gets the money. If
          something is wrong, keep it and complain here.
        </p>
        <Button variant="secondary" size="small" className="mt-4" onClick={() => setIsOpen(true)}>
          I have it, and all is well
        </Button>
      </div>
      <AlertDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Release the money?"
        message={`The seller gets the money for ${order.productName}. Do this only when you have the laptop and are content with it.`}
        closeLabel="Not yet"
        confirm={{
          label: 'Yes, release it',
          busy: confirmation.isPending && 'Releasing',
          onConfirm: () => confirmation.mutate(),
        }}
      />
    </section>
  );
}
