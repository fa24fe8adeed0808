import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deleteBuyer,
  deleteSeller,
  listBuyers,
  listSellers,
  sellerStatus,
  verifySeller,
} from '#contract/accounts.ts';
import { listBookings } from '#contract/bookings.ts';
import { listCategory, listOwnLaptops } from '#contract/catalogue.ts';
import * as contract from '#contract/moderation.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { waitForEmptyQueue } from '#tests/harness/job-queue.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
afterAll(() => shop.close());

const trail = () => admin.client.call(contract.listAuditTrail, { query: {} });
const mailsTo = ({ email }: Person) =>
  shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
const reported = async (laptopId: string) => {
  const items = await admin.client.call(contract.listReportedItems, { query: {} });
  return items.find(({ _id }) => _id === laptopId);
};
const report = (who: Person, productCode: string) =>
  who.client.call(contract.reportLaptop, { body: { productCode, reason: 'Stolen', note: 'It is mine.' } });

async function pay(buyer: Person, bookingId: string): Promise<void> {
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { bookingId, transactionId } });
}

describe('sellers', () => {
  test('are verified once, which shows on their laptops and in the audit trail', async () => {
    const seller = await shop.seller('Vera Verified');
    await shop.laptop(seller, { category_Id: 'Dell' });
    const verify = () => admin.client.call(verifySeller, { params: { email: seller.email } });
    await expect(verify()).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(verify()).resolves.toMatchObject({ modifiedCount: 0 });
    await expect(seller.client.call(sellerStatus, { params: { email: seller.email } })).resolves.toEqual({
      status: true,
    });
    const [listed] = await shop.visitor.call(listCategory, { params: { id: 'Dell' }, query: {} });
    expect(listed).toMatchObject({ sellerVerified: true });
    const entries = (await trail()).filter(({ subject }) => subject === `Vera Verified, ${seller.email}`);
    expect(entries).toMatchObject([{ act: 'Verified seller', adminEmail: admin.email }]);
  });

  test('that are deleted end at once: tokens, laptops and unpaid bookings; what was paid stays', async () => {
    const [seller, buyer] = [await shop.seller(), await shop.buyer()];
    const [soldLaptop, unsold] = [await shop.laptop(seller), await shop.laptop(seller)];
    await pay(buyer, await shop.booking(buyer, soldLaptop));
    await shop.booking(buyer, unsold);

    await admin.client.call(deleteSeller, { params: { _id: seller.userId } });

    await expect(seller.client.call(listOwnLaptops, { query: {} })).rejects.toMatchObject({
      code: 'account_ended',
    });
    const shelf = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
    expect(shelf.map(({ _id }) => _id)).not.toContain(unsold);
    const orders = await buyer.client.call(listBookings, { query: {} });
    expect(orders.map(({ productCode, state }) => [productCode, state])).toEqual([
      [unsold, 'Cancelled'],
      [soldLaptop, 'Paid'],
    ]);
    await expect.poll(() => mailsTo(buyer)).toContain('Your booking of EliteBook 840 G8 was cancelled');
    const people = await admin.client.call(listSellers, { query: {} });
    expect(people.map(({ _id }) => _id)).not.toContain(seller.userId);
    // A retry after a lost answer must not look like a failure.
    await expect(admin.client.call(deleteSeller, { params: { _id: seller.userId } })).resolves.toMatchObject({
      deletedCount: 0,
    });
  });
});

describe('buyers', () => {
  test('that are deleted can pay no more, also where they had begun to', async () => {
    const [seller, buyer] = [await shop.seller(), await shop.buyer()];
    const bookingId = await shop.booking(buyer, await shop.laptop(seller));
    const { clientSecret } = await buyer.client.call(createPaymentIntent, {
      body: { price: 549.99, bookingId },
    });

    await admin.client.call(deleteBuyer, { params: { _id: buyer.userId } });
    await waitForEmptyQueue(shop.connection.pool);

    const { transactionId, status } = await shop.pay(clientSecret);
    expect(status).toBe('refused');
    expect(await shop.cards.stripe.paymentIntents.retrieve(transactionId)).toMatchObject({
      status: 'canceled',
      amount_received: 0,
    });
  });

  test('a seller’s id deletes no buyer', async () => {
    const seller = await shop.seller();
    await expect(admin.client.call(deleteBuyer, { params: { _id: seller.userId } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('are found by a part of name or e-mail, taken literally, and sorted', async () => {
    for (const name of ['Zoe 100% Q', 'Abel Q', 'Mia Q']) await shop.buyer(name);
    const names = async (query: { search: string; sort?: 'name' | 'newest'; limit?: number }) =>
      (await admin.client.call(listBuyers, { query })).map(({ name }) => name);
    expect(await names({ search: ' q', sort: 'name' })).toEqual(['Abel Q', 'Mia Q', 'Zoe 100% Q']);
    expect(await names({ search: '100%' })).toEqual(['Zoe 100% Q']);
    expect(await names({ search: 'MIA.Q' })).toEqual(['Mia Q']);
    expect(await names({ search: '_' })).toEqual([]);
    const first = await admin.client.page(listBuyers, { query: { search: ' q', sort: 'name', limit: 2 } });
    const second = await admin.client.page(listBuyers, {
      query: { search: ' q', sort: 'name', limit: 2, cursor: first.next ?? '' },
    });
    expect(second).toMatchObject({ items: [{ name: 'Zoe 100% Q' }], next: null });
  });
});

describe('a report', () => {
  test('is filed once per person, not by the seller, and reaches the admin with its laptop', async () => {
    const [seller, one, other] = [await shop.seller(), await shop.buyer(), await shop.seller()];
    const laptop = await shop.laptop(seller);
    await expect(report(one, laptop)).resolves.toMatchObject({ acknowledged: true });
    await expect(report(one, laptop)).resolves.toMatchObject({
      acknowledged: false,
      message: expect.stringContaining('already reported'),
    });
    await expect(report(other, laptop)).resolves.toMatchObject({ acknowledged: true });
    await expect(report(seller, laptop)).resolves.toMatchObject({ acknowledged: false });
    expect(await reported(laptop)).toMatchObject({
      state: 'Open',
      sellerEmail: seller.email,
      productState: 'Available',
      actions: ['dismiss', 'takeDown'],
      reports: [
        { reason: 'Stolen', note: 'It is mine.', reporterEmail: one.email, state: 'Open' },
        { reporterEmail: other.email, state: 'Open' },
      ],
    });
  });

  test('that is dismissed leaves the laptop, tells the reporter and is written down; open ones come first', async () => {
    const [seller, reporter] = [await shop.seller(), await shop.buyer()];
    const [dismissed, open] = [await shop.laptop(seller), await shop.laptop(seller)];
    await report(reporter, open);
    await report(reporter, dismissed);
    const dismiss = () =>
      admin.client.call(contract.dismissReports, { params: { _id: dismissed }, body: { note: 'Checked.' } });
    await expect(dismiss()).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(dismiss()).resolves.toMatchObject({ modifiedCount: 0 });
    expect(await reported(dismissed)).toMatchObject({
      state: 'Resolved',
      actions: [],
      reports: [{ state: 'Dismissed' }],
      history: [{ act: 'Dismissed reports', note: 'Checked.', adminEmail: admin.email }],
    });
    const order = (await admin.client.call(contract.listReportedItems, { query: {} })).map(({ _id }) => _id);
    expect(order.indexOf(open)).toBeLessThan(order.indexOf(dismissed));
    await expect.poll(() => mailsTo(reporter)).toEqual(['Your report of EliteBook 840 G8']);
  });

  test('that leads to a take-down ends the listing and its unpaid bookings, and tells everybody', async () => {
    const [seller, buyer, reporter] = [await shop.seller(), await shop.buyer(), await shop.buyer()];
    const laptop = await shop.laptop(seller);
    await shop.booking(buyer, laptop);
    await report(reporter, laptop);
    const body = { note: 'The serial number is on a list of stolen goods.' };

    const takeDown = () => admin.client.call(contract.takeDownLaptop, { params: { _id: laptop }, body });
    await expect(takeDown()).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(takeDown()).resolves.toMatchObject({ modifiedCount: 0 });

    const own = await seller.client.call(listOwnLaptops, { query: {} });
    expect(own).toMatchObject([{ state: 'Taken down', takenDownNote: body.note, actions: ['delete'] }]);
    const shelf = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
    expect(shelf.map(({ _id }) => _id)).not.toContain(laptop);
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toMatchObject([
      { state: 'Cancelled' },
    ]);
    await expect.poll(() => mailsTo(seller)).toContain('EliteBook 840 G8 was taken down');
    await expect.poll(() => mailsTo(buyer)).toContain('Your booking of EliteBook 840 G8 was cancelled');
    await expect.poll(() => mailsTo(reporter)).toContain('Your report of EliteBook 840 G8');
  });

  test('does not touch a laptop that is paid', async () => {
    const [seller, buyer] = [await shop.seller(), await shop.buyer()];
    const laptop = await shop.laptop(seller);
    await report(buyer, laptop);
    await pay(buyer, await shop.booking(buyer, laptop));
    const takeDown = admin.client.call(contract.takeDownLaptop, {
      params: { _id: laptop },
      body: { note: 'No.' },
    });
    await expect(takeDown).rejects.toMatchObject({ code: 'already_sold' });
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toMatchObject([{ state: 'Paid' }]);
    expect(await reported(laptop)).toMatchObject({ productState: 'Sold', actions: ['dismiss'] });
  });
});

test('nobody changes the audit trail, not even the code', async () => {
  const seller = await shop.seller();
  await admin.client.call(verifySeller, { params: { email: seller.email } });
  const { database } = shop.connection;
  await expect(database.updateTable('audit_entries').set({ note: 'x' }).execute()).rejects.toThrow(
    'never changed',
  );
  await expect(database.deleteFrom('audit_entries').execute()).rejects.toThrow('never changed');
});
