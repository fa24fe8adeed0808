import type { OrderMove } from '#contract/money/order-states.ts';
import type { ParcelWay } from '#contract/sales/labels.ts';
import { labelBoughtPosting, labelInsuredPosting, labelRefundedPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type OrderedLaptop, stateAfter } from '../orders/rules.ts';
import {
  chargeLabels,
  labelCentsOf,
  moveOrder,
  openClaims,
  recordLateArrival,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import { CarriersRefusal, type Shipment } from './carriers.ts';
import * as rules from './label-rules.ts';
import * as store from './label-store.ts';
import { type LabelDependencies, labelChanged, lockLabel, refundUnusedLabel } from './labels.ts';
import type { ParcelTrouble } from './notification-texts.ts';
import { parcelInTrouble } from './notifications.ts';
import { insertParcel } from './store.ts';

/** Records that the parcel of a label of a locked order is with the carrier. Its cost is due once the order is over. */
async function markUsed(transaction: Transaction, order: OrderedLaptop, labelId: string): Promise<void> {
  await store.updateLabel(transaction, labelId, { state: 'used' });
  await chargeLabels(transaction, order);
}

/** Records that the parcel with a number is with the carrier, if it is that of a bought label of a locked order, or of one that is kept. */
export async function markNumberUsed(
  transaction: Transaction,
  order: OrderedLaptop,
  trackingNumber: string,
): Promise<void> {
  const label = (await store.labelsOf(transaction, order.id)).find(
    ({ tracking_number, state }) =>
      tracking_number === trackingNumber && (state === 'bought' || state === 'kept'),
  );
  if (label !== undefined) await markUsed(transaction, order, label.id);
}

/** The state of a label after its purchase, which can end after it was given back: its price is then to be asked back. */
const boughtState = (state: rules.LabelRow['state']): rules.LabelRow['state'] => {
  if (state === 'buying') return 'bought';
  return state === 'voided' ? 'voiding' : state;
};

/** Records that a label was bought, once. The ledger then owes its price. */
async function recordPurchase(
  transaction: Transaction,
  row: rules.LabelRow,
  { label }: Shipment,
): Promise<rules.LabelRow> {
  if (row.bought_at !== null || label === null) return row;
  const { costCents, premiumCents } = label;
  const bought = {
    state: boughtState(row.state),
    carrier: label.carrier.slice(0, 40),
    service: label.service,
    cost_cents: costCents,
    premium_cents: premiumCents,
    charged_cents: rules.chargedCents(row, costCents, premiumCents),
    tracking_number: label.trackingNumber,
    bought_at: new Date(),
  };
  await store.updateLabel(transaction, row.id, bought);
  const next = { ...row, ...bought };
  const ledgerLabel = rules.toLedgerLabel(next);
  await post(transaction, labelBoughtPosting(ledgerLabel));
  if (premiumCents > 0) await post(transaction, labelInsuredPosting(ledgerLabel));
  return next;
}

/** The moves that a carrier's report makes. */
const carrierMoves = { out: 'collect', back: 'collect_return' } as const satisfies Record<
  ParcelWay,
  OrderMove
>;

/**
 * Records that the laptop of a locked order, which its buyer sent back, comes back to the buyer.
 * @returns false when it does not, and when that was known
 */
export async function recordReturnTurnedBack(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
): Promise<boolean> {
  if (!(await store.isTurnedBack(transaction, order.id))) return false;
  if ((await moveOrder(transaction, enqueue, order, 'turn_back')) === null) return false;
  await enqueue(transaction, parcelInTrouble, { orderId: order.id, trouble: 'return_turned_back' });
  return true;
}

/**
 * Records that a parcel arrived, or turned back, when the money of its locked order had gone the other way.
 * @returns null when it did not, and when that was known
 */
async function lateArrival(
  transaction: Transaction,
  order: OrderedLaptop,
  label: rules.LabelRow,
): Promise<ParcelTrouble | null> {
  const trouble = rules.lateArrivalOf(order, label);
  return trouble !== null && (await recordLateArrival(transaction, order.id, label.way)) ? trouble : null;
}

/** Applies what a carrier reports of a parcel to its locked label and order. Late and repeated reports change nothing. */
async function applyTracking(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  row: rules.LabelRow,
  shipment: Shipment,
): Promise<rules.LabelRow> {
  const { tracking } = shipment;
  const isNew = tracking !== row.tracking;
  let next = row;
  if (isNew) {
    const changes = { tracking, tracked_at: shipment.trackedAt ?? new Date() };
    await store.updateLabel(transaction, row.id, changes);
    next = { ...next, ...changes };
  }
  if (!rules.hasCarrierScanned(tracking) || next.tracking_number === null) return next;
  // Also with a label whose price is back, and while a bank decides.
  if (next.former_address !== null && !rules.hasCarrierScanned(row.tracking))
    await enqueue(transaction, parcelInTrouble, { orderId: order.id, trouble: 'former_address' });
  let current = order;
  if (next.state === 'bought' || next.state === 'voiding' || next.state === 'kept') {
    // No order moves while a bank asks its price back. The label is asked about again, and what it reports applies then.
    if (current.state === 'charge_disputed') return next;
    const move = carrierMoves[next.way];
    const isExpected = stateAfter(current, move) !== null;
    // The buyer can have said without its number that the laptop is back, and the seller denied it, before the first scan.
    const isReturned =
      next.way === 'back' && !current.laptop_with_buyer && stateAfter(current, 'turn_back') !== null;
    if (isExpected || isReturned) {
      // Its number is not that of a label that was given back any more.
      await store.updateLabel(transaction, next.id, { state: 'used' });
      await insertParcel(transaction, order.id, {
        way: next.way,
        carrier: next.carrier ?? '',
        trackingNumber: next.tracking_number,
      });
      // A laptop on its way back counts as returned, as `report_return` says.
      const returning = next.way === 'back' ? { isByParcel: true, isWithBuyer: false } : {};
      await moveOrder(transaction, enqueue, current, move, returning);
      current = (await selectOrderForUpdate(transaction, order.id)) ?? current;
    }
    await markUsed(transaction, current, next.id);
    next = { ...next, state: 'used' };
  }
  const latest = await store.labelOfLatestParcel(transaction, order.id, next.way);
  const isUnderWay = latest?.id === next.id && rules.isUnderWay(current, next.way);
  if (isUnderWay && next.way === 'out' && rules.isDelivered(next))
    await moveOrder(transaction, enqueue, current, 'deliver');
  if (next.way === 'back' && (await recordReturnTurnedBack(transaction, enqueue, current))) return next;
  // What is known applies when a bank has decided.
  if (!isNew && row.state === 'used') return next;
  if (tracking === 'failure') await openClaims(transaction, ['id', next.id]);
  const trouble = isUnderWay
    ? rules.troubleOf(next.way, tracking)
    : await lateArrival(transaction, current, next);
  if (trouble !== null) await enqueue(transaction, parcelInTrouble, { orderId: order.id, trouble });
  return next;
}

/** Applies what the carrier says about a label that is given back. */
async function applyVoid(
  transaction: Transaction,
  order: OrderedLaptop,
  row: rules.LabelRow,
  { refund }: Shipment,
): Promise<rules.LabelRow> {
  // One that is with a carrier is used as soon as no bank decides about its order.
  if (row.state !== 'voiding' || rules.hasCarrierScanned(row.tracking)) return row;
  const state = rules.stateAfterRefund(row, refund, new Date());
  if (state === 'voiding') return row;
  await store.updateLabel(transaction, row.id, { state });
  if (state === 'kept') await chargeLabels(transaction, order);
  else if (row.bought_at !== null) await post(transaction, labelRefundedPosting(rules.toLedgerLabel(row)));
  return { ...row, state };
}

/** Applies the present state of a shipment to its label and order, whatever happened to them meanwhile. */
async function applyShipment(
  { database, enqueue }: LabelDependencies,
  id: string,
  shipment: Shipment,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const locked = await lockLabel(transaction, id);
    if (locked === null) return;
    const { order, label } = locked;
    const wasBought = label.bought_at !== null;
    let row = await recordPurchase(transaction, label, shipment);
    row = await applyTracking(transaction, enqueue, order, row, shipment);
    row = await applyVoid(transaction, order, row, shipment);
    await store.updateLabel(transaction, id, { next_check_at: rules.nextCheck(row, new Date()) });
    // It was given back while the carrier sold it.
    if (!wasBought && row.bought_at !== null && row.state === 'voiding') {
      await enqueue(transaction, labelChanged, { labelId: id });
    }
  });
}

/** Records that the carrier did not sell a label. */
function recordRefusal(
  { database }: LabelDependencies,
  id: string,
  { message }: CarriersRefusal,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const row = await store.selectLabelForUpdate(transaction, id);
    if (row?.bought_at !== null) return;
    const state =
      row.state === 'buying' || row.state === 'failed' ? ('failed' as const) : ('voided' as const);
    const problem = message.slice(0, 300);
    await store.updateLabel(transaction, id, { state, problem, next_check_at: null });
  });
}

/**
 * Whether a label that somebody asked for is still to be bought; otherwise it is given back. Before the carrier answers, the order can have
 * ended, a bank can have stopped it, and a part of its price can have gone back.
 */
function isStillToBuy({ database, enqueue }: LabelDependencies, id: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const locked = await lockLabel(transaction, id);
    if (locked?.label.state !== 'buying') return false;
    const { order, label } = locked;
    if (rules.canStillBeBought(order, label, await labelCentsOf(transaction, order.id))) return true;
    await refundUnusedLabel(transaction, enqueue, label);
    return false;
  });
}

/**
 * Does what a label waits for, and applies what its carrier reports. Can be repeated at any time.
 * @throws CarriersUnavailable
 */
export async function followLabel(dependencies: LabelDependencies, labelId: string): Promise<void> {
  const { database, carriers } = dependencies;
  const row = await store.findLabel(database, labelId);
  if (row === undefined || carriers === null) return;
  const { shipment_id: shipmentId, rate_id: rateId, insured_cents: insuredCents } = row;
  const ask = async (): Promise<Shipment | null> => {
    switch (row.state) {
      case 'buying':
        if (!(await isStillToBuy(dependencies, labelId))) return null;
        return carriers.buy(shipmentId, { rateId: rateId ?? '', insuredCents });
      case 'voiding':
        return carriers.void(shipmentId);
      case 'bought':
      case 'used':
      case 'kept':
        return carriers.read(shipmentId);
      case 'voided':
        // A purchase that timed out can have succeeded afterwards, and a parcel can go to a former address nevertheless.
        return row.bought_at === null || row.former_address !== null ? carriers.read(shipmentId) : null;
      case 'quoted':
      case 'failed':
        return null;
    }
  };
  try {
    const shipment = await ask();
    if (shipment !== null) await applyShipment(dependencies, labelId, shipment);
  } catch (error) {
    if (!(error instanceof CarriersRefusal)) throw error;
    await recordRefusal(dependencies, labelId, error);
  }
}

/** The labels that one round asks about. */
const CHECK_BATCH = 50;

/**
 * Asks about labels of which no event came, gives those back that are not needed any more, and forgets old prices.
 * @throws AggregateError with the failures; these labels are postponed
 */
export async function followLabels(
  dependencies: LabelDependencies,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { database, enqueue } = dependencies;
  await store.deleteOldQuotes(database, new Date(now.getTime() - rules.QUOTE_MS));
  const options = { now, ...(signal && { signal }) };
  const giveUnneededBack = (id: string) =>
    database.transaction().execute(async (transaction) => {
      const label = await store.selectLabelForUpdate(transaction, id);
      if (label !== undefined) await refundUnusedLabel(transaction, enqueue, label);
    });
  const unneeded = await store.unneededLabels(database, now, CHECK_BATCH);
  const failures = await processItems(database, 'labels', unneeded, giveUnneededBack, options);
  if (dependencies.carriers !== null) {
    const ids = await store.labelsToCheck(database, now, CHECK_BATCH);
    const follow = (id: string) => followLabel(dependencies, id);
    failures.push(...(await processItems(database, 'labels', ids, follow, options)));
  }
  throwAll(failures, 'some labels could not be followed');
}
