import { beforeAll, describe, expect, test } from 'vitest';
import { listCategory, listOwnLaptops } from '#contract/listings/catalogue.ts';
import * as contract from '#contract/listings/reports.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';

let shop: SharedShop;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

const mailsTo = ({ email }: Person) =>
  shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

async function pay(buyer: Person, bookingId: string): Promise<void> {
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { bookingId, transactionId } });
}

const reported = async (laptopId: string) => {
  const items = await admin.client.call(contract.listReportedItems, { query: { laptop: laptopId } });
  expect(items.length).toBeLessThanOrEqual(1);
  return items[0];
};
const report = (who: Person, productCode: string) =>
  who.client.call(contract.reportLaptop, { body: { productCode, reason: 'Stolen', note: 'It is mine.' } });

describe('a report', () => {
  test('is filed once per user, not by the seller, and is listed with its laptop', async () => {
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

  test('that is dismissed keeps the laptop, notifies the reporter and is audited; open ones are listed first', async () => {
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
    const items = await everyPage((from) =>
      admin.client.page(contract.listReportedItems, { query: { limit: 100, ...from } }),
    );
    const order = items.map(({ _id }) => _id);
    expect(order.filter((_id) => [open, dismissed].includes(_id))).toEqual([open, dismissed]);
    await expect.poll(() => mailsTo(reporter)).toEqual(['Your report of EliteBook 840 G8']);
    // Somebody can have a proof later.
    await expect(report(reporter, dismissed)).resolves.toMatchObject({ acknowledged: true });
    expect((await reported(dismissed))?.reports).toMatchObject([{ state: 'Dismissed' }, { state: 'Open' }]);
  });

  test('that leads to a take-down ends the listing and its unpaid bookings, and notifies all parties', async () => {
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

  test('does not affect a paid laptop', async () => {
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
