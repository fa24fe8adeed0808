import { useState } from 'react';
import { formatAmount } from '#contract/platform/scalars.ts';
import { type Order, type OrderRefund, type refundBearers, refundOrder } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { type ReaderTexts, textFor } from '../../../orders/order-texts.ts';
import { leftOfPrice, refundError } from '../../../orders/part-of-price.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Details } from '../../../ui/details.tsx';
import { Section } from '../../../ui/section.tsx';
import { type Choice, StatementForm, useStatementDraft } from './statement-form.tsx';

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
function refusal({ state, moves }: Order, left: number): string | null {
  // An inquiry of a bank can be ended by a refund.
  if (state === 'charge_disputed' && !moves.includes('refund_rest'))
    return 'The buyer’s bank disputes the payment. A refund is possible when it has decided.';
  if (state === 'charged_back') return 'The buyer’s bank took the money back.';
  return left === 0 ? 'Nothing is left of the price.' : null;
}

/** The admins' form to give a part or the rest of the price back, with both people told why. */
export function RefundOrder({ order }: { order: Order }) {
  const { mutateAsync } = useWrite(refundOrder, { onError: () => undefined });
  const draft = useStatementDraft(order._id, 'refund');
  const [isOpen, setIsOpen] = useState(false);
  const left = leftOfPrice(order);
  const problem = refusal(order, left);
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
            draft={draft}
            price={order.price}
            amountError={(typed) => refundError(typed, left)}
            send={async (from, { text, amount }) => {
              await mutateAsync({ params: { _id: order._id }, body: { from, text, amount } });
              setIsOpen(false);
            }}
          />
        </Details>
      )}
    </Section>
  );
}

const reasons: Record<OrderRefund['reason'], string> = {
  order_cancelled: 'The sale was cancelled',
  not_delivered: 'The laptop was not delivered',
  complaint: 'A complaint',
  partial: 'A complaint, a part of the price',
  charged_back: 'The buyer’s bank ended the sale',
  by_admin: 'The shop decided it',
  goodwill: 'At the shop’s own cost',
  made_at_processor: 'The shop made it at the card processor',
};

const states: Record<OrderRefund['state'], ReaderTexts> = {
  waiting: {
    buyer: 'Waits: the seller has the money, and the shop takes it back',
    seller: 'Waits until the shop has your money for this sale back',
    admin: 'Waits until the seller’s money is back',
  },
  pending: { buyer: 'On its way to your card', others: 'On its way to the buyer’s card' },
  done: { buyer: 'Sent to your card', others: 'Sent to the buyer’s card' },
  failed: {
    buyer: 'Could not be paid to your card. It is yours, and the shop looks after it',
    seller: 'Could not be paid to the buyer’s card. The shop looks after it',
    admin: 'Could not be paid to the buyer’s card, and is still due',
  },
  paid_by_bank: {
    buyer: 'Your bank gave you this money',
    others: 'The buyer’s bank gave the buyer this money',
  },
  paid_by_hand: {
    buyer: 'Paid to you by the shop another way',
    seller: 'Paid to the buyer by the shop another way',
    admin: 'Paid to the buyer from the shop’s bank account',
  },
};

/** Why money goes back, to its reader. */
const reasonFor = (reason: OrderRefund['reason'], role: Order['role']): string =>
  reason === 'charged_back' && role === 'buyer' ? 'Your bank ended the sale' : reasons[reason];

/** What went back or goes back to the buyer, each with its state; nothing when there was none. */
export function Refunds({ order: { refunds, role } }: { order: Order }) {
  if (refunds.length === 0) return null;
  return (
    <Section title="Money that goes back" className="card">
      <ul className="mt-3 divide-y divide-border">
        {refunds.map(({ _id, amount, reason, state, text, at }) => (
          <li key={_id} className="py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <strong className="figures">{formatAmount(amount)}</strong>
              <span>{textFor(states[state], role)}</span>
            </p>
            <p className="text-muted text-sm">
              {reasonFor(reason, role)}, <DateTime at={at} />
            </p>
            {text !== undefined && (
              <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">“{text}”</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
