import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { deleteBuyer } from '#contract/operations/user-admin.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import * as contract from '#contract/sales/review-reports.ts';
import { listReviews, readReviewsOfOrder, removeReview, writeReview } from '#contract/sales/reviews.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let admin: Person;
let reader: Person;
let sale: Sale;
/** The ids of the reviews of the sale. */
let ofSeller: string;
let ofBuyer: string;
beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
afterAll(() => shop.close());

beforeEach(async () => {
  sale = await sellLaptop(shop);
  const params = { _id: sale.orderId };
  const review = async ({ client }: Person, stars: number) =>
    (await client.call(writeReview, { params, body: { stars, text: `${stars} stars` } })).insertedId;
  await sale.buyer.client.call(confirmOrder, { params });
  ofSeller = await review(sale.buyer, 1);
  ofBuyer = await review(sale.seller, 2);
  reader = await shop.buyer('Rita Reader');
});

const report = ({ client }: Person, _id: string, note = 'His street is in it.') =>
  client.call(contract.reportReview, { params: { _id }, body: { reason: 'Private data', note } });
const dismiss = (_id: string) =>
  admin.client.call(contract.dismissReviewReports, { params: { _id }, body: { note: 'No street in it.' } });
const remove = (_id: string) =>
  admin.client.call(removeReview, { params: { _id }, body: { reason: 'A street is in it.' } });
const listed = async (_id: string) => {
  const reviews = await admin.client.call(listReviews, { query: {} });
  return reviews.find((review) => review._id === _id);
};
const noticesTo = async ({ userId }: Person) => {
  await waitForEmptyQueue(shop.connection.pool);
  const { rows } = await shop.connection.pool.query<{ text: string; path: string }>(
    `select title || ': ' || body as text, path from notifications where user_id = $1 and topic = 'safety'`,
    [userId],
  );
  return rows;
};

test('anybody reports a shown review about a seller, once, and its author does not', async () => {
  expect(await report(reader, ofSeller)).toMatchObject({ acknowledged: true });
  expect(await report(reader, ofSeller)).toMatchObject({
    acknowledged: false,
    message: 'You already reported this review. An admin will look at it.',
  });
  expect(await report(sale.seller, ofSeller)).toMatchObject({ acknowledged: true });
  expect(await report(sale.buyer, ofSeller)).toMatchObject({
    acknowledged: false,
    message: 'This is your own review.',
  });
  expect((await listed(ofSeller))?.reports).toHaveLength(2);
});

test('of two equal reports at once, one is stored', async () => {
  const results = await Promise.all([report(reader, ofSeller), report(reader, ofSeller)]);
  expect(results.map(({ acknowledged }) => acknowledged).sort()).toEqual([false, true]);
});

test('what somebody cannot read cannot be reported', async () => {
  const unknown = { code: 'not_found' };
  await expect(report(reader, crypto.randomUUID())).rejects.toMatchObject(unknown);
  // Only the people of the order read a review about its buyer.
  await expect(report(reader, ofBuyer)).rejects.toMatchObject(unknown);
  expect(await report(sale.buyer, ofBuyer)).toMatchObject({ acknowledged: true });
  const another = await sellLaptop(shop);
  const params = { _id: another.orderId };
  await another.buyer.client.call(confirmOrder, { params });
  const body = { stars: 1, text: 'Not shown yet.' };
  const { insertedId } = await another.buyer.client.call(writeReview, { params, body });
  await expect(report(another.seller, insertedId)).rejects.toMatchObject(unknown);
  await remove(ofSeller);
  await expect(report(reader, ofSeller)).rejects.toMatchObject(unknown);
});

test('the people of an order are offered to report the review of the other one', async () => {
  const actionsOf = async ({ client }: Person) => {
    const { reviews } = await client.call(readReviewsOfOrder, { params: { _id: sale.orderId } });
    return reviews.map(({ by, actions }) => [by, actions]);
  };
  expect(await actionsOf(sale.seller)).toEqual([
    ['buyer', ['answer', 'report']],
    ['seller', []],
  ]);
  expect(await actionsOf(admin)).toEqual([
    ['buyer', []],
    ['seller', []],
  ]);
});

test('open reports come first in the admins’ list, are dismissed once, and their reporters are told', async () => {
  await report(reader, ofSeller);
  await sellLaptop(shop);
  const [first] = await admin.client.call(listReviews, { query: { limit: 1 } });
  expect(first).toMatchObject({
    _id: ofSeller,
    actions: ['dismiss', 'remove'],
    reports: [
      { reason: 'Private data', note: 'His street is in it.', reporterName: 'Rita Reader', state: 'Open' },
    ],
  });
  expect(await dismiss(ofSeller)).toMatchObject({ modifiedCount: 1 });
  expect(await dismiss(ofSeller)).toMatchObject({ modifiedCount: 0 });
  expect(await listed(ofSeller)).toMatchObject({ actions: ['remove'], reports: [{ state: 'Dismissed' }] });
  expect(await noticesTo(reader)).toEqual([
    {
      text: expect.stringMatching(
        /review of the sale of .* that you reported, and found nothing against our rules/,
      ),
      path: `/seller/${sale.seller.userId}`,
    },
  ]);
  expect(await noticesTo(sale.buyer)).toEqual([]);
  const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
  // Names are looked up when the entry is read: it outlives the accounts.
  expect(entry).toMatchObject({
    ...{ act: 'Dismissed reports', note: 'No street in it.' },
    subject: `Review about EliteBook 840 G8: ${sale.buyer.name}, ${sale.buyer.email} and ${sale.seller.name}, ${sale.seller.email}`,
  });
  const { rows } = await shop.connection.pool.query(
    'select subject, person_ids from audit_entries order by number desc limit 1',
  );
  expect(rows).toEqual([
    { subject: 'Review about EliteBook 840 G8', person_ids: [sale.buyer.userId, sale.seller.userId] },
  ]);
  // Somebody can see something else in it later.
  expect(await report(reader, ofSeller)).toMatchObject({ acknowledged: true });
  await expect(dismiss(crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
});

test('a removal resolves the open reports, and leads the people of the order there', async () => {
  await report(sale.buyer, ofBuyer);
  await remove(ofBuyer);
  expect(await listed(ofBuyer)).toMatchObject({ actions: [], reports: [{ state: 'Removed' }] });
  expect(await noticesTo(sale.buyer)).toContainEqual({
    text: expect.stringContaining('Your report of a review'),
    path: `/dashboard/order/${sale.orderId}`,
  });
});

test('the list of an order has its reviews only', async () => {
  await report(reader, ofSeller);
  const another = await sellLaptop(shop);
  const idsOf = async (order: string) =>
    (await admin.client.call(listReviews, { query: { order } })).map(({ _id }) => _id);
  expect(await idsOf(sale.orderId)).toEqual([ofSeller, ofBuyer]);
  expect(await idsOf(another.orderId)).toEqual([]);
});

test('the list is paged across its two parts', { tags: 'long' }, async () => {
  await report(reader, ofSeller);
  const whole = (await admin.client.call(listReviews, { query: {} })).map(({ _id }) => _id);
  const paged = await everyPage((from) => admin.client.page(listReviews, { query: { limit: 1, ...from } }));
  expect(paged.map(({ _id }) => _id)).toEqual(whole);
  await expect(admin.client.call(listReviews, { query: { cursor: '7' } })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('a person reports at most so many reviews a day, also at once', async () => {
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    `insert into review_reports (review_id, reporter_id, reason, note, reported_at)
       select $1, id, 'Other', '', now() from users where id <> $2 returning id`,
    [ofSeller, reader.userId],
  );
  // The reports of others do not count, and those of the day before do not either.
  expect(rows.length).toBeGreaterThan(1);
  const many = Array.from({ length: contract.MAXIMUM_REVIEW_REPORTS_A_DAY - 1 }, () => crypto.randomUUID());
  await shop.connection.pool.query(
    'alter table review_reports drop constraint review_reports_review_id_fkey',
  );
  await shop.connection.pool.query(
    `insert into review_reports (review_id, reporter_id, reason, note)
       select id, $2, 'Other', '' from unnest($1::uuid[]) as id`,
    [many, reader.userId],
  );
  const outcomes = await Promise.allSettled([report(reader, ofSeller), report(reader, await another())]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { code: 'review_refused', message: expect.stringContaining('tomorrow') } },
  ]);
  await shop.connection.pool.query(
    `update review_reports set reported_at = now() - interval '25 hours' where reporter_id = $1`,
    [reader.userId],
  );
  expect(await report(reader, await another())).toMatchObject({ acknowledged: true });

  async function another(): Promise<string> {
    const { orderId, buyer, seller } = await sellLaptop(shop);
    const params = { _id: orderId };
    await buyer.client.call(confirmOrder, { params });
    const body = { stars: 4, text: 'Fine.' };
    const { insertedId } = await buyer.client.call(writeReview, { params, body });
    await seller.client.call(writeReview, { params, body });
    return insertedId;
  }
});

test('a report is in the reporter’s export, and its note goes with the account once it is resolved', async () => {
  await report(reader, ofSeller);
  const { reviewReports } = await reader.client.call(readOwnData, {});
  expect(reviewReports).toMatchObject([
    { order_id: sale.orderId, reason: 'Private data', note: 'His street is in it.', resolution: null },
  ]);
  const { kept } = await reader.client.call(deleteOwnAccount, { query: { email: reader.email } });
  expect(kept).toEqual(['The text of your report, without your name.']);
  expect((await listed(ofSeller))?.reports).toMatchObject([
    { note: 'His street is in it.', reporterName: 'Former account' },
  ]);
  await dismiss(ofSeller);
  expect((await listed(ofSeller))?.reports).toMatchObject([{ note: '' }]);
});

test('an account that was ended cannot report', async () => {
  await Promise.allSettled([
    report(reader, ofSeller),
    admin.client.call(deleteBuyer, { params: { _id: reader.userId } }),
  ]);
  await expect(report(reader, ofSeller)).rejects.toMatchObject({ code: 'account_ended' });
});

test.each([
  ['an unknown reason', { reason: 'Ugly' as 'Other', note: '' }],
  ['too long a note', { reason: 'Other' as const, note: 'x'.repeat(1001) }],
  ['a bidirectional override', { reason: 'Other' as const, note: 'Good \u202Edab' }],
])('a report with %s is refused', async (_name, body) => {
  await expect(
    reader.client.call(contract.reportReview, { params: { _id: ofSeller }, body }),
  ).rejects.toMatchObject({ code: 'invalid_input' });
});
