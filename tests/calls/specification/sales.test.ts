import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import {
  anyText,
  findById,
  insertedId,
  type Send,
  type SpecificationShop,
  startSpecificationShop,
} from './shop.ts';

let shop: TestShop;
let people: SpecificationShop['people'];
let send: Send;
beforeAll(async () => {
  ({ shop, people, send } = await startSpecificationShop());
});
afterAll(() => shop.close());

/** The booking's fields in section 3 of the specification, without state and time. */
const bookingFields = (productCode: string) => ({
  _id: anyText,
  productName: 'EliteBook 840 G8',
  price: 549.99,
  buyerName: 'Bea Buyer',
  email: people.buyer.email,
  phone: '+351 900 000 000',
  location: 'Central Station',
  image: anyText,
  productCode,
  paid: false,
  state: 'Unpaid',
  bookedAt: anyText,
});

/** The body of `POST /bookings` as the specification lists it. */
const bookingBody = (productCode: string) => ({
  productName: 'EliteBook 840 G8',
  price: 549.99,
  buyerName: 'Bea Buyer',
  email: people.buyer.email,
  phone: '+351 900 000 000',
  location: 'Central Station',
  image: 'https://photos.example/a.webp',
  productCode,
});

/** The body of `POST /wishlists` as the specification lists it. */
const wishBody = (productCode: string) => ({
  productName: 'EliteBook 840 G8',
  price: 549.99,
  image: 'https://photos.example/a.webp',
  productCode,
  email: people.buyer.email,
});

describe('bookings', () => {
  test('POST /bookings answers acknowledged and message; again, acknowledged is false', async () => {
    const body = bookingBody(await shop.laptop(people.seller));
    expect(await send('POST /bookings', people.buyer.token, body)).toEqual({
      acknowledged: true,
      message: 'Booking Successful. Now pay the bill.',
      insertedId: anyText,
    });
    expect(await send('POST /bookings', people.buyer.token, body)).toEqual({
      acknowledged: false,
      message: "You already booked EliteBook 840 G8. Can't book it again.",
    });
  });

  test('GET /bookings?email={email} answers the orders list, GET /bookings/{id} the booking', async () => {
    const { email, token } = people.buyer;
    const productCode = await shop.laptop(people.seller);
    const id = insertedId(await send('POST /bookings', token, bookingBody(productCode)));
    expect(findById(await send(`GET /bookings?email=${email}`, token), id)).toMatchObject(
      bookingFields(productCode),
    );
    expect(await send(`GET /bookings/${id}`, token)).toMatchObject(bookingFields(productCode));
  });
});

describe('the wishlist', () => {
  test('POST /wishlists answers acknowledged and message; again, acknowledged is false', async () => {
    const body = wishBody(await shop.laptop(people.seller));
    expect(await send('POST /wishlists', people.buyer.token, body)).toEqual({
      acknowledged: true,
      message: 'Product added to your wishlist. Please Check it on Dashboard.',
      insertedId: anyText,
    });
    expect(await send('POST /wishlists', people.buyer.token, body)).toEqual({
      acknowledged: false,
      message: 'You already added EliteBook 840 G8 to your wishlist.',
    });
  });

  test('GET /wishlists?email={email} answers wishlist items, GET /wishlists/{id} the item', async () => {
    const { email, token } = people.buyer;
    const productCode = await shop.laptop(people.seller);
    const id = insertedId(await send('POST /wishlists', token, wishBody(productCode)));
    const item = {
      _id: id,
      productName: 'EliteBook 840 G8',
      price: 549.99,
      image: anyText,
      productCode,
      email,
      paid: false,
      state: 'Available',
      condition: 'Excellent',
    };
    expect(findById(await send(`GET /wishlists?email=${email}`, token), id)).toMatchObject(item);
    expect(await send(`GET /wishlists/${id}`, token)).toMatchObject(item);
  });
});

describe('payments', () => {
  test('POST /create-payment-intent takes price and answers clientSecret, POST /payments then answers insertedId', async () => {
    const { email, token } = people.buyer;
    const productCode = await shop.laptop(people.seller);
    const bookingId = insertedId(await send('POST /bookings', token, bookingBody(productCode)));
    const intent = await send('POST /create-payment-intent', token, { price: 549.99, bookingId });
    expect(intent).toEqual({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      paymentWindowEndsAt: anyText,
      waiting: 0,
    });
    const { clientSecret } = z.parse(z.object({ clientSecret: z.string() }), intent);
    const { transactionId } = await shop.pay(clientSecret);
    const answer = await send('POST /payments', token, {
      price: 549.99,
      transactionId,
      email,
      bookingId,
      productName: 'EliteBook 840 G8',
      productCode,
    });
    expect(answer).toEqual({ acknowledged: true, insertedId: anyText });
    expect(await send(`GET /bookings/${bookingId}`, token)).toMatchObject({
      ...bookingFields(productCode),
      paid: true,
      state: 'Paid',
      transactionId,
    });
  });

  test('every price can be the decimal text of a number input, with two decimals', async () => {
    const { token } = people.buyer;
    const productCode = await shop.laptop(people.seller, { original_price: '1200', resale_price: '549.99' });
    const booked = await send('POST /bookings', token, { ...bookingBody(productCode), price: '549.99' });
    const bookingId = insertedId(booked);
    const intent = await send('POST /create-payment-intent', token, { price: '549.990', bookingId });
    const { clientSecret } = z.parse(z.object({ clientSecret: z.string() }), intent);
    const { transactionId } = await shop.pay(clientSecret);
    const payment = { price: '549.99', transactionId, bookingId };
    expect(await send('POST /payments', token, payment)).toEqual({ acknowledged: true, insertedId: anyText });
    const order = await send(`GET /bookings/${bookingId}`, token);
    expect(order).toMatchObject({ price: 549.99, state: 'Paid' });
  });
});
