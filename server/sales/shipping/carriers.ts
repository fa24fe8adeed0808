// The interface of an aggregator that sells labels of carriers. `providers/easypost.ts` implements it with EasyPost.
// All amounts are in cents of the shop's currency.

import { hundredthsFromText, roundUp } from '#contract/platform/money.ts';
import type { Address } from '#contract/sales/addresses.ts';
import type { TrackingState } from '#contract/sales/labels.ts';

export interface CarrierAddress extends Address {
  phone: string;
}

/** The outside of a parcel. */
export interface ParcelSize {
  grams: number;
  lengthCm: number;
  widthCm: number;
  heightCm: number;
}

/** A parcel to be sent. */
export interface NewShipment {
  from: CarrierAddress;
  to: CarrierAddress;
  size: ParcelSize;
  /** Whether it returns to its first sender. */
  isReturn: boolean;
  /** The shop's name of it, without personal data. */
  reference: string;
}

export interface CarrierRate {
  rateId: string;
  carrier: string;
  service: string;
  amountCents: number;
  /** Null when the carrier does not say. */
  days: number | null;
}

/** A label that was bought. */
export interface BoughtLabel {
  trackingNumber: string;
  carrier: string;
  service: string;
  costCents: number;
  /** Of the insurance. */
  premiumCents: number;
}

/** A label on a manifest. */
interface ManifestLabel {
  shipmentId: string;
  trackingNumber: string;
}

/** A parcel at the aggregator, as it is now. */
export interface Shipment {
  shipmentId: string;
  rates: readonly CarrierRate[];
  /** Null while none was bought. */
  label: BoughtLabel | null;
  /** Whether the price of a label was asked back. `unbilled`: the carrier bills it when it scans the parcel, and has not done so. */
  refund: 'none' | 'submitted' | 'refunded' | 'rejected' | 'unbilled';
  tracking: TrackingState;
  /** When the carrier saw it last; null before. */
  trackedAt: Date | null;
}

/** An event with a valid signature. The shop reads the shipment's present state and uses no other data of the event. */
export interface CarrierEvent {
  id: string;
  type: string;
  /** Null for events about other objects. */
  shipmentId: string | null;
}

/** The aggregator does not answer, or not as documented. The call can be retried. */
export class CarriersUnavailable extends Error {
  override readonly name = 'CarriersUnavailable';
}

/** The aggregator rejects the call for good. */
export class CarriersRefusal extends Error {
  override readonly name = 'CarriersRefusal';
  /** Which address is wrong; null when none is. */
  readonly address: { side: 'from' | 'to'; field: keyof Address } | null;
  /** @param message in words for people, without an address */
  constructor(message: string, address: CarriersRefusal['address'] = null) {
    super(message);
    this.address = address;
  }
}

/** Reads an amount of an aggregator. Fees have up to five decimals; a fraction of the currency's smallest amount counts as one. @returns null if it is none */
export function centsOfFee(text: string): number | null {
  const [, whole = '', cents = '', rest = ''] = /^(\d+)(?:\.(\d{1,2})(\d*))?$/.exec(text) ?? [];
  const known = hundredthsFromText(cents === '' ? whole : `${whole}.${cents}`);
  return known === null ? null : roundUp(known + (/[1-9]/.test(rest) ? 1 : 0));
}

export interface Carriers {
  /** Asks for the prices of a label. Nothing is bought. @throws CarriersRefusal, CarriersUnavailable */
  quote(shipment: NewShipment): Promise<Shipment>;
  /**
   * Buys the label of a shipment, once however often it is called, and insures the parcel.
   * @throws CarriersRefusal when nothing was bought, CarriersUnavailable when that is not known
   */
  buy(shipmentId: string, choice: { rateId: string; insuredCents: number }): Promise<Shipment>;
  /** @throws CarriersUnavailable */
  read(shipmentId: string): Promise<Shipment>;
  /** Asks for the price of an unused label back, if that was not done. @throws CarriersUnavailable */
  void(shipmentId: string): Promise<Shipment>;
  /** The label of a shipment as a PDF of 4 × 6 inches. @throws CarriersRefusal, CarriersUnavailable */
  label(shipmentId: string): Promise<Uint8Array>;
  /** The carriers of which `manifest` can be asked, as rates name them. */
  readonly manifestCarriers: readonly string[];
  /**
   * The manifest of labels of one carrier as a PDF: a sheet whose code the carrier scans instead of each parcel. It is made once,
   * however often it is called.
   * @param labels of one sender and day, not scanned yet
   * @throws CarriersRefusal when there is no sheet with all of them, CarriersUnavailable when that is not known
   */
  manifest(labels: readonly ManifestLabel[]): Promise<Uint8Array>;
  /** What the insurance of a parcel costs, in cents. */
  premium(insuredCents: number): number;
  /** Reads an event and checks its signature. @param body the unparsed bytes */
  readEvent(body: Uint8Array, signature: string): CarrierEvent | 'unsigned' | 'malformed';
  /** Whether the aggregator answers and knows the key. @throws CarriersUnavailable */
  verify(): Promise<void>;
}
