import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listCategory, readLaptop } from '#contract/listings/catalogue.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { deleteBuyer, deleteSeller, listBuyers, listSellers } from '#contract/operations/user-admin.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import { complain } from '#contract/sales/complaints.ts';
import { openConversation, readConversation } from '#contract/sales/messages.ts';
import { confirmOrder, readOrder } from '#contract/sales/orders.ts';
import * as contract from '#contract/sales/reviews.ts';
import { shipParcel } from '#contract/sales/shipping.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { showDueReviews } from './actions.ts';

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

let shop: SharedShop;
let admin: Person;
let sale: Sale;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

const params = () => ({ _id: sale.orderId });
const confirm = () => sale.buyer.client.call(confirmOrder, { params: params() });
const write = (person: Person, stars = 4, text = 'All went well.') =>
  person.client.call(contract.writeReview, { params: params(), body: { stars, text } });
const read = (person: Person) => person.client.call(contract.readReviewsOfOrder, { params: params() });
const answer = (person: Person, _id: string, text = 'Thank you.') =>
  person.client.call(contract.answerReview, { params: { _id }, body: { text } });
const remove = (_id: string, person = admin) =>
  person.client.call(contract.removeReview, { params: { _id }, body: { reason: 'It insults.' } });
const show = (days: number) => {
  const { enqueue, connection } = shop;
  return showDueReviews({ database: connection.database, enqueue }, inDays(days));
};
const reputation = async ({ userId }: Person) => {
  const { rows } = await shop.connection.pool.query(
    `select sold, reviews + buyer_reviews as reviews, stars + buyer_stars as stars
       from reputations where user_id = $1`,
    [userId],
  );
  return rows[0];
};
const titlesTo = async ({ userId }: Person) => {
  await waitForEmptyQueue(shop.connection.pool);
  const { rows } = await shop.connection.pool.query<{ title: string }>(
    `select title from notifications where user_id = $1 and topic = 'reviews' order by title`,
    [userId],
  );
  return rows.map(({ title }) => title);
};
/** Reviews of both sides. @returns their ids */
const both = async () => {
  const { insertedId: ofSeller } = await write(sale.buyer, 5);
  const { insertedId: ofBuyer } = await write(sale.seller, 3);
  return { ofSeller, ofBuyer };
};

beforeEach(async () => {
  sale = await sellLaptop(shop);
});

describe('a review', () => {
  test('is possible after the hand-over, once per side, and not for others', async () => {
    await expect(write(sale.buyer)).rejects.toMatchObject({ code: 'review_refused' });
    await expect(read(sale.buyer)).resolves.toMatchObject({ canWrite: false, shownFrom: null });
    await confirm();
    await expect(read(sale.buyer)).resolves.toMatchObject({ canWrite: true, reviews: [] });
    await expect(write(await shop.buyer())).rejects.toMatchObject({ code: 'not_found' });
    await write(sale.buyer);
    await expect(write(sale.buyer)).rejects.toMatchObject({ code: 'review_refused', status: 409 });
    await expect(read(await shop.seller())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is offered in the lists of both sides until it is written, and not while a complaint is open', async () => {
    const offered = async () => {
      const [bought] = await sale.buyer.client.call(listBookings, { query: {} });
      const [sold] = await sale.seller.client.call(listOwnBuyers, { query: {} });
      return [bought?.order?.canReview, sold?.order?.canReview];
    };
    expect(await offered()).toEqual([false, false]);
    await confirm();
    expect(await offered()).toEqual([true, true]);
    await write(sale.buyer);
    expect(await offered()).toEqual([false, true]);
    const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
    await sale.buyer.client.call(complain, { params: params(), body });
    expect(await offered()).toEqual([false, false]);
  });

  test('is possible when the buyer complains about a laptop that is there', async () => {
    const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
    await sale.buyer.client.call(complain, { params: params(), body });
    await expect(write(sale.buyer, 1)).resolves.toMatchObject({ acknowledged: true });
  });

  test('is not possible when the buyer complains that the laptop has not arrived', async () => {
    sale = await sellLaptop(shop, { address: sampleAddress });
    const parcel = {
      carrier: 'UPS',
      trackingNumber: `1Z${sale.orderId.replaceAll('-', '').slice(0, 12)}`,
    } as const;
    await sale.seller.client.call(shipParcel, { params: params(), body: parcel });
    const body = { kind: 'not_arrived', text: 'Nothing came.' } as const;
    await sale.buyer.client.call(complain, { params: params(), body });
    await expect(read(sale.buyer)).resolves.toMatchObject({ canWrite: false, shownFrom: null });
    await expect(write(sale.buyer, 1)).rejects.toMatchObject({ code: 'review_refused' });
  });

  test('is read by the other side only when both are in', async () => {
    await confirm();
    await write(sale.buyer, 5, 'Exactly as described.');
    const before = await read(sale.seller);
    expect(before).toMatchObject({ reviews: [], otherWaits: true, canWrite: true });
    expect(await reputation(sale.seller)).toMatchObject({ sold: 1, reviews: 0 });
    expect(await titlesTo(sale.seller)).toEqual([expect.stringMatching(/^A review waits for yours/)]);
    await write(sale.seller, 3);
    const after = await read(sale.seller);
    expect(after).toMatchObject({ otherWaits: false, canWrite: false });
    expect(after.reviews.map(({ by, stars, isShown }) => [by, stars, isShown])).toEqual([
      ['buyer', 5, true],
      ['seller', 3, true],
    ]);
    expect(await reputation(sale.seller)).toMatchObject({ reviews: 1, stars: 5 });
    expect(await reputation(sale.buyer)).toMatchObject({ reviews: 1, stars: 3 });
    expect(await titlesTo(sale.buyer)).toEqual([expect.stringMatching(/are shown$/)]);
  });

  test('is shown alone after 14 days, and then not followed by another one', async () => {
    await confirm();
    const { insertedId } = await write(sale.buyer, 2);
    await show(13);
    expect((await read(sale.seller)).reviews).toEqual([]);
    await show(14);
    await show(15);
    expect(await read(sale.seller)).toMatchObject({
      reviews: [{ _id: insertedId, isShown: true, actions: ['answer', 'report'] }],
      canWrite: false,
    });
    await expect(write(sale.seller)).rejects.toMatchObject({ code: 'review_refused' });
    expect(await reputation(sale.seller)).toMatchObject({ reviews: 1, stars: 2 });
    expect((await titlesTo(sale.seller)).filter((title) => title.endsWith('are shown'))).toHaveLength(1);
  });

  test('of two at once are both stored and shown', async () => {
    await confirm();
    await Promise.all([write(sale.buyer, 5), write(sale.seller, 4)]);
    expect((await read(sale.buyer)).reviews.map(({ isShown }) => isShown)).toEqual([true, true]);
    expect(await reputation(sale.seller)).toMatchObject({ reviews: 1, stars: 5 });
  });

  test('sent five times at once by one side is stored once', async () => {
    await confirm();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => write(sale.buyer)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await read(sale.buyer)).reviews).toHaveLength(1);
  });

  test('is never changed, also not by a statement in the database', async () => {
    await confirm();
    const { insertedId } = await write(sale.buyer, 5);
    for (const change of ['stars = 1', `text = 'Bad.'`, 'subject_id = author_id', 'due_at = now()']) {
      const changed = shop.connection.pool.query(`update reviews set ${change} where id = $1`, [insertedId]);
      await expect(changed).rejects.toThrow('never changed');
    }
  });

  test('of an ended account is refused, and an earlier one stays', async () => {
    await confirm();
    await Promise.allSettled([
      write(sale.buyer),
      admin.client.call(deleteBuyer, { params: { _id: sale.buyer.userId } }),
    ]);
    const { rows } = await shop.connection.pool.query('select ended_at from users where id = $1', [
      sale.buyer.userId,
    ]);
    expect(rows[0].ended_at).not.toBeNull();
    await expect(write(sale.buyer)).rejects.toMatchObject({ code: 'account_ended' });
    await write(sale.seller);
    const { reviews } = await read(sale.seller);
    expect(reviews.every(({ isShown }) => isShown)).toBe(reviews.length === 2);
  });
});

describe('an answer', () => {
  test('is given once, by the reviewed person, of two at once only one', async () => {
    await confirm();
    const { ofSeller } = await both();
    await expect(answer(sale.buyer, ofSeller)).rejects.toMatchObject({ code: 'not_found' });
    const outcomes = await Promise.allSettled([
      answer(sale.seller, ofSeller, 'One.'),
      answer(sale.seller, ofSeller, 'Two.'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [review] = (await read(sale.buyer)).reviews;
    expect(review?.answer?.text).toMatch(/^(One|Two)\.$/);
    expect(await titlesTo(sale.buyer)).toContainEqual(expect.stringMatching(/was answered$/));
  });

  test('to a review that is not shown is refused like one to none', async () => {
    await confirm();
    const { insertedId } = await write(sale.buyer);
    await expect(answer(sale.seller, insertedId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a removal', () => {
  test('is an admin’s, with a reason that the author reads, and no longer counts', async () => {
    await confirm();
    const { ofSeller } = await both();
    await expect(remove(ofSeller, sale.seller)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(remove(ofSeller)).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(remove(ofSeller)).resolves.toMatchObject({ modifiedCount: 0 });
    expect((await read(sale.seller)).reviews.map(({ by }) => by)).toEqual(['seller']);
    const [own] = (await read(sale.buyer)).reviews;
    expect(own).toMatchObject({ isShown: false, removedBecause: 'It insults.' });
    expect(await reputation(sale.seller)).toMatchObject({ reviews: 0, stars: 0 });
    await expect(answer(sale.seller, ofSeller)).rejects.toMatchObject({ code: 'review_refused' });
    const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
    expect(entry).toMatchObject({ act: 'Removed review', note: 'It insults.' });
    expect(await titlesTo(sale.buyer)).toContainEqual(expect.stringMatching(/was removed$/));
    const listed = await admin.client.call(contract.listReviews, { query: { limit: 2 } });
    expect(listed.find(({ _id }) => _id === ofSeller)).toMatchObject({ removedBecause: 'It insults.' });
  });
});

describe('a seller’s rating', () => {
  test('stands on all laptops, and follows each change at once', async () => {
    const laptopId = await shop.laptop(sale.seller, { category_Id: 'Acer' });
    const ratings = async () => {
      const list = await shop.visitor.call(listCategory, { params: { id: 'Acer' }, query: {} });
      const { seller_rating } = await shop.visitor.call(readLaptop, { params: { _id: laptopId } });
      return [list.find(({ _id }) => _id === laptopId)?.seller_rating, seller_rating];
    };
    // Three times, so that the response is kept.
    for (let time = 0; time < 3; time += 1) expect(await ratings()).toEqual([undefined, undefined]);
    await confirm();
    const { ofSeller } = await both();
    for (let time = 0; time < 3; time += 1) {
      expect(await ratings()).toEqual(Array(2).fill({ reviews: 1, average: 5 }));
    }
    await remove(ofSeller);
    expect(await ratings()).toEqual([undefined, undefined]);
  });

  test('and the buyer’s stand wherever one of them is named, and the seller’s page goes with the account', async () => {
    await confirm();
    await both();
    const sellerRating = { reviews: 1, average: 5 };
    const buyerRating = { reviews: 1, average: 3 };
    const sellerId = sale.seller.userId;
    const people = { sellerId, sellerRating, buyerRating };
    const { buyer, seller } = sale;
    const wished = await shop.laptop(seller);
    await buyer.client.call(wish, { body: { productCode: wished } });
    const body = { bookingId: sale.bookingId };
    const { insertedId } = await buyer.client.call(openConversation, { body });
    const conversation = { params: { _id: insertedId } };
    expect(await buyer.client.call(readOrder, { params: params() })).toMatchObject(people);
    expect(await buyer.client.call(listBookings, { query: {} })).toMatchObject([people]);
    expect(await seller.client.call(listOwnBuyers, { query: {} })).toMatchObject([people]);
    expect(await buyer.client.call(listWishlist, { query: {} })).toMatchObject([{ sellerId, sellerRating }]);
    expect(await buyer.client.call(readConversation, conversation)).toMatchObject({
      sellerId,
      personRating: sellerRating,
    });
    const ofSeller = await seller.client.call(readConversation, conversation);
    expect(ofSeller).toMatchObject({ personRating: buyerRating });
    expect(ofSeller).not.toHaveProperty('sellerId');
    for (const query of [{}, { search: seller.email }]) {
      const sellers = await admin.client.call(listSellers, { query });
      expect(sellers.find(({ _id }) => _id === sellerId)).toMatchObject({ rating: sellerRating });
    }
    const buyers = await admin.client.call(listBuyers, { query: { search: buyer.email } });
    expect(buyers).toMatchObject([{ rating: buyerRating }]);
    await admin.client.call(deleteSeller, { params: { _id: sellerId } });
    const order = await buyer.client.call(readOrder, { params: params() });
    for (const name of ['sellerId', 'sellerRating']) expect(order).not.toHaveProperty(name);
    expect(await buyer.client.call(readConversation, conversation)).not.toHaveProperty('sellerId');
  });
});

test.each([
  ['a bidirectional override', { stars: 5, text: 'Good \u202Edab' }],
  ['a NUL', { stars: 5, text: 'Good\u0000' }],
  ['no words', { stars: 5, text: '   ' }],
  ['too many words', { stars: 5, text: 'x'.repeat(contract.MAXIMUM_REVIEW_LENGTH + 1) }],
  ['no star', { stars: 0, text: 'Bad.' }],
  ['six stars', { stars: 6, text: 'Good.' }],
  ['half a star', { stars: 4.5, text: 'Good.' }],
])('a review with %s is refused', async (_name, body) => {
  await confirm();
  await expect(
    sale.buyer.client.call(contract.writeReview, { params: params(), body }),
  ).rejects.toMatchObject({ code: 'invalid_input' });
});
