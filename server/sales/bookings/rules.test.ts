import { describe, expect, test } from 'vitest';
import { bookingRefusal, bookingState } from './rules.ts';

const ended = new Date('2026-11-20T12:00:00Z');

describe('bookingState', () => {
  const unpaid = {
    order_id: null,
    cancelled_at: null,
    laptop_state: 'available',
    buyer_ended_at: null,
  } as const;

  test.each([
    ['Unpaid', unpaid],
    ['Paid', { ...unpaid, order_id: 'order', laptop_state: 'sold' as const }],
    ['Paid', { ...unpaid, order_id: 'order', buyer_ended_at: ended }],
    ['Sold', { ...unpaid, laptop_state: 'sold' as const }],
    ['Cancelled', { ...unpaid, laptop_state: 'withdrawn' as const }],
    ['Cancelled', { ...unpaid, cancelled_at: ended }],
    ['Cancelled', { ...unpaid, cancelled_at: ended, laptop_state: 'sold' as const }],
    ['Cancelled', { ...unpaid, laptop_state: 'taken_down' as const }],
    ['Cancelled', { ...unpaid, buyer_ended_at: ended }],
  ])('is %s for %o', (state, booking) => {
    expect(bookingState(booking)).toBe(state);
  });
});

describe('bookingRefusal', () => {
  const laptop = {
    name: 'EliteBook',
    state: 'available',
    seller_id: 'seller',
    resale_price_cents: 54_999,
  } as const;
  const wanted = {
    ...{ userId: 'buyer', priceCents: 54_999, alreadyBooked: false },
    ...{ sellerBlocks: false, buyerBlocks: false },
  };

  test('accepts the shown price of an available laptop', () => {
    expect(bookingRefusal(laptop, wanted)).toBeNull();
  });

  test.each([
    ['one’s own laptop', laptop, { ...wanted, userId: 'seller' }, 'is your own product'],
    ['a second booking', laptop, { ...wanted, alreadyBooked: true }, 'already booked'],
    ['a blocked buyer', laptop, { ...wanted, sellerBlocks: true }, 'does not take bookings from you'],
    ['a blocked seller', laptop, { ...wanted, buyerBlocks: true }, 'You have blocked the seller'],
    ['a sold laptop', { ...laptop, state: 'sold' as const }, wanted, 'is already sold'],
    ['a withdrawn laptop', { ...laptop, state: 'withdrawn' as const }, wanted, 'is no longer for sale'],
    ['another price', laptop, { ...wanted, priceCents: 54_998 }, 'is $549.99 now'],
    ['no price', laptop, { ...wanted, priceCents: null }, 'is $549.99 now'],
  ])('rejects %s', (_title, listed, request, sentence) => {
    expect(bookingRefusal(listed, request)).toContain(sentence);
  });
});
