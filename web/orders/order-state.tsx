import type { Order } from '#contract/sales/orders.ts';
import { Day } from '../formats/date-time.tsx';
import { Badge } from '../ui/badge.tsx';
import { orderDeadline, orderStateLabel } from './order-texts.ts';

/** The state of an order in a list for admins, with what happens when it ends by itself. */
export function OrderStateCell({ order }: { order: Pick<Order, 'state' | 'dueAt' | 'sellerHasEnded'> }) {
  const { dueAt } = order;
  const { label, tone } = orderStateLabel({ ...order, role: 'admin' });
  const deadline = orderDeadline({ ...order, role: 'admin' });
  return (
    <span className="flex max-w-xs flex-col items-end gap-1.5 text-right @2xl:items-start @2xl:text-left">
      <Badge tone={tone}>{label}</Badge>
      {dueAt !== null && deadline !== undefined && (
        <span className="text-muted text-sm">
          {deadline} <Day at={dueAt} />
        </span>
      )}
    </span>
  );
}
