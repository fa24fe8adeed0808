import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, line, Modified, Paging, text } from '#contract/platform/scalars.ts';
import { Address } from './addresses.ts';
import { ChosenDelivery } from './bookings.ts';
import { photoUrls } from './photo-urls.ts';

/** Carriers whose tracking pages are known, by the name that a seller types. */
const trackingPages: Readonly<Record<string, string>> = {
  usps: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  ups: 'https://www.ups.com/track?tracknum=',
  fedex: 'https://www.fedex.com/fedextrack/?trknbr=',
  dhl: 'https://www.dhl.com/en/express/tracking.html?AWB=',
};

/** The names of carriers that forms offer. Any other can be typed. */
export const knownCarriers = ['USPS', 'UPS', 'FedEx', 'DHL'] as const;

/** The page of a carrier that tracks a parcel; null for a carrier whose page is not known. */
export function trackingPage({ carrier, trackingNumber }: TrackedParcel): string | null {
  const page = trackingPages[carrier.trim().toLowerCase()];
  return page === undefined ? null : page + encodeURIComponent(trackingNumber);
}

/** A carrier and its number of a parcel. Separators in the number do not count. */
export const TrackedParcel = z.object({
  carrier: line(40, 'Name the carrier'),
  trackingNumber: z.pipe(
    z.pipe(
      line(60, 'Enter the tracking number'),
      z.transform((typed: string) => typed.replace(/[\s-]/g, '').toUpperCase()),
    ),
    z.string().check(
      z.regex(/^[A-Z0-9]{6,40}$/, {
        error: 'A tracking number has 6 to 40 letters and digits; it is on the carrier’s receipt',
      }),
    ),
  ),
});
export type TrackedParcel = z.infer<typeof TrackedParcel>;

const OfBooking = z.object({ _id: Id });
const OfOrder = z.object({ _id: Id });

export const chooseBookingDelivery = endpoint({
  method: 'PUT',
  path: '/bookings/:_id/delivery',
  access: ['Buyer'],
  summary: 'Chooses for the caller’s unpaid booking where to meet, or to which address the laptop is sent',
  params: OfBooking,
  body: ChosenDelivery,
  response: Modified,
  refusals: ['not_found', 'invalid_input', 'already_paid', 'already_sold', 'booking_cancelled'],
  limit: 'booking',
  changes: ['myBuyers'],
});

export const changeAddress = endpoint({
  method: 'PUT',
  path: '/orders/:_id/address',
  access: ['Buyer'],
  summary: 'Corrects the address of the caller’s order while the laptop is not sent yet',
  params: OfOrder,
  body: Address,
  response: Modified,
  refusals: ['not_found', 'invalid_input', 'order_moved'],
  limit: 'handOver',
  changes: ['bookings', 'myBuyers', 'receipts'],
});

/** The number of photos of how the laptop of an order is packed, also when it is sent twice. */
export const MAXIMUM_PACKING_PHOTOS = 12;

export const addPackingPhotos = endpoint({
  method: 'POST',
  path: '/orders/:_id/packing',
  access: ['Seller'],
  summary:
    'Adds photos of how the laptop of an order is packed, until a carrier has it. They cannot be changed; `modifiedCount` is 0 when all were there before',
  params: OfOrder,
  body: z.object({
    photos: photoUrls(
      MAXIMUM_PACKING_PHOTOS,
      `An order can have up to ${MAXIMUM_PACKING_PHOTOS} of these photos`,
    ).check(z.minLength(1, { error: 'Choose a photo' })),
  }),
  response: Modified,
  refusals: ['not_found', 'invalid_input', 'order_moved'],
  limit: 'complaining',
});

const changes = ['bookings', 'myBuyers', 'complaints', 'parcels'];

export const shipParcel = endpoint({
  method: 'POST',
  path: '/orders/:_id/parcels',
  access: ['Seller'],
  summary:
    'Says that the laptop of an order was handed to a carrier; `modifiedCount` is 0 when the same was said before',
  params: OfOrder,
  body: TrackedParcel,
  response: Modified,
  refusals: ['not_found', 'invalid_input', 'order_moved'],
  limit: 'handOver',
  changes,
});

export const receiveParcel = endpoint({
  method: 'PUT',
  path: '/orders/:_id/arrival',
  access: ['Buyer'],
  summary: 'Says that the parcel has arrived; `modifiedCount` is 0 when that was known before',
  params: OfOrder,
  response: Modified,
  refusals: ['not_found', 'order_moved'],
  limit: 'handOver',
  changes,
});

/** What a seller reports of a parcel that is under way. */
export const parcelReports = ['prove_delivery', 'take_back', 'send_again'] as const;

export const reportParcel = endpoint({
  method: 'PUT',
  path: '/orders/:_id/parcel',
  access: ['Seller'],
  summary:
    'Reports that a parcel was delivered, with the proof, or that it came back: then the price goes back, or it is sent again',
  params: OfOrder,
  body: z.object({
    move: z.enum(parcelReports, { error: 'Choose what happened to the parcel' }),
    text: text(1000, 'Say what the carrier reports, in a sentence'),
  }),
  response: Modified,
  refusals: ['not_found', 'order_moved', 'refund_refused'],
  limit: 'complaining',
  changes: [...changes, 'waitingRefunds'],
});

export const decideDelivered = endpoint({
  method: 'PUT',
  path: '/orders/:_id/delivery',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Decides by a proof that a parcel was delivered',
  params: OfOrder,
  body: z.object({ text: text(1000, 'Tell both why, in a sentence') }),
  response: Modified,
  refusals: ['not_found', 'order_moved'],
  limit: 'complaining',
  changes,
});

/** An order whose parcel is late. */
export const LateParcel = z.object({
  /** The order’s. */
  _id: Id,
  productName: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  /** `to_ship`: not sent yet. `shipped`: under way. `arrived_late`: delivered, or turned back, when the money had gone the other way. */
  state: z.enum(['to_ship', 'shipped', 'arrived_late']),
  /** ISO 8601 in UTC. */
  since: z.string(),
  /** When the price goes back by itself, ISO 8601 in UTC; null of one that arrived late. */
  dueAt: z.nullable(z.string()),
});
export type LateParcel = z.infer<typeof LateParcel>;

/** How many days before its deadline a parcel counts as late; people are reminded then. */
export const LATE_DAYS = 3;

export const listLateParcels = endpoint({
  method: 'GET',
  path: '/parcels',
  access: ['Admin'],
  rights: ['complaints'],
  summary: `Orders whose parcel is not sent or has not arrived ${LATE_DAYS} days before the price goes back, or arrived too late, newest first`,
  query: Paging,
  response: z.array(LateParcel),
});
