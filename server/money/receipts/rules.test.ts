import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  type PrintedReceipt,
  ReceiptKey,
  receiptsOfMove,
  toEntry,
  toIssuedReceipt,
  toReceipt,
} from './rules.ts';
import { taxOfCommission } from './tax.ts';

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

test('a refund in part after the release gives back its part of the commission', () => {
  expect(receiptsOfMove(released, { returnedCents: 27_500, goodwillCents: 0, isCredited: false })).toEqual([
    { kind: 'sale_credit', recipient: 'buyer', amountCents: 27_500 },
    { kind: 'commission_credit', recipient: 'seller', amountCents: 1_375 },
  ]);
});

test('a receipt names its recipient: the buyer, or the seller for the commission', () => {
  const row: PrintedReceipt = {
    ...{ number: '7', receipt_number: '2026-000007', kind: 'sale', order_id: 'order', recipient_id: 'buyer' },
    ...{ amount_cents: 54_999, laptop_name: 'EliteBook', transaction_id: 'pi_1' },
    ...{ issued_at: new Date('2026-12-01T10:00:00Z'), buyer_id: 'buyer', corrects: null },
    ...{ day: '2026-12-01', legal_name: 'Shop Ltd', address: 'Lisbon', tax_id: null },
    ...{ shop_name: 'Second Life', register_number: null },
    ...{ tax_name: 'IVA', commission_tax_basis_points: 2_000, sale_tax_note: 'Margin scheme.' },
    credited_before_cents: '0',
    ...{ buyer_name: 'Bea Buyer', seller_name: 'Sam Seller' },
  };
  const entry = {
    ...{ number: '2026-000007', kind: 'sale', issuedAt: '2026-12-01T10:00:00.000Z', date: '2026-12-01' },
    ...{ orderId: 'order', productName: 'EliteBook', amount: 549.99 },
  };
  expect(toEntry(row)).toEqual(entry);
  expect(toReceipt(row, taxOfCommission)).toEqual({
    ...entry,
    currency: 'USD',
    ...{ recipientName: 'Bea Buyer', buyerName: 'Bea Buyer', sellerName: 'Sam Seller' },
    ...{ transactionId: 'pi_1', corrects: null },
    issuer: {
      name: 'Second Life',
      legalName: 'Shop Ltd',
      address: 'Lisbon',
      registerNumber: null,
      taxId: null,
    },
    ...{ tax: null, taxNote: 'Margin scheme.' },
  });
  const credit = { ...row, kind: 'commission_credit', amount_cents: 1_200 } as const;
  expect(toReceipt(credit, taxOfCommission)).toMatchObject({
    tax: { name: 'IVA', percent: 20, amount: 2 },
    taxNote: null,
  });
  const untaxed = { ...credit, tax_name: null, commission_tax_basis_points: null, sale_tax_note: null };
  expect(toReceipt(untaxed, taxOfCommission)).toMatchObject({ tax: null, taxNote: null });
  expect(toReceipt({ ...row, recipient_id: 'seller' }, taxOfCommission).recipientName).toBe('Sam Seller');
  expect(toIssuedReceipt({ ...row, recipient_name: 'Bea Buyer', at: '1' })).toEqual({
    ...{ ...entry, recipientName: 'Bea Buyer' },
  });
});

test('a refund after the release gives the commission back as well', () => {
  expect(receiptsOfMove(released, { returnedCents: 54_999, goodwillCents: 0, isCredited: false })).toEqual([
    { kind: 'sale_credit', recipient: 'buyer', amountCents: 54_999 },
    { kind: 'commission_credit', recipient: 'seller', amountCents: 2_749 },
  ]);
});

test('goodwill that the buyer had before is not credited again', () => {
  expect(receiptsOfMove(held, { returnedCents: 54_999, goodwillCents: 1_000, isCredited: false })).toEqual([
    { kind: 'sale_credit', recipient: 'buyer', amountCents: 53_999 },
  ]);
});

test('the key of the receipts of a period is a time in microseconds and a number', () => {
  const isKey = (at: string, number: string) => z.safeParse(ReceiptKey, [at, number]).success;
  expect([isKey('1', '1'), isKey('1796119200000000', '123456')]).toEqual([true, true]);
  for (const wrong of ['', 'x', '1x', 'x1', '1'.repeat(19)]) {
    expect([isKey(wrong, '1'), isKey('1', wrong)]).toEqual([false, false]);
  }
});
