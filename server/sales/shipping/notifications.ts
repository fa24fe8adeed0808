import * as z from 'zod/mini';
import { enqueueForAdmins } from '#server/people/accounts/steps.ts';
import type { Notifier, Recipient } from '#server/people/notifications/rules.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import type { OrderedLaptop } from '../orders/rules.ts';
import { findOrderForNotice } from '../orders/steps.ts';
import { isUnderWay, takesReturnAddress, troubleOf } from './label-rules.ts';
import { labelOfLatestParcel } from './label-store.ts';
import {
  addressChangedNotice,
  type ParcelTrouble,
  parcelLateNotice,
  parcelTroubleNotice,
  parcelTroubles,
  peopleToTell,
} from './notices.ts';

// The notices about moves are those of orders.

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** A parcel is not sent or has not arrived shortly before its deadline. `tell` is the recipient. */
export const parcelIsLate = job(
  'shipping.parcel-is-late',
  z.object({
    orderId: z.string(),
    state: z.enum(['to_ship', 'shipped']),
    tell: z.enum(['buyer', 'seller']),
  }),
);

/** The buyer corrected the address of an order. */
export const addressChanged = job('shipping.address-changed', z.object({ orderId: z.string() }));

/** A carrier reports something that people should know. `tell` is the recipient; of the admins, `adminId`. */
export const parcelInTrouble = job(
  'shipping.parcel-in-trouble',
  z.object({
    orderId: z.string(),
    trouble: z.enum(parcelTroubles),
    tell: z.enum(['buyer', 'seller', 'admin']),
    adminId: z.nullable(z.string()),
  }),
);

/** Enqueues the notifications about a parcel, one for each recipient. */
export async function enqueueTrouble(
  transaction: Transaction,
  enqueue: Enqueue,
  orderId: string,
  trouble: ParcelTrouble,
): Promise<void> {
  for (const tell of peopleToTell(trouble)) {
    const data = { orderId, trouble, tell };
    if (tell !== 'admin') await enqueue(transaction, parcelInTrouble, { ...data, adminId: null });
    else
      await enqueueForAdmins(transaction, enqueue, 'complaints', [
        parcelInTrouble,
        (adminId) => ({ ...data, adminId }),
      ]);
  }
}

/** Whether a trouble has ended: the parcel has moved on, arrived or been sent again, or its order has gone on without it. */
async function hasEnded(database: Database, order: OrderedLaptop, trouble: ParcelTrouble): Promise<boolean> {
  switch (trouble) {
    case 'return_to_sender':
    case 'failure':
    case 'available_for_pickup':
    case 'return_failure': {
      const way = trouble === 'return_failure' ? 'back' : 'out';
      const label = await labelOfLatestParcel(database, order.id, way);
      return !isUnderWay(order, way) || !label || troubleOf(way, label.tracking) !== trouble;
    }
    case 'return_address':
      return !takesReturnAddress(order);
    default:
      return false;
  }
}

/** Notifies a person of what a carrier reports, unless that has ended meanwhile. */
export async function notifyParcelTrouble(
  { database, notifier }: NotificationDependencies,
  { orderId, trouble, tell, adminId }: z.infer<typeof parcelInTrouble.data>,
  jobId: string,
): Promise<void> {
  const found = await findOrderForNotice(database, orderId);
  if (found === null || (await hasEnded(database, found.order, trouble))) return;
  const { order, laptop } = found;
  const notice = parcelTroubleNotice({ orderId, laptop, dueAt: order.due_at }, trouble, tell);
  if (notice === null) return;
  const recipient: Recipient =
    adminId === null
      ? { userId: tell === 'buyer' ? order.buyer_id : order.seller_id }
      : { adminId, area: 'complaints' };
  await notifier.notify({ ...recipient, event: jobId, laptopId: order.laptop_id }, notice);
}

/** Reminds a person of a late parcel, unless it was sent or arrived meanwhile. */
export async function notifyParcelLate(
  { database, notifier }: NotificationDependencies,
  { orderId, state, tell }: z.infer<typeof parcelIsLate.data>,
  jobId: string,
): Promise<void> {
  const found = await findOrderForNotice(database, orderId);
  if (found === null || found.order.state !== state) return;
  const { order, laptop } = found;
  const notice = parcelLateNotice({ orderId, laptop, dueAt: order.due_at }, state, tell);
  if (notice === null) return;
  await notifier.notify(
    { userId: tell === 'buyer' ? order.buyer_id : order.seller_id, event: jobId },
    notice,
  );
}

/** Notifies the seller of a corrected address, unless the laptop was sent meanwhile. */
export async function notifyAddressChanged(
  { database, notifier }: NotificationDependencies,
  { orderId }: z.infer<typeof addressChanged.data>,
  jobId: string,
): Promise<void> {
  const found = await findOrderForNotice(database, orderId);
  if (found === null || found.order.state !== 'to_ship') return;
  const { order, laptop } = found;
  const notice = addressChangedNotice({ orderId, laptop, dueAt: order.due_at });
  await notifier.notify({ userId: order.seller_id, event: jobId }, notice);
}
