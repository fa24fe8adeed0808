import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

// The specification's calls table, row by row: its method and path, the payload that it names, the answer that it
// reads. In raw HTTP, so that nothing here follows when the contract is changed.

const photoKey = 'the key of the image host';
const text = expect.any(String);

let shop: TestShop;
let people: Record<'buyer' | 'seller' | 'admin', Person>;

beforeAll(async () => {
  shop = await startTestShop({ photoKey });
  const [buyer, seller, admin] = [
    await shop.buyer('Bea Buyer'),
    await shop.seller('Sam Seller'),
    await shop.admin(),
  ];
  people = { buyer, seller, admin };
});
afterAll(() => shop.close());

/** Makes a call and answers what came back, once it is 200 and JSON. */
async function ask(row: string, token: string | null, body?: unknown): Promise<unknown> {
  const [method = '', path = ''] = row.split(' ');
  const response = await fetch(`${shop.origin}/api${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  expect(response.status, `${row}: ${JSON.stringify(answer)}`).toBe(200);
  return answer;
}

const Inserted = z.object({ insertedId: z.string() });
const insertedId = (answer: unknown) => z.parse(Inserted, answer).insertedId;
/** The one thing with this id in an answered list. */
function among(list: unknown, id: string): unknown {
  return z.parse(z.array(z.looseObject({ _id: z.string() })), list).find(({ _id }) => _id === id);
}

/** What section 3 lists of a laptop. */
const laptopFields = {
  _id: text,
  category_Id: 'HP',
  name: 'EliteBook 840 G8',
  location: 'Lisbon',
  image: expect.stringMatching(/^https?:\/\//),
  description: { Processor: 'Intel Core i5-1145G7', Memory: '16 GB', Notes: 'One small scratch on the lid.' },
  original_price: 1299,
  resale_price: 549.99,
  posted_time: '11/20/2026, 9:30:00 AM',
  sellers_name: 'Sam Seller',
  use_time: '2 years',
  condition: 'Excellent',
  paid: false,
  sellerVerified: false,
  advertisement: false,
};
const contact = () => ({ seller_email: people.seller.email, mobile_number: '+351 912 345 678' });

/** What section 3 lists of a booking, beside its state and its moment. */
const bookingFields = (productCode: string) => ({
  _id: text,
  productName: 'EliteBook 840 G8',
  price: 549.99,
  buyerName: 'Bea Buyer',
  email: people.buyer.email,
  phone: '+351 900 000 000',
  location: 'Central Station',
  image: text,
  productCode,
  paid: false,
  state: 'Unpaid',
  bookedAt: text,
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

describe('roles, tokens and users', () => {
  test.each([
    ['admin', 'isAdmin'],
    ['buyer', 'isBuyer'],
    ['seller', 'isSeller'],
  ] as const)('GET /users/%s/{email} answers %s', async (role, field) => {
    for (const [name, { email }] of Object.entries(people)) {
      const answer = await ask(`GET /users/${role}/${email}`, people.admin.token);
      expect(answer, name).toEqual({ [field]: name === role });
    }
  });

  test('GET /jwt?email={email} answers coomercioToken', async () => {
    const { email } = people.buyer;
    const answer = await ask(`GET /jwt?email=${email}`, await shop.issuer.idToken(email));
    expect(answer).toEqual({ coomercioToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
  });

  test('POST /users takes name, email, role and status, and believes no status', async () => {
    const email = 'newcomer@people.example';
    const body = { name: 'Nia Newcomer', email, role: 'Seller', status: true };
    const answer = await ask('POST /users', await shop.issuer.idToken(email), body);
    expect(answer).toEqual({ acknowledged: true, insertedId: text });
    expect(await ask(`GET /sellers/${email}`, people.buyer.token)).toEqual({ status: false });
  });
});

describe('the catalogue', () => {
  test('GET /brands answers a list of _id, category_Id and image, without a token', async () => {
    const brand = (category_Id: string) => ({ _id: text, category_Id, image: text });
    expect(await ask('GET /brands', null)).toEqual(['HP', 'Dell', 'Acer'].map(brand));
  });

  test('GET /category/{id} answers products: with the seller’s contact by a token, without it for visitors', async () => {
    const id = await shop.laptop(people.seller);
    expect(among(await ask('GET /category/HP', people.buyer.token), id)).toMatchObject({
      ...laptopFields,
      ...contact(),
    });
    const forVisitors = among(await ask('GET /category/HP', null), id);
    expect(forVisitors).toMatchObject(laptopFields);
    for (const field of Object.keys(contact())) expect(forVisitors).not.toHaveProperty(field);
  });

  test('POST /laptops takes the product fields of section 3, and the server fills in what is its own', async () => {
    const body = {
      category_Id: 'Acer',
      name: 'Swift 3',
      location: 'Porto',
      image: `${shop.origin}/photos/${'a'.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`,
      description: 'Works.',
      original_price: 900,
      resale_price: 300,
      posted_time: '11/20/2026, 9:30:00 AM',
      sellers_name: 'Somebody Else',
      seller_email: 'else@people.example',
      use_time: '3 years',
      mobile_number: '912345678',
      condition: 'Good',
      paid: true,
      sellerVerified: true,
      advertisement: true,
    };
    const answer = await ask('POST /laptops', people.seller.token, body);
    expect(answer).toEqual({ acknowledged: true, insertedId: text });
    const listed = among(await ask('GET /category/Acer', people.buyer.token), insertedId(answer));
    expect(listed).toMatchObject({
      ...body,
      image: text,
      sellers_name: 'Sam Seller',
      seller_email: people.seller.email,
      paid: false,
      sellerVerified: false,
      advertisement: false,
    });
  });

  test('POST to the image host takes multipart `image` and the key in the query, and answers success and data.url', async () => {
    const form = new FormData();
    form.set('image', new Blob([await readFile('demo/photos/examples/open-silver.webp')]), 'laptop.webp');
    const response = await fetch(`${shop.origin}/photos?key=${encodeURIComponent(photoKey)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${people.seller.token}` },
      body: form,
    });
    expect(await response.json()).toEqual({
      success: true,
      data: { url: expect.stringMatching(`^${shop.origin}/photos/`) },
    });
  });

  test('GET /myProducts?email={email} answers the seller’s products', async () => {
    const id = await shop.laptop(people.seller);
    const products = await ask(`GET /myProducts?email=${people.seller.email}`, people.seller.token);
    expect(among(products, id)).toMatchObject({ ...laptopFields, ...contact() });
  });

  test('DELETE /myProducts/{id} answers deletedCount', async () => {
    const id = await shop.laptop(people.seller);
    const answer = await ask(`DELETE /myProducts/${id}`, people.seller.token);
    expect(answer).toEqual({ acknowledged: true, deletedCount: 1 });
  });

  test('PUT /advertisement/{id} answers modifiedCount, and GET /advertisement then answers the product', async () => {
    const id = await shop.laptop(people.seller);
    const before = await ask('GET /advertisement', null);
    expect(among(before, id)).toBeUndefined();
    const answer = await ask(`PUT /advertisement/${id}`, people.seller.token);
    expect(answer).toEqual({ acknowledged: true, modifiedCount: 1 });
    expect(among(await ask('GET /advertisement', null), id)).toMatchObject({
      ...laptopFields,
      advertisement: true,
    });
  });
});

describe('sellers and buyers', () => {
  test('GET /sellers/{email} answers status', async () => {
    const answer = await ask(`GET /sellers/${people.seller.email}`, people.buyer.token);
    expect(answer).toEqual({ status: false });
  });

  test('GET /sellers answers a list of _id, name, email and status', async () => {
    const { email, userId, name } = people.seller;
    const sellers = await ask('GET /sellers', people.admin.token);
    expect(sellers).toContainEqual({ _id: userId, name, email, status: false });
  });

  test('PUT /sellers/{email} without a body answers modifiedCount', async () => {
    const { email } = await shop.seller();
    const answer = await ask(`PUT /sellers/${email}`, people.admin.token);
    expect(answer).toEqual({ acknowledged: true, modifiedCount: 1 });
  });

  test('DELETE /sellers/{id} answers deletedCount', async () => {
    const { userId } = await shop.seller();
    const answer = await ask(`DELETE /sellers/${userId}`, people.admin.token);
    expect(answer).toEqual({ acknowledged: true, deletedCount: 1 });
  });

  test('GET /buyers answers a list of _id, name and email', async () => {
    const { email, userId, name } = people.buyer;
    const buyers = await ask('GET /buyers', people.admin.token);
    expect(buyers).toContainEqual({ _id: userId, name, email });
  });

  test('DELETE /buyers/{id} answers deletedCount', async () => {
    const { userId } = await shop.buyer();
    const answer = await ask(`DELETE /buyers/${userId}`, people.admin.token);
    expect(answer).toEqual({ acknowledged: true, deletedCount: 1 });
  });
});

describe('bookings', () => {
  test('POST /bookings answers acknowledged and message; again, acknowledged is false', async () => {
    const body = bookingBody(await shop.laptop(people.seller));
    expect(await ask('POST /bookings', people.buyer.token, body)).toEqual({
      acknowledged: true,
      message: 'Booking Successful. Now pay the bill.',
      insertedId: text,
    });
    expect(await ask('POST /bookings', people.buyer.token, body)).toEqual({
      acknowledged: false,
      message: "You already booked EliteBook 840 G8. Can't book it again.",
    });
  });

  test('GET /bookings?email={email} answers the orders list, GET /bookings/{id} the booking', async () => {
    const { email, token } = people.buyer;
    const productCode = await shop.laptop(people.seller);
    const id = insertedId(await ask('POST /bookings', token, bookingBody(productCode)));
    expect(among(await ask(`GET /bookings?email=${email}`, token), id)).toEqual(bookingFields(productCode));
    expect(await ask(`GET /bookings/${id}`, token)).toEqual(bookingFields(productCode));
  });
});

describe('the wishlist', () => {
  test('POST /wishlists answers acknowledged and message; again, acknowledged is false', async () => {
    const body = wishBody(await shop.laptop(people.seller));
    expect(await ask('POST /wishlists', people.buyer.token, body)).toEqual({
      acknowledged: true,
      message: 'Product added to your wishlist. Please Check it on Dashboard.',
      insertedId: text,
    });
    expect(await ask('POST /wishlists', people.buyer.token, body)).toEqual({
      acknowledged: false,
      message: 'You already added EliteBook 840 G8 to your wishlist.',
    });
  });

  test('GET /wishlists?email={email} answers wishlist items, GET /wishlists/{id} the item', async () => {
    const { email, token } = people.buyer;
    const productCode = await shop.laptop(people.seller);
    const id = insertedId(await ask('POST /wishlists', token, wishBody(productCode)));
    const item = {
      _id: id,
      productName: 'EliteBook 840 G8',
      price: 549.99,
      image: text,
      productCode,
      email,
      paid: false,
      state: 'Available',
    };
    expect(among(await ask(`GET /wishlists?email=${email}`, token), id)).toEqual(item);
    expect(await ask(`GET /wishlists/${id}`, token)).toEqual(item);
  });
});

describe('payments', () => {
  test('POST /create-payment-intent takes price and answers clientSecret, POST /payments then answers insertedId', async () => {
    const { email, token } = people.buyer;
    const productCode = await shop.laptop(people.seller);
    const bookingId = insertedId(await ask('POST /bookings', token, bookingBody(productCode)));
    const intent = await ask('POST /create-payment-intent', token, { price: 549.99, bookingId });
    expect(intent).toEqual({ clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/), heldUntil: text });
    const { clientSecret } = z.parse(z.object({ clientSecret: z.string() }), intent);
    const { transactionId } = await shop.pay(clientSecret);
    const answer = await ask('POST /payments', token, {
      price: 549.99,
      transactionId,
      email,
      bookingId,
      productName: 'EliteBook 840 G8',
      productCode,
    });
    expect(answer).toEqual({ acknowledged: true, insertedId: text });
    expect(await ask(`GET /bookings/${bookingId}`, token)).toEqual({
      ...bookingFields(productCode),
      paid: true,
      state: 'Paid',
      transactionId,
    });
  });
});
