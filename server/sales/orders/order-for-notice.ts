import type { Reader } from '#server/platform/database/tables.ts';
import { emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { OrderedLaptop } from './rules.ts';
import { findOrder } from './store.ts';

/** An order, and its laptop's name made safe for notices. */
export interface OrderForNotice {
  order: OrderedLaptop;
  laptop: string;
}

/** Reads an order for a notice about it. @returns null without such an order */
export async function findOrderForNotice(reader: Reader, orderId: string): Promise<OrderForNotice | null> {
  const order = await findOrder(reader, orderId);
  const booking = order && (await findBooking(reader, order.booking_id));
  return booking ? { order, laptop: emailTexts(booking).laptop } : null;
}
