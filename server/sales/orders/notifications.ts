import * as z from 'zod/mini';
import { type OrderMove, openComplaintStates, orderMoveNames } from '#contract/money/order-states.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { isMeasurementNeeded } from '#server/listings/catalogue/steps.ts';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { orderMovedNotice } from './notices.ts';
import { findOrderForNotice } from './order-for-notice.ts';
import { isWithCarrier, responsibleParty } from './rules.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
  /** The settings at the moment. */
  shop: () => ShopSettings;
}

/** An order moved. `tell` is the recipient. */
export const orderMoved = job(
  'orders.moved',
  z.object({
    orderId: z.string(),
    move: z.enum(orderMoveNames),
    tell: z.enum(['buyer', 'seller']),
  }),
);

/** Notifies the buyer or the seller about a move of their order. */
export async function notifyOrderMoved(
  { database, notifier, shop }: NotificationDependencies,
  { orderId, move, tell }: { orderId: string; move: OrderMove; tell: 'buyer' | 'seller' },
  jobId: string,
): Promise<void> {
  const found = await findOrderForNotice(database, orderId);
  if (found === null) return;
  const { order, laptop } = found;
  const waits = order.state === 'released' && shop().payoutAfter === 'completed';
  const paidAfter = waits ? order.due_at : null;
  const { stands } = order;
  const isMeasuredFirst = !stands && (await isMeasurementNeeded(database, order.laptop_id));
  // One move sets both times.
  const isReleasedWith = order.released_at?.getTime() === order.state_since.getTime();
  const open = openComplaintStates.find((state) => state === order.state);
  const actUntil = open !== undefined && responsibleParty[open] === tell ? order.due_at : null;
  const isAway = !stands && isWithCarrier(order, move);
  const about = {
    orderId,
    laptop,
    move,
    stands,
    isAway,
    isMeasuredFirst,
    isReleasedWith,
    paidAfter,
    actUntil,
  };
  const notice = orderMovedNotice(about, tell);
  if (notice === null) return;
  const userId = tell === 'buyer' ? order.buyer_id : order.seller_id;
  await notifier.notify({ userId, event: jobId, laptopId: order.laptop_id }, notice);
}
