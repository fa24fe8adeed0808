import { Refusal } from '#server/platform/http/refusal.ts';
import type { OrderedLaptop } from './rules.ts';

/** The refusal of an order that is none of the caller's. */
export const orderNotFound = () => new Refusal('not_found', 'There is no such order of yours.');

/** The refusal of a move that the order's state does not allow. */
export const orderStateChanged = (order: OrderedLaptop): Refusal =>
  new Refusal(
    'order_moved',
    `The order of ${order.laptop_name} has moved on meanwhile, so nothing was changed. Please look at it again.`,
  );
