import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { amountFromCents, currency, roundUp } from '#contract/platform/money.ts';
import type { Address } from '#contract/sales/addresses.ts';
import {
  type CarrierAddress,
  type Carriers,
  CarriersRefusal,
  CarriersUnavailable,
  centsOfFee,
  type ParcelSize,
  type Shipment,
} from '#server/sales/shipping/carriers.ts';
import * as shapes from './easypost-shapes.ts';

/** How long EasyPost may take, in milliseconds. Rates come from several carriers. */
const TIMEOUT_MS = 20_000;

/** The largest label or manifest that is read, in bytes. */
const MAXIMUM_DOCUMENT_BYTES = 5 * 1024 * 1024;

const GRAMS_PER_OUNCE = 28.349523125;
const CM_PER_INCH = 2.54;

/** EasyPost takes ounces and inches with one decimal (https://docs.easypost.com/docs/parcels). Rounded up, as carriers do. */
const upToTenth = (value: number) => Math.ceil(value * 10) / 10;

const toParcel = ({ grams, lengthCm, widthCm, heightCm }: ParcelSize) => ({
  length: upToTenth(lengthCm / CM_PER_INCH),
  width: upToTenth(widthCm / CM_PER_INCH),
  height: upToTenth(heightCm / CM_PER_INCH),
  weight: upToTenth(grams / GRAMS_PER_OUNCE),
});

const toAddress = ({ name, line1, line2, city, region, postalCode, country, phone }: CarrierAddress) => ({
  name,
  street1: line1,
  ...(line2 !== undefined && { street2: line2 }),
  city,
  ...(region !== undefined && { state: region }),
  ...(postalCode !== undefined && { zip: postalCode }),
  country,
  phone,
});

/** The shop's names of EasyPost's fields of an address. */
const fieldNames: Readonly<Record<string, keyof Address>> = {
  name: 'name',
  street1: 'line1',
  street2: 'line2',
  city: 'city',
  state: 'region',
  zip: 'postalCode',
  country: 'country',
};

/** Errors after which the address may be right: EasyPost cannot verify addresses of every country. */
const unverifiable = ['E.COUNTRY.UNSUPPORTED', 'E.ENGINE.UNAVAILABLE', 'E.QUERY.UNANSWERABLE'];

/** Errors after which a label may have been bought (https://docs.easypost.com/docs/errors). */
const uncertainPurchase = [
  'SHIPMENT.POSTAGE.EXISTS',
  'SHIPMENT.PURCHASE.IN_PROGRESS',
  'SHIPMENT.POSTAGE.TIMED_OUT',
  'SHIPMENT.POSTAGE.NO_RESPONSE',
];

const centsOf = (amount: string): number => {
  const cents = centsOfFee(amount);
  if (cents === null) throw new CarriersUnavailable(`EasyPost sent the amount ${amount}.`);
  return cents;
};

const refundStates: Readonly<Record<string, Shipment['refund']>> = {
  submitted: 'submitted',
  refunded: 'refunded',
  rejected: 'rejected',
  // Of carriers that bill when they scan a parcel (https://docs.easypost.com/docs/shipments/shipping-refund).
  not_applicable: 'unbilled',
};

const feeOf = (fees: shapes.Shipment['fees'], types: readonly string[]) =>
  fees.filter(({ type }) => types.includes(type)).reduce((sum, { amount }) => sum + centsOf(amount), 0);

/** What a tracker says. A parcel that turned back is not delivered to its recipient when it arrives. */
function trackingOf(tracker: shapes.Shipment['tracker']): Shipment['tracking'] {
  const isBack = tracker?.tracking_details?.some(({ status }) => status === 'return_to_sender') ?? false;
  return isBack && tracker?.status === 'delivered' ? 'return_to_sender' : (tracker?.status ?? 'unknown');
}

const isShopCurrency = (rate: { currency: string }) => rate.currency.toUpperCase() === currency.code;

/** The name of a service for people: `GroundAdvantage` and `FEDEX_2_DAY` are Ground Advantage and 2 Day. */
function serviceName({ carrier, service }: { carrier: string; service: string }): string {
  const words = service.includes('_')
    ? service.toLowerCase().split('_')
    : service.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').split(' ');
  const own = words.length > 1 && words[0]?.toLowerCase() === carrier.toLowerCase() ? words.slice(1) : words;
  return own.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
}

const trackingNumberOf = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();

function toShipment(found: shapes.Shipment): Shipment {
  const { tracking_code, selected_rate, tracker, fees } = found;
  const times = (tracker?.tracking_details ?? []).flatMap(({ datetime }) => {
    const time = Date.parse(datetime ?? '');
    return Number.isNaN(time) ? [] : [time];
  });
  const rates = found.rates.filter(isShopCurrency).map((rate) => ({
    rateId: rate.id,
    carrier: rate.carrier,
    service: serviceName(rate),
    amountCents: centsOf(rate.rate),
    days: rate.delivery_days ?? rate.est_delivery_days ?? null,
  }));
  const isBought = found.postage_label != null && tracking_code != null && selected_rate != null;
  return {
    shipmentId: found.id,
    rates: rates.toSorted((a, b) => a.amountCents - b.amountCents),
    label: isBought
      ? {
          trackingNumber: trackingNumberOf(tracking_code),
          carrier: selected_rate.carrier,
          service: serviceName(selected_rate),
          costCents: feeOf(fees, ['PostageFee', 'LabelFee']) || centsOf(selected_rate.rate),
          premiumCents: feeOf(fees, ['InsuranceFee']),
        }
      : null,
    refund: refundStates[found.refund_status ?? ''] ?? 'none',
    tracking: trackingOf(tracker),
    trackedAt: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

/** An answer that is no success. */
class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly { field: string | null; message: string }[];
  constructor(status: number, body: unknown) {
    const { error } = z.safeParse(shapes.ErrorBody, body).data ?? {
      error: { code: `HTTP ${status}`, message: '', errors: [] },
    };
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.fields = error.errors.map((each) =>
      typeof each === 'string'
        ? { field: null, message: each }
        : { field: each.field ?? null, message: each.message },
    );
  }
}

/** The key is wrong, the account cannot pay, or there are too many calls: the operator's, not the seller's. */
const isTemporary = (status: number) => [401, 402, 403, 408, 409, 425, 429].includes(status) || status >= 500;

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What EasyPost says about a request that cannot be fulfilled. */
const refusalOf = (error: ApiError) =>
  new CarriersRefusal(sentence(error.fields[0]?.message ?? error.message));

/**
 * Creates the access to EasyPost (https://docs.easypost.com).
 * @param options.apiUrl of the API without its version; null for EasyPost's own
 */
export function createEasyPost({
  apiKey,
  webhookSecret,
  apiUrl,
}: {
  apiKey: string;
  webhookSecret: string;
  apiUrl: string | null;
}): Carriers {
  const base = new URL('/v2/', apiUrl ?? 'https://api.easypost.com');
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;

  async function request(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(new URL(path, base), {
        method,
        headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      answer = await response.json();
    } catch (error) {
      throw new CarriersUnavailable('EasyPost does not answer.', { cause: error });
    }
    if (response.ok) return answer;
    const error = new ApiError(response.status, answer);
    // The message could contain an address; the log gets the code only.
    if (isTemporary(response.status)) throw new CarriersUnavailable(`EasyPost answered ${error.code}.`);
    throw error;
  }

  async function call<Schema extends z.ZodMiniType>(
    schema: Schema,
    ...[method, path, body]: Parameters<typeof request>
  ): Promise<z.output<Schema>> {
    const parsed = z.safeParse(schema, await request(method, path, body));
    if (parsed.success) return parsed.data;
    throw new CarriersUnavailable(
      `EasyPost’s answer to ${method} ${path.replace(/\/.*/, '')} is not as documented.`,
    );
  }

  const path = (shipmentId: string, rest = '') => `shipments/${encodeURIComponent(shipmentId)}${rest}`;

  const orUnavailable = (error: unknown): never => {
    if (error instanceof ApiError) throw new CarriersUnavailable(`EasyPost answered ${error.code}.`);
    throw error;
  };

  const readRaw = (shipmentId: string) => call(shapes.Shipment, 'GET', path(shipmentId)).catch(orUnavailable);
  const read = async (shipmentId: string) => toShipment(await readRaw(shipmentId));

  /** The ScanForm of a shipment as it is now; null for none. */
  async function readScanForm(shipmentId: string): Promise<z.infer<typeof shapes.ScanForm> | null> {
    const { scan_form: known } = await readRaw(shipmentId);
    if (known == null) return null;
    return call(shapes.ScanForm, 'GET', `scan_forms/${encodeURIComponent(known.id)}`).catch(orUnavailable);
  }

  /** Fetches a document from the URL that EasyPost has given. */
  async function download(url: string): Promise<Uint8Array> {
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok && bytes.length <= MAXIMUM_DOCUMENT_BYTES) return bytes;
    } catch (error) {
      throw new CarriersUnavailable('EasyPost does not give out the document.', { cause: error });
    }
    throw new CarriersUnavailable('EasyPost does not give out the document.');
  }

  /** Stores an address at EasyPost, which verifies it. @returns its id @throws CarriersRefusal */
  async function verifyAddress(side: 'from' | 'to', address: CarrierAddress): Promise<string> {
    const refuse = (message: string, field: string | null | undefined) =>
      new CarriersRefusal(sentence(message), { side, field: fieldNames[field ?? ''] ?? 'line1' });
    const { id, verifications } = await call(shapes.VerifiedAddress, 'POST', 'addresses', {
      address: toAddress(address),
      verify: true,
    }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      const [first] = error.fields;
      throw refuse(first?.message ?? error.message, first?.field);
    });
    const { delivery } = verifications;
    const [wrong] = delivery?.success === false ? delivery.errors : [];
    if (wrong === undefined || unverifiable.includes(wrong.code)) return id;
    throw refuse(wrong.message, wrong.field);
  }

  return {
    async quote({ from, to, size, isReturn, reference }) {
      const [fromId, toId] = await Promise.all([verifyAddress('from', from), verifyAddress('to', to)]);
      const shipment = await call(shapes.Shipment, 'POST', 'shipments', {
        shipment: {
          // EasyPost switches the addresses of returns (https://docs.easypost.com/docs/shipments/returns).
          from_address: { id: isReturn ? toId : fromId },
          to_address: { id: isReturn ? fromId : toId },
          parcel: toParcel(size),
          is_return: isReturn,
          reference,
          // Laptops have a lithium battery inside (https://docs.easypost.com/docs/shipments/options).
          options: { label_format: 'PDF', label_size: '4x6', currency: currency.code, hazmat: 'LITHIUM' },
        },
      }).catch((error: unknown) => {
        throw error instanceof ApiError ? refusalOf(error) : error;
      });
      return toShipment(shipment);
    },

    async buy(shipmentId, { rateId, insuredCents }) {
      const before = await readRaw(shipmentId);
      if (before.postage_label != null) return toShipment(before);
      try {
        return toShipment(
          await call(shapes.Shipment, 'POST', path(shipmentId, '/buy'), {
            rate: { id: rateId },
            ...(insuredCents > 0 && { insurance: amountFromCents(insuredCents).toFixed(2) }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!uncertainPurchase.includes(error.code)) throw refusalOf(error);
        const found = await read(shipmentId);
        if (found.label !== null) return found;
        throw new CarriersUnavailable(`EasyPost answered ${error.code}.`);
      }
    },

    read,

    async void(shipmentId) {
      const found = await read(shipmentId);
      if (found.label === null || found.refund !== 'none') return found;
      try {
        return toShipment(await call(shapes.Shipment, 'POST', path(shipmentId, '/refund'), {}));
      } catch (error) {
        // Such as a parcel that the carrier has seen: the price is not given back.
        if (error instanceof ApiError && error.status === 422) return { ...found, refund: 'rejected' };
        return orUnavailable(error);
      }
    },

    async label(shipmentId) {
      let { postage_label: label } = await readRaw(shipmentId);
      if (label == null) throw new CarriersRefusal('The carrier has no label of this parcel.');
      const isPdf = label.label_file_type === 'application/pdf';
      if (!isPdf && label.label_pdf_url == null) {
        const converted = await call(
          shapes.Shipment,
          'GET',
          path(shipmentId, '/label?file_format=PDF'),
        ).catch(orUnavailable);
        label = converted.postage_label ?? label;
      }
      return download(label.label_pdf_url ?? label.label_url);
    },

    // EasyPost tells USPS of the other labels each night (https://support.easypost.com/hc/en-us/articles/360041673351-USPS-Manifesting).
    manifestCarriers: ['USPS'],

    async manifest(labels) {
      const [first] = labels;
      if (first === undefined) throw new CarriersRefusal('There are no parcels.');
      let form = await readScanForm(first.shipmentId);
      if (form === null || form.status === 'failed') {
        try {
          form = await call(shapes.ScanForm, 'POST', 'scan_forms', {
            scan_form: { shipments: labels.map(({ shipmentId: id }) => ({ id })) },
          });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          // Another call may have made it meanwhile.
          form = await readScanForm(first.shipmentId);
          if (form === null) throw refusalOf(error);
        }
      }
      if (form.status === 'failed') throw new CarriersRefusal(sentence(form.message ?? 'It was not made'));
      if (form.form_url == null) throw new CarriersUnavailable('EasyPost is making the manifest.');
      const listed = form.tracking_codes.map(trackingNumberOf);
      if (labels.some(({ trackingNumber }) => !listed.includes(trackingNumber))) {
        throw new CarriersRefusal('A part of these parcels is on another sheet.');
      }
      return download(form.form_url);
    },

    // 1 % of the value, and at least 1.00 (https://docs.easypost.com/docs/shipments/shipping-insurance).
    premium: (insuredCents) =>
      insuredCents === 0 ? 0 : roundUp(Math.max(100, Math.ceil(insuredCents / 100))),

    readEvent(body, signature) {
      // https://docs.easypost.com/guides/webhooks-guide; the official clients normalize the secret.
      const digest = createHmac('sha256', webhookSecret.normalize('NFKD')).update(body).digest('hex');
      const [expected, given] = [Buffer.from(`hmac-sha256-hex=${digest}`), Buffer.from(signature)];
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return 'unsigned';
      try {
        const event = z.parse(shapes.Event, JSON.parse(Buffer.from(body).toString('utf8')));
        return { id: event.id, type: event.description, shipmentId: event.result.shipment_id ?? null };
      } catch {
        return 'malformed';
      }
    },

    async verify() {
      await request('GET', 'shipments?page_size=1').catch(orUnavailable);
    },
  };
}
