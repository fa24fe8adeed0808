import type { Notice, Recipient } from '#server/people/notifications/rules.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { OrderedLaptop } from './rules.ts';
import { findOrder } from './store.ts';

/** An order, and its laptop's name made safe for notices. */
export interface OrderForNotice {
  order: OrderedLaptop;
  laptop: string;
  /** Addresses a notification about the order. @param adminId of the admin who is told @throws Error when none is named */
  recipient(tell: 'buyer' | 'seller' | 'admin', adminId?: string | null): Recipient & { laptopId: string };
}

/** Reads an order for a notice about it. @returns null without such an order */
export async function findOrderForNotice(reader: Reader, orderId: string): Promise<OrderForNotice | null> {
  const order = await findOrder(reader, orderId);
  const booking = order && (await findBooking(reader, order.booking_id));
  if (!booking) return null;
  const laptopId = order.laptop_id;
  return {
    order,
    laptop: emailTexts(booking).laptop,
    recipient(tell, adminId = null) {
      if (tell !== 'admin') {
        return { userId: tell === 'buyer' ? order.buyer_id : order.seller_id, laptopId };
      }
      if (adminId === null) throw new Error('No admin is named.');
      return { adminId, area: 'complaints', laptopId };
    },
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
