import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { isCurrencyCode, scaledCents } from '#contract/platform/currencies.ts';
import { makePrivateFolder, PRIVATE_FILE } from '../private-files.ts';

const text = z.string();
const maybeText = z.nullish(text);

export const Address = z.object({
  name: maybeText,
  company: maybeText,
  street1: text,
  street2: maybeText,
  city: maybeText,
  state: maybeText,
  zip: maybeText,
  country: z.string().check(z.regex(/^[A-Z]{2}$/)),
  phone: maybeText,
});
export type Address = z.infer<typeof Address>;

/** At most one decimal. */
const measure = z.number().check(
  z.gt(0),
  z.refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e5), {
    error: 'must have at most one decimal place',
  }),
);

export const Parcel = z.object({ length: measure, width: measure, height: measure, weight: measure });

const Rate = z.object({
  id: text,
  object: z.literal('Rate'),
  carrier: text,
  service: text,
  rate: text,
  currency: text,
  delivery_days: z.nullable(z.int()),
  shipment_id: text,
});
export type Rate = z.infer<typeof Rate>;

export const statuses = [
  'unknown',
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'return_to_sender',
  'failure',
  'cancelled',
  'error',
] as const;
export type Status = (typeof statuses)[number];

const Tracker = z.object({
  id: text,
  object: z.literal('Tracker'),
  tracking_code: text,
  status: z.enum(statuses),
  shipment_id: text,
  carrier: text,
  tracking_details: z.array(z.object({ object: z.literal('TrackingDetail'), status: text, datetime: text })),
});
export type Tracker = z.infer<typeof Tracker>;

const ScanForm = z.object({
  id: text,
  object: z.literal('ScanForm'),
  created_at: text,
  tracking_codes: z.array(text),
  address: Address,
  status: z.enum(['creating', 'created', 'failed']),
  form_url: z.nullable(text),
});
export type ScanForm = z.infer<typeof ScanForm>;

export const Shipment = z.object({
  id: text,
  object: z.literal('Shipment'),
  mode: z.literal('test'),
  created_at: text,
  is_return: z.boolean(),
  reference: maybeText,
  from_address: Address,
  to_address: Address,
  parcel: Parcel,
  rates: z.array(Rate),
  messages: z.array(z.object({ carrier: text, type: text, message: text })),
  selected_rate: z.nullable(Rate),
  tracking_code: z.nullable(text),
  postage_label: z.nullable(
    z.object({
      id: text,
      object: z.literal('PostageLabel'),
      label_size: text,
      label_file_type: text,
      label_url: text,
      label_pdf_url: z.nullable(text),
      label_date: text,
    }),
  ),
  refund_status: z.nullable(z.enum(['submitted', 'refunded', 'rejected', 'not_applicable'])),
  tracker: z.nullable(Tracker),
  fees: z.array(
    z.object({
      object: z.literal('Fee'),
      type: text,
      amount: text,
      charged: z.boolean(),
      refunded: z.boolean(),
    }),
  ),
  scan_form: z._default(z.nullable(ScanForm), null),
});
export type Shipment = z.infer<typeof Shipment>;

const Stored = z.object({
  addresses: z.record(z.string(), Address),
  shipments: z.array(Shipment),
});

/** An id as EasyPost makes them. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(16).toString('hex')}`;

/** The shipments and addresses, kept in a file. */
export async function openShipments(folder: string) {
  await mkdir(folder, { recursive: true });
  await makePrivateFolder(folder);
  const path = join(folder, 'shipments.json');
  const stored = await readFile(path, 'utf8').then(
    (read) => z.parse(Stored, JSON.parse(read)),
    () => ({ addresses: {}, shipments: [] }),
  );
  const addresses = new Map(Object.entries(stored.addresses));
  const shipments = new Map(stored.shipments.map((shipment) => [shipment.id, shipment]));
  let writing: Promise<void> = Promise.resolve();

  return {
    addresses,
    shipments,
    /** Writes all of it; later calls wait for earlier ones. */
    save(): Promise<void> {
      writing = writing.then(async () => {
        const content = { addresses: Object.fromEntries(addresses), shipments: [...shipments.values()] };
        await writeFile(`${path}.new`, JSON.stringify(content), { mode: PRIVATE_FILE });
        await rename(`${path}.new`, path);
      });
      return writing;
    },
  };
}

const services = [
  { carrier: 'USPS', service: 'GroundAdvantage', base: 540, perPound: 72, days: 4 },
  { carrier: 'UPS', service: 'Ground', base: 690, perPound: 51, days: 3 },
  { carrier: 'USPS', service: 'Priority', base: 910, perPound: 118, days: 2 },
  { carrier: 'FedEx', service: 'FEDEX_2_DAY', base: 1_480, perPound: 190, days: 2 },
  { carrier: 'UPS', service: 'NextDayAir', base: 3_950, perPound: 310, days: 1 },
] as const;

/** US cents as an amount of the same size in another currency, in hundredths. */
const amountOf = (cents: number, currency: string) =>
  isCurrencyCode(currency) ? scaledCents(cents, currency) : cents;

/** The rates of a parcel within a country. */
export function ratesOf(shipmentId: string, { weight }: z.infer<typeof Parcel>, currency: string): Rate[] {
  const pounds = Math.ceil(weight / 16);
  return services.map(({ carrier, service, base, perPound, days }) => ({
    id: newId('rate'),
    object: 'Rate',
    carrier,
    service,
    rate: (amountOf(base + perPound * pounds, currency) / 100).toFixed(2),
    currency,
    delivery_days: days,
    shipment_id: shipmentId,
  }));
}

const randomDigits = (length: number) => [...randomBytes(length)].map((byte) => String(byte % 10)).join('');

/** A tracking number in the form of its carrier. */
export function trackingCode(carrier: string): string {
  if (carrier === 'UPS') return `1Z999AA1${randomDigits(10)}`;
  return carrier === 'USPS' ? `94001${randomDigits(17)}` : `7${randomDigits(11)}`;
}

/** What is wrong with an address, as EasyPost reports it; null when it was found. */
export function addressError({ street1, state, zip, country }: Address) {
  const error = (field: string, message: string, code = 'E.ADDRESS.NOT_FOUND') => ({
    code,
    field,
    message,
    suggestion: null,
  });
  if (/unknown street/i.test(street1)) return error('address', 'Address not found');
  if (!/\d/.test(street1)) return error('street1', 'House number is missing', 'E.HOUSE_NUMBER.MISSING');
  if (country !== 'US') return null;
  if (!/^[A-Z]{2}$/.test(state ?? '')) return error('state', 'Invalid state', 'E.STATE.INVALID');
  return /^\d{5}(-\d{4})?$/.test(zip ?? '') && !/^0{5}/.test(zip ?? '')
    ? null
    : error('zip', 'Invalid ZIP code', 'E.ZIP.INVALID');
}

/** Why labels cannot be on one ScanForm; null when they can. @param first one of them */
export function scanFormRefusal(shipments: readonly Shipment[], first: Shipment, now: Date): string | null {
  for (const shipment of shipments) {
    const { id, postage_label, refund_status, scan_form, selected_rate, from_address } = shipment;
    if (postage_label === null) return `${id} has no label.`;
    if (refund_status !== null && refund_status !== 'rejected') return `${id} is refunded.`;
    if (scan_form !== null) return `${id} is on another ScanForm.`;
    if (isScanned(shipment)) return `${id} was scanned.`;
    if (selected_rate?.carrier !== first.selected_rate?.carrier) return 'The carrier accounts differ.';
    if (selected_rate?.carrier !== 'USPS') return 'The carrier has no ScanForms.';
    if (!isDeepStrictEqual(from_address, first.from_address)) return 'The origin addresses differ.';
    if (postage_label.label_date.slice(0, 10) < now.toISOString().slice(0, 10)) {
      return `The label_date of ${id} has passed.`;
    }
  }
  return null;
}

/** Whether the carrier has seen a parcel. */
export const isScanned = ({ tracker }: Shipment): boolean =>
  !['unknown', 'pre_transit', 'cancelled'].includes(tracker?.status ?? '');
