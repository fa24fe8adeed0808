import type { NotificationText } from '#server/people/notifications/rules.ts';
import type { Addressed } from '#server/people/notifications/steps.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { OrderedLaptop } from './rules.ts';
import { findOrder } from './store.ts';

/** An order, and its laptop's name made safe for notifications. */
export interface NotifiedOrder {
  order: OrderedLaptop;
  laptop: string;
  /** Addresses a notification about the order. */
  to(party: 'buyer' | 'seller' | 'admin', text: NotificationText): Addressed;
}

/** Reads an order for a notification about it. @returns null without such an order */
export async function findNotifiedOrder(reader: Reader, orderId: string): Promise<NotifiedOrder | null> {
  const order = await findOrder(reader, orderId);
  const booking = order && (await findBooking(reader, order.booking_id));
  if (!booking) return null;
  return {
    order,
    laptop: emailTexts(booking).laptop,
    to: (party, text) => ({
      ...(party === 'admin' ? { admins: 'complaints' } : { userId: order[`${party}_id`] }),
      laptopId: order.laptop_id,
      text,
    }),
  };
}

/** A notification about an order, with a link to its page. @param facts those besides the laptop */
export const orderText = (
  { order, laptop }: Pick<NotifiedOrder, 'order' | 'laptop'>,
  title: string,
  paragraphs: NotificationText['paragraphs'],
  facts: NotificationText['facts'] = [],
): NotificationText => ({
  topic: 'money',
  title,
  paragraphs,
  facts: [['Laptop', laptop], ...facts],
  action: { label: 'See the order', path: `/dashboard/order/${order.id}` },
});
