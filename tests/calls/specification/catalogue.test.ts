import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import {
  anyText,
  findById,
  insertedId,
  type Send,
  type SpecificationShop,
  startSpecificationShop,
} from './shop.ts';

const photoKey = 'the key of the image host';

let shop: TestShop;
let people: SpecificationShop['people'];
let send: Send;
beforeAll(async () => {
  ({ shop, people, send } = await startSpecificationShop(photoKey));
});
afterAll(() => shop.close());

/** The laptop's fields in section 3 of the specification. */
const laptopFields = {
  _id: anyText,
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

describe('the catalogue', () => {
  test('GET /brands answers a list of _id, category_Id and image, without a token', async () => {
    const brand = (category_Id: string) => ({ _id: anyText, category_Id, image: anyText });
    expect(await send('GET /brands', null)).toEqual(['HP', 'Dell', 'Acer'].map(brand));
  });

  test('GET /category/{id} answers products: with the seller’s contact by a token, without it for visitors', async () => {
    const id = await shop.laptop(people.seller);
    expect(findById(await send('GET /category/HP', people.buyer.token), id)).toMatchObject({
      ...laptopFields,
      ...contact(),
    });
    const forVisitors = findById(await send('GET /category/HP', null), id);
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
    const answer = await send('POST /laptops', people.seller.token, body);
    expect(answer).toEqual({ acknowledged: true, insertedId: anyText });
    const listed = findById(await send('GET /category/Acer', people.buyer.token), insertedId(answer));
    expect(listed).toMatchObject({
      ...body,
      image: anyText,
      sellers_name: 'Sam Seller',
      seller_email: people.seller.email,
      paid: false,
      sellerVerified: false,
      advertisement: false,
    });
  });

  test('POST to the image host takes multipart `image` and the key in the query, and answers success and data.url', async () => {
    const form = new FormData();
    form.set('image', new Blob([await readFile('demo/photos/dell-latitude-7420-open.webp')]), 'laptop.webp');
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
    const products = await send(`GET /myProducts?email=${people.seller.email}`, people.seller.token);
    expect(findById(products, id)).toMatchObject({ ...laptopFields, ...contact() });
  });

  test('DELETE /myProducts/{id} answers deletedCount', async () => {
    const id = await shop.laptop(people.seller);
    const answer = await send(`DELETE /myProducts/${id}`, people.seller.token);
    expect(answer).toEqual({ acknowledged: true, deletedCount: 1 });
  });

  test('PUT /advertisement/{id} answers modifiedCount, and GET /advertisement then answers the product', async () => {
    const id = await shop.laptop(people.seller);
    const before = await send('GET /advertisement', null);
    expect(findById(before, id)).toBeUndefined();
    const answer = await send(`PUT /advertisement/${id}`, people.seller.token);
    expect(answer).toEqual({ acknowledged: true, modifiedCount: 1 });
    expect(findById(await send('GET /advertisement', null), id)).toMatchObject({
      ...laptopFields,
      advertisement: true,
    });
  });
});
