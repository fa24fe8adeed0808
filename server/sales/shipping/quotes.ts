import { isDeepStrictEqual } from 'node:util';
import { amountFromCents } from '#contract/platform/money.ts';
import type { Address } from '#contract/sales/addresses.ts';
import type { LabelRate, ParcelWay, Sender } from '#contract/sales/labels.ts';
import { findLaptop } from '#server/listings/catalogue/steps.ts';
import { readPhone } from '#server/people/phone-numbers.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { requireAddress } from '../addresses/refusals.ts';
import { addressOf } from '../addresses/rules.ts';
import { findSender, setSender } from '../addresses/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import { lockOwnOrder, roleInOrder } from '../orders/actions.ts';
import { orderNotFound, orderStateChanged } from '../orders/refusals.ts';
import { type OrderedLaptop, takesReturnAddress } from '../orders/rules.ts';
import {
  findOrder,
  isReturnUnaddressed,
  labelCentsOf,
  restartReturn,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import {
  type CarrierAddress,
  type Carriers,
  CarriersRefusal,
  CarriersUnavailable,
  type Shipment,
} from './carriers.ts';
import * as rules from './label-rules.ts';
import * as store from './label-store.ts';
import { type LabelDependencies, requireBackedSeller, requireCarriers } from './labels.ts';
import { parcelInTrouble } from './notifications.ts';
import { labelTooDear } from './refusals.ts';

/** The order of a label that its caller can buy. @throws Refusal */
async function requireBuyer(
  database: Database | Transaction,
  caller: Caller,
  orderId: string,
): Promise<{ order: OrderedLaptop; way: ParcelWay }> {
  const order = await findOrder(database, orderId);
  const role = order && roleInOrder(order, caller, ['complaints']);
  if (!order || (role !== 'buyer' && role !== 'seller')) throw orderNotFound();
  const way = rules.wayToBuyLabel(order, role);
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

/** The telephone number of a sender, as it is stored. @throws Refusal when it is none of the sender's country */
function requireSenderPhone({ phone, country }: Sender): string {
  const read = readPhone(phone, country);
  if ('stored' in read) return read.stored;
  throw new Refusal('invalid_input', `${read.refusal}. Nothing was bought.`, {
    errors: { 'sender.phone': read.refusal },
  });
}

/** From where a seller sends, or to where a laptop returns, as it is stored. @param shipsFrom the laptop's country @throws Refusal */
function requireSender(sender: Sender, shipsFrom: string | null | undefined): Sender {
  // A parcel stays in its country, because of the battery.
  requireAddress(sender, shipsFrom ?? '', 'sender.');
  requirePrintable(sender, true);
  return { ...sender, phone: requireSenderPhone(sender) };
}

/** Stores to where the laptop of the caller's sale returns, and tells its buyer. @throws Refusal */
export async function setReturnAddress(
  { database, enqueue }: Pick<LabelDependencies, 'database' | 'enqueue'>,
  caller: Caller,
  orderId: string,
  given: Sender,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const order = await lockOwnOrder(transaction, caller, orderId, 'seller');
    if (!takesReturnAddress(order)) throw orderStateChanged(order);
    const labels = await store.labelsOf(transaction, orderId);
    if (rules.hasReturnLabel(labels)) {
      throw new Refusal(
        'label_refused',
        'The buyer has a label to your former address already. Nothing was changed; please ask the buyer in Messages to give it back first.',
      );
    }
    await store.deleteQuotes(transaction, orderId);
    const laptop = await findLaptop(transaction, order.laptop_id);
    const sender = requireSender(given, laptop?.ships_from);
    // The buyer could not return it before.
    if (await isReturnUnaddressed(transaction, order)) await restartReturn(transaction, order, new Date());
    await setSender(transaction, order, sender);
    await enqueue(transaction, parcelInTrouble, { orderId, trouble: 'return_address' });
  });
}

/** The two addresses of a label, from the buyer's and the seller's. @throws Refusal when one is missing */
async function addressesOf(
  database: Database | Transaction,
  order: OrderedLaptop,
  way: ParcelWay,
): Promise<{ from: CarrierAddress; to: CarrierAddress }> {
  const address = addressOf(order);
  const sender = await findSender(database, order.id);
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
      way === 'out'
        ? 'The shop does not know from which address you send this laptop. Nothing was bought; please enter your address on the order, and ask for the prices again.'
        : 'The shop does not know to which address the laptop returns. Nothing was bought; please ask the seller in Messages to enter it on the order.',
    );
  }
  const buyer = { ...address, phone: booking.phone };
  return way === 'out' ? { from: sender, to: buyer } : { from: buyer, to: sender };
}

/** Asks for prices. @throws Refusal that says which field of an address is wrong */
async function askCarriers(
  carriers: Carriers,
  order: OrderedLaptop,
  { from, to, way }: { from: CarrierAddress; to: CarrierAddress; way: ParcelWay },
  size: ReturnType<typeof rules.parcelSizeOf>,
): Promise<Shipment> {
  try {
    // The order's id names no person, and tells the operator at the carrier which one it is.
    return await carriers.quote({ from, to, size, isReturn: way === 'back', reference: order.id });
  } catch (error) {
    if (error instanceof CarriersUnavailable) {
      throw new Refusal(
        'carrier_unavailable',
        'Carriers cannot be reached at the moment. Nothing was bought or changed; please try again in a few minutes, or send it with a label of your own.',
      );
    }
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
  await requireBackedSeller(database, dependencies, order, way);
  const laptop = await findLaptop(database, order.laptop_id);
  if (laptop === undefined) throw orderNotFound();
  if (way === 'out' && sender !== undefined) {
    const stored = requireSender(sender, laptop.ships_from);
    await database.transaction().execute((transaction) => setSender(transaction, order, stored));
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
  const borneBy = shop().shippingBorneBy;
  const insuredCents = order.price_cents;
  const premiumCents = carriers.premium(insuredCents);
  const bearing = { way, borne_by: borneBy };
  const offered = rules.offeredRates(bearing, shipment.rates);
  const [lowest] = offered;
  if (lowest === undefined) {
    throw new Refusal(
      'label_refused',
      'No carrier offers to take this parcel. Nothing was bought; please send it with a label of your own.',
    );
  }
  const mostCents = rules.maximumLabelCents(order, bearing, await labelCentsOf(database, orderId));
  const rates = offered.filter(({ amountCents }) => amountCents + premiumCents <= mostCents);
  if (rates.length === 0) throw labelTooDear(bearing, lowest.amountCents + premiumCents, mostCents);
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
