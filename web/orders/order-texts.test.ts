import { expect, test } from 'vitest';
import { orderMoveNames, orderStates, parcelNews } from '#contract/money/order-states.ts';
import type { TrackingState } from '#contract/sales/labels.ts';
import type { Parcel } from '#contract/sales/orders.ts';
import {
  type OrderInWords,
  orderActor,
  orderDeadline,
  orderEventLabel,
  orderMeaning,
  orderStateLabel,
} from './order-texts.ts';

test.each(['buyer', 'seller'] as const)('texts about an order call its %s “you”', (role) => {
  const texts = [
    ...orderStates.flatMap((state) => [
      orderStateLabel({ state, role }).label,
      orderMeaning({ state, role }),
      orderDeadline({ state, role }) ?? '',
    ]),
    ...[...orderMoveNames, 'arrive_late' as const].map((event) => orderEventLabel(event, role)),
    orderActor(role, role),
  ];
  for (const text of texts) expect(text.toLowerCase()).not.toContain(`the ${role}`);
});

const parcel = (way: 'out' | 'back', state?: TrackingState): Parcel => ({
  ...{ way, carrier: 'UPS', trackingNumber: '1Z999', at: '2026-11-27T12:00:00Z' },
  ...(state !== undefined && { tracking: { state, at: '2026-11-28T12:00:00Z' } }),
});

test.each(['buyer', 'seller', 'admin'] as const)(
  'the news of a parcel are said to the %s instead of its state',
  (role) => {
    for (const news of parcelNews) {
      const usual = { state: news === 'no_return_address' ? 'awaiting_return' : 'shipped', role } as const;
      const order = { ...usual, news };
      expect(orderStateLabel(order)).not.toEqual(orderStateLabel(usual));
      expect(orderMeaning(order)).not.toBe(orderMeaning(usual));
      expect(orderMeaning(order).toLowerCase()).not.toContain(`the ${role}`);
    }
  },
);

test.each(['buyer', 'seller', 'admin'] as const)(
  'a return that is lost, or that turns back to its buyer, is said to the %s instead of its state',
  (role) => {
    const meaning = (state: 'return_reported' | 'contested', reported: TrackingState) =>
      orderMeaning({ state, role, parcels: [parcel('out', 'delivered'), parcel('back', reported)] });
    expect(meaning('return_reported', 'failure')).toContain('or has lost it');
    expect(meaning('contested', 'return_to_sender')).toContain(
      role === 'buyer' ? 'back to you' : 'back to the buyer',
    );
    expect(meaning('contested', 'failure')).toBe(orderMeaning({ state: 'contested', role }));
    for (const state of ['return_reported', 'contested'] as const) {
      expect(meaning(state, 'return_to_sender').toLowerCase()).not.toContain(`the ${role}`);
    }
  },
);

test('a laptop that returns by parcel is on its way, and one that was brought is back', () => {
  const returned = (...parcels: Parcel[]) =>
    orderMeaning({ state: 'return_reported', role: 'seller', parcels });
  expect(returned(parcel('out'), parcel('back'))).toContain('on its way back to you');
  expect(returned(parcel('out'), parcel('back', 'delivered'))).toContain('reports that the laptop is back');
  expect(returned(parcel('out'))).toContain('says that you have the laptop back');
});

test('a buyer whose parcel others reported as delivered reads what to do without it', () => {
  const delivered = (laptopWithBuyer: boolean) =>
    orderMeaning({ state: 'delivered', role: 'buyer', laptopWithBuyer });
  expect(delivered(false)).toContain('If you do not have it, complain below.');
  expect(delivered(true)).not.toContain('complain');
});

test('the same deadline names its reader, and both people to an admin', () => {
  const ofComplaint = (role: 'buyer' | 'seller' | 'admin') =>
    orderDeadline({ state: 'complaint', role, laptopWithBuyer: false, parcels: [] });
  expect(ofComplaint('buyer')).toBe('Without the seller’s answer, you get the money back on');
  expect(ofComplaint('seller')).toBe('Without your answer, the buyer gets the money back on');
  expect(ofComplaint('admin')).toBe('Without the seller’s answer, the buyer gets the money back on');
});

test('without an answer to a complaint a laptop returns first, and the shop decides against what a carrier reports', () => {
  const unanswered = (order: Partial<OrderInWords>) =>
    orderDeadline({ state: 'complaint', role: 'buyer', ...order });
  expect(unanswered({ laptopWithBuyer: true, parcels: [parcel('out', 'delivered')] })).toBe(
    'Without the seller’s answer, you can return the laptop for its whole price from',
  );
  expect(unanswered({ laptopWithBuyer: false, parcels: [parcel('out', 'delivered')] })).toBe(
    'Without the seller’s answer, the shop decides from',
  );
  expect(unanswered({ state: 'contested', laptopWithBuyer: true, parcels: [] })).toContain(
    'at the latest on',
  );
  const missed = { laptopWithBuyer: false, parcels: [parcel('out', 'delivered')] };
  expect(unanswered({ state: 'contested', ...missed })).toBeUndefined();
  // A list knows neither.
  expect(unanswered({})).toBe('The seller can answer until');
});

test('of a parcel that returns to its seller, the deadline is that of the seller’s answer', () => {
  const deadline = (role: 'buyer' | 'seller') =>
    orderDeadline({ state: 'shipped', role, news: 'return_to_sender' });
  expect(deadline('buyer')).toBe('Without the seller’s answer, you get the money back on');
  expect(deadline('seller')).toBe('Without your answer, the buyer gets the money back on');
  expect(orderDeadline({ state: 'shipped', role: 'buyer', news: 'late' })).toContain('does not arrive');
  expect(orderDeadline({ state: 'awaiting_return', role: 'buyer', news: 'no_return_address' })).toBe(
    'Without an address, you get the money back on',
  );
  expect(orderDeadline({ state: 'held', role: 'buyer', sellerHasEnded: true })).toBe(
    'Without your confirmation, you get the money back on',
  );
});
