import { useState } from 'react';
import { formatAmount } from '#contract/platform/scalars.ts';
import { type Order, type refundBearers, refundOrder } from '#contract/sales/orders.ts';
import { useRecentSignIn } from '../../../forms/recent-sign-in.tsx';
import { leftOfPrice, refundError } from '../../../orders/part-of-price.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Details } from '../../../ui/details.tsx';
import { Section } from '../../../ui/section.tsx';
import { type Choice, StatementForm } from './statement-form.tsx';

type Bearer = (typeof refundBearers)[number];

const common = {
  amountLabel: 'Amount',
  words: { label: 'Why', required: 'Tell both why, in a sentence' },
  submit: 'Refund',
  confirm: 'Yes, refund it',
  done: 'The refund is decided. The order shows how it stands.',
} as const;

const choices: readonly Choice<Bearer>[] = [
  {
    ...common,
    name: 'seller',
    label: 'At the seller’s cost',
    consequence:
      'The seller gets less for the sale, and the commission falls in proportion. What the seller was paid already is taken back first. The rest of the price ends the order as refunded.',
  },
  {
    ...common,
    name: 'shop',
    label: 'At the shop’s own cost',
    consequence: 'Goodwill: what the seller gets for the sale stays as it is.',
  },
];

/** Why nothing can be refunded now; null when something can. */
function objection({ state, moves }: Order, left: number): string | null {
  // An inquiry of a bank can be ended by a refund.
  if (state === 'charge_disputed' && !moves.includes('refund_rest'))
    return 'The buyer’s bank disputes the payment. A refund is possible when it has decided.';
  if (state === 'charged_back') return 'The buyer’s bank took the money back.';
  return left === 0 ? 'Nothing is left of the price.' : null;
}

/** The admins' form to give a part or the rest of the price back, with both people told why. */
export function RefundOrder({ order }: { order: Order }) {
  const { mutateAsync } = useWrite(refundOrder, { onError: () => undefined });
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [isOpen, setIsOpen] = useState(false);
  const left = leftOfPrice(order);
  const problem = objection(order, left);
  return (
    <Section title="Refund" className="card">
      <p className="mt-2 max-w-prose">
        {problem ??
          `${formatAmount(left)} is left of the price. Buyer and seller are told, and the audit trail records it.`}
      </p>
      {(problem === null || isOpen) && (
        <Details summary="Refund a part or the rest" className="mt-3" open={isOpen} onOpenChange={setIsOpen}>
          <StatementForm
            legend="Who bears it?"
            choices={problem === null ? choices : []}
            price={order.price}
            amountError={(typed) => refundError(typed, left)}
            send={async (from, { text, amount }) => {
              await withRecentSignIn(() =>
                mutateAsync({ params: { _id: order._id }, body: { from, text, amount } }),
              );
              setIsOpen(false);
            }}
          />
        </Details>
      )}
      {dialog}
    </Section>
  );
}
