import { formatAmount } from '#contract/platform/scalars.ts';
import type { Order, OrderRefund } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { Section } from '../../../ui/section.tsx';

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

const states: Record<OrderRefund['state'], Record<Order['role'], string>> = {
  waiting: {
    buyer: 'Waits: the seller has the money, and the shop takes it back',
    seller: 'Waits until the shop has your money for this sale back',
    admin: 'Waits until the seller’s money is back',
  },
  pending: {
    buyer: 'On its way to your card',
    seller: 'On its way to the buyer’s card',
    admin: 'On its way to the buyer’s card',
  },
  done: {
    buyer: 'Sent to your card',
    seller: 'Sent to the buyer’s card',
    admin: 'Sent to the buyer’s card',
  },
  failed: {
    buyer: 'Could not be paid to your card. It is yours, and the shop looks after it',
    seller: 'Could not be paid to the buyer’s card. The shop looks after it',
    admin: 'Could not be paid to the buyer’s card, and is still due',
  },
  settled_by_bank: {
    buyer: 'Your bank gave you this money',
    seller: 'The buyer’s bank gave the buyer this money',
    admin: 'The buyer’s bank gave the buyer this money',
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
              <span>{states[state][role]}</span>
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
