import { expect, test } from 'vitest';
import { receiptsOfMove } from './rules.ts';

const held = {
  id: 'order',
  sellerId: 'seller',
  priceCents: 54_999,
  commissionCents: 2_749,
  refundedCents: 0,
  isReleased: false,
};
const released = { ...held, isReleased: true };

test('a release charges the commission; without one nothing is charged', () => {
  const commission = { kind: 'commission', recipient: 'seller', amountCents: 2_749 };
  expect(receiptsOfMove(held, { returnedCents: 0, goodwillCents: 0, isCredited: true })).toEqual([
    commission,
  ]);
  expect(
    receiptsOfMove({ ...held, commissionCents: 0 }, { returnedCents: 0, goodwillCents: 0, isCredited: true }),
  ).toEqual([]);
});

test('a move without money has no receipt', () => {
  expect(receiptsOfMove(held, { returnedCents: 0, goodwillCents: 0, isCredited: false })).toEqual([]);
});

test('a refund before the release is credited to the buyer only', () => {
  expect(receiptsOfMove(held, { returnedCents: 54_999, goodwillCents: 0, isCredited: false })).toEqual([
    { kind: 'sale_credit', recipient: 'buyer', amountCents: 54_999 },
  ]);
});

test('a refund in part charges the commission on the rest', () => {
  expect(receiptsOfMove(held, { returnedCents: 27_500, goodwillCents: 0, isCredited: true })).toEqual([
    { kind: 'sale_credit', recipient: 'buyer', amountCents: 27_500 },
    { kind: 'commission', recipient: 'seller', amountCents: 1_374 },
  ]);
});

test('a refund after the release gives the commission back as well', () => {
  expect(receiptsOfMove(released, { returnedCents: 54_999, goodwillCents: 0, isCredited: false })).toEqual([
    { kind: 'sale_credit', recipient: 'buyer', amountCents: 54_999 },
    { kind: 'commission_credit', recipient: 'seller', amountCents: 2_749 },
  ]);
});
