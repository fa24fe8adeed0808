import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { OrderMove } from '#contract/money/order-states.ts';
import { amountFromCents, centsFromAmount, formatCents } from '#contract/platform/money.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { Address } from '#contract/sales/addresses.ts';
import {
  type LabelPaper,
  type LabelRate,
  type LabelWay,
  MAXIMUM_PRINTED,
  type Sender,
} from '#contract/sales/labels.ts';
import { findLaptop } from '#server/listings/catalogue/steps.ts';
import {
  insurancePaidPosting,
  labelBoughtPosting,
  labelInsuredPosting,
  labelRefundedPosting,
} from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { requireAddress } from '../addresses/refusals.ts';
import { addressOf } from '../addresses/rules.ts';
import { findSender, setSender } from '../addresses/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import { findReadableOrder, roleIn } from '../orders/actions.ts';
import { orderNotFound, orderStateChanged } from '../orders/refusals.ts';
import { type OrderedLaptop, stateAfter } from '../orders/rules.ts';
import { chargeLabels, findOrder, moveOrder, selectOrderForUpdate } from '../orders/steps.ts';
import { paymentSubject } from '../payments/rules.ts';
import {
  type CarrierAddress,
  type CarrierRate,
  type Carriers,
  CarriersRefusal,
  CarriersUnavailable,
  type Shipment,
} from './carriers.ts';
import * as rules from './label-rules.ts';
import * as store from './label-store.ts';
import { parcelTroubles } from './notices.ts';
import { parcelInTrouble } from './notifications.ts';
import { joinLabels } from './print.ts';
import { insertParcel } from './store.ts';

export interface LabelDependencies {
  database: Database;
  enqueue: Enqueue;
  /** Null when the shop buys no labels: sellers then type the numbers of their own. */
  carriers: Carriers | null;
  /** The settings at the moment. */
  shop: () => Pick<ShopSettings, 'shippingBorneBy'>;
}

/** A label is to be bought, or given back, or something has happened to its parcel. */
export const labelChanged = job('shipping.label-changed', z.object({ labelId: z.string() }), 'carriers');

const unavailable = () =>
  new Refusal(
    'carrier_unavailable',
    'Carriers cannot be reached at the moment. Nothing was bought or changed; please try again in a few minutes, or send it with a label of your own.',
  );

/** @throws Refusal when the shop buys no labels */
function requireCarriers({ carriers }: LabelDependencies): Carriers {
  if (carriers !== null) return carriers;
  throw new Refusal(
    'label_refused',
    'This shop buys no labels. Please send the laptop with a label of your own, and enter its tracking number.',
  );
}

const labelNotFound = () => new Refusal('not_found', 'There is no such label.');

/** The labels of an order, and which one the caller can buy now. @throws Refusal */
export async function listOrderLabels(
  { database, carriers }: LabelDependencies,
  caller: Caller,
  orderId: string,
) {
  const { order, role } = await findReadableOrder(database, caller, orderId);
  const rows = await store.labelsOf(database, orderId);
  const shown = rows.filter(({ state, way }) => state !== 'quoted' && (role !== 'buyer' || way === 'back'));
  const ownWay = { buyer: 'back', seller: 'out', admin: null }[role];
  return {
    offered: carriers === null ? null : rules.offeredWay(order, role),
    sender: role === 'seller' ? await findSender(database, order.seller_id) : null,
    labels: shown.map((row) =>
      rules.toLabel(row, { isOwn: row.way === ownWay, isPriceShown: role !== 'buyer' }),
    ),
  };
}

/** The order of a label that its caller can buy. @throws Refusal */
async function requireBuyer(
  database: Database | Transaction,
  caller: Caller,
  orderId: string,
): Promise<{ order: OrderedLaptop; way: LabelWay }> {
  const order = await findOrder(database, orderId);
  const role = order && roleIn(order, caller, ['complaints']);
  if (!order || (role !== 'buyer' && role !== 'seller')) throw orderNotFound();
  const way = rules.offeredWay(order, role);
  if (way === null) throw orderStateChanged(order);
  return { order, way };
}

const fieldNames: Readonly<Record<keyof Address, string>> = {
  name: 'name',
  line1: 'street',
  line2: 'flat, floor or building',
  city: 'city',
  region: 'region',
  postalCode: 'postal code',
  country: 'country',
};

/** @throws Refusal when a carrier cannot print an address. @param isOwn whether it is the caller's address */
function requirePrintable(address: CarrierAddress, isOwn: boolean): void {
  const [field] = rules.unprintableFields(address);
  if (field === undefined) return;
  const error = 'Carriers print Latin letters only';
  if (isOwn) {
    throw new Refusal(
      'invalid_input',
      `${error}. Nothing was bought; please write the ${fieldNames[field]} in them.`,
      {
        errors: { [`sender.${field}`]: error },
      },
    );
  }
  throw new Refusal(
    'label_refused',
    `${error}. The ${fieldNames[field]} in the other address uses other letters. Nothing was bought; please ask for it in Latin letters in Messages: an address can be corrected until the laptop is sent.`,
  );
}

/** The two addresses of a label, from the buyer's and the seller's. @throws Refusal when one is missing */
async function addressesOf(
  database: Database | Transaction,
  order: OrderedLaptop,
  way: LabelWay,
): Promise<{ from: CarrierAddress; to: CarrierAddress }> {
  const address = addressOf(order);
  const sender = await findSender(database, order.seller_id);
  const booking = await findBooking(database, order.booking_id);
  if (address === null || booking === undefined) {
    throw new Refusal(
      'label_refused',
      'The address of this order was erased. Nothing was bought; please ask for it in Messages.',
    );
  }
  if (sender === null) {
    throw new Refusal(
      'label_refused',
      'The shop does not know to which address the laptop returns. Nothing was bought; please ask the seller in Messages.',
    );
  }
  const buyer = { ...address, phone: booking.phone };
  return way === 'out' ? { from: sender, to: buyer } : { from: buyer, to: sender };
}

/** Asks for prices. @throws Refusal that says which field of an address is wrong */
async function askCarriers(
  carriers: Carriers,
  order: OrderedLaptop,
  { from, to, way }: { from: CarrierAddress; to: CarrierAddress; way: LabelWay },
  size: ReturnType<typeof rules.parcelSizeOf>,
): Promise<Shipment> {
  try {
    // The order's id names no person, and tells the operator at the carrier which one it is.
    return await carriers.quote({ from, to, size, isReturn: way === 'back', reference: order.id });
  } catch (error) {
    if (error instanceof CarriersUnavailable) throw unavailable();
    if (!(error instanceof CarriersRefusal)) throw error;
    const { address, message } = error;
    if (address?.side === 'from' && way === 'out') {
      throw new Refusal('invalid_input', `${message} Nothing was bought; please correct your address.`, {
        errors: { [`sender.${address.field}`]: message.replace(/\.$/, '') },
      });
    }
    const whose =
      address === null
        ? ''
        : ` It is about the ${fieldNames[address.field]} of the other address, which can be corrected until the laptop is sent.`;
    throw new Refusal(
      'label_refused',
      `Carriers refuse this parcel: ${message}${whose} Nothing was bought; a label of your own works, too.`,
    );
  }
}

/** Asks carriers for the prices of a label. Nothing is bought. @throws Refusal */
export async function quoteLabel(
  dependencies: LabelDependencies,
  caller: Caller,
  orderId: string,
  sender: Sender | undefined,
): Promise<{ _id: string; rates: LabelRate[]; insured: number; borneBy: 'seller' | 'shop' }> {
  const { database, shop } = dependencies;
  const { order, way } = await requireBuyer(database, caller, orderId);
  const carriers = requireCarriers(dependencies);
  const laptop = await findLaptop(database, order.laptop_id);
  if (laptop === undefined) throw orderNotFound();
  if (way === 'out' && sender !== undefined) {
    // The country of the parcel: it stays there, because of the battery.
    requireAddress(sender, laptop.ships_from ?? '', 'sender.');
    requirePrintable(sender, true);
    await database.transaction().execute((transaction) => setSender(transaction, order.seller_id, sender));
  }
  const addresses = await addressesOf(database, order, way);
  requirePrintable(addresses.to, false);
  requirePrintable(addresses.from, way === 'out');
  const shipment = await askCarriers(
    carriers,
    order,
    { ...addresses, way },
    rules.parcelSizeOf(laptop.description),
  );
  const rates = rules.offeredRates(way, shipment.rates);
  if (rates.length === 0) {
    throw new Refusal(
      'label_refused',
      'No carrier offers to take this parcel. Nothing was bought; please send it with a label of your own.',
    );
  }
  const insuredCents = order.price_cents;
  const premiumCents = carriers.premium(insuredCents);
  const borneBy = shop().shippingBorneBy;
  const id = await database.transaction().execute(async (transaction) => {
    const locked = await selectOrderForUpdate(transaction, orderId);
    if (locked?.state !== order.state) throw orderStateChanged(locked ?? order);
    if (!isDeepStrictEqual(await addressesOf(transaction, locked, way), addresses)) {
      throw new Refusal(
        'label_refused',
        'An address was changed meanwhile. Nothing was bought; please ask for the prices again.',
      );
    }
    const label = await store.insertQuote(transaction, {
      order_id: orderId,
      way,
      shipment_id: shipment.shipmentId,
      borne_by: borneBy,
      insured_cents: insuredCents,
      quoted_premium_cents: premiumCents,
      rates: JSON.stringify(rates),
    });
    if (label !== null) return label;
    throw new Refusal(
      'label_refused',
      'This parcel has a label already. Print it, or give it back first; nothing else was bought.',
    );
  });
  return {
    _id: id,
    rates: rates.map((rate) => rules.toRate(rate, premiumCents)),
    insured: amountFromCents(insuredCents),
    borneBy,
  };
}

const StoredRates = z.array(
  z.object({
    rateId: z.string(),
    carrier: z.string(),
    service: z.string(),
    amountCents: z.int(),
    days: z.nullable(z.int()),
  }),
);

const chosenRate = (row: rules.LabelRow, rateId: string | null): CarrierRate | undefined =>
  z.parse(StoredRates, row.rates).find((rate) => rate.rateId === rateId);

/** Locks a label and its order, for a person who can buy or void it. @throws Refusal */
async function lockOwnLabel(
  transaction: Transaction,
  caller: Caller,
  id: string,
): Promise<{ order: OrderedLaptop; label: rules.LabelRow }> {
  const found = await store.findLabel(transaction, id);
  const order = found && (await selectOrderForUpdate(transaction, found.order_id));
  const label = order && (await store.selectLabelForUpdate(transaction, id));
  if (!order || !label) throw labelNotFound();
  if (caller.userId !== (label.way === 'out' ? order.seller_id : order.buyer_id)) throw labelNotFound();
  return { order, label };
}

/**
 * Buys a label: a job asks the carrier, which sells each shipment once, however often the job runs.
 * @returns false when it was asked before @throws Refusal
 */
export function buyLabel(
  { database, enqueue }: LabelDependencies,
  caller: Caller,
  id: string,
  { rate: rateId, price }: { rate: string; price: number },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { order, label } = await lockOwnLabel(transaction, caller, id);
    if (label.state !== 'quoted') {
      if (label.rate_id === rateId && label.state !== 'failed') return false;
      throw new Refusal(
        'label_refused',
        'This price was used already. Nothing was bought; please ask for the prices again.',
      );
    }
    const way = rules.offeredWay(order, order.seller_id === caller.userId ? 'seller' : 'buyer');
    if (way !== label.way) throw orderStateChanged(order);
    const rate = chosenRate(label, rateId);
    const isPrice = rate && centsFromAmount(price) === rate.amountCents + label.quoted_premium_cents;
    if (!isPrice || label.quoted_at.getTime() < Date.now() - rules.QUOTE_MS) {
      throw new Refusal(
        'price_differs',
        'The prices of carriers have changed. Nothing was bought; please ask for them again.',
      );
    }
    await store.updateLabel(transaction, id, {
      state: 'buying',
      rate_id: rateId,
      next_check_at: rules.nextCheck({ ...label, state: 'buying' }, new Date()),
    });
    await enqueue(transaction, labelChanged, { labelId: id });
    return true;
  });
}

/** Gives a locked label back, if it is not used. */
async function giveBack(transaction: Transaction, enqueue: Enqueue, label: rules.LabelRow): Promise<void> {
  if (label.state !== 'bought' && label.state !== 'buying') return;
  await store.updateLabel(transaction, label.id, {
    state: 'voiding',
    next_check_at: rules.nextCheck({ ...label, state: 'voiding' }, new Date()),
  });
  await enqueue(transaction, labelChanged, { labelId: label.id });
}

/** Gives an unused label back to the carrier. @returns false when that was asked before @throws Refusal */
export function voidLabel(
  { database, enqueue }: LabelDependencies,
  caller: Caller,
  id: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { label } = await lockOwnLabel(transaction, caller, id);
    if (label.state === 'voiding' || label.state === 'voided') return false;
    if (label.state !== 'bought' && label.state !== 'buying') {
      throw new Refusal(
        'label_refused',
        'The carrier already has this parcel, or no label was bought. Nothing was changed.',
      );
    }
    await giveBack(transaction, enqueue, label);
    return true;
  });
}

/** Gives the labels of a locked order back that nobody used, and forgets prices. @param except the number of one that is used */
export async function giveLabelsBack(
  transaction: Transaction,
  enqueue: Enqueue,
  orderId: string,
  except?: string,
): Promise<void> {
  await store.deleteQuotes(transaction, orderId);
  for (const label of await store.labelsOf(transaction, orderId)) {
    if (label.way === 'out' && label.tracking_number !== except) await giveBack(transaction, enqueue, label);
  }
}

/** Records that the parcel of a label of a locked order is with the carrier. Its cost is due once the order is over. */
export async function markUsed(
  transaction: Transaction,
  order: OrderedLaptop,
  labelId: string,
): Promise<void> {
  await store.updateLabel(transaction, labelId, { state: 'used' });
  await chargeLabels(transaction, order);
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
    charged_cents: rules.chargedCents(row.borne_by, costCents, premiumCents, row.quoted_premium_cents),
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
  LabelWay,
  OrderMove
>;

/** Applies what a carrier reports of a parcel to its locked label and order. Late and repeated reports change nothing. */
async function applyTracking(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  [row, shipment]: readonly [row: rules.LabelRow, shipment: Shipment],
): Promise<rules.LabelRow> {
  const { tracking } = shipment;
  const isNew = tracking !== row.tracking;
  let next = row;
  if (isNew) {
    const isFound = (tracking === 'delivered' || tracking === 'return_to_sender') && row.claim === 'open';
    const changes = {
      tracking,
      tracked_at: shipment.trackedAt ?? new Date(),
      ...(isFound && { claim: null }),
    };
    await store.updateLabel(transaction, row.id, changes);
    next = { ...next, ...changes };
  }
  if (!rules.isWithCarrier(tracking) || next.tracking_number === null) return next;
  let current = order;
  if (next.state === 'bought' || next.state === 'voiding') {
    const move = carrierMoves[next.way];
    const isExpected = stateAfter(current, move) !== null;
    if (isExpected) {
      await insertParcel(transaction, order.id, {
        way: next.way,
        carrier: next.carrier ?? '',
        trackingNumber: next.tracking_number,
      });
      // A laptop on its way back counts as returned, as `report_return` says.
      const returning = next.way === 'back' ? { isByParcel: true, isWithBuyer: false } : {};
      await moveOrder(transaction, enqueue, [current, move], returning);
      current = (await selectOrderForUpdate(transaction, order.id)) ?? current;
    }
    await markUsed(transaction, current, next.id);
    next = { ...next, state: 'used' };
  }
  // Of two parcels only the latest one decides.
  const latest = (await store.labelsOf(transaction, order.id)).findLast(
    (each) => each.way === 'out' && each.state === 'used',
  );
  const isOnItsWay = latest?.id === next.id && current.state === 'shipped';
  if (isOnItsWay && tracking === 'delivered') await moveOrder(transaction, enqueue, [current, 'deliver']);
  if (isNew && tracking === 'failure') await store.openClaim(transaction, next.id);
  const trouble = parcelTroubles.find((known) => known === tracking);
  if (isOnItsWay && isNew && trouble !== undefined) {
    for (const tell of ['buyer', 'seller'] as const) {
      await enqueue(transaction, parcelInTrouble, { orderId: order.id, trouble, tell });
    }
  }
  return next;
}

/** Applies what the carrier says about a label that is given back. */
async function applyVoid(
  transaction: Transaction,
  order: OrderedLaptop,
  [row, { refund }]: readonly [row: rules.LabelRow, shipment: Shipment],
): Promise<rules.LabelRow> {
  if (row.state !== 'voiding') return row;
  if (row.bought_at !== null && refund !== 'refunded' && refund !== 'rejected') return row;
  const state = row.bought_at !== null && refund === 'rejected' ? ('kept' as const) : ('voided' as const);
  await store.updateLabel(transaction, row.id, { state });
  if (state === 'kept') await chargeLabels(transaction, order);
  else if (row.bought_at !== null) await post(transaction, labelRefundedPosting(rules.toLedgerLabel(row)));
  return { ...row, state };
}

/** Applies the present state of a shipment to its label and order, whatever happened to them meanwhile. */
async function applyShipment(
  { database, enqueue }: LabelDependencies,
  { id, order_id }: rules.LabelRow,
  shipment: Shipment,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const order = await selectOrderForUpdate(transaction, order_id);
    const found = order && (await store.selectLabelForUpdate(transaction, id));
    if (!order || !found) return;
    const wasBought = found.bought_at !== null;
    let row = await recordPurchase(transaction, found, shipment);
    row = await applyTracking(transaction, enqueue, order, [row, shipment]);
    row = await applyVoid(transaction, order, [row, shipment]);
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
 * Does what a label waits for, and applies what its carrier reports. Can be repeated at any time.
 * @throws CarriersUnavailable
 */
export async function followLabel(dependencies: LabelDependencies, labelId: string): Promise<void> {
  const { database, carriers } = dependencies;
  const row = await store.findLabel(database, labelId);
  if (row === undefined || carriers === null) return;
  const { shipment_id: shipmentId, rate_id: rateId, insured_cents: insuredCents } = row;
  const ask = (): Promise<Shipment> | null => {
    switch (row.state) {
      case 'buying':
        return carriers.buy(shipmentId, { rateId: rateId ?? '', insuredCents });
      case 'voiding':
        return carriers.void(shipmentId);
      case 'bought':
      case 'used':
        return carriers.read(shipmentId);
      case 'voided':
        // A purchase that timed out can have succeeded afterwards.
        return row.bought_at === null ? carriers.read(shipmentId) : null;
      case 'quoted':
      case 'kept':
      case 'failed':
        return null;
    }
  };
  try {
    const shipment = await ask();
    if (shipment !== null) await applyShipment(dependencies, row, shipment);
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
  for (const id of await store.unneededLabels(database, CHECK_BATCH)) {
    await database.transaction().execute(async (transaction) => {
      const label = await store.selectLabelForUpdate(transaction, id);
      if (label !== undefined) await giveBack(transaction, enqueue, label);
    });
  }
  if (dependencies.carriers === null) return;
  const ids = await store.labelsToCheck(database, now, CHECK_BATCH);
  const follow = (id: string) => followLabel(dependencies, id);
  const failures = await processItems(database, 'labels', ids, follow, { now, ...(signal && { signal }) });
  throwAll(failures, 'the carrier could not be asked about some labels');
}

/** How many labels are fetched at a time. */
const FETCHED_AT_ONCE = 4;

/** The caller's labels as one PDF. @throws Refusal */
export async function printLabels(
  dependencies: LabelDependencies,
  { userId }: Pick<Caller, 'userId'>,
  { paper, label }: { paper: LabelPaper; label?: string | undefined },
): Promise<{ labels: number; pdf: string }> {
  const { database } = dependencies;
  const carriers = requireCarriers(dependencies);
  const rows = await store.printableLabels(database, userId, label ?? null, MAXIMUM_PRINTED);
  if (rows.length === 0) {
    throw new Refusal(
      'label_refused',
      label === undefined
        ? 'All labels were printed. A label can be printed again on its order.'
        : 'This label cannot be printed: it was not bought, was used, or was given back.',
    );
  }
  const files: Uint8Array[] = [];
  try {
    for (let at = 0; at < rows.length; at += FETCHED_AT_ONCE) {
      const some = rows.slice(at, at + FETCHED_AT_ONCE);
      files.push(...(await Promise.all(some.map(({ shipment_id }) => carriers.label(shipment_id)))));
    }
  } catch (error) {
    if (!(error instanceof CarriersUnavailable) && !(error instanceof CarriersRefusal)) throw error;
    throw new Refusal(
      'carrier_unavailable',
      'The carrier does not give out the labels at the moment. They stay bought, and none counts as printed; please try again in a few minutes.',
    );
  }
  const pdf = await joinLabels(files, paper);
  await store.markPrinted(
    database,
    rows.map(({ id }) => id),
    new Date(),
  );
  return { labels: rows.length, pdf: Buffer.from(pdf).toString('base64') };
}

/** Records what the insurance paid for a lost parcel. @throws Refusal */
export function settleClaim(
  { database }: LabelDependencies,
  { userId }: Caller,
  id: string,
  paid: number,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const found = await store.findLabel(transaction, id);
    const order = found && (await selectOrderForUpdate(transaction, found.order_id));
    const label = order && (await store.selectLabelForUpdate(transaction, id));
    if (!order || label?.claim !== 'open' || !(await store.isClaimable(transaction, id)))
      throw new Refusal('not_found', 'There is no such open claim.');
    const amountCents = centsFromAmount(paid);
    if (amountCents === null || amountCents > label.insured_cents) {
      const error = `An insurance pays from 0 to ${formatCents(label.insured_cents)}`;
      throw new Refusal('invalid_input', `${error}. Nothing was recorded.`, { errors: { paid: error } });
    }
    await store.updateLabel(
      transaction,
      id,
      amountCents === 0 ? { claim: 'refused' } : { claim: 'paid', claim_paid_cents: amountCents },
    );
    if (amountCents > 0) {
      const sellerId = order.seller_id;
      await post(transaction, insurancePaidPosting(id, { orderId: order.id, sellerId, amountCents }));
    }
    await recordAudit(transaction, {
      adminId: userId,
      act: 'Settled insurance claim',
      laptopId: order.laptop_id,
      subject: paymentSubject(order.laptop_name, order.transaction_id),
      note:
        amountCents === 0 ? 'The insurance pays nothing.' : `The insurance paid ${formatCents(amountCents)}.`,
    });
  });
}
