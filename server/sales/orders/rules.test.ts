import { expect, test } from 'vitest';
import { commissionOn } from '#contract/money/commission.ts';
import { type OrderState, orderStates } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { refundDecidedPosting, releasePosting } from '#server/money/ledger/rules.ts';
import { heldOrder as held } from '#tests/harness/sales/held-order.ts';
import {
  codesRefusedUntil,
  deadlinesAfter,
  handOverState,
  isOrderOver,
  isWithCarrier,
  moveEffects,
  type OrderedLaptop,
  parcelTimesAfter,
  proceedsCents,
  refundReasonOf,
  refundsWithLaptopUnknown,
  remainingPriceCents,
  toLedgerOrder,
  toParcel,
  toResponse,
} from './rules.ts';

const now = held.state_since;
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

const released: OrderedLaptop = {
  ...held,
  ...{ state: 'released', released_at: now, laptop_with_buyer: true },
};

test.each([
  ['a share', 54_999, { basisPoints: 500, fixedCents: 0 }, 2_749],
  ['a share, rounded down, and a fixed part', 54_999, { basisPoints: 500, fixedCents: 50 }, 2_799],
  ['at most the price', 100, { basisPoints: 500, fixedCents: 500 }, 100],
  ['nothing without rates', 54_999, { basisPoints: 0, fixedCents: 0 }, 0],
])('the commission on a price is %s', (_title, price, rates, expected) => {
  expect(commissionOn(price, rates)).toBe(expected);
});

test('each fifth wrong code locks the hand-over for an hour', () => {
  const locks = [1, 2, 3, 4, 5, 6, 9, 10].map(
    (wrong) => codesRefusedUntil(wrong, now)?.toISOString() ?? null,
  );
  const anHourLater = '2026-11-20T13:00:00.000Z';
  expect(locks).toEqual([null, null, null, null, anHourLater, null, null, anHourLater]);
});

test('a state that waits for a person ends after its days; a released order waits since its first release', () => {
  const fresh = { promised_until: now, released_at: null, delivered_at: null };
  const dueAt = (to: OrderState, order = {}, details = {}) =>
    deadlinesAfter({ ...fresh, ...order }, to, now, details).due_at;
  expect(dueAt('held')).toEqual(inDays(7));
  expect(dueAt('held', {}, { meetingAt: inDays(16) })).toEqual(inDays(19));
  expect(dueAt('complaint', { released_at: inDays(-3) })).toEqual(inDays(5));
  expect(dueAt('released')).toEqual(inDays(14));
  const promised = { promised_until: inDays(11) };
  expect(dueAt('released', { ...promised, released_at: inDays(-3) })).toEqual(inDays(11));
  expect(dueAt('to_ship')).toEqual(inDays(5));
  expect(dueAt('delivered', { ...promised, delivered_at: inDays(-3) })).toEqual(inDays(11));
  // A confirmation does not prolong the time since the delivery.
  expect(dueAt('released', { ...promised, delivered_at: inDays(-3) })).toEqual(inDays(11));
  expect(dueAt('return_reported')).toEqual(inDays(5));
  expect(dueAt('return_reported', {}, { isByParcel: true })).toEqual(inDays(14));
  expect(dueAt('complaint', {}, { isByParcel: true })).toEqual(inDays(5));
  expect(dueAt('refunded')).toBeNull();
});

test('what an order was promised is not shortened, and a won dispute leaves time for a complaint', () => {
  const order = { promised_until: inDays(30), released_at: null, delivered_at: null };
  const promised = { due_at: inDays(30), promised_until: inDays(30) };
  expect(deadlinesAfter(order, 'held', now)).toEqual(promised);
  expect(deadlinesAfter(order, 'to_ship', now)).toEqual(promised);
  expect(deadlinesAfter({ ...order, released_at: inDays(-9) }, 'released', now)).toEqual(promised);
  // The time for complaints begins with the release, however long the money was held.
  expect(deadlinesAfter(order, 'released', now).due_at).toEqual(inDays(14));
  const over = { ...order, promised_until: inDays(-20), released_at: inDays(-34) };
  expect(deadlinesAfter(over, 'released', now).due_at).toEqual(inDays(-20));
  const won = deadlinesAfter(over, 'released', now, { isDisputeWon: true });
  expect(won).toEqual({ due_at: inDays(3), promised_until: inDays(-20) });
});

const shown = (
  order: OrderedLaptop,
  role: 'buyer' | 'seller' | 'admin',
  parcels: ReturnType<typeof toParcel>[] = [],
) =>
  toResponse(
    order,
    role,
    {
      ...{ timeline: [], laptopChecks: [], laptopCode: null, refunds: [], parcels },
      packingPhotos: [],
      payoutAfter: 'completed',
      labelCents: null,
    },
    (photo) => `https://shop.example${photo}`,
  );

test('the buyer of a held order sees the code, and no commission', () => {
  expect(shown(held, 'buyer')).toMatchObject({
    ...{ _id: 'order', bookingId: 'booking', productCode: 'laptop', productName: 'EliteBook' },
    ...{ image: 'https://shop.example/photos/first', hasCertificate: true, isMeasured: false },
    ...{ buyerName: 'Bea Buyer', sellerName: 'Sam Seller', role: 'buyer' },
    ...{ price: 549.99, refunded: 0, state: 'held', dueAt: inDays(7).toISOString() },
    ...{ handoverCode: '123456', timeline: [], laptopChecks: [], laptopCode: null },
    moves: ['confirm', 'complain'],
  });
  expect(shown(held, 'buyer')).not.toHaveProperty('commission');
  expect(shown(held, 'buyer')).not.toHaveProperty('proceeds');
  expect(shown(held, 'buyer')).not.toHaveProperty('cancelReason');
  expect(shown(held, 'buyer')).toHaveProperty('meetBy');
});

test('seller and admin see the commission on what is left, and no code', () => {
  expect(shown(held, 'seller')).toMatchObject({
    commission: 27.99,
    proceeds: 522,
    moves: ['hand_over', 'cancel'],
  });
  expect(shown({ ...held, refunded_cents: 27_500 }, 'admin')).toMatchObject({
    ...{ commission: 13.99, proceeds: 261, refunded: 275, moves: ['refund_rest'] },
  });
  expect(shown(held, 'seller')).not.toHaveProperty('handoverCode');
  expect(shown(held, 'admin')).not.toHaveProperty('handoverCode');
});

test('an order that is not held has no code and no latest meeting, and says why it was cancelled', () => {
  const ended = { ...released, due_at: null, laptop_images: [] };
  expect(shown(ended, 'buyer')).toMatchObject({ dueAt: null, image: 'https://shop.example' });
  expect(shown(ended, 'buyer')).not.toHaveProperty('handoverCode');
  expect(shown(ended, 'buyer')).not.toHaveProperty('meetBy');
  const cancelled: OrderedLaptop = { ...held, state: 'refunded', cancel_reason: 'It broke.' };
  expect(shown(cancelled, 'buyer')).toMatchObject({ cancelReason: 'It broke.' });
});

test('a parcel says what its carrier reports, and to all but the buyer what the insurance of a lost one pays', () => {
  const typed: Parameters<typeof toParcel>[0] = {
    ...{ way: 'out', carrier: 'UPS', tracking_number: '1Z999', sent_at: now, report: '' },
    ...{ tracking: null, tracked_at: null, former_address: null, claim: null, claim_paid_cents: null },
    claim_returnable: null,
  };
  expect(toParcel(typed)).toEqual({
    ...{ way: 'out', carrier: 'UPS', trackingNumber: '1Z999', at: now.toISOString() },
  });
  expect(toParcel({ ...typed, report: 'It was refused.' })).toMatchObject({ report: 'It was refused.' });
  expect(toParcel({ ...typed, tracking: 'unknown' })).not.toHaveProperty('tracking');
  expect(toParcel({ ...typed, tracked_at: now })).not.toHaveProperty('tracking');
  const lost = toParcel({ ...typed, tracking: 'failure', tracked_at: now, claim: 'open' });
  expect(lost).toMatchObject({ tracking: { state: 'failure', at: now.toISOString() } });
  expect(lost.insurance).toEqual({ isAsked: true, paid: 0 });
  const paid = toParcel({ ...typed, claim: 'paid', claim_paid_cents: 54_999 });
  expect(paid.insurance).toEqual({ isAsked: false, paid: 549.99 });
  const found = toParcel({ ...typed, claim: 'paid', claim_paid_cents: 54_999, claim_returnable: 'found' });
  expect(found.insurance).toMatchObject({ paid: 549.99, returnable: 'found' });
  expect(shown(held, 'seller', [lost]).parcels).toEqual([lost]);
  const [parcel] = shown(held, 'buyer', [lost]).parcels;
  expect(parcel).toHaveProperty('tracking');
  expect(parcel).not.toHaveProperty('insurance');
});

test('a sale whose laptop a carrier has, or has lost, has not given it back to its seller', () => {
  const sent = { ...held, shipped_at: now };
  expect(isWithCarrier(sent, 'lose_parcel')).toBe(true);
  expect(isWithCarrier(sent, 'accept')).toBe(true);
  for (const move of ['take_back', 'confirm_return', 'assume_return'] as const)
    expect(isWithCarrier(sent, move)).toBe(false);
  expect(isWithCarrier({ ...sent, laptop_with_buyer: true }, 'accept')).toBe(false);
  expect(isWithCarrier(held, 'cancel')).toBe(false);
});

test('a parcel is sent and delivered once; when it is sent again, it begins anew', () => {
  const sent = { shipped_at: inDays(-3), delivered_at: null };
  const arrived = { ...sent, delivered_at: inDays(-1) };
  const none = { shipped_at: null, delivered_at: null };
  expect(parcelTimesAfter(none, 'shipped', now)).toEqual({ shipped_at: now, delivered_at: null });
  expect(parcelTimesAfter(sent, 'shipped', now)).toEqual(sent);
  expect(parcelTimesAfter(sent, 'delivered', now)).toEqual({ ...sent, delivered_at: now });
  expect(parcelTimesAfter(arrived, 'delivered', now)).toEqual(arrived);
  expect(parcelTimesAfter(arrived, 'complaint', now)).toEqual(arrived);
  expect(parcelTimesAfter(sent, 'complaint', now)).toEqual(sent);
  expect(parcelTimesAfter(arrived, 'to_ship', now)).toEqual(none);
});

test('an order waits for the hand-over, or for its parcel to be sent, to arrive and to be looked at', () => {
  const none = { shipped_at: null, delivered_at: null };
  expect(handOverState({ delivery: 'meet', ...none })).toBe('held');
  expect(handOverState({ delivery: 'ship', ...none })).toBe('to_ship');
  expect(handOverState({ delivery: 'ship', ...none, shipped_at: now })).toBe('shipped');
  expect(handOverState({ delivery: 'ship', shipped_at: now, delivered_at: now })).toBe('delivered');
});

test('an order is over when it is completed, refunded or charged back', () => {
  expect(orderStates.filter(isOrderOver)).toEqual(['completed', 'refunded', 'charged_back']);
});

test('refunds beside the sale and lost disputes do not say where the laptop is', () => {
  expect(refundsWithLaptopUnknown).toEqual(['refund_rest', 'refund_outside', 'lose_dispute']);
});

test('the seller gets the price less refunds, commission and labels', () => {
  expect(proceedsCents(held, null)).toBe(52_200);
  expect(proceedsCents(held, 1_522)).toBe(50_678);
  expect(proceedsCents({ ...held, refunded_cents: 27_500 }, 0)).toBe(26_100);
});

test('the seller and the admins see what the labels cost; the seller sees the address until the order has ended', () => {
  const sent: OrderedLaptop = {
    ...{ ...held, delivery: 'ship', state: 'to_ship', ship_name: 'Bea Buyer', ship_line1: '1 Main St' },
    ...{ ship_city: 'Springfield', ship_region: 'IL', ship_postal_code: '62701', ship_country: 'US' },
  };
  const details = {
    ...{ timeline: [], laptopChecks: [], laptopCode: null, refunds: [], parcels: [] },
    ...{
      packingPhotos: [{ photo: '/photos/box', at: now.toISOString() }],
      payoutAfter: 'completed' as const,
    },
    labelCents: 1_522,
  };
  const as = (role: 'buyer' | 'seller', order = sent) =>
    toResponse(order, role, details, (photo) => `x${photo}`);
  expect(as('seller')).toMatchObject({
    ...{ labels: 15.22, proceeds: 506.78, payoutAfter: 'completed', delivery: 'ship', currency: 'USD' },
    ...{ shipTo: { address: { city: 'Springfield' } }, laptopWithBuyer: false, goodwill: 0 },
    packingPhotos: [{ photo: 'x/photos/box', at: now.toISOString() }],
  });
  const ended: OrderedLaptop = { ...sent, state: 'completed', news: 'failure', laptop_with_buyer: true };
  expect(as('seller', ended)).not.toHaveProperty('shipTo');
  expect(as('seller', ended)).toMatchObject({ news: 'failure', laptopWithBuyer: true });
  expect(as('buyer', ended)).toHaveProperty('shipTo');
  expect(as('buyer')).not.toHaveProperty('labels');
  expect(as('seller')).not.toHaveProperty('news');
  expect(shown(held, 'seller')).not.toHaveProperty('shipTo');
  expect(shown(held, 'seller')).not.toHaveProperty('labels');
});

const effects = (...parameters: Parameters<typeof moveEffects>) => {
  const made = moveEffects(...parameters);
  return made && { ...made, postings: made.postings.map(({ kind }) => kind) };
};

test('a move that the state does not allow has no effects', () => {
  expect(effects(held, 'complete', {})).toBeNull();
});

test('a return that turns back is with its buyer; a laptop that the buyer has does not turn back', () => {
  const returned: OrderedLaptop = { ...held, state: 'return_reported', in_complaint: true };
  expect(effects(returned, 'turn_back', {})).toMatchObject({
    ...{ to: 'contested', isWithBuyer: true, disputedIn: null, returnedCents: 0, isCredited: false },
  });
  expect(effects({ ...returned, laptop_with_buyer: true }, 'turn_back', {})).toBeNull();
});

test('while a bank decides, the order keeps where it was, and what changed meanwhile', () => {
  expect(effects(held, 'dispute', {})).toMatchObject({ to: 'charge_disputed', disputedIn: 'held' });
  const disputed: OrderedLaptop = { ...held, state: 'charge_disputed', disputed_in: 'return_reported' };
  expect(effects(disputed, 'turn_back', {})).toMatchObject({
    ...{ to: 'charge_disputed', disputedIn: 'contested' },
  });
  expect(effects(disputed, 'win_dispute', {})).toMatchObject({ to: 'return_reported', disputedIn: null });
});

test('what was refunded before does not go back again', () => {
  const contested: OrderedLaptop = { ...held, state: 'contested', in_complaint: true, refunded_cents: 1_000 };
  expect(effects(contested, 'decide_refund', {})).toMatchObject({
    returnedCents: 53_999,
    refundCents: 53_999,
  });
});

test('the ledger knows whether the money was released', () => {
  expect(toLedgerOrder(held)).toMatchObject({ isReleased: false });
  expect(toLedgerOrder(released)).toMatchObject({ isReleased: true });
});

test('a part that goes back is posted before what is left is released', () => {
  const contested: OrderedLaptop = { ...held, state: 'contested', in_complaint: true, goodwill_cents: 700 };
  expect(moveEffects(contested, 'decide_part', { amountCents: 1_000 })?.postings).toEqual([
    refundDecidedPosting(toLedgerOrder(held), 1_000, 0),
    releasePosting({ ...toLedgerOrder(held), refundedCents: 1_000 }),
  ]);
  expect(moveEffects(contested, 'decide_refund', {})?.postings).toEqual([
    refundDecidedPosting(toLedgerOrder(held), 54_999, 700),
  ]);
  const disputed: OrderedLaptop = { ...held, state: 'charge_disputed', disputed_in: 'held' };
  expect(moveEffects(disputed, 'lose_dispute', { amountCents: 50_000 })?.postings).toEqual([
    refundDecidedPosting({ ...toLedgerOrder(held), refundedCents: 50_000 }, 4_999, 0),
  ]);
});

test('a hand-over credits the seller', () => {
  expect(effects(held, 'hand_over', { isWithBuyer: true })).toMatchObject({
    ...{ to: 'released', isWithBuyer: true, returnedCents: 0, refundCents: 0, isCredited: true },
    postings: ['release'],
  });
});

test('a cancelled sale gives the whole price back, and credits nobody', () => {
  expect(effects(held, 'cancel', {})).toMatchObject({
    ...{ to: 'refunded', isWithBuyer: false, returnedCents: 54_999, refundCents: 54_999, isCredited: false },
    postings: ['refund_decided'],
  });
});

test('a decision for a part gives it back and credits the rest, before and after the release', () => {
  const complaint: OrderedLaptop = { ...held, state: 'contested', in_complaint: true };
  expect(effects(complaint, 'decide_part', { amountCents: 1_000, isWithBuyer: true })).toMatchObject({
    ...{ to: 'released', isWithBuyer: true, returnedCents: 1_000, refundCents: 1_000, isCredited: true },
    postings: ['refund_decided', 'release'],
  });
  expect(effects({ ...complaint, released_at: now }, 'decide_part', { amountCents: 1_000 })).toMatchObject({
    isCredited: false,
    postings: ['refund_decided'],
  });
});

test('a lost dispute after the hand-over is no refund of the shop, and credits the seller with what is left', () => {
  const handedOver: OrderedLaptop = { ...held, laptop_with_buyer: true };
  const disputed: OrderedLaptop = { ...handedOver, state: 'charge_disputed', disputed_in: 'held' };
  expect(effects(disputed, 'lose_dispute', { amountCents: 50_000 })).toMatchObject({
    ...{ to: 'charged_back', isWithBuyer: true, returnedCents: 50_000, refundCents: 0, isCredited: true },
    postings: ['release'],
  });
  expect(effects(disputed, 'lose_dispute', { amountCents: 54_999 })).toMatchObject({ postings: [] });
});

test('a lost dispute without a hand-over gives back the rest too, and credits nobody', () => {
  const disputed: OrderedLaptop = { ...held, state: 'charge_disputed', disputed_in: 'held' };
  expect(effects(disputed, 'lose_dispute', { amountCents: 50_000 })).toMatchObject({
    ...{ to: 'charged_back', returnedCents: 54_999, refundCents: 4_999, isCredited: false },
    postings: ['refund_decided'],
  });
  expect(effects(disputed, 'lose_dispute', { amountCents: 54_999 })).toMatchObject({
    ...{ returnedCents: 54_999, refundCents: 0, isCredited: false, postings: [] },
  });
  const releasedAtDeadline: OrderedLaptop = { ...disputed, disputed_in: 'released', released_at: now };
  expect(effects(releasedAtDeadline, 'lose_dispute', { amountCents: 50_000 })).toMatchObject({
    ...{ isWithBuyer: false, returnedCents: 54_999, refundCents: 4_999, isCredited: false },
    postings: ['refund_decided'],
  });
  // Of what the buyer got as goodwill, the shop gets back what is a part of the rest.
  expect(
    effects({ ...disputed, goodwill_cents: 1_000 }, 'lose_dispute', { amountCents: 50_000 }),
  ).toMatchObject({
    ...{ returnedCents: 54_999, refundCents: 3_999, goodwillCents: 1_000 },
  });
  expect(
    effects({ ...disputed, goodwill_cents: 6_000 }, 'lose_dispute', { amountCents: 50_000 }),
  ).toMatchObject({
    ...{ returnedCents: 54_999, refundCents: 0, goodwillCents: 4_999 },
  });
});

test('a won dispute returns nothing, whatever the bank had taken', () => {
  const disputed: OrderedLaptop = { ...released, state: 'charge_disputed', disputed_in: 'released' };
  expect(effects(disputed, 'win_dispute', { amountCents: 54_999 })).toMatchObject({
    ...{ to: 'released', returnedCents: 0, refundCents: 0, isCredited: false, postings: [] },
  });
});

test('an order that is completed has its laptop with the buyer', () => {
  expect(effects({ ...released, laptop_with_buyer: false }, 'complete', {})).toMatchObject({
    ...{ to: 'completed', isWithBuyer: true },
  });
});

test('a complaint that is taken back leads to where the order was: before the hand-over, or after the release', () => {
  const complaint: OrderedLaptop = { ...held, state: 'complaint', in_complaint: true };
  expect(effects(complaint, 'withdraw', { isWithBuyer: false })).toMatchObject({ to: 'held' });
  const afterRelease = { ...complaint, released_at: now };
  expect(effects(afterRelease, 'withdraw', { isWithBuyer: false })).toMatchObject({ to: 'released' });
});

test.each(['take_offer', 'take_offer_late'] as const)('an offer is given back by %s', (move) => {
  const offered: OrderedLaptop = { ...held, state: 'offered', in_complaint: true };
  expect(effects(offered, move, { amountCents: 2_550, isWithBuyer: true })).toMatchObject({
    ...{ to: 'released', returnedCents: 2_550, refundCents: 2_550 },
  });
});

test('what is left of a price is less refunds and goodwill, and never less than nothing', () => {
  expect(remainingPriceCents({ price_cents: 1_000, refunded_cents: 300, goodwill_cents: 100 })).toBe(600);
  expect(remainingPriceCents({ price_cents: 1_000, refunded_cents: 950, goodwill_cents: 100 })).toBe(0);
});

test('a refund of the whole price returns the goodwill to the shop; a part leaves it', () => {
  const contested: OrderedLaptop = { ...held, state: 'contested', in_complaint: true, goodwill_cents: 1_000 };
  expect(effects(contested, 'decide_refund', {})).toMatchObject({
    ...{ to: 'refunded', returnedCents: 54_999, goodwillCents: 1_000, refundCents: 53_999 },
  });
  expect(effects(contested, 'decide_part', { amountCents: 500 })).toMatchObject({
    ...{ to: 'released', returnedCents: 500, goodwillCents: 0, refundCents: 500 },
  });
  // More than is left goes back at most.
  expect(effects(contested, 'decide_part', { amountCents: 54_500 })).toMatchObject({ refundCents: 53_999 });
});

test.each([
  ['cancel', 'refunded', 'order_cancelled'],
  ['take_back', 'refunded', 'not_delivered'],
  ['not_shipped', 'refunded', 'not_delivered'],
  ['not_handed_over', 'refunded', 'not_delivered'],
  ['lose_parcel', 'refunded', 'not_delivered'],
  ['lose_dispute', 'charged_back', 'charged_back'],
  ['refund_rest', 'refunded', 'by_admin'],
  ['refund_outside', 'refunded', null],
  ['take_offer_late', 'released', 'partial'],
  ['accept_late', 'refunded', 'complaint'],
] as const)('the move %s to %s refunds because of %s', (move, to, reason) => {
  expect(refundReasonOf(move, to)).toBe(reason);
});
