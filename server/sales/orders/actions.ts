import type { OrderMove, TimedOrderState } from '#contract/money/order-states.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { hasRight, type StaffArea, type StaffRights } from '#contract/platform/staff-rights.ts';
import type { Order, SoldLaptop } from '#contract/sales/orders.ts';
import { measurementResponse } from '#server/certification/inspections/actions.ts';
import {
  countedMeasurement,
  createSameLaptopCode,
  findSameLaptopCode,
  sameLaptopChecks,
} from '#server/certification/inspections/steps.ts';
import { describedPhotos } from '#server/listings/catalogue/rules.ts';
import { findLaptop } from '#server/listings/catalogue/steps.ts';
import { isWithheld } from '#server/money/refunds/steps.ts';
import { recordRead } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { inSnapshot } from '#server/platform/database/snapshot.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { formatWait, Refusal } from '#server/platform/http/refusal.ts';
import { type Caller, requireRightIfAdmin, requireSecondFactor } from '#server/platform/http/serve.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { applyOrderDeadlines } from './deadlines.ts';
import { orderNotFound, orderStateChanged } from './refusals.ts';
import { codesRefusedUntil, deadlineMoveAfter, type OrderedLaptop, toResponse } from './rules.ts';
import { moveOrder } from './steps.ts';
import * as store from './store.ts';

type OrderDependencies = Pick<Context, 'database' | 'enqueue'>;

/**
 * The role of a user in an order; null when it is none of theirs.
 * @param areas those in which an admin has to do with the order
 * @throws Refusal, see {@link requireRightIfAdmin}; `second_factor_required` for its people, too
 */
export function roleInOrder(
  order: Pick<OrderedLaptop, 'buyer_id' | 'seller_id'>,
  caller: Pick<Caller, 'userId' | 'roles' | 'secondFactorDue' | keyof StaffRights>,
  areas: readonly [StaffArea, ...StaffArea[]],
): Order['role'] | null {
  const isBuyer = order.buyer_id === caller.userId;
  if (!isBuyer && order.seller_id !== caller.userId)
    return requireRightIfAdmin(caller, ...areas) ? 'admin' : null;
  // An order has the other person's address, and can cost money.
  requireSecondFactor(caller);
  return isBuyer ? 'buyer' : 'seller';
}

/**
 * Finds an order of the caller, or any for an admin, which is recorded in the audit trail.
 * @param reader a snapshot, if more of the order is read @returns the order and the caller's role in it @throws Refusal
 */
export async function findReadableOrder(
  reader: Reader,
  caller: Caller,
  id: string,
): Promise<{ order: OrderedLaptop; role: Order['role'] }> {
  const order = await store.findOrder(reader, id);
  const role = order && roleInOrder(order, caller, ['complaints', 'money']);
  if (!order || !role) throw orderNotFound();
  if (role === 'admin') {
    const subject = `${order.laptop_name}: order ${id}`;
    await recordRead(reader, caller.userId, { act: 'Read order', subject });
  }
  return { order, role };
}

/** Locks an order of the caller. @throws Refusal when the caller is not its buyer, or its seller */
export async function lockOwnOrder(
  transaction: Transaction,
  { userId }: Pick<Caller, 'userId'>,
  id: string,
  side: 'buyer' | 'seller',
): Promise<OrderedLaptop> {
  const order = await store.selectOrderForUpdate(transaction, id);
  if (order === undefined || order[`${side}_id`] !== userId) throw orderNotFound();
  return order;
}

/** Reads an order, see {@link findReadableOrder}. @throws Refusal */
export function readOrder(
  { database, shop }: { database: Database; shop: () => Pick<ShopSettings, 'payoutAfter'> },
  caller: Caller,
  id: string,
  photoUrl: (photo: string) => string,
): Promise<Order> {
  return inSnapshot(database, async (reader) => {
    const { order, role } = await findReadableOrder(reader, caller, id);
    const timelines = await store.timelinesOf(reader, [id]);
    const history = {
      timeline: timelines.get(id) ?? [],
      laptopChecks: await sameLaptopChecks(reader, id),
      laptopCode: await findSameLaptopCode(reader, id),
      payoutAfter: shop().payoutAfter,
      refunds: await store.refundsOf(reader, order.transaction_id),
      parcels: await store.parcelsOf(reader, id),
      packingPhotos: await store.packingPhotosOf(reader, id),
      labelCents: await store.borneLabelCentsOf(reader, id),
    };
    const response = toResponse(order, role, history, photoUrl);
    if (role !== 'admin') return response;
    // An admin who may read it for the money decides nothing.
    const areaOf = (move: OrderMove): StaffArea => (move.startsWith('decide_') ? 'complaints' : 'money');
    const isHeldByBank =
      order.state === 'charge_disputed' && (await isWithheld(reader, order.transaction_id));
    const isPossible = (move: OrderMove) =>
      hasRight(caller, [areaOf(move)]) && !(move === 'refund_rest' && isHeldByBank);
    return { ...response, moves: response.moves.filter(isPossible) };
  });
}

/**
 * The laptop of an order, see {@link findReadableOrder}, as it was sold: a sold laptop is neither changed nor measured anew, so its row and its latest
 * measurement are those of the sale.
 * @throws Refusal also `order_moved` when the sale was undone: the laptop may be listed differently since
 */
export async function readSoldLaptop(
  { database, shop }: { database: Database; shop: () => Pick<ShopSettings, 'batteryFloors'> },
  caller: Caller,
  id: string,
  photoUrl: (photo: string) => string,
): Promise<SoldLaptop> {
  const { order } = await findReadableOrder(database, caller, id);
  const laptop = await findLaptop(database, order.laptop_id);
  if (laptop === undefined) throw orderNotFound();
  if (!order.stands) {
    throw new Refusal(
      'order_moved',
      `The sale of ${order.laptop_name} was undone; there is nothing to check.`,
    );
  }
  const measurement = await countedMeasurement(database, laptop);
  return {
    condition: laptop.condition,
    description: laptop.description,
    images: laptop.images.map(photoUrl),
    named: describedPhotos(laptop).map(({ photo, caption }) => ({ photo: photoUrl(photo), caption })),
    measurement:
      measurement === undefined ? null : measurementResponse(laptop, measurement, shop().batteryFloors),
  };
}

type CodeResult = { kind: 'moved' | 'done' } | { kind: 'wrong'; lockedUntil: Date | null };

/**
 * Releases an order with the buyer's code. A wrong code is counted, so that nobody finds it by trying.
 * @returns false when it was released before
 * @throws Refusal
 */
export async function handOver(
  { database, enqueue }: OrderDependencies,
  caller: Caller,
  { id, code }: { id: string; code: string },
): Promise<boolean> {
  const now = new Date();
  const result = await database.transaction().execute(async (transaction): Promise<CodeResult> => {
    const order = await lockOwnOrder(transaction, caller, id, 'seller');
    if (order.laptop_with_buyer && order.released_at !== null) return { kind: 'done' };
    if (order.state !== 'held') throw orderStateChanged(order);
    if (order.codes_locked_until !== null && order.codes_locked_until > now) {
      return { kind: 'wrong', lockedUntil: order.codes_locked_until };
    }
    if (order.handover_code === code) {
      await moveOrder(transaction, enqueue, order, 'hand_over', { isWithBuyer: true });
      return { kind: 'moved' };
    }
    const wrongCodes = order.wrong_codes + 1;
    const lockedUntil = codesRefusedUntil(wrongCodes, now);
    await store.updateOrder(transaction, id, { wrong_codes: wrongCodes, codes_locked_until: lockedUntil });
    return { kind: 'wrong', lockedUntil };
  });
  if (result.kind !== 'wrong') return result.kind === 'moved';
  throw new Refusal(
    'wrong_code',
    result.lockedUntil === null
      ? 'This is not the buyer’s code. Please look at the six digits on the buyer’s order again.'
      : `There were several wrong codes, so codes are taken again ${formatWait(result.lockedUntil, now)}. The money is kept for you until then.`,
  );
}

/**
 * Creates a one-time code with which a sold laptop is measured again: by its seller when both meet, by its buyer when its parcel has
 * arrived.
 * @throws Refusal
 */
export function createLaptopCode(
  { database }: OrderDependencies,
  caller: Caller,
  id: string,
): Promise<{ code: string; expiresAt: Date }> {
  return database.transaction().execute(async (transaction) => {
    const order = await store.selectOrderForUpdate(transaction, id);
    const isByBuyer = order?.delivery === 'ship';
    if (order === undefined || caller.userId !== (isByBuyer ? order.buyer_id : order.seller_id))
      throw orderNotFound();
    if (order.state !== (isByBuyer ? 'delivered' : 'held')) throw orderStateChanged(order);
    if (!order.is_measured) {
      throw new Refusal(
        'not_measured',
        `${order.laptop_name} was not measured before it was sold, so there is nothing to compare. Nothing needs the comparison.`,
      );
    }
    return createSameLaptopCode(transaction, id);
  });
}

/** Releases an order because its buyer confirms it. @returns false when it was released before @throws Refusal */
export function confirm(
  { database, enqueue }: OrderDependencies,
  caller: Caller,
  id: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, id, 'buyer');
    if (order.state === 'released' || order.state === 'completed') return false;
    if ((await moveOrder(transaction, enqueue, order, 'confirm', { isWithBuyer: true })) === null) {
      throw orderStateChanged(order);
    }
    return true;
  });
}

/** The states whose deadlines are an order's own. `applyParcelDeadlines` and `applyComplaintDeadlines` handle the others. */
const ownStates = ['held', 'delivered', 'released'] as const satisfies readonly TimedOrderState[];

/** Moves the orders whose deadline has passed, see {@link applyOrderDeadlines}. @throws AggregateError with the failures */
export async function moveOverdueOrders({ database, enqueue }: OrderDependencies, now: Date): Promise<void> {
  const { failures } = await applyOrderDeadlines(database, now, {
    states: ownStates,
    move: async (transaction, order, state) => {
      await moveOrder(transaction, enqueue, order, deadlineMoveAfter(order, state));
    },
  });
  throwAll(failures, 'some orders could not be moved after their deadlines');
}
