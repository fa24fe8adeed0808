// Reviews count only with a sale that stands (decision 48).

import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listCategory, readLaptop } from '#contract/listings/catalogue.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import * as complaints from '#contract/sales/complaints.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import * as contract from '#contract/sales/reviews.ts';
import * as sellerPages from '#contract/sales/seller-pages.ts';
import { refundOrder } from '#tests/harness/money/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForBlocked } from '#tests/harness/platform/held-locks.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { showDueReviews } from './actions.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';

let shop: TestShop;
let admin: Person;
let sale: Sale;
beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
beforeEach(async () => {
  sale = await sellLaptop(shop);
});
afterAll(() => shop.close());

const params = () => ({ _id: sale.orderId });
const confirm = () => sale.buyer.client.call(confirmOrder, { params: params() });
const write = (person: Person, stars: number) =>
  person.client.call(contract.writeReview, { params: params(), body: { stars, text: 'As I say.' } });
/** Both sides review each other, so that both reviews are shown. */
async function reviewEachOther(ofSeller = 5, ofBuyer = 4): Promise<void> {
  await write(sale.buyer, ofSeller);
  await write(sale.seller, ofBuyer);
}
const complain = () => {
  const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
  return sale.buyer.client.call(complaints.complain, { params: params(), body });
};
/** The buyer complains, the seller agrees, and the laptop returns: what two accounts of one person would do. */
async function undo(): Promise<void> {
  await complain();
  for (const move of ['accept', 'confirm_return'] as const) {
    const body = { move, text: 'I agree.' };
    await sale.seller.client.call(complaints.answerAsSeller, { params: params(), body });
  }
}
const sums = async ({ userId }: Person) => {
  const { rows } = await shop.connection.pool.query(
    `select sold, reviews + buyer_reviews as reviews, stars + buyer_stars as stars
       from reputations where user_id = $1`,
    [userId],
  );
  return rows[0] ?? { sold: 0, ...nothing };
};
const nothing = { reviews: 0, stars: 0 };
const counted = async () => (await readOfOrder()).map(({ counts }) => counts);
const readOfOrder = async () =>
  (await admin.client.call(contract.readReviewsOfOrder, { params: params() })).reviews;
const sellerPage = () =>
  shop.visitor.call(sellerPages.readSeller, { params: { sellerId: sale.seller.userId } });
const publicReviews = () =>
  shop.visitor.call(sellerPages.listReviewsOfSeller, {
    params: { sellerId: sale.seller.userId },
    query: {},
  });

// What the triggers keep is what a query finds.
afterEach(async () => {
  const { rows } = await shop.connection.pool.query(`
    select reputations.*, counted.* from reputations,
           lateral (select (select count(*) from orders where seller_id = user_id and is_sale(orders)) as own_sold,
                           count(*) filter (where side = 'buyer') as as_seller,
                           coalesce(sum(stars) filter (where side = 'buyer'), 0) as stars_as_seller,
                           count(*) filter (where side = 'seller') as as_buyer,
                           coalesce(sum(stars) filter (where side = 'seller'), 0) as stars_as_buyer
                      from reviews join orders on orders.id = order_id
                     where subject_id = user_id and shown_at is not null and removed_at is null and is_sale(orders)
                   ) as counted
     where (sold, reviews, reputations.stars, buyer_reviews, buyer_stars)
           <> (own_sold, as_seller, stars_as_seller, as_buyer, stars_as_buyer)`);
  expect(rows).toEqual([]);
});

describe('a sale that is undone', () => {
  test('leaves no stars, on either side, nor in any list, and both reviews readable', async () => {
    const laptopId = await shop.laptop(sale.seller, { category_Id: 'Acer' });
    const ratings = async () => {
      const list = await shop.visitor.call(listCategory, { params: { id: 'Acer' }, query: {} });
      const { seller_rating } = await shop.visitor.call(readLaptop, { params: { _id: laptopId } });
      const { sold, rating } = await sellerPage();
      return [list.find(({ _id }) => _id === laptopId)?.seller_rating, seller_rating, rating, sold];
    };
    await confirm();
    await reviewEachOther();
    const five = { reviews: 1, average: 5 };
    // Three times, so that the responses are kept.
    for (let time = 0; time < 3; time += 1) expect(await ratings()).toEqual([five, five, five, 1]);
    expect(await sums(sale.buyer)).toMatchObject({ reviews: 1, stars: 4 });
    expect(await publicReviews()).toMatchObject([{ stars: 5, counts: true }]);

    await undo();
    expect(await sums(sale.seller)).toEqual({ sold: 0, ...nothing });
    expect(await sums(sale.buyer)).toEqual({ sold: 0, ...nothing });
    for (let time = 0; time < 3; time += 1) {
      expect(await ratings()).toEqual([undefined, undefined, undefined, 0]);
    }
    expect(await publicReviews()).toMatchObject([{ stars: 5, counts: false }]);
    expect(await counted()).toEqual([false, false]);
    const [listed] = await admin.client.call(contract.listReviews, { query: { limit: 1 } });
    expect(listed).toMatchObject({ orderId: sale.orderId, counts: false, isShown: true });
  });

  test('takes no bad review away: it stays on the seller’s page', async () => {
    await confirm();
    await reviewEachOther(1, 1);
    await undo();
    expect(await publicReviews()).toMatchObject([{ stars: 1, text: 'As I say.', counts: false }]);
  });

  test('is reviewed afterwards without an effect on the sums', async () => {
    await confirm();
    await undo();
    await reviewEachOther();
    expect(await publicReviews()).toMatchObject([{ counts: false }]);
    expect(await sums(sale.seller)).toEqual({ sold: 0, ...nothing });
  });

  test('and a review that an admin removes afterwards is not subtracted twice', async () => {
    await confirm();
    await reviewEachOther();
    await undo();
    const [review] = await readOfOrder();
    const body = { reason: 'It insults.' };
    await admin.client.call(contract.removeReview, { params: { _id: review?._id ?? '' }, body });
    expect(await sums(sale.seller)).toEqual({ sold: 0, ...nothing });
  });

  test('before the hand-over cannot be reviewed', async () => {
    const body = { text: 'I cannot hand it over.' };
    await sale.seller.client.call(complaints.cancelSale, { params: params(), body });
    await expect(write(sale.buyer, 5)).rejects.toMatchObject({ code: 'review_refused' });
    await expect(write(sale.seller, 5)).rejects.toMatchObject({ code: 'review_refused' });
  });
});

test.each([
  ['half of', 275, { sold: 1, reviews: 1, stars: 5 }],
  ['more than half of', 275.01, { sold: 0, ...nothing }],
])('a sale of which its seller gave %s the price back', async (_name, amount, after) => {
  sale = await sellLaptop(shop, { price: 550 });
  await confirm();
  await reviewEachOther();
  await complain();
  const offer = { params: params(), body: { move: 'offer', amount } } as const;
  await sale.seller.client.call(complaints.answerAsSeller, offer);
  const taken = { params: params(), body: { move: 'take_offer', amount } } as const;
  await sale.buyer.client.call(complaints.answerAsBuyer, taken);
  expect(await sums(sale.seller)).toEqual(after);
  expect(await counted()).toEqual([after.sold === 1, after.sold === 1]);
});

test('a complaint before the release: the reviews count when the money is released', async () => {
  await complain();
  await reviewEachOther();
  expect(await counted()).toEqual([false, false]);
  expect(await sums(sale.seller)).toMatchObject(nothing);
  await sale.buyer.client.call(complaints.answerAsBuyer, { params: params(), body: { move: 'withdraw' } });
  expect(await counted()).toEqual([true, true]);
  expect(await sums(sale.seller)).toEqual({ sold: 1, reviews: 1, stars: 5 });
});

describe('a bank dispute', () => {
  const waitForJobs = async () => {
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
  };

  test.each([
    ['won', 'winning_evidence', { sold: 1, reviews: 1, stars: 5 }],
    ['lost', 'losing_evidence', { sold: 0, ...nothing }],
  ] as const)('that is %s: nothing counts while the bank decides', async (_name, evidence, after) => {
    sale = await sellLaptop(shop, { card: DISPUTED_CARD });
    await confirm();
    await reviewEachOther();
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect(await sums(sale.seller)).toEqual({ sold: 0, ...nothing });
    expect(await counted()).toEqual([false, false]);
    const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
    await shop.cards.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: evidence },
    });
    await waitForJobs();
    expect(await sums(sale.seller)).toEqual(after);
  });
});

describe('a review that is shown while its sale is undone', () => {
  /** Opens a transaction on a connection of its own. */
  async function begin() {
    const client = new pg.Client({ connectionString: shop.database.url });
    await client.connect();
    await client.query('begin');
    return {
      show: () => client.query('update reviews set shown_at = now() where order_id = $1', [sale.orderId]),
      async commit() {
        await client.query('commit');
        await client.end();
      },
    };
  }

  test('after the refund was begun, does not count', async () => {
    await confirm();
    await write(sale.buyer, 5);
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const refunding = refundOrder(shop, sale.orderId, () => {
      begun.resolve();
      return go.promise;
    });
    await begun.promise;
    const other = await begin();
    const shown = other.show();
    await waitForBlocked(shop, 1);
    go.resolve();
    await Promise.all([refunding, shown]);
    await other.commit();
    expect(await sums(sale.seller)).toEqual({ sold: 0, ...nothing });
  });

  test('before the refund was begun, counts no longer when it is made', async () => {
    await confirm();
    // The first review about the buyer, so that the transaction inserts the row of the sums.
    await write(sale.seller, 5);
    await shop.connection.pool.query('delete from reputations where user_id = $1', [sale.buyer.userId]);
    const other = await begin();
    await other.show();
    const refunding = refundOrder(shop, sale.orderId);
    await waitForBlocked(shop, 1);
    await other.commit();
    await refunding;
    expect(await sums(sale.buyer)).toEqual({ sold: 0, ...nothing });
  });

  test('by many at once, in any order, ends with the same sums', async () => {
    const inFifteenDays = new Date(Date.now() + 15 * DAY_MS);
    const { enqueue, connection } = shop;
    for (let round = 0; round < 5; round += 1) {
      sale = await sellLaptop(shop);
      await confirm();
      const { insertedId } = await write(sale.buyer, 5);
      await Promise.all([
        write(sale.seller, 4).catch(() => undefined),
        showDueReviews({ database: connection.database, enqueue }, inFifteenDays),
        undo(),
        admin.client.call(contract.removeReview, {
          params: { _id: insertedId },
          body: { reason: 'It insults.' },
        }),
      ]);
      expect(await sums(sale.seller)).toEqual({ sold: 0, ...nothing });
      expect(await sums(sale.buyer)).toMatchObject(nothing);
    }
  });
});
