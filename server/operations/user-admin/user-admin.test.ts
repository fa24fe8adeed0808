import { beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { listCategory, listOwnLaptops, readLaptop } from '#contract/listings/catalogue.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import {
  deleteBuyer,
  deleteSeller,
  listBuyers,
  listSellers,
  verifySeller,
} from '#contract/operations/user-admin.ts';
import { exchangeToken, registerUser, sellerStatus } from '#contract/people/accounts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { type NewSellerCheck, recordSellerCheck } from '#contract/people/seller-checks.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';

let shop: SharedShop;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

/** A day in UTC, such as `2026-11-26`. */
const dayBefore = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);

const mailsTo = ({ email }: Person) =>
  shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

async function pay(buyer: Person, bookingId: string): Promise<void> {
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { bookingId, transactionId } });
}

describe('sellers', () => {
  test('are verified once, visible on their laptops and in the audit trail', async () => {
    const seller = await shop.seller('Vera Verified');
    await shop.laptop(seller, { category_Id: 'Dell' });
    const verify = () => admin.client.call(verifySeller, { params: { email: seller.email }, query: {} });
    await expect(verify()).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(verify()).resolves.toMatchObject({ modifiedCount: 0 });
    await expect(seller.client.call(sellerStatus, { params: { email: seller.email } })).resolves.toEqual({
      status: true,
    });
    const [listed] = await shop.visitor.call(listCategory, { params: { id: 'Dell' }, query: {} });
    expect(listed).toMatchObject({ sellerVerified: true });
    const entries = (await admin.client.call(listAuditTrail, { query: {} })).filter(
      ({ subject }) => subject === `Vera Verified, ${seller.email}`,
    );
    expect(entries).toMatchObject([{ act: 'Verified seller', adminEmail: admin.email }]);
  });

  test('have the documents that an admin saw, with the day, on their laptops once they are verified', async () => {
    const seller = await shop.seller('Dora Documents');
    const laptop = { params: { _id: await shop.laptop(seller) } };
    const shown = async () => (await shop.visitor.call(readLaptop, laptop)).seller_checks;
    const params = { email: seller.email };
    const [today, yesterday] = [dayBefore(0), dayBefore(1)];
    const address = { document: 'address', kind: 'Utility bill', seen: 'As a copy', day: yesterday } as const;
    const identity = { document: 'identity', kind: 'Passport', seen: 'By video', day: today } as const;
    const record = (body: Omit<z.input<typeof NewSellerCheck>, 'name'>) =>
      admin.client.call(recordSellerCheck, { params, body: { ...body, name: seller.name } });
    expect((await record(address)).modifiedCount).toBe(1);
    expect(await shown()).toBeNull();
    await admin.client.call(verifySeller, { params, query: { name: seller.name } });
    const first = await shown();
    expect(first).toMatchObject({ address: `${yesterday}T12:00:00.000Z`, identity: null });
    // The first record stays, and the page that is kept follows a later document.
    expect((await record({ ...address, kind: 'Bank statement', day: today })).modifiedCount).toBe(0);
    expect((await record(identity)).modifiedCount).toBe(1);
    expect(await shown()).toEqual({ ...first, identity: `${today}T12:00:00.000Z` });
    const [listed] = await admin.client.call(listSellers, { query: { search: seller.email } });
    const recorded = {
      address: { kind: 'Utility bill', seen: 'As a copy' },
      identity: { kind: 'Passport', seen: 'By video' },
    };
    expect(listed?.documents).toEqual(recorded);
    const { account } = await seller.client.call(readOwnData, {});
    expect(account).toMatchObject({
      ...{ address_document: 'Utility bill', address_seen: 'As a copy' },
      ...{ identity_document: 'Passport', identity_seen: 'By video' },
    });
    const entries = (await admin.client.call(listAuditTrail, { query: {} })).filter(
      ({ subject }) => subject === `Dora Documents, ${seller.email}`,
    );
    expect(entries.map(({ act, note }) => [act, note])).toEqual([
      ['Checked seller', `Identity document: Passport, seen by video on ${today}`],
      ['Verified seller', ''],
      ['Checked seller', `Proof of address: Utility bill, seen as a copy on ${yesterday}`],
    ]);
    const buyer = await shop.buyer();
    await expect(
      admin.client.call(recordSellerCheck, {
        params: { email: buyer.email },
        body: { ...address, name: buyer.name },
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('need a document of its kind, with a day of the last year', async () => {
    const seller = await shop.seller();
    const record = (body: Partial<z.input<typeof NewSellerCheck>>) =>
      admin.client.call(recordSellerCheck, {
        params: { email: seller.email },
        body: {
          ...{
            document: 'identity',
            kind: 'Passport',
            seen: 'In person',
            day: dayBefore(0),
            name: seller.name,
          },
          ...body,
        },
      });
    for (const body of [
      { kind: 'Utility bill' },
      { day: dayBefore(-3) },
      { day: dayBefore(400) },
      { day: 'today' },
    ] as const) {
      await expect(record(body)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const [listed] = await admin.client.call(listSellers, { query: { search: seller.email } });
    expect(listed).toMatchObject({ checks: { identity: null }, documents: { identity: null } });
  });

  test('that are deleted lose tokens, laptops and unpaid bookings immediately; paid sales stay', async () => {
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

  test.each([
    ['stay blocked with an address that was confirmed', true],
    ['leave an address that nobody confirmed to its owner, but not to a sign-in from before', false],
  ])('that are deleted %s', async (_what, isConfirmed) => {
    const { userId, email } = await shop.buyer();
    await shop.connection.pool.query('update users set email_verified = $2 where id = $1', [
      userId,
      isConfirmed,
    ]);
    await admin.client.call(deleteBuyer, { params: { _id: userId } });
    const register = async (authTime: number) => {
      const client = shop.client(await shop.issuer.idToken(email, { auth_time: authTime }));
      const body = { name: 'Olga Owner', email, role: 'Buyer' as const };
      await client.call(registerUser, { body });
      return client.call(exchangeToken, { query: { email } });
    };
    const now = Math.floor(Date.now() / 1000);
    const code = isConfirmed ? 'account_ended' : 'session_ended';
    await expect(register(now - 30)).rejects.toMatchObject({ code });
    if (isConfirmed) await expect(register(now + 2)).rejects.toMatchObject({ code });
    else await expect(register(now + 2)).resolves.toHaveProperty('coomercioToken');
    const { rows } = await shop.connection.pool.query<{ type: string }>(
      `select data->>'type' as type from pgboss.job where data->>'email' = $1`,
      [email],
    );
    expect(rows).toEqual([{ type: `accounts.${isConfirmed ? 'disable' : 'erase'}-identity` }]);
  });
});

describe('buyers', () => {
  test('that are deleted cannot pay any more, even with a prepared payment', async () => {
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

  test('cannot be deleted with a seller’s id', async () => {
    const seller = await shop.seller();
    await expect(admin.client.call(deleteBuyer, { params: { _id: seller.userId } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('are found by a literal part of name or email, and sorted', async () => {
    for (const name of ['Zoe 100 & Q', 'Abel Q', 'Mia Q']) await shop.buyer(name);
    const names = async (query: { search: string; sort?: 'name' | 'newest'; limit?: number }) =>
      (await admin.client.call(listBuyers, { query })).map(({ name }) => name);
    expect(await names({ search: ' q', sort: 'name' })).toEqual(['Abel Q', 'Mia Q', 'Zoe 100 & Q']);
    expect(await names({ search: '100 &' })).toEqual(['Zoe 100 & Q']);
    expect(await names({ search: 'MIA.Q' })).toEqual(['Mia Q']);
    for (const search of ['_', '%', '100%']) expect(await names({ search })).toEqual([]);
    const first = await admin.client.page(listBuyers, { query: { search: ' q', sort: 'name', limit: 2 } });
    const second = await admin.client.page(listBuyers, {
      query: { search: ' q', sort: 'name', limit: 2, cursor: first.next ?? '' },
    });
    expect(second).toMatchObject({ items: [{ name: 'Zoe 100 & Q' }], next: null });
  });
});
