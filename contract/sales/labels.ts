import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { CountryCode, Id, Modified, MoneyAmount, telephone } from '#contract/platform/scalars.ts';
import { Address } from './addresses.ts';

/** What a carrier reports of a parcel. `failure`: it cannot be delivered, or is lost. `error`: the carrier does not know it. */
export const trackingStates = [
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
export type TrackingState = (typeof trackingStates)[number];

/**
 * The states of a label: its prices are known; the carrier is asked for it; it is to be printed; the carrier has the parcel; the
 * carrier is asked for the money back; that is back; the carrier keeps the money; the carrier did not sell it.
 */
export const labelStates = [
  'quoted',
  'buying',
  'bought',
  'used',
  'voiding',
  'voided',
  'kept',
  'failed',
] as const;

/** To the buyer, or back to the seller. */
export const parcelWays = ['out', 'back'] as const;
export type ParcelWay = (typeof parcelWays)[number];

/** A price for a label. */
export const LabelRate = z.object({
  _id: z.string(),
  /** Such as `UPS`. */
  carrier: z.string(),
  /** Such as `Ground`. */
  service: z.string(),
  /** With the insurance. */
  price: MoneyAmount,
  /** How many days the parcel takes; null when the carrier does not say. */
  days: z.nullable(z.int()),
});
export type LabelRate = z.infer<typeof LabelRate>;

/** A label of an order. */
export const Label = z.object({
  _id: Id,
  way: z.enum(parcelWays),
  /** Whether the caller bought it, and so can print it and give it back. */
  isOwn: z.boolean(),
  state: z.enum(labelStates),
  carrier: z.optional(z.string()),
  service: z.optional(z.string()),
  trackingNumber: z.optional(z.string()),
  /** What it cost with the insurance; for the seller and the admins. */
  price: z.optional(MoneyAmount),
  /** The amount to which the parcel is insured. */
  insured: MoneyAmount,
  borneBy: z.enum(['seller', 'shop']),
  tracking: z.enum(trackingStates),
  /** Since when, ISO 8601 in UTC; null before the first report. */
  trackedAt: z.nullable(z.string()),
  /** Why the carrier did not sell it; empty unless it failed. */
  problem: z.string(),
});
export type Label = z.infer<typeof Label>;

/** The address from which a label is sent, with the telephone that carriers ask for. */
export const Sender = z.extend(Address, { phone: telephone('Phone Number is required') });
export type Sender = z.infer<typeof Sender>;

const OfOrder = z.object({ _id: Id });

export const listOrderLabels = endpoint({
  method: 'GET',
  path: '/orders/:_id/labels',
  access: 'signed-in',
  summary: 'The labels of an order, and which one its caller can buy now',
  params: OfOrder,
  response: z.object({
    /** The way for which the caller can buy a label now; null for none, also without carriers. */
    offered: z.nullable(z.enum(parcelWays)),
    /**
     * Whether the calling seller can say to where the laptop returns, which is until the buyer has a label, or the calling buyer gets one
     * once that is said.
     */
    takesReturnAddress: z.boolean(),
    /** Who bears a label that is bought now. */
    borneBy: z.enum(['seller', 'shop']),
    /** From where the calling seller sent last. */
    sender: z.nullable(Sender),
    /** Oldest first. The buyer gets only those of returns. */
    labels: z.array(Label),
  }),
  refusals: ['not_found'],
});

const changes = ['orders', 'labels', 'myBuyers'];

export const quoteLabel = endpoint({
  method: 'POST',
  path: '/orders/:_id/rates',
  access: ['Buyer', 'Seller'],
  summary:
    'Asks carriers for the prices of a label: of the seller, to send the laptop; of the buyer, to return it. Only the lowest one is offered, unless the caller bears it',
  params: OfOrder,
  body: z.object({
    /** From where the seller sends. A return needs none: it leads from the buyer to the seller. */
    sender: z.optional(Sender),
  }),
  response: z.object({
    /** The label that can be bought at one of the prices, for a day. */
    _id: Id,
    /** The lowest first. */
    rates: z.array(LabelRate),
    insured: MoneyAmount,
    borneBy: z.enum(['seller', 'shop']),
  }),
  refusals: ['not_found', 'order_moved', 'invalid_input', 'label_refused', 'carrier_unavailable'],
  limit: 'handOver',
  changes,
});

export const setReturnAddress = endpoint({
  method: 'PUT',
  path: '/orders/:_id/returnAddress',
  access: ['Seller'],
  summary: 'Stores to where the laptop of the caller’s sale returns: the buyer can then get a label',
  params: OfOrder,
  body: z.object({ sender: Sender }),
  response: Modified,
  refusals: ['not_found', 'order_moved', 'invalid_input', 'label_refused'],
  limit: 'handOver',
  changes,
});

export const buyLabel = endpoint({
  method: 'PUT',
  path: '/labels/:_id',
  access: ['Buyer', 'Seller'],
  summary: 'Buys a label at one of its prices; `modifiedCount` is 0 when that was asked before',
  params: z.object({ _id: Id }),
  body: z.object({
    rate: z.string({ error: 'Choose a price' }),
    /** The price that was shown. */
    price: z.number({ error: 'The price is missing' }),
  }),
  response: Modified,
  refusals: ['not_found', 'order_moved', 'price_differs', 'label_refused'],
  limit: 'handOver',
  changes,
});

export const voidLabel = endpoint({
  method: 'DELETE',
  path: '/labels/:_id',
  access: ['Buyer', 'Seller'],
  summary: 'Gives an unused label back to its carrier, which returns its price',
  params: z.object({ _id: Id }),
  response: Modified,
  refusals: ['not_found', 'label_refused'],
  limit: 'handOver',
  changes,
});

/** The papers on which labels are printed: one label each, or two on a sheet. */
export const labelPapers = ['4x6', 'A4'] as const;
export type LabelPaper = (typeof labelPapers)[number];

/** The most labels in one document. */
export const MAXIMUM_PRINTED = 40;

export const printLabels = endpoint({
  method: 'POST',
  path: '/labels/print',
  access: ['Buyer', 'Seller'],
  summary: `The caller’s bought labels as one PDF: one of them, or those that were not printed yet, at most ${MAXIMUM_PRINTED}`,
  body: z.object({
    paper: z.enum(labelPapers, { error: 'Choose 4x6 or A4' }),
    /** One label, also if it was printed before. */
    label: z.optional(Id),
  }),
  response: z.object({
    labels: z.int(),
    /** The document in base64. */
    pdf: z.string(),
  }),
  refusals: ['not_found', 'label_refused', 'carrier_unavailable'],
  limit: 'handOver',
  changes,
});

/** Labels of one carrier whose parcels are handed over with one sheet: it is scanned instead of each of them. */
export const Manifest = z.object({
  carrier: z.string(),
  labels: z.array(Id),
  /** Whether the sheet exists. Until then more labels can come to it. */
  isMade: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;

export const readPrintableLabels = endpoint({
  method: 'GET',
  path: '/labels',
  access: ['Seller'],
  summary:
    'How many labels the calling seller has bought and not printed yet, and the sheets for carriers of which there can be one now',
  response: z.object({ unprinted: z.int(), manifests: z.array(Manifest) }),
});

export const printManifest = endpoint({
  method: 'POST',
  path: '/labels/manifest',
  access: ['Seller'],
  summary: `The sheet for the carrier with these labels of the caller as a PDF. It is made once: the same labels have the same sheet. At most ${MAXIMUM_PRINTED}`,
  body: z.object({
    labels: z.array(Id).check(z.minLength(1), z.maxLength(MAXIMUM_PRINTED)),
  }),
  response: z.object({
    /** The document in base64. */
    pdf: z.string(),
  }),
  refusals: ['label_refused', 'carrier_unavailable'],
  limit: 'handOver',
  changes,
});

export const readShippingEstimates = endpoint({
  method: 'GET',
  path: '/shippingEstimates',
  access: ['Seller', 'Admin'],
  rights: ['settings'],
  summary:
    'Whether the shop buys labels, and what one costs within a country by the size of the laptop; empty when that is not known before its purchase',
  query: z.object({ country: CountryCode }),
  response: z.object({
    /** Whether sellers can buy labels in this shop. */
    hasLabels: z.boolean(),
    /** From the smallest laptops to the largest, without insurance. */
    sizes: z.array(
      z.object({
        /** The largest screen of the size, in inches. */
        upTo: z.number(),
        price: MoneyAmount,
      }),
    ),
    /** What the insurance of 100 costs, without the least price. */
    insurance: MoneyAmount,
    /** What an insurance costs at least. */
    leastInsurance: MoneyAmount,
    borneBy: z.enum(['seller', 'shop']),
  }),
});

/** An insured parcel that is lost or damaged, or was found after the insurance had paid for it. */
export const InsuranceClaim = z.object({
  /** The label’s. */
  _id: Id,
  /** What is claimed. `damage`: the buyer got money back, because the laptop arrived damaged. */
  type: z.enum(['loss', 'damage']),
  orderId: Id,
  productName: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  carrier: z.string(),
  trackingNumber: z.string(),
  insured: MoneyAmount,
  /** What the insurance can still pay: together with what it paid for other parcels of the laptop, at most the price. */
  claimable: MoneyAmount,
  /** What the insurance paid for the parcel before it was found; 0 for a lost one. */
  paid: MoneyAmount,
  tracking: z.enum(trackingStates),
});
export type InsuranceClaim = z.infer<typeof InsuranceClaim>;

export const listClaims = endpoint({
  method: 'GET',
  path: '/claims',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Insured parcels that are lost or damaged and not paid for yet, or were paid for and found since: the oldest 100',
  response: z.array(InsuranceClaim),
});

export const recordClaimPayment = endpoint({
  method: 'PUT',
  path: '/claims/:_id',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Records what the insurance pays for a lost or damaged parcel, which is the seller’s, or leaves of that after the parcel was found. Refused with changed_elsewhere when something else was shown',
  needsRecentAuthentication: true,
  params: z.object({ _id: Id }),
  body: z.object({
    /** `paid` of the claim as it was shown, which says what is asked. */
    paidBefore: MoneyAmount,
    /** The whole amount in the currency of the shop; 0 when the insurance refused, or took everything back. */
    paid: z.number({ error: 'Enter an amount, or 0' }),
  }),
  response: Modified,
  refusals: ['not_found', 'changed_elsewhere', 'invalid_input'],
  changes: ['parcels', 'orders', 'shopMoney'],
});
