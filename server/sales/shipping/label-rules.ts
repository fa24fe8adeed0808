import * as z from 'zod/mini';
import { readFacts } from '#contract/listings/facts.ts';
import type { OrderState } from '#contract/money/order-states.ts';
import { DAY_MS, MINUTE_MS } from '#contract/platform/durations.ts';
import { amountFromCents, formatCents } from '#contract/platform/money.ts';
import type { Address } from '#contract/sales/addresses.ts';
import type { Label, LabelRate, ParcelWay, TrackingState } from '#contract/sales/labels.ts';
import type { LedgerLabel } from '#server/money/ledger/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { type OrderedLaptop, proceedsCents, takesReturnAddress } from '../orders/rules.ts';
import type { CarrierRate, ParcelSize, Shipment } from './carriers.ts';
import type { ParcelTrouble } from './notification-texts.ts';

export type LabelRow = Row<'labels'>;

const largestSize = { upTo: 21, size: { grams: 5_000, lengthCm: 52, widthCm: 38, heightCm: 14 } };

/**
 * The outside of a packed laptop, by the largest screen of its class in inches. With the charger and a padded box; too little would
 * be billed later.
 */
export const parcelSizes: readonly { upTo: number; size: ParcelSize }[] = [
  { upTo: 14.5, size: { grams: 2_700, lengthCm: 40, widthCm: 30, heightCm: 10 } },
  { upTo: 16.5, size: { grams: 3_600, lengthCm: 45, widthCm: 34, heightCm: 12 } },
  largestSize,
];

/** The parcel of a laptop by its screen. Without a known one it is of the middle class. */
export function parcelSizeOf(description: Parameters<typeof readFacts>[0]): ParcelSize {
  const screen = readFacts(description).screen ?? 16;
  return (parcelSizes.find(({ upTo }) => screen <= upTo) ?? largestSize).size;
}

/** How long a quoted price holds, in milliseconds. Carriers change theirs from day to day. */
export const QUOTE_MS = DAY_MS;

/** The most prices that are offered. */
const OFFERED_RATES = 4;

/** Of what kind a label is, and who bears it. */
export type BorneLabel = Pick<LabelRow, 'way' | 'borne_by'>;

/** Whether the person who chooses a price bears it. */
const isBorneByChooser = ({ way, borne_by }: BorneLabel): boolean => way === 'out' && borne_by === 'seller';

/** The prices that are offered, the lowest first. Only the lowest, unless the person who chooses bears it. */
export const offeredRates = (label: BorneLabel, rates: readonly CarrierRate[]): CarrierRate[] =>
  rates.slice(0, isBorneByChooser(label) ? OFFERED_RATES : 1);

/**
 * What a label may cost with its insurance, in cents: what the sale leaves its seller, who pays for the parcel to the buyer; else what
 * is left of the price, because a dearer parcel is not worth sending.
 * @param labelCents what the seller bears of earlier labels; null without any
 */
export const maximumLabelCents = (
  order: OrderedLaptop,
  label: BorneLabel,
  labelCents: number | null,
): number =>
  isBorneByChooser(label) ? proceedsCents(order, labelCents) : order.price_cents - order.refunded_cents;

/** The most labels that the shop buys within 30 days for a seller whom it does not know. */
const MAXIMUM_OF_UNKNOWN = 3;

/** What stands behind the seller of a label, which the shop pays for before it has the seller's money. */
export interface LabelSeller {
  isEmailConfirmed: boolean;
  /** Whether an admin has checked who it is, or the shop has paid the seller before. */
  isKnown: boolean;
  /** Whether the account at the card processor can be paid. */
  hasAccount: boolean;
  /** In cents. */
  owedCents: number;
  /** The labels to buyers of other orders whose parcels have not arrived. */
  open: number;
  /** The labels to buyers in the last 30 days, without those whose price is back. */
  recent: number;
}

/**
 * Why the shop buys no label at a seller's risk; null for no reason. Otherwise a person with two accounts, who sells to the other one
 * and gives the price back, would send parcels at the shop's cost. Of a return only the seller's account matters: the buyer is not to
 * blame for the rest.
 * @param isPaidByHand whether sellers have no accounts at the card processor
 */
export function purchaseRefusal(way: ParcelWay, seller: LabelSeller, isPaidByHand: boolean): string | null {
  const isBacked = seller.isKnown || seller.hasAccount;
  if (way === 'back') {
    return isBacked
      ? null
      : 'The shop does not know the seller well enough to buy a return label. Nothing was bought; please agree in Messages on who pays, send the laptop with a label of your own, and enter its tracking number.';
  }
  const refused = (reason: string, advice: string) =>
    `${reason}. Nothing was bought; ${advice}, or send the laptop with a label of your own.`;
  if (!seller.isEmailConfirmed) {
    return refused(
      'The shop buys labels for sellers with a confirmed email address',
      'please confirm yours with the link in the email that you got when you registered',
    );
  }
  if (seller.owedCents > 0) {
    return refused(
      `You owe the shop ${formatCents(seller.owedCents)}`,
      'please repay it as your Money page says',
    );
  }
  if (!isBacked) {
    return refused(
      'The shop pays for a label, and has to know you first',
      isPaidByHand
        ? 'please ask the shop to verify you'
        : 'please open your account for payouts on your Money page, or complete it',
    );
  }
  if (seller.isKnown) return null;
  if (seller.open > 0) {
    return refused(
      'Another parcel of yours with a label of the shop has not arrived, and until you were paid for a sale the shop buys one label at a time',
      'please wait until it has arrived',
    );
  }
  return seller.recent < MAXIMUM_OF_UNKNOWN
    ? null
    : refused(
        `Until you were paid for a sale, the shop buys ${MAXIMUM_OF_UNKNOWN} labels in 30 days`,
        'please wait',
      );
}

/** How long after its carrier's last report a parcel can have come back without another one, in milliseconds. */
const SILENT_MS = 7 * DAY_MS;

/** Whether a parcel under way can be with its seller again. @param sentAt when the seller sent it, or its carrier had it */
export const canBeWithSellerAgain = (
  { tracking, tracked_at }: Pick<LabelRow, 'tracking' | 'tracked_at'>,
  sentAt: Date | null,
  now: Date,
): boolean => {
  const since = tracked_at ?? sentAt;
  return (
    tracking === 'return_to_sender' ||
    tracking === 'failure' ||
    (since !== null && now.getTime() - since.getTime() >= SILENT_MS)
  );
};

const foreignLetters = /(?!\p{Script=Latin})\p{L}/u;

/**
 * What carriers cannot print of an address, by its fields; empty when nothing. Their labels have Latin letters only, which EasyPost
 * does not document.
 */
export function unprintableFields(address: Address): (keyof Address)[] {
  const fields = ['name', 'line1', 'line2', 'city', 'region'] as const;
  return fields.filter((field) => foreignLetters.test(address[field] ?? ''));
}

/** Whether the carrier has a parcel, or had it. */
export const hasCarrierScanned = (tracking: TrackingState): boolean =>
  [
    'in_transit',
    'out_for_delivery',
    'available_for_pickup',
    'delivered',
    'return_to_sender',
    'failure',
  ].includes(tracking);

/** Whether a parcel to the buyer was delivered at the address of its order. At a former one it has not arrived. */
export const isDelivered = (label: Pick<LabelRow, 'tracking' | 'former_address'> | undefined): boolean =>
  label?.tracking === 'delivered' && label.former_address === null;

/** Whether a parcel was delivered at a former address of its buyer. Only people can say who has it. */
export const isDeliveredElsewhere = (
  label: Pick<LabelRow, 'tracking' | 'former_address'> | undefined,
): boolean => label?.tracking === 'delivered' && label.former_address !== null;

/** The way for which somebody can buy a label of an order in its state; null for none. */
export function wayToBuyLabel(
  order: Pick<OrderedLaptop, 'state' | 'delivery'>,
  role: 'buyer' | 'seller' | 'admin',
): ParcelWay | null {
  if (role === 'seller' && order.state === 'to_ship') return 'out';
  // Who met can meet again.
  return role === 'buyer' && takesReturnAddress(order) ? 'back' : null;
}

/** Whether the buyer has a label to the seller's address, which then stays. */
export const hasReturnLabel = (labels: readonly Pick<LabelRow, 'way' | 'state'>[]): boolean =>
  labels.some(({ way, state }) => way === 'back' && (state === 'buying' || state === 'bought'));

/** The states of an order whose parcel is under way. */
const statesUnderWay = { out: 'shipped', back: 'return_reported' } as const satisfies Record<
  ParcelWay,
  OrderState
>;

export const isUnderWay = ({ state }: Pick<OrderedLaptop, 'state'>, way: ParcelWay): boolean =>
  state === statesUnderWay[way];

/** What people are told about a parcel under way; null for nothing. */
export function troubleOf(way: ParcelWay, tracking: TrackingState): ParcelTrouble | null {
  switch (tracking) {
    case 'return_to_sender':
      // Of a return the order moves, and people are told that.
      return way === 'out' ? 'return_to_sender' : null;
    case 'failure':
      return way === 'out' ? 'failure' : 'return_failure';
    case 'available_for_pickup':
      return way === 'out' ? 'available_for_pickup' : null;
    default:
      return null;
  }
}

/** What people are told about a parcel that was delivered, or turned back, when the money had gone the other way; else null. */
export function lateArrivalOf(
  { stands, state }: Pick<OrderedLaptop, 'stands' | 'state'>,
  { way, tracking }: Pick<LabelRow, 'way' | 'tracking'>,
): ParcelTrouble | null {
  if (tracking === 'return_to_sender') return way === 'out' || stands ? null : 'turned_back_late';
  if (tracking !== 'delivered') return null;
  if (way === 'out') return stands ? null : 'arrived_late';
  return state === 'released' || state === 'completed' ? 'returned_late' : null;
}

/** The response for a price. @param premiumCents of the insurance */
export const toRate = (rate: CarrierRate, premiumCents: number): LabelRate => ({
  _id: rate.rateId,
  carrier: rate.carrier,
  service: rate.service,
  price: amountFromCents(rate.amountCents + premiumCents),
  days: rate.days,
});

const StoredRates = z.array(
  z.object({
    rateId: z.string(),
    carrier: z.string(),
    service: z.string(),
    amountCents: z.int(),
    days: z.nullable(z.int()),
  }),
);

/** The price of a label that somebody has chosen. */
export const chosenRate = (row: Pick<LabelRow, 'rates'>, rateId: string | null): CarrierRate | undefined =>
  z.parse(StoredRates, row.rates).find((rate) => rate.rateId === rateId);

/** What a label costs with its insurance at a price that was quoted, in cents; undefined for another price. */
export function quotedCents(
  row: Pick<LabelRow, 'rates' | 'quoted_premium_cents'>,
  rateId: string | null,
): number | undefined {
  const rate = chosenRate(row, rateId);
  return rate && rate.amountCents + row.quoted_premium_cents;
}

/** Whether a label that somebody asked for can still be bought. @param labelCents as of {@link maximumLabelCents} */
export function canStillBeBought(order: OrderedLaptop, row: LabelRow, labelCents: number | null): boolean {
  const costCents = quotedCents(row, row.rate_id) ?? 0;
  return (
    wayToBuyLabel(order, row.way === 'out' ? 'seller' : 'buyer') === row.way &&
    costCents <= maximumLabelCents(order, row, labelCents)
  );
}

/** What a label costs its bearer: of the carrier's price and of the insurance at most what was quoted. */
const agreedCents = (
  row: Pick<LabelRow, 'rates' | 'rate_id' | 'quoted_premium_cents'>,
  costCents: number,
  premiumCents: number,
): number =>
  Math.min(costCents, chosenRate(row, row.rate_id)?.amountCents ?? costCents) +
  Math.min(premiumCents, row.quoted_premium_cents);

/** A bought label for the ledger. @throws Error when it was not bought */
export function toLedgerLabel(row: LabelRow): LedgerLabel {
  const { id, order_id: orderId, cost_cents, premium_cents, charged_cents } = row;
  if (cost_cents === null || premium_cents === null || charged_cents === null) {
    throw new Error(`the label ${id} was not bought`);
  }
  return { id, orderId, costCents: cost_cents, premiumCents: premium_cents, chargedCents: charged_cents };
}

/** What the seller bears. */
export const chargedCents = (row: LabelRow, costCents: number, premiumCents: number): number =>
  row.borne_by === 'seller' ? agreedCents(row, costCents, premiumCents) : 0;

/**
 * The response for a label.
 * @param reader.isOwn whether the reader can print it and give it back
 * @param reader.isPriceShown whether the reader learns what it cost
 */
export function toLabel(row: LabelRow, reader: { isOwn: boolean; isPriceShown: boolean }): Label {
  const { cost_cents, premium_cents } = row;
  return {
    _id: row.id,
    way: row.way,
    isOwn: reader.isOwn,
    state: row.state,
    ...(row.carrier !== null && { carrier: row.carrier }),
    ...(row.service !== null && { service: row.service }),
    ...(row.tracking_number !== null && { trackingNumber: row.tracking_number }),
    ...(reader.isPriceShown &&
      cost_cents !== null &&
      premium_cents !== null && {
        price: amountFromCents(agreedCents(row, cost_cents, premium_cents)),
      }),
    insured: amountFromCents(row.insured_cents),
    borneBy: row.borne_by,
    tracking: row.tracking,
    trackedAt: row.tracked_at?.toISOString() ?? null,
    problem: row.problem,
  };
}

/** What a carrier reports last. If something follows nevertheless, its event comes. */
const finalStates: readonly TrackingState[] = [
  'delivered',
  'return_to_sender',
  'failure',
  'cancelled',
  'error',
];

/** How long a parcel waits at a pickup point at most, in milliseconds. Carriers return it earlier; their report can be missing. */
const FETCHABLE_MS = 30 * DAY_MS;

/** Whether a parcel with a label of the shop waits at a pickup point at a time: it is neither late nor lost. */
export const isFetchable = (
  label: Pick<LabelRow, 'tracking' | 'tracked_at'> | undefined,
  at: Date,
): boolean =>
  label?.tracking === 'available_for_pickup' &&
  label.tracked_at !== null &&
  at.getTime() - label.tracked_at.getTime() < FETCHABLE_MS;

/**
 * How long after its purchase a label can be used for which the carrier bills only when it scans the parcel, in milliseconds. Until
 * then it is not certain that it costs nothing.
 */
const USABLE_MS = 30 * DAY_MS;

/** The state of a label that is given back, after what its carrier says about its price. */
export function stateAfterRefund(
  { bought_at }: Pick<LabelRow, 'bought_at'>,
  refund: Shipment['refund'],
  now: Date,
): 'voiding' | 'voided' | 'kept' {
  if (bought_at === null || refund === 'refunded') return 'voided';
  if (refund === 'rejected') return 'kept';
  return refund === 'unbilled' && now.getTime() - bought_at.getTime() > USABLE_MS ? 'voided' : 'voiding';
}

/** How long the shop asks about a bought label, in milliseconds. Later events are still applied. */
const FOLLOWED_MS = 60 * DAY_MS;

/** How long after its quote the shop looks for the purchase of a label that was given back before it was bought, in milliseconds. */
const LATE_PURCHASE_MS = QUOTE_MS + DAY_MS;

/** When the shop asks about a label again, for the case that no event comes; null when nothing more can happen. */
export function nextCheck(
  row: Pick<LabelRow, 'state' | 'tracking' | 'quoted_at' | 'bought_at'>,
  now: Date,
): Date | null {
  const after = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  const isWithin = (since: Date | null, milliseconds: number) =>
    since !== null && now.getTime() - since.getTime() < milliseconds;
  switch (row.state) {
    case 'buying':
      return after(1);
    case 'bought':
      return after(4 * 60);
    case 'kept':
      return isWithin(row.bought_at, FOLLOWED_MS) ? after(4 * 60) : null;
    case 'used':
      return !finalStates.includes(row.tracking) && isWithin(row.bought_at, FOLLOWED_MS)
        ? after(4 * 60)
        : null;
    case 'voiding':
      return after(12 * 60);
    case 'voided':
      return row.bought_at === null && isWithin(row.quoted_at, LATE_PURCHASE_MS) ? after(60) : null;
    case 'quoted':
    case 'failed':
      return null;
  }
}
