import { beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { listWishlist, readWishlistItem, removeWish, wish } from '#contract/listings/wishlist.ts';
import * as contract from '#contract/sales/bookings.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: SharedShop;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  shop = await sharedShop();
  [seller, buyer] = [await shop.seller('Sam Seller'), await shop.buyer('Bea Buyer')];
});

const bookingBody = { price: 549.99, phone: '+351 900 000 000', location: 'Central Station' };
const book = (who: Person, productCode: string, overrides = {}) =>
  who.client.call(contract.book, { body: { ...bookingBody, productCode, ...overrides } });

describe('POST /bookings', () => {
  test('takes name, price, image and buyer from the database, not from the body', async () => {
    const laptop = await shop.laptop(seller);
    const answer = await book(buyer, laptop, {
      productName: 'Yacht',
      buyerName: 'X',
      email: 'x@y.z',
      image: 'https://x',
    });
    expect(answer).toMatchObject({ acknowledged: true });
    const booking = await buyer.client.call(contract.readBooking, {
      params: { _id: answer.insertedId ?? '' },
    });
    expect(booking).toMatchObject({
      productName: 'EliteBook 840 G8',
      price: 549.99,
      buyerName: 'Bea Buyer',
      email: buyer.email,
      phone: bookingBody.phone,
      location: bookingBody.location,
      productCode: laptop,
      paid: false,
      state: 'Unpaid',
    });
  });

  test('sends an email to the seller', async () => {
    const laptop = await shop.laptop(seller, { name: 'Latitude <b>7420</b>' });
    await book(buyer, laptop);
    const told = () => shop.mails.find(({ subject }) => subject === 'Latitude <b>7420</b> was booked');
    await expect.poll(told).toMatchObject({ to: seller.email });
    expect(told()?.html).toContain('Latitude &lt;b&gt;7420&lt;/b&gt;');
  });

  test('rejects a second booking, also a concurrent one', async () => {
    const laptop = await shop.laptop(seller);
    const answers = await Promise.all([book(buyer, laptop), book(buyer, laptop)]);
    expect(answers.filter(({ acknowledged }) => acknowledged)).toHaveLength(1);
    expect(answers).toContainEqual({
      acknowledged: false,
      message: "You already booked EliteBook 840 G8. Can't book it again.",
    });
  });

  test('of two concurrent bookings after a cancelled one, one succeeds', async () => {
    const laptop = await shop.laptop(seller);
    const { insertedId = '' } = await book(buyer, laptop);
    await buyer.client.call(contract.cancelBooking, { params: { _id: insertedId } });
    const answers = await Promise.all([book(buyer, laptop), book(buyer, laptop)]);
    expect(answers.filter(({ acknowledged }) => acknowledged)).toEqual([
      expect.objectContaining({ insertedId }),
    ]);
  });

  test('rejects a price that differs from the laptop’s, and states the current one', async () => {
    const laptop = await shop.laptop(seller);
    const answer = await book(buyer, laptop, { price: 500 });
    expect(answer).toMatchObject({ acknowledged: false, message: expect.stringContaining('$549.99') });
  });

  test('rejects the seller’s own laptop with a message, and sellers and admins with a refusal', async () => {
    const laptop = await shop.laptop(seller);
    await expect(book(seller, laptop)).resolves.toMatchObject({
      acknowledged: false,
      message: expect.stringContaining('your own product'),
    });
    for (const other of [await shop.seller(), await shop.admin()]) {
      await expect(book(other, laptop)).rejects.toMatchObject({ status: 403 });
    }
  });

  test('rejects sold and withdrawn laptops, and answers 404 for unknown ones', async () => {
    const [sold, gone] = [await shop.laptop(seller), await shop.laptop(seller)];
    await sellLaptop(shop, { seller, laptopId: sold });
    await shop.connection.database
      .updateTable('laptops')
      .set({ state: 'taken_down', taken_down_note: 'Counterfeit.' })
      .where('id', '=', gone)
      .execute();
    await expect(book(buyer, sold)).resolves.toMatchObject({
      acknowledged: false,
      message: expect.stringContaining('sold'),
    });
    await expect(book(buyer, gone)).resolves.toMatchObject({ acknowledged: false });
    await expect(book(buyer, crypto.randomUUID())).rejects.toMatchObject({ status: 404 });
  });

  test('accepts the id of the caller’s own wishlist item, and of no other', async () => {
    const laptop = await shop.laptop(seller);
    await buyer.client.call(wish, { body: { productCode: laptop } });
    const [item] = await buyer.client.call(listWishlist, { query: {} });
    const thief = await shop.buyer();
    await expect(book(thief, item?._id ?? '')).rejects.toMatchObject({ status: 404 });
    await expect(
      thief.client.call(readWishlistItem, { params: { _id: item?._id ?? '' } }),
    ).rejects.toMatchObject({ status: 404 });
    const { insertedId = '' } = await book(buyer, item?._id ?? '');
    const booking = await buyer.client.call(contract.readBooking, { params: { _id: insertedId } });
    expect(booking.productCode).toBe(laptop);
  });
});

describe('reading bookings', () => {
  test('returns a booking to its buyer and its seller, and 404 to other users', async () => {
    const bookingId = await shop.booking(buyer, await shop.laptop(seller));
    const read = (who: Person) => who.client.call(contract.readBooking, { params: { _id: bookingId } });
    await expect(read(buyer)).resolves.toMatchObject({ _id: bookingId });
    await expect(read(seller)).resolves.toMatchObject({ _id: bookingId });
    for (const stranger of [await shop.buyer(), await shop.seller(), await shop.admin()]) {
      await expect(read(stranger)).rejects.toMatchObject({ status: 404 });
    }
  });

  test('has the seller’s telephone number until it is cancelled', async () => {
    const owner = await shop.seller('Marta Lindqvist');
    const laptop = await shop.laptop(owner, { mobile_number: '+351 966 000 222' });
    const bookingId = await shop.booking(buyer, laptop);
    const read = () => buyer.client.call(contract.readBooking, { params: { _id: bookingId } });
    await expect(read()).resolves.toMatchObject({
      sellerName: 'Marta Lindqvist',
      sellerPhone: '+351 966 000 222',
    });
    await buyer.client.call(contract.cancelBooking, { params: { _id: bookingId } });
    const cancelled = await read();
    expect(cancelled).toMatchObject({ sellerName: 'Marta Lindqvist', state: 'Cancelled' });
    expect(cancelled).not.toHaveProperty('sellerPhone');
  });

  test('lists the buyers of a seller, with state, and with contact until the booking is over', async () => {
    const [owner, bookingBuyer] = [await shop.seller(), await shop.buyer('Carla Cruz')];
    const _id = await shop.booking(bookingBuyer, await shop.laptop(owner));
    const buyers = await owner.client.call(contract.listOwnBuyers, { query: {} });
    expect(buyers).toMatchObject([
      { buyerName: 'Carla Cruz', email: bookingBuyer.email, phone: bookingBody.phone, state: 'Unpaid' },
    ]);
    expect(buyers[0]).not.toHaveProperty('paidAt');
    await expect(seller.client.call(contract.listOwnBuyers, { query: {} })).resolves.not.toContainEqual(
      expect.objectContaining({ buyerName: 'Carla Cruz' }),
    );
    await bookingBuyer.client.call(contract.cancelBooking, { params: { _id } });
    const [over] = await owner.client.call(contract.listOwnBuyers, { query: {} });
    expect(over).toMatchObject({ buyerName: 'Carla Cruz', state: 'Cancelled' });
    for (const part of ['email', 'phone', 'location']) expect(over).not.toHaveProperty(part);
    expect(await bookingBuyer.client.call(contract.readBooking, { params: { _id } })).toHaveProperty('phone');
  });

  test('rejects the list of another user', async () => {
    await expect(
      buyer.client.call(contract.listBookings, { query: { email: seller.email } }),
    ).rejects.toMatchObject({
      status: 403,
    });
  });
});

test('a laptop is added to a wishlist once', async () => {
  const laptop = await shop.laptop(seller);
  const add = () => buyer.client.call(wish, { body: { productCode: laptop } });
  await expect(add()).resolves.toMatchObject({
    acknowledged: true,
    message: 'Product added to your wishlist. Please Check it on Dashboard.',
  });
  await expect(add()).resolves.toEqual({
    acknowledged: false,
    message: 'You already added EliteBook 840 G8 to your wishlist.',
  });
});

test('a buyer removes an item of the own wishlist, in every state, and can add the laptop again', async () => {
  const [collector, stranger] = [await shop.buyer(), await shop.buyer()];
  const left = await shop.laptop(seller);
  for (const productCode of [await shop.laptop(seller), left]) {
    await collector.client.call(wish, { body: { productCode } });
  }
  await seller.client.call(deleteOwnLaptop, { params: { _id: left } });
  const list = () => collector.client.call(listWishlist, { query: {} });
  const items = await list();
  expect(items.map(({ state }) => state).sort()).toEqual(['Available', 'Gone']);
  const remove = (who: Person, _id: string) => who.client.call(removeWish, { params: { _id } });
  for (const { _id } of items) {
    await expect(remove(stranger, _id)).resolves.toMatchObject({ deletedCount: 0 });
    await expect(remove(collector, _id)).resolves.toMatchObject({ deletedCount: 1 });
    await expect(remove(collector, _id)).resolves.toMatchObject({ deletedCount: 0 });
  }
  await expect(list()).resolves.toEqual([]);
  const again = { productCode: items.find(({ state }) => state === 'Available')?.productCode ?? '' };
  await expect(collector.client.call(wish, { body: again })).resolves.toMatchObject({ acknowledged: true });
});
