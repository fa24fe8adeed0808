import * as z from 'zod/mini';
import { enqueueForAdmins } from '#server/people/accounts/steps.ts';
import { notification } from '#server/people/notifications/steps.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
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

/** A parcel is not sent or has not arrived shortly before its deadline. `tell` is reminded, unless that has happened since. */
export const parcelIsLate = notification(
  'shipping.parcel-is-late',
  z.object({
    orderId: z.string(),
    state: z.enum(['to_ship', 'shipped']),
    tell: z.enum(['buyer', 'seller']),
  }),
  async ({ database }, { orderId, state, tell }) => {
    const found = await findOrderForNotice(database, orderId);
    if (found?.order.state !== state) return null;
    const notice = parcelLateNotice(found, state, tell);
    return notice && { ...found.recipient(tell), notice };
  },
);

/** The buyer corrected the address of an order. The seller is told, unless the laptop was sent since. */
export const addressChanged = notification(
  'shipping.address-changed',
  z.object({ orderId: z.string() }),
  async ({ database }, { orderId }) => {
    const found = await findOrderForNotice(database, orderId);
    if (found?.order.state !== 'to_ship') return null;
    return { ...found.recipient('seller'), notice: addressChangedNotice(found) };
  },
);

/** Whether a trouble has ended: the parcel has moved on, arrived or been sent again, or its order has gone on without it. */
async function hasEnded(reader: Reader, order: OrderedLaptop, trouble: ParcelTrouble): Promise<boolean> {
  switch (trouble) {
    case 'return_to_sender':
    case 'failure':
    case 'available_for_pickup':
    case 'return_failure': {
      const way = trouble === 'return_failure' ? 'back' : 'out';
      const label = await labelOfLatestParcel(reader, order.id, way);
      return !isUnderWay(order, way) || !label || troubleOf(way, label.tracking) !== trouble;
    }
    case 'return_address':
      return !takesReturnAddress(order);
    default:
      return false;
  }
}

/** A carrier reports something that people should know. `tell`, of the admins `adminId`, is told, unless that has ended since. */
export const parcelInTrouble = notification(
  'shipping.parcel-in-trouble',
  z.object({
    orderId: z.string(),
    trouble: z.enum(parcelTroubles),
    tell: z.enum(['buyer', 'seller', 'admin']),
    adminId: z.nullable(z.string()),
  }),
  async ({ database }, { orderId, trouble, tell, adminId }) => {
    const found = await findOrderForNotice(database, orderId);
    if (found === null || (await hasEnded(database, found.order, trouble))) return null;
    const notice = parcelTroubleNotice(found, trouble, tell);
    return notice && { ...found.recipient(tell, adminId), notice };
  },
);

/** Enqueues the notifications about a parcel, one for each recipient. */
export async function enqueueTrouble(
  transaction: Transaction,
  enqueue: Enqueue,
  orderId: string,
  trouble: ParcelTrouble,
): Promise<void> {
  for (const tell of peopleToTell(trouble)) {
    const dataFor = (adminId: string | null) => ({ orderId, trouble, tell, adminId });
    if (tell !== 'admin') await enqueue(transaction, parcelInTrouble, dataFor(null));
    else await enqueueForAdmins(transaction, enqueue, 'complaints', [parcelInTrouble, dataFor]);
  }
}

export const all = [parcelIsLate, addressChanged, parcelInTrouble];
