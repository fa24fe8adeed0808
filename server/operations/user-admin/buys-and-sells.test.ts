// One account that buys and sells.
import { beforeAll, describe, expect, test } from 'vitest';
import { readViewerStatus } from '#contract/listings/catalogue.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import { deleteBuyer, deleteSeller, listBuyers, listSellers } from '#contract/operations/user-admin.ts';
import { addRole, isAdmin, isBuyer, isSeller, registerUser } from '#contract/people/accounts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { book, listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { listReviewsOfSeller, readSeller } from '#contract/sales/seller-pages.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: SharedShop;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

const add = (person: Person, role: 'Buyer' | 'Seller') => person.client.call(addRole, { body: { role } });

/** A person who registered as a buyer and sells, too. */
async function both(): Promise<Person> {
  const person = await shop.buyer('Bo Both');
  await add(person, 'Seller');
  return person;
}

const rolesOf = async ({ client, email }: Person) => ({
  ...(await client.call(isBuyer, { params: { email } })),
  ...(await client.call(isSeller, { params: { email } })),
  ...(await client.call(isAdmin, { params: { email } })),
});
const listed = async ({ email }: Person) => ({
  buyer: (await admin.client.call(listBuyers, { query: { search: email } }))[0],
  seller: (await admin.client.call(listSellers, { query: { search: email } }))[0],
});

describe('the other role', () => {
  test.each([
    ['buyer', 'Seller'],
    ['seller', 'Buyer'],
  ] as const)(
    'is added to the account of a %s once, however often and soon it is asked for',
    async (who, role) => {
      const person = await shop[who]();
      const answers = await Promise.all([add(person, role), add(person, role), add(person, role)]);
      expect(answers.map(({ modifiedCount }) => modifiedCount).toSorted()).toEqual([0, 0, 1]);
      expect(await rolesOf(person)).toEqual({ isBuyer: true, isSeller: true, isAdmin: false });
      expect(await listed(person)).toMatchObject({ buyer: { isBoth: true }, seller: { isBoth: true } });
      const { account } = await person.client.call(readOwnData, {});
      expect(account).toMatchObject({ is_buyer: true, is_seller: true });
    },
  );

  test('stays when the person signs in with Google again, which registers a buyer', async () => {
    const person = await both();
    const again = shop.client(await shop.issuer.idToken(person.email));
    await again.call(registerUser, { body: { name: person.name, email: person.email, role: 'Buyer' } });
    expect(await rolesOf(person)).toMatchObject({ isBuyer: true, isSeller: true });
  });

  test('is nothing for an admin, and no way to become one', async () => {
    await expect(add(await shop.admin(), 'Seller')).rejects.toMatchObject({ code: 'not_allowed' });
    const body: object = { role: 'Admin' };
    const { token } = await shop.buyer();
    const response = await fetch(`${shop.origin}/api/users/me/roles`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(422);
  });

  test('is not said of an account that has only one', async () => {
    const { buyer, seller } = await listed(await shop.buyer());
    expect(buyer).not.toHaveProperty('isBoth');
    expect(seller).toBeUndefined();
  });
});

test('nobody books, wishes or asks about their own laptop, also not past the calls', async () => {
  const person = await both();
  const laptopId = await shop.laptop(person);
  expect(await person.client.call(readViewerStatus, { params: { _id: laptopId } })).toMatchObject({
    role: 'owner',
  });
  const { client } = person;
  const booked = await client.call(book, {
    body: { productCode: laptopId, price: 549.99, phone: '+351 900 000 000', location: 'Home' },
  });
  expect(booked).toMatchObject({ acknowledged: false, message: expect.stringContaining('your own product') });
  const wished = await client.call(wish, { body: { productCode: laptopId } });
  expect(wished).toMatchObject({ acknowledged: false, message: expect.stringContaining('your own laptop') });
  await expect(client.call(openConversation, { body: { productCode: laptopId } })).rejects.toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('your own laptop'),
  });
  expect(await client.call(listBookings, { query: {} })).toEqual([]);
  expect(await client.call(listWishlist, { query: {} })).toEqual([]);
  const past = shop.connection.pool.query(
    `insert into bookings (laptop_id, buyer_id, seller_id, price_cents, phone, location)
     values ($1, $2, $2, 54999, '+351900000000', 'Home')`,
    [laptopId, person.userId],
  );
  await expect(past).rejects.toThrow('bookings_of_two');
});

test('both parts of a person wait, and are in My Orders and My Buyers', async () => {
  const person = await both();
  const bought = await sellLaptop(shop, { buyer: person });
  const sold = await sellLaptop(shop, { seller: person });
  const waiting = await person.client.call(listToDo, {});
  expect(waiting.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['show_code', 'hand_over']));
  const part = await person.client.call(readViewerStatus, { params: { _id: bought.laptopId } });
  expect(part).toMatchObject({ role: 'buyer', booking: { _id: bought.bookingId } });
  const ids = (bookings: readonly { _id: string }[]) => bookings.map(({ _id }) => _id);
  expect(ids(await person.client.call(listBookings, { query: {} }))).toEqual([bought.bookingId]);
  expect(ids(await person.client.call(listOwnBuyers, { query: {} }))).toEqual([sold.bookingId]);
});

test('what sellers say of a person as a buyer is no part of the person’s rating as a seller', async () => {
  const person = await both();
  const bought = await sellLaptop(shop, { buyer: person });
  const sold = await sellLaptop(shop, { seller: person });
  for (const { orderId, buyer, seller } of [bought, sold]) {
    const params = { _id: orderId };
    await buyer.client.call(confirmOrder, { params });
    await buyer.client.call(writeReview, { params, body: { stars: 5, text: 'A good seller.' } });
    await seller.client.call(writeReview, { params, body: { stars: 1, text: 'A late buyer.' } });
  }
  const sellerId = person.userId;
  expect(await shop.visitor.call(readSeller, { params: { sellerId } })).toMatchObject({
    rating: { average: 5, reviews: 1 },
  });
  const reviews = await shop.visitor.call(listReviewsOfSeller, { params: { sellerId }, query: {} });
  expect(reviews.map(({ text }) => text)).toEqual(['A good seller.']);
  expect(await listed(person)).toMatchObject({
    buyer: { rating: { average: 1, reviews: 1 } },
    seller: { rating: { average: 5, reviews: 1 } },
  });
});

test.each([
  ['buyers', deleteBuyer, 'Deleted buyer'],
  ['sellers', deleteSeller, 'Deleted seller'],
] as const)('a deletion from the list of %s ends both parts of the account', async (_list, deletion, act) => {
  const person = await both();
  const laptopId = await shop.laptop(person);
  const other = await shop.laptop(await shop.seller());
  const bookingId = await shop.booking(person, other);
  await person.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
  const { deletedCount } = await admin.client.call(deletion, { params: { _id: person.userId } });
  expect(deletedCount).toBe(1);
  expect(await listed(person)).toEqual({ buyer: undefined, seller: undefined });
  await waitForEmptyQueue(shop.connection.pool);
  const { rows } = await shop.connection.pool.query(
    `select (select state from laptops where id = $1) as state,
            (select array_agg(state) from payment_intents where booking_id = $2) as attempts`,
    [laptopId, bookingId],
  );
  expect(rows).toEqual([{ state: 'withdrawn', attempts: ['closed'] }]);
  const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
  expect(entry).toMatchObject({ act, subject: expect.stringContaining(person.email) });
});
