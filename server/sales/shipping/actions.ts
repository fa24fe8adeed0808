import { MAXIMUM_PARCELS, type OrderMove, orderDeadlines } from '#contract/money/order-states.ts';
import type { Address } from '#contract/sales/addresses.ts';
import type { parcelReports, TrackedParcel } from '#contract/sales/shipping.ts';
import { findLaptop } from '#server/listings/catalogue/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type Caller, requireUninvolved } from '#server/platform/http/serve.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { requireAddress } from '../addresses/refusals.ts';
import { printedOnOneLine } from '../addresses/rules.ts';
import { deleteOldAddresses, deleteOldSenders, setAddress } from '../addresses/steps.ts';
import { lockOwnOrder } from '../orders/actions.ts';
import { orderNotFound, orderStateChanged } from '../orders/refusals.ts';
import { type OrderedLaptop, stateAfter } from '../orders/rules.ts';
import {
  applyOrderDeadlines,
  moveOrder,
  parcelsOf,
  postponeDeadline,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import { paymentSubject } from '../payments/rules.ts';
import { markNumberUsed } from './follow-labels.ts';
import { canBeWithSellerAgain, isDelivered, isDeliveredElsewhere, isFetchable } from './label-rules.ts';
import { isScanAwaited, labelOfLatestParcel, setFormerAddress } from './label-store.ts';
import { refundUnusedLabels } from './labels.ts';
import { addressChanged, parcelInTrouble, parcelIsLate } from './notifications.ts';
import { removeOldPackingPhotos } from './packing-store.ts';
import { sentToFormerAddress, trackedElsewhere } from './refusals.ts';
import { ADDRESS_DAYS, LATE_MS } from './rules.ts';
import * as store from './store.ts';

export type ShippingDependencies = Pick<Context, 'database' | 'enqueue' | 'cache'>;

/** Moves a locked order. @throws Refusal when its state does not allow that */
async function move(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  name: OrderMove,
  isWithBuyer?: boolean,
): Promise<void> {
  const moved = await moveOrder(transaction, enqueue, order, name, { isWithBuyer });
  if (moved === null) throw orderStateChanged(order);
}

/** Corrects where the laptop of the caller's order is sent. @returns true @throws Refusal when it was sent already */
export function changeAddress(
  { database, enqueue }: ShippingDependencies,
  caller: Caller,
  id: string,
  address: Address,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, id, 'buyer');
    if (order.state !== 'to_ship') throw orderStateChanged(order);
    const laptop = await findLaptop(transaction, order.laptop_id);
    requireAddress(address, laptop?.ships_from ?? '', '');
    await setAddress(transaction, order.booking_id, address);
    // A label that was bought has the former address on it, and can be on a parcel that its carrier has not scanned.
    const changed = await selectOrderForUpdate(transaction, id);
    const from = printedOnOneLine(order);
    await setFormerAddress(transaction, id, { from, to: printedOnOneLine(changed ?? order) });
    await refundUnusedLabels(transaction, enqueue, id);
    await enqueue(transaction, addressChanged, { orderId: id });
    return true;
  });
}

/** Records that the seller handed the laptop to a carrier. @returns false when it was recorded before @throws Refusal */
export function shipParcel(
  { database, enqueue }: ShippingDependencies,
  caller: Caller,
  id: string,
  parcel: TrackedParcel,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, id, 'seller');
    if (stateAfter(order, 'ship') === null) {
      const sent = (await parcelsOf(transaction, id)).findLast(({ way }) => way === 'out');
      if (order.state === 'shipped' && sent?.trackingNumber === parcel.trackingNumber) return false;
      throw orderStateChanged(order);
    }
    if (!(await store.insertParcel(transaction, id, { ...parcel, way: 'out' }))) {
      throw trackedElsewhere('trackingNumber');
    }
    await refundUnusedLabels(transaction, enqueue, id, parcel.trackingNumber);
    await move(transaction, enqueue, order, 'ship');
    await markNumberUsed(transaction, order, parcel.trackingNumber);
    return true;
  });
}

/** Records that the buyer has the parcel. @returns false when that was known before @throws Refusal */
export function receiveParcel(
  { database, enqueue }: ShippingDependencies,
  caller: Caller,
  id: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, id, 'buyer');
    if (order.state === 'delivered') return false;
    await move(transaction, enqueue, order, 'receive', true);
    return true;
  });
}

/** Records what a seller reports of a parcel that is under way. @returns true @throws Refusal */
export async function reportParcel(
  { database, enqueue, cache }: ShippingDependencies,
  caller: Caller,
  id: string,
  { move: name, text }: { move: (typeof parcelReports)[number]; text: string },
): Promise<boolean> {
  await database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, id, 'seller');
    if (stateAfter(order, name) === null) throw orderStateChanged(order);
    const sent = (await parcelsOf(transaction, id)).filter(({ way }) => way === 'out').length;
    if (name === 'send_again' && sent >= MAXIMUM_PARCELS) {
      throw new Refusal(
        'order_moved',
        `${order.laptop_name} was sent ${MAXIMUM_PARCELS} times, which is the most that is possible. Nothing was changed; please give the price back.`,
      );
    }
    const label = await labelOfLatestParcel(transaction, id, 'out');
    if (name === 'prove_delivery') {
      if (label !== undefined && label.former_address !== null) throw sentToFormerAddress(order);
    } else if (label !== undefined && !canBeWithSellerAgain(label, order.shipped_at, new Date())) {
      throw new Refusal(
        'order_moved',
        `The carrier has not reported that the parcel of ${order.laptop_name} comes back. Nothing was changed; please try again when it has, or a week after its last report. If you have the laptop already, ask the shop to give the price back.`,
      );
    }
    await store.setReport(transaction, id, text);
    await move(transaction, enqueue, order, name);
  });
  // So that the seller’s next read shows the returned laptop.
  await cache.waitForInvalidation();
  return true;
}

/** Decides as an admin that a parcel was delivered. @returns true @throws Refusal */
export function decideDelivered(
  { database, enqueue }: ShippingDependencies,
  admin: Caller,
  id: string,
  text: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const order = await selectOrderForUpdate(transaction, id);
    if (order === undefined) throw orderNotFound();
    requireUninvolved(admin, order.buyer_id, order.seller_id);
    if (stateAfter(order, 'decide_delivered') === null) throw orderStateChanged(order);
    await store.setReport(transaction, id, text);
    await move(transaction, enqueue, order, 'decide_delivered');
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Decided delivery',
      laptopId: order.laptop_id,
      subject: paymentSubject(order.laptop_name, order.transaction_id),
      note: text,
    });
    return true;
  });
}

/** The most addresses that one round erases. */
const ERASED_ADDRESSES = 100;

/** The states by parcel whose deadlines give the price back. `server/sales/orders/actions.ts` handles `delivered`. */
const deadlineStates = ['to_ship', 'shipped'] as const;
type DeadlineState = (typeof deadlineStates)[number];

/**
 * Gives the price of parcels back that were not sent or have not arrived in time, and reminds of others, see {@link applyOrderDeadlines}.
 * Erases addresses and photos of packing after their time.
 * @throws AggregateError with the failures
 */
export async function applyParcelDeadlines(
  { database, enqueue, cache }: ShippingDependencies,
  now: Date,
): Promise<void> {
  const sentLabel = async (transaction: Transaction, { id }: OrderedLaptop, state: DeadlineState) =>
    state === 'shipped' ? labelOfLatestParcel(transaction, id, 'out') : undefined;
  async function moveOverdue(transaction: Transaction, order: OrderedLaptop, state: DeadlineState) {
    const sent = await sentLabel(transaction, order, state);
    if (isFetchable(sent, now) || isDeliveredElsewhere(sent) || (await isScanAwaited(transaction, order)))
      return postponeDeadline(transaction, order, now);
    // The report can have come while a complaint or a bank's dispute kept the order where it was.
    await move(transaction, enqueue, order, isDelivered(sent) ? 'deliver' : orderDeadlines[state].move);
  }
  async function remind(transaction: Transaction, order: OrderedLaptop, state: DeadlineState) {
    const sent = await sentLabel(transaction, order, state);
    if (sent !== undefined && isFetchable(sent, order.due_at ?? now)) {
      // Of a report that came during a complaint or a bank's dispute, nobody was told.
      const { shipped_at, state_since, is_put_off } = order;
      const at = sent.tracked_at;
      const isUntold = at !== null && shipped_at !== null && shipped_at < at && at < state_since;
      if (isUntold && !is_put_off)
        await enqueue(transaction, parcelInTrouble, { orderId: order.id, trouble: 'available_for_pickup' });
      return;
    }
    await enqueue(transaction, parcelIsLate, { orderId: order.id, state });
  }
  const before = new Date(now.getTime() + LATE_MS);
  const { isAnyOverdue, failures } = await applyOrderDeadlines(database, now, {
    states: deadlineStates,
    move: moveOverdue,
    reminders: { queue: 'parcel reminders', before, remind },
  });
  await deleteOldAddresses(database, now, ADDRESS_DAYS, ERASED_ADDRESSES);
  await deleteOldSenders(database, now, ADDRESS_DAYS.paid);
  await removeOldPackingPhotos(database, now, ADDRESS_DAYS.paid);
  if (isAnyOverdue) await cache.waitForInvalidation();
  throwAll(failures, 'some parcels could not be moved after their deadlines or reminded of');
}
