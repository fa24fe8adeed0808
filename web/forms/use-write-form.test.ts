import { expect, test } from 'vitest';
import { book } from '#contract/sales/bookings.ts';
import { refundOrder } from '#contract/sales/orders.ts';
import { violations } from './use-write-form.ts';

test('each field gets the first message of the contract, in its order', () => {
  const body = {
    productName: 'ThinkPad',
    price: 500,
    buyerName: '',
    email: '',
    image: '',
    productCode: '00000000-0000-4000-8000-000000000000',
    phone: '',
    location: ' ',
  };
  expect(Object.entries(violations(book, { body }))).toEqual([
    ['phone', 'Phone Number is required'],
    ['location', 'Meeting Location is required'],
  ]);
  expect(violations(book, { body: { ...body, phone: '+351 912 345 678', location: 'Porto' } })).toEqual({});
  expect(violations(refundOrder, { body: { amount: '', from: 'seller', text: '' } })).toHaveProperty('text');
});
