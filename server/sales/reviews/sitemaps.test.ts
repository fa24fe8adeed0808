import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { listSellerSitemaps, MAXIMUM_SITEMAP_URLS, readSellerSitemap } from '#contract/listings/sitemaps.ts';
import { deleteSeller } from '#contract/operations/user-admin.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const numbers = () => shop.visitor.call(listSellerSitemaps, {});
const sellersOf = async (number: number, cursor?: string) => {
  const query = cursor === undefined ? {} : { cursor };
  const sellers = await shop.visitor.call(readSellerSitemap, { params: { number }, query });
  return sellers.map(({ _id }) => _id);
};

test('sellers are listed while they have a laptop for sale or a shown review, until the account ends', async () => {
  expect(await numbers()).toEqual([]);
  const [idle, offering] = [await shop.seller(), await shop.seller()];
  const laptopId = await shop.laptop(offering);
  await shop.connection.pool.query(
    `alter table users alter column number restart with ${MAXIMUM_SITEMAP_URLS + 1}`,
  );
  const sale = await sellLaptop(shop);
  const params = { _id: sale.orderId };
  await sale.buyer.client.call(confirmOrder, { params });
  const body = { stars: 5, text: 'As described.' };
  await sale.buyer.client.call(writeReview, { params, body });
  expect(await numbers(), 'the only laptop is sold, and the review is not shown').toEqual([1]);
  await sale.seller.client.call(writeReview, { params, body });
  expect(await numbers()).toEqual([1, 2]);
  expect(await sellersOf(1)).toEqual([offering.userId]);
  expect(await sellersOf(1)).not.toContain(idle.userId);
  expect(await sellersOf(2)).toEqual([sale.seller.userId]);
  expect(await sellersOf(1, String(MAXIMUM_SITEMAP_URLS))).toEqual([]);

  await offering.client.call(deleteOwnLaptop, { params: { _id: laptopId } });
  const admin = await shop.admin();
  await admin.client.call(deleteSeller, { params: { _id: sale.seller.userId } });
  expect(await numbers()).toEqual([]);
});

test.each(['0', '-1', '1.5', 'x'])('there is no sitemap %s', async (number) => {
  const read = shop.visitor.call(readSellerSitemap, { params: { number }, query: {} });
  await expect(read).rejects.toMatchObject({ status: 404 });
});
