import { useState } from 'react';
import { formatAmount } from '#contract/platform/scalars.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import type { Order } from '#contract/sales/orders.ts';
import { leftOfPrice } from '../../../orders/part-of-price.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Details } from '../../../ui/details.tsx';
import { Section } from '../../../ui/section.tsx';
import { type Choice, StatementForm, useStatementDraft } from './statement-form.tsx';

const cancelling = (order: Order): Choice<'cancel'> => ({
  name: 'cancel',
  label: 'Cancel the sale',
  consequence: `${order.buyerName} gets ${formatAmount(leftOfPrice(order))} back at once and reads your reason. The laptop is yours again, and you can list it again. This cannot be undone.`,
  words: { label: 'Why', required: 'Tell the buyer why, in a sentence' },
  submit: 'Cancel the sale',
  confirm: 'Yes, cancel it',
  done: 'The sale is cancelled. The buyer gets the price back.',
});

/** The seller's form to give a sale up before the hand-over. Afterwards, only what was typed in the open form stays. */
export function CancelSale({ order }: { order: Order }) {
  const { mutateAsync } = useWrite(cancelSale, { onError: () => undefined });
  const draft = useStatementDraft(order._id, 'cancel');
  const [isOpen, setIsOpen] = useState(false);
  const isPossible = order.moves.includes('cancel');
  if (!isPossible && !isOpen) return null;
  return (
    <Section title="You cannot sell it after all?" className="card">
      <Details summary="Cancel the sale" className="mt-2" open={isOpen} onOpenChange={setIsOpen}>
        <StatementForm
          legend="Cancel the sale"
          choices={isPossible ? [cancelling(order)] : []}
          draft={draft}
          price={order.price}
          send={async (_name, { text }) => {
            await mutateAsync({ params: { _id: order._id }, body: { text } });
            setIsOpen(false);
          }}
        />
      </Details>
    </Section>
  );
}
