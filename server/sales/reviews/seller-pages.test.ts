import { beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop, readLaptop } from '#contract/listings/catalogue.ts';
import { deleteBuyer, deleteSeller, verifySeller } from '#contract/operations/user-admin.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { listLaptopsOfSeller, listReviewsOfSeller, readSeller } from '#contract/sales/seller-pages.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: SharedShop;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

const of = ({ userId }: Person) => ({ params: { sellerId: userId } });
const read = (person: Person) => shop.visitor.call(readSeller, of(person));
const reviewsOf = (person: Person) => shop.visitor.call(listReviewsOfSeller, { ...of(person), query: {} });
const laptopsOf = async (person: Person) => {
  const laptops = await shop.visitor.call(listLaptopsOfSeller, { ...of(person), query: {} });
  return laptops.map(({ _id }) => _id);
};

/** A handed-over sale that both sides have reviewed. @returns the laptop's id */
async function reviewedSale(seller: Person, buyer: Person, stars: number): Promise<string> {
  const { orderId, laptopId } = await sellLaptop(shop, { seller, buyer });
  const params = { _id: orderId };
  await buyer.client.call(confirmOrder, { params });
  await buyer.client.call(writeReview, { params, body: { stars, text: `<b>${stars}</b> stars` } });
  await seller.client.call(writeReview, { params, body: { stars: 5, text: 'Friendly.' } });
  return laptopId;
}

test('a seller’s page has sales, rating, reviews and laptops, and no contact data', async () => {
  const seller = await shop.seller('Marta Lind');
  const buyer = await shop.buyer('Berta van Beek');
  const laptopId = await shop.laptop(seller);
  expect(await read(seller)).toEqual({
    _id: seller.userId,
    name: 'Marta Lind',
    since: new Date().toISOString().slice(0, 7),
    verified: false,
    checks: null,
    sold: 0,
  });
  await reviewedSale(seller, buyer, 4);
  await reviewedSale(seller, await shop.buyer('Cher'), 3);
  await admin.client.call(verifySeller, { params: { email: seller.email }, query: {} });
  expect(await read(seller)).toMatchObject({
    verified: true,
    checks: { verifiedAt: expect.any(String), address: null, identity: null },
    sold: 2,
    rating: { reviews: 2, average: 3.5 },
  });
  const reviews = await reviewsOf(seller);
  expect(reviews.map(({ by, text }) => [by, text])).toEqual([
    ['Cher', '<b>3</b> stars'],
    ['Berta B.', '<b>4</b> stars'],
  ]);
  expect(await laptopsOf(seller)).toEqual([laptopId]);
  await seller.client.call(deleteOwnLaptop, { params: { _id: laptopId } });
  expect(await laptopsOf(seller)).toEqual([]);
  const all = JSON.stringify([await read(seller), reviews]);
  for (const secret of [seller.email, buyer.email, 'van Beek']) expect(all).not.toContain(secret);
});

test('a review by an ended account stays without a name', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  await reviewedSale(seller, buyer, 5);
  await admin.client.call(deleteBuyer, { params: { _id: buyer.userId } });
  expect(await reviewsOf(seller)).toMatchObject([{ by: null, stars: 5 }]);
});

test('reviews are paged', async () => {
  const seller = await shop.seller();
  for (const stars of [1, 2, 3]) await reviewedSale(seller, await shop.buyer(), stars);
  const first = await shop.visitor.page(listReviewsOfSeller, { ...of(seller), query: { limit: 2 } });
  expect(first.items.map(({ stars }) => stars)).toEqual([3, 2]);
  const query = { limit: 2, cursor: first.next ?? '' };
  const second = await shop.visitor.page(listReviewsOfSeller, { ...of(seller), query });
  expect(second).toMatchObject({ items: [{ stars: 1 }], next: null });
});

test('buyers and unknown people have no page, and sellers who have left none any more, nor a rating or check on a sold laptop', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const sold = { params: { _id: await reviewedSale(seller, buyer, 5) } };
  await admin.client.call(verifySeller, { params: { email: seller.email }, query: {} });
  expect(await shop.visitor.call(readLaptop, sold)).toMatchObject({
    sellerVerified: true,
    seller_rating: { reviews: 1 },
  });
  await expect(read(buyer)).rejects.toMatchObject({ status: 404 });
  await expect(reviewsOf(buyer)).rejects.toMatchObject({ status: 404 });
  await expect(laptopsOf(buyer)).rejects.toMatchObject({ status: 404 });
  const unknown = { params: { sellerId: crypto.randomUUID() } };
  await expect(shop.visitor.call(readSeller, unknown)).rejects.toMatchObject({ status: 404 });
  await admin.client.call(deleteSeller, { params: { _id: seller.userId } });
  await expect(read(seller)).rejects.toMatchObject({ status: 410, code: 'seller_left' });
  await expect(reviewsOf(seller)).rejects.toMatchObject({ status: 410 });
  await expect(laptopsOf(seller)).rejects.toMatchObject({ status: 410 });
  const shown = await shop.visitor.call(readLaptop, sold);
  expect(shown).toMatchObject({ sellerHasEnded: true, sellerVerified: false, seller_checks: null });
  expect(shown.seller_rating).toBeUndefined();
});
