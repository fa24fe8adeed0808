import { describe, expect, test } from 'vitest';
import {
  agreementRefusal,
  bookingPriceRefusal,
  isReductionUnannounced,
  knownPrice,
  payablePrice,
  priceOfOrder,
  priceToPay,
  shownPrices,
} from './order-price.ts';

const booking = { laptop_name: 'EliteBook', laptop_price_cents: 54_999, price_cents: 54_999 };
const raised = { ...booking, laptop_price_cents: 59_999 };
/** Lowered to 499.99 and raised again to the price of the booking. */
const loweredAndRaised = { ...booking, price_cents: 49_999 };

test('a booking is paid at the laptop’s price, unless that is above the one to which the buyer agreed', () => {
  expect(payablePrice(booking)).toBe(54_999);
  expect(payablePrice({ ...booking, laptop_price_cents: 49_999 })).toBe(49_999);
  expect(payablePrice(raised)).toBeNull();
  expect(payablePrice(loweredAndRaised)).toBeNull();
});

test('a booking shows the laptop’s price while it is unpaid, and a raised one beside the agreed one', () => {
  expect(shownPrices(booking, true)).toEqual({ price: 549.99 });
  expect(shownPrices({ ...booking, laptop_price_cents: 49_999 }, true)).toEqual({ price: 499.99 });
  expect(shownPrices(raised, true)).toEqual({ price: 549.99, newPrice: 599.99 });
  expect(shownPrices(raised, false)).toEqual({ price: 549.99 });
});

test('a laptop is booked at the price that the buyer has seen', () => {
  const laptop = { name: 'EliteBook', resale_price_cents: 54_999 };
  expect(bookingPriceRefusal(laptop, 54_999)).toBeNull();
  const refusal = 'The price of EliteBook is $549.99 now. Please have another look before you book it.';
  expect(bookingPriceRefusal(laptop, 54_998)).toBe(refusal);
  expect(bookingPriceRefusal(laptop, null)).toBe(refusal);
});

test('a buyer agrees to the price that the buyer has seen', () => {
  expect(agreementRefusal(raised, 59_999)).toBeNull();
  expect(agreementRefusal(raised, 54_999)).toEqual({
    code: 'price_differs',
    detail:
      'The price of EliteBook has changed again: it is $599.99 now. You have not agreed to it; please have another look.',
  });
});

test('a payment begins at the payable price, if the buyer has seen that one', () => {
  expect(priceToPay(booking, 54_999)).toEqual({ priceCents: 54_999 });
  expect(priceToPay(booking, 49_999)).toEqual({
    refusal: {
      code: 'price_differs',
      detail: 'The price of EliteBook is $549.99. You have not been charged.',
    },
  });
  expect(priceToPay(raised, 59_999)).toEqual({
    refusal: {
      code: 'price_not_agreed',
      detail: expect.stringContaining('has changed from $549.99 to $599.99. You have not been charged'),
    },
  });
});

describe('the price of an order', () => {
  const captured = { receivedCents: 54_999, currency: 'usd' };
  const asked = 54_999;

  test('is the captured amount when that is the payable price', () => {
    expect(priceOfOrder(captured, booking, asked)).toEqual({ priceCents: 54_999 });
    const lowered = { ...booking, price_cents: 49_999, laptop_price_cents: 49_999 };
    expect(priceOfOrder({ ...captured, receivedCents: 49_999 }, lowered, 49_999)).toEqual({
      priceCents: 49_999,
    });
    expect(priceOfOrder(captured, booking, null)).toEqual({ priceCents: 54_999 });
  });

  test.each([
    ['a cent too little', { ...captured, receivedCents: 54_998 }, booking, 'wrong_amount'],
    ['a cent too much', { ...captured, receivedCents: 55_000 }, booking, 'wrong_amount'],
    ['another currency', { ...captured, currency: 'eur' }, booking, 'wrong_amount'],
    [
      'a raised price to which the buyer has not agreed',
      { ...captured, receivedCents: 59_999 },
      raised,
      'wrong_amount',
    ],
    ['the agreed price after the laptop’s was raised', captured, raised, 'price_changed'],
    [
      'the agreed price after the laptop’s was lowered',
      captured,
      { ...booking, price_cents: 49_999, laptop_price_cents: 49_999 },
      'price_changed',
    ],
    ['the price from before it was lowered and raised again', captured, loweredAndRaised, 'price_changed'],
  ])('does not exist for %s', (_title, received, booked, refundReason) => {
    expect(priceOfOrder(received, booked, asked)).toEqual({ refundReason });
  });

  test('is not that of an attempt which the shop does not know', () => {
    expect(priceOfOrder(captured, raised, null)).toEqual({ refundReason: 'wrong_amount' });
  });
});

test('a buyer knows the price of the last email, or of the booking', () => {
  expect(knownPrice({ price_cents: 49_999, notified_price_cents: null })).toBe(49_999);
  expect(knownPrice({ price_cents: 49_999, notified_price_cents: 54_999 })).toBe(54_999);
});

test.each([
  [
    'a payable price',
    { ...booking, notified_price_cents: 59_999, agreed_when_notified_cents: 59_999 },
    false,
  ],
  ['a rise alone', { ...raised, notified_price_cents: null, agreed_when_notified_cents: null }, false],
  [
    'a lowering and a rise',
    { ...loweredAndRaised, notified_price_cents: 54_999, agreed_when_notified_cents: 54_999 },
    true,
  ],
  [
    'a lowering that was told with the rise',
    { ...loweredAndRaised, notified_price_cents: 54_999, agreed_when_notified_cents: 49_999 },
    false,
  ],
  [
    'a told lowering',
    { ...loweredAndRaised, notified_price_cents: 49_999, agreed_when_notified_cents: 49_999 },
    false,
  ],
])('an unreported lowering: %s', (_title, told, isUnreported) => {
  expect(isReductionUnannounced(told)).toBe(isUnreported);
});
