import * as z from 'zod/mini';
import {
  type OrderMove,
  openComplaintStates,
  orderMoveNames,
  orderMoves,
} from '#contract/money/order-states.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { isMeasurementNeeded } from '#server/listings/catalogue/steps.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { orderMovedNotice } from './notices.ts';
import { findOrderForNotice } from './order-for-notice.ts';
import { isWithCarrier, responsibleParty } from './rules.ts';
import { timelinesOf } from './store.ts';

export interface OrderNotificationDependencies extends NotificationDependencies {
  /** The settings at the moment. */
  shop: () => ShopSettings;
}

/** Whether a move of an order is its last one. */
async function isLastMove(reader: Reader, orderId: string, move: OrderMove): Promise<boolean> {
  const timeline = (await timelinesOf(reader, [orderId])).get(orderId) ?? [];
  return timeline.findLast(({ event }) => event in orderMoves)?.event === move;
}

/** An order moved. Its buyer and its seller are told. */
export const orderMoved = notification(
  'orders.moved',
  z.object({ orderId: z.string(), move: z.enum(orderMoveNames) }),
  async ({ database, shop }: OrderNotificationDependencies, { orderId, move }) => {
    const found = await findOrderForNotice(database, orderId);
    if (found === null) return null;
    const { order } = found;
    const waits = order.state === 'released' && shop().payoutAfter === 'completed';
    const open = openComplaintStates.find((state) => state === order.state);
    // Of an order that has ended since, another notice says that.
    const stands = order.stands || !(await isLastMove(database, orderId, move));
    const moved = {
      ...found,
      move,
      stands,
      isAway: !stands && isWithCarrier(order, move),
      isMeasuredFirst: !stands && (await isMeasurementNeeded(database, order.laptop_id)),
      // One move sets both times.
      isReleasedWith: order.released_at?.getTime() === order.state_since.getTime(),
      paidAfter: waits ? order.due_at : null,
    };
    return (['buyer', 'seller'] as const).map((person) => {
      const isNext = open !== undefined && responsibleParty[open] === person;
      const notice = orderMovedNotice({ ...moved, actUntil: isNext ? order.due_at : null }, person);
      return notice && found.to(person, notice);
    });
  },
);
