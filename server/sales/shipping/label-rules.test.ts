import { expect, test } from 'vitest';
import type { OrderState } from '#contract/money/order-states.ts';
import { DAY_MS, MINUTE_MS } from '#contract/platform/durations.ts';
import { type TrackingState, trackingStates } from '#contract/sales/labels.ts';
import { heldOrder } from '#tests/harness/sales/held-order.ts';
import type { OrderedLaptop } from '../orders/rules.ts';
import {
  canBeWithSellerAgain,
  canStillBeBought,
  chargedCents,
  chosenRate,
  hasCarrierScanned,
  hasReturnLabel,
  isFetchable,
  isUnderWay,
  type LabelRow,
  type LabelSeller,
  lateArrivalOf,
  maximumLabelCents,
  nextCheck,
  offeredRates,
  parcelSizeOf,
  parcelSizes,
  purchaseRefusal,
  QUOTE_MS,
  quotedCents,
  stateAfterRefund,
  toLabel,
  toLedgerLabel,
  toRate,
  troubleOf,
  unprintableFields,
  wayToBuyLabel,
} from './label-rules.ts';

const now = new Date('2026-11-20T12:00:00Z');
const daysAgo = (days: number, milliseconds = 0) => new Date(now.getTime() - days * DAY_MS - milliseconds);

const rates = ['Ground', '2nd Day', 'Express', 'Early', 'By hand'].map((service, index) => ({
  ...{ rateId: `rate_${index}`, carrier: 'UPS', service, amountCents: 1_000 + index * 500, days: null },
}));
const [ground] = rates;

const bought: LabelRow = {
  ...{ id: 'label', number: '1', order_id: 'order', shipment_id: 'shp_1', way: 'out', borne_by: 'seller' },
  ...{ state: 'bought', rates, rate_id: 'rate_0', cost_cents: 1_000, premium_cents: 300 },
  ...{ quoted_premium_cents: 300, charged_cents: 1_300, insured_cents: 54_999 },
  ...{ carrier: 'UPS', service: 'Ground', tracking_number: '1Z999', tracking: 'unknown', tracked_at: null },
  ...{ quoted_at: now, bought_at: now, printed_at: null, next_check_at: null, problem: '' },
  ...{ claim: null, claim_paid_cents: null, claim_type: null, former_address: null, manifest: null },
};

test('a parcel is as large as the class of its screen, and of the middle class when that is not known', () => {
  const middle = { grams: 3_600, lengthCm: 45, widthCm: 34, heightCm: 12 };
  expect(parcelSizeOf({ Display: '14.5 inch' })).toEqual({
    ...{ grams: 2_700, lengthCm: 40, widthCm: 30, heightCm: 10 },
  });
  expect(parcelSizeOf({ Display: '15.6 inch' })).toEqual(middle);
  expect(parcelSizeOf({ Display: '17.3 inch' })).toEqual({
    ...{ grams: 5_000, lengthCm: 52, widthCm: 38, heightCm: 14 },
  });
  expect(parcelSizeOf({})).toEqual(middle);
  expect(parcelSizes.map(({ upTo }) => upTo)).toEqual([14.5, 16.5, 21]);
});

test('a seller who bears the label chooses among four prices; everybody else gets the lowest', () => {
  expect(offeredRates({ way: 'out', borne_by: 'seller' }, rates)).toEqual(rates.slice(0, 4));
  expect(offeredRates({ way: 'out', borne_by: 'shop' }, rates)).toEqual([ground]);
  expect(offeredRates({ way: 'back', borne_by: 'seller' }, rates)).toEqual([ground]);
});

test('a label costs at most what the sale leaves the seller who bears it, else what is left of the price', () => {
  const sale = { ...heldOrder, price_cents: 10_000, commission_cents: 500, refunded_cents: 2_000 };
  expect(maximumLabelCents(sale, { way: 'out', borne_by: 'seller' }, null)).toBe(7_600);
  expect(maximumLabelCents(sale, { way: 'out', borne_by: 'seller' }, 900)).toBe(6_700);
  expect(maximumLabelCents(sale, { way: 'out', borne_by: 'shop' }, 900)).toBe(8_000);
  expect(maximumLabelCents(sale, { way: 'back', borne_by: 'seller' }, 900)).toBe(8_000);
});

const known: LabelSeller = {
  ...{ isEmailConfirmed: true, isKnown: true, hasAccount: false, owedCents: 0, open: 9, recent: 9 },
};
const unknown: LabelSeller = { ...known, isKnown: false, hasAccount: true, open: 0, recent: 0 };

test('the shop buys a label for a seller whom it knows, and one at a time, three in a month, for one whom it can pay', () => {
  expect(purchaseRefusal('out', known, false)).toBeNull();
  expect(purchaseRefusal('out', unknown, false)).toBeNull();
  expect(purchaseRefusal('out', { ...unknown, recent: 2 }, false)).toBeNull();
  expect(purchaseRefusal('out', { ...unknown, recent: 3 }, false)).toBe(
    'Until you were paid for a sale, the shop buys 3 labels in 30 days. Nothing was bought; please wait, or send the laptop with a label of your own.',
  );
  expect(purchaseRefusal('out', { ...unknown, open: 1 }, false)).toBe(
    'Another parcel of yours with a label of the shop has not arrived, and until you were paid for a sale the shop buys one label at a time. Nothing was bought; please wait until it has arrived, or send the laptop with a label of your own.',
  );
});

test('what is missing is said in an order in which it can be mended', () => {
  const stranger = { ...unknown, hasAccount: false, open: 1 };
  expect(purchaseRefusal('out', { ...stranger, isEmailConfirmed: false, owedCents: 1 }, false)).toBe(
    'The shop buys labels for sellers with a confirmed email address. Nothing was bought; please confirm yours with the link in the email that you got when you registered, or send the laptop with a label of your own.',
  );
  expect(purchaseRefusal('out', { ...stranger, owedCents: 1_250 }, false)).toBe(
    'You owe the shop $12.50. Nothing was bought; please repay it as your Money page says, or send the laptop with a label of your own.',
  );
  expect(purchaseRefusal('out', stranger, false)).toBe(
    'The shop pays for a label, and has to know you first. Nothing was bought; please open your account for payouts on your Money page, or complete it, or send the laptop with a label of your own.',
  );
  expect(purchaseRefusal('out', stranger, true)).toContain('; please ask the shop to verify you, or send');
});

test('a return label depends on nothing but whether the seller is known or can be paid', () => {
  const indebted = { ...known, isEmailConfirmed: false, owedCents: 1 };
  expect(purchaseRefusal('back', indebted, true)).toBeNull();
  expect(purchaseRefusal('back', { ...indebted, isKnown: false, hasAccount: true }, true)).toBeNull();
  expect(purchaseRefusal('back', { ...unknown, hasAccount: false }, true)).toMatch(
    /^The shop does not know the seller well enough to buy a return label\. Nothing was bought;/,
  );
});

test('a parcel can be back when its carrier says so, or after a silent week', () => {
  const isBack = (tracking: TrackingState, tracked_at: Date | null, sentAt: Date | null = null) =>
    canBeWithSellerAgain({ tracking, tracked_at }, sentAt, now);
  expect(isBack('return_to_sender', now)).toBe(true);
  expect(isBack('failure', now)).toBe(true);
  expect(isBack('in_transit', daysAgo(7))).toBe(true);
  expect(isBack('in_transit', daysAgo(7, -1))).toBe(false);
  // The last report counts, not when it was sent.
  expect(isBack('in_transit', now, daysAgo(30))).toBe(false);
  expect(isBack('unknown', null, daysAgo(7))).toBe(true);
  expect(isBack('unknown', null, daysAgo(6))).toBe(false);
  expect(isBack('unknown', null)).toBe(false);
});

test('carriers print Latin letters, digits and signs', () => {
  const address = {
    ...{
      name: 'Bea Buyer',
      line1: 'Straße 1',
      line2: 'c/o Ø',
      city: 'Köln',
      region: undefined,
      postalCode: '50667',
    },
    country: 'DE',
  };
  expect(unprintableFields(address)).toEqual([]);
  expect(unprintableFields({ ...address, name: 'Беа', city: '東京 3' })).toEqual(['name', 'city']);
  expect(unprintableFields({ ...address, line1: 'ул. 1', line2: '東', region: '東' })).toEqual([
    ...['line1', 'line2', 'region'],
  ]);
});

test('a carrier has a parcel from its first scan on, and does not get it back', () => {
  expect(trackingStates.filter(hasCarrierScanned)).toEqual([
    ...['in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender', 'failure'],
  ]);
});

test('the seller gets a label before sending, and the buyer to return what was sent', () => {
  const way = (state: OrderState, role: 'buyer' | 'seller' | 'admin', delivery: 'meet' | 'ship' = 'ship') =>
    wayToBuyLabel({ state, delivery }, role);
  expect(way('to_ship', 'seller')).toBe('out');
  expect(way('to_ship', 'buyer')).toBeNull();
  expect(way('shipped', 'seller')).toBeNull();
  expect(way('awaiting_return', 'buyer')).toBe('back');
  expect(way('awaiting_return', 'seller')).toBeNull();
  expect(way('awaiting_return', 'buyer', 'meet')).toBeNull();
  expect(way('delivered', 'buyer')).toBeNull();
});

test('the address of a return stays once a label to it is bought or being bought', () => {
  const label = (way: 'out' | 'back', state: LabelRow['state']) => ({ way, state });
  expect(hasReturnLabel([label('back', 'buying')])).toBe(true);
  expect(hasReturnLabel([label('back', 'voided'), label('back', 'bought')])).toBe(true);
  expect(hasReturnLabel([label('back', 'voided')])).toBe(false);
  expect(hasReturnLabel([label('out', 'bought'), label('out', 'buying')])).toBe(false);
  expect(hasReturnLabel([])).toBe(false);
});

test('a parcel is under way after it was sent, and after its return was reported', () => {
  expect(isUnderWay({ state: 'shipped' }, 'out')).toBe(true);
  expect(isUnderWay({ state: 'return_reported' }, 'back')).toBe(true);
  expect(isUnderWay({ state: 'shipped' }, 'back')).toBe(false);
  expect(isUnderWay({ state: 'delivered' }, 'out')).toBe(false);
});

test('a label that waited for the carrier is bought only for an order that still needs it and can pay for it', () => {
  const toShip: OrderedLaptop = {
    ...heldOrder,
    ...{ state: 'to_ship', delivery: 'ship', price_cents: 10_000, commission_cents: 500, refunded_cents: 0 },
  };
  const out: LabelRow = { ...bought, state: 'buying' };
  const back: LabelRow = { ...out, way: 'back' };
  expect(canStillBeBought(toShip, out, null)).toBe(true);
  // With its insurance it costs $13.00, and other labels leave that, or a cent less.
  expect(canStillBeBought(toShip, out, 8_200)).toBe(true);
  expect(canStillBeBought(toShip, out, 8_201)).toBe(false);
  expect(canStillBeBought({ ...toShip, state: 'refunded' }, out, null)).toBe(false);
  expect(canStillBeBought(toShip, back, null)).toBe(false);
  const returning: OrderedLaptop = { ...toShip, state: 'awaiting_return' };
  expect(canStillBeBought(returning, back, null)).toBe(true);
  expect(canStillBeBought({ ...returning, refunded_cents: 8_701 }, back, null)).toBe(false);
  expect(canStillBeBought(returning, out, null)).toBe(false);
});

test('people are told about a parcel that turns back, fails or waits for them, if the order does not say it', () => {
  const told = (way: 'out' | 'back') =>
    trackingStates.map((tracking) => troubleOf(way, tracking)).filter((trouble) => trouble !== null);
  expect(told('out')).toEqual(['available_for_pickup', 'return_to_sender', 'failure']);
  expect(told('back')).toEqual(['return_failure']);
  expect(troubleOf('back', 'failure')).toBe('return_failure');
});

test('people are told about a parcel that arrives where the money is not', () => {
  const arrival = (stands: boolean, way: 'out' | 'back', tracking: TrackingState, state: OrderState) =>
    lateArrivalOf({ stands, state }, { way, tracking });
  expect(arrival(false, 'out', 'delivered', 'refunded')).toBe('arrived_late');
  expect(arrival(true, 'out', 'delivered', 'shipped')).toBeNull();
  expect(arrival(true, 'back', 'delivered', 'released')).toBe('returned_late');
  expect(arrival(true, 'back', 'delivered', 'completed')).toBe('returned_late');
  expect(arrival(true, 'back', 'delivered', 'return_reported')).toBeNull();
  expect(arrival(false, 'back', 'return_to_sender', 'refunded')).toBe('turned_back_late');
  // A return after which the price went back is where it belongs, and one that turned back after the sale.
  expect(arrival(false, 'back', 'delivered', 'refunded')).toBeNull();
  expect(arrival(true, 'back', 'return_to_sender', 'released')).toBeNull();
  expect(arrival(false, 'out', 'return_to_sender', 'refunded')).toBeNull();
  expect(arrival(false, 'out', 'in_transit', 'refunded')).toBeNull();
  expect(arrival(true, 'back', 'in_transit', 'released')).toBeNull();
});

test('a price is shown with its insurance, and found again by its id', () => {
  const rate = { rateId: 'rate_9', carrier: 'USPS', service: 'Priority', amountCents: 1_250, days: 2 };
  expect(toRate(rate, 300)).toEqual({
    ...{ _id: 'rate_9', carrier: 'USPS', service: 'Priority', price: 15.5, days: 2 },
  });
  expect(chosenRate({ rates: [...rates, rate] }, 'rate_9')).toEqual(rate);
  expect(chosenRate({ rates }, 'rate_9')).toBeUndefined();
  expect(() => chosenRate({ rates: [{ rateId: 'rate_9' }] }, 'rate_9')).toThrow();
  expect(quotedCents(bought, 'rate_0')).toBe(1_300);
  expect(quotedCents(bought, 'rate_9')).toBeUndefined();
});

test('a label costs its seller at most what was quoted, and nothing that the shop bears', () => {
  expect(chargedCents(bought, 1_000, 300)).toBe(1_300);
  expect(chargedCents(bought, 900, 200)).toBe(1_100);
  expect(chargedCents(bought, 1_700, 450)).toBe(1_300);
  expect(chargedCents({ ...bought, rate_id: 'rate_9' }, 1_700, 300)).toBe(2_000);
  expect(chargedCents({ ...bought, borne_by: 'shop' }, 1_000, 300)).toBe(0);
});

test('the ledger gets a bought label, and no other', () => {
  expect(toLedgerLabel(bought)).toEqual({
    ...{ id: 'label', orderId: 'order', costCents: 1_000, premiumCents: 300, chargedCents: 1_300 },
  });
  for (const missing of [{ cost_cents: null }, { premium_cents: null }, { charged_cents: null }])
    expect(() => toLedgerLabel({ ...bought, ...missing })).toThrow('the label label was not bought');
});

test('the response for a label has its price only for those who bear it', () => {
  const shown = toLabel({ ...bought, cost_cents: 1_700 }, { isOwn: true, isPriceShown: true });
  expect(shown).toEqual({
    ...{ _id: 'label', way: 'out', isOwn: true, state: 'bought', carrier: 'UPS', service: 'Ground' },
    ...{ trackingNumber: '1Z999', price: 13, insured: 549.99, borneBy: 'seller', problem: '' },
    ...{ tracking: 'unknown', trackedAt: null },
  });
  const scanned: LabelRow = { ...bought, tracking: 'in_transit', tracked_at: now };
  const unpriced = toLabel(scanned, { isOwn: false, isPriceShown: false });
  expect(unpriced).toMatchObject({ isOwn: false, tracking: 'in_transit', trackedAt: now.toISOString() });
  expect(unpriced).not.toHaveProperty('price');
  const quoted: LabelRow = {
    ...bought,
    carrier: null,
    service: null,
    tracking_number: null,
    cost_cents: null,
  };
  const reader = { isOwn: true, isPriceShown: true };
  for (const name of ['carrier', 'service', 'trackingNumber', 'price'])
    expect(toLabel(quoted, reader)).not.toHaveProperty(name);
  expect(toLabel({ ...bought, premium_cents: null }, reader)).not.toHaveProperty('price');
});

test('a parcel at a pickup point waits there for 30 days', () => {
  const label = { tracking: 'available_for_pickup', tracked_at: daysAgo(30, -1) } as const;
  expect(isFetchable(label, now)).toBe(true);
  expect(isFetchable({ ...label, tracked_at: daysAgo(30) }, now)).toBe(false);
  expect(isFetchable({ ...label, tracked_at: null }, now)).toBe(false);
  expect(isFetchable({ ...label, tracking: 'in_transit' }, now)).toBe(false);
  expect(isFetchable(undefined, now)).toBe(false);
});

test('a label is given back when its price is, was never paid, or can be asked no more', () => {
  const after = (refund: Parameters<typeof stateAfterRefund>[1], bought_at: Date | null = now) =>
    stateAfterRefund({ bought_at }, refund, now);
  expect(after('submitted', null)).toBe('voided');
  expect(after('rejected', null)).toBe('voided');
  expect(after('refunded')).toBe('voided');
  expect(after('rejected')).toBe('kept');
  expect(after('submitted')).toBe('voiding');
  expect(after('submitted', daysAgo(31))).toBe('voiding');
  // It can be used for 30 days.
  expect(after('unbilled', daysAgo(30))).toBe('voiding');
  expect(after('unbilled', daysAgo(30, 1))).toBe('voided');
});

test('a carrier is asked about a label until nothing can happen to it', () => {
  /** In how many minutes; null for never. */
  const minutes = (
    state: LabelRow['state'],
    tracking: TrackingState = 'in_transit',
    { boughtAt = now, quotedAt = now }: { boughtAt?: Date | null; quotedAt?: Date } = {},
  ) => {
    const at = nextCheck({ state, tracking, quoted_at: quotedAt, bought_at: boughtAt }, now);
    return at === null ? null : (at.getTime() - now.getTime()) / MINUTE_MS;
  };
  expect(minutes('buying')).toBe(1);
  expect(minutes('bought', 'unknown', { boughtAt: daysAgo(60) })).toBe(240);
  expect(minutes('voiding')).toBe(720);
  expect(minutes('quoted')).toBeNull();
  expect(minutes('failed')).toBeNull();
  for (const state of ['kept', 'used'] as const) {
    expect(minutes(state, 'in_transit', { boughtAt: daysAgo(60, -1) })).toBe(240);
    expect(minutes(state, 'in_transit', { boughtAt: daysAgo(60) })).toBeNull();
    expect(minutes(state, 'in_transit', { boughtAt: null })).toBeNull();
  }
  expect(minutes('kept', 'delivered')).toBe(240);
  expect(trackingStates.filter((tracking) => minutes('used', tracking) === null)).toEqual([
    ...['delivered', 'return_to_sender', 'failure', 'cancelled', 'error'],
  ]);
  // Its purchase can have reached the carrier although it was given back before.
  const given = (quotedAt: Date, boughtAt: Date | null = null) =>
    minutes('voided', 'unknown', { boughtAt, quotedAt });
  expect(given(new Date(daysAgo(1, -1).getTime() - QUOTE_MS))).toBe(60);
  expect(given(new Date(daysAgo(1).getTime() - QUOTE_MS))).toBeNull();
  expect(given(now, now)).toBeNull();
  expect(QUOTE_MS).toBe(DAY_MS);
});
