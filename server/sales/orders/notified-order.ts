import type { Notice } from '#server/people/notifications/rules.ts';
import type { Addressed } from '#server/people/notifications/steps.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { OrderedLaptop } from './rules.ts';
import { findOrder } from './store.ts';

/** An order, and its laptop's name made safe for notices. */
export interface OrderForNotice {
  order: OrderedLaptop;
  laptop: string;
  /** Addresses a notice about the order. */
  to(party: 'buyer' | 'seller' | 'admin', notice: Notice): Addressed;
}

/** Reads an order for a notice about it. @returns null without such an order */
export async function findOrderForNotice(reader: Reader, orderId: string): Promise<OrderForNotice | null> {
  const order = await findOrder(reader, orderId);
  const booking = order && (await findBooking(reader, order.booking_id));
  if (!booking) return null;
  return {
    order,
    laptop: emailTexts(booking).laptop,
    to: (party, notice) => ({
      ...(party === 'admin' ? { admins: 'complaints' } : { userId: order[`${party}_id`] }),
      laptopId: order.laptop_id,
      notice,
    }),
  };
}

/** A notice about an order, with a link to its page. @param facts those besides the laptop */
export const orderNotice = (
  { order, laptop }: Pick<OrderForNotice, 'order' | 'laptop'>,
  title: string,
  paragraphs: Notice['paragraphs'],
  facts: Notice['facts'] = [],
): Notice => ({
  topic: 'money',
  title,
  paragraphs,
  facts: [['Laptop', laptop], ...facts],
  action: { label: 'See the order', path: `/dashboard/order/${order.id}` },
});
