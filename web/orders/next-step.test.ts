import { expect, test } from 'vitest';
import { type OrderState, orderStates, parcelNews } from '#contract/money/order-states.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import { nextStep } from './next-step.ts';

const booking = (state: OrderState, details: Partial<Booking> = {}): Booking => ({
  currency: 'USD',
  _id: '00000000-0000-4000-8000-000000000001',
  delivery: 'meet',
  productName: 'HP EliteBook 840 G8',
  price: 549.99,
  buyerName: 'Bruno Buyer',
  email: 'bruno@people.example',
  sellerName: 'Sofia Seller',
  sellerPhone: '+351 912 345 678',
  image: '',
  productCode: '00000000-0000-4000-8000-000000000002',
  paid: true,
  state: 'Paid',
  bookedAt: '2026-11-20T12:00:00Z',
  order: { _id: '00000000-0000-4000-8000-000000000003', state, dueAt: null, canReview: false },
  ...details,
});

/** The labels for buyer and seller. */
const stepsOf = (one: Booking) => [nextStep(one, 'buyer')?.label, nextStep(one, 'seller')?.label];

test('before the hand-over the two agree on a time, then the buyer shows the code and the seller enters it', () => {
  expect(stepsOf(booking('held'))).toEqual(['Agree on a time', 'Agree on a time']);
  const meeting = { place: 'Café', startsAt: '2026-11-24T10:00:00Z' };
  expect(stepsOf(booking('held', { meeting }))).toEqual(['Show the code', 'Enter the code']);
});

test('a proposed meeting waits for the other person, who answers it', () => {
  const proposal = { place: 'Café', startsAt: '2026-11-24T10:00:00Z', mine: true };
  expect(nextStep(booking('held', { proposal }), 'buyer')).toBeNull();
  const others = booking('held', { proposal: { ...proposal, mine: false } });
  expect(stepsOf(others)).toEqual(['Answer the proposal', 'Answer the proposal']);
});

test('nobody agrees on a time with an ended account', () => {
  const { sellerPhone: _phone, email: _email, ...ended } = booking('held');
  expect(stepsOf(ended)).toEqual(['Show the code', 'Enter the code']);
});

test('of every other state the one who has to act has a step', () => {
  const steps = orderStates.slice(1).map((state) => [state, ...stepsOf(booking(state))]);
  expect(steps.filter(([, ...labels]) => labels.some((label) => label !== undefined))).toEqual([
    ['to_ship', undefined, 'Send the laptop'],
    ['shipped', 'It has arrived', undefined],
    ['delivered', 'Look at the laptop', undefined],
    ['complaint', undefined, 'Answer the complaint'],
    ['offered', 'Answer the offer', undefined],
    ['awaiting_return', 'Return the laptop', undefined],
    ['return_reported', undefined, 'Confirm the return'],
  ]);
});

test('a buyer says that a parcel has arrived unless it does not come, and a seller that it came back, or where it returns', () => {
  const steps = parcelNews.map((news) => {
    const { order, ...paid } = booking(news === 'no_return_address' ? 'awaiting_return' : 'shipped');
    return [news, ...stepsOf({ ...paid, ...(order && { order: { ...order, news } }) })];
  });
  expect(steps).toEqual([
    ['available_for_pickup', 'It has arrived', undefined],
    ['return_to_sender', undefined, 'It came back'],
    ['failure', undefined, undefined],
    ['late', 'It has arrived', undefined],
    ['no_return_address', undefined, 'Say where it returns'],
  ]);
});

test('a settled sale is reviewed by whoever has not done it', () => {
  const order = { _id: '00000000-0000-4000-8000-000000000003', dueAt: null, canReview: true } as const;
  for (const state of ['released', 'completed'] as const) {
    expect(stepsOf(booking(state, { order: { ...order, state } }))).toEqual(['Review Sofia', 'Review Bruno']);
  }
});
