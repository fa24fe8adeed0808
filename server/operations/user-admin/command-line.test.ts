import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { deleteBuyer } from '#contract/operations/user-admin.ts';
import { exchangeToken } from '#contract/people/accounts.ts';
import { confirmOrder, refundOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { completeOrder } from '#tests/harness/sales/sold-laptop.ts';
import { makeAdmin } from './command-line.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const grant = ({ email }: Person) => makeAdmin(shop.connection.database, email);

async function roleOf({ userId }: Person) {
  const { rows } = await shop.connection.pool.query<{ role: string; acts: number }>(
    `select case when is_admin then 'Admin' when is_seller then 'Seller' else 'Buyer' end as role,
            (select count(*)::int from audit_entries where act = 'Made admin' and users.id = any (person_ids)) as acts
       from users where id = $1`,
    [userId],
  );
  return rows[0];
}

test('a user with laptops for sale cannot become an admin until they are withdrawn', async () => {
  const seller = await shop.seller();
  const laptopId = await shop.laptop(seller);
  await expect(grant(seller)).rejects.toThrow(/has laptops for sale/);
  expect(await roleOf(seller)).toEqual({ role: 'Seller', acts: 0 });

  await seller.client.call(deleteOwnLaptop, { params: { _id: laptopId } });
  await grant(seller);
  expect(await roleOf(seller)).toEqual({ role: 'Admin', acts: 1 });
});

test('a user with bookings and orders cannot become an admin until they are over, and then refunds none of them', async () => {
  const [buyer, seller] = [await shop.buyer(), await shop.seller()];
  const laptopId = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptopId);
  await expect(grant(buyer)).rejects.toThrow(/has booked laptops that are not paid/);
  expect(await roleOf(buyer)).toEqual({ role: 'Buyer', acts: 0 });

  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  await expect(grant(buyer)).rejects.toThrow(/has orders that are not over/);
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    'select id from orders where booking_id = $1',
    [bookingId],
  );
  const orderId = rows[0]?.id ?? '';
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  await completeOrder(shop, orderId);
  await expect(grant(seller)).rejects.toThrow(/the shop owes this person money/);
  await grant(buyer);
  expect(await roleOf(buyer)).toEqual({ role: 'Admin', acts: 1 });
  const body = { amount: 100, from: 'shop', text: 'For myself.' } as const;
  await expect(buyer.client.call(refundOrder, { params: { _id: orderId }, body })).rejects.toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('an order of your own'),
  });
});

test('a user with an unconfirmed address becomes an admin only with --unproven', async () => {
  const buyer = await shop.buyer('Una Unproven', { email_verified: false });
  await expect(grant(buyer)).rejects.toThrow(/Nobody has proven to receive mail .* --unproven/);
  expect(await roleOf(buyer)).toEqual({ role: 'Buyer', acts: 0 });

  await makeAdmin(shop.connection.database, buyer.email, { unproven: true });
  expect(await roleOf(buyer)).toEqual({ role: 'Admin', acts: 1 });
});

test('an address confirmed after registration counts from the next token on', async () => {
  const buyer = await shop.buyer('Paul Proven', { email_verified: false });
  const { client, issuer } = shop;
  await client(await issuer.idToken(buyer.email)).call(exchangeToken, { query: { email: buyer.email } });
  await grant(buyer);
  expect(await roleOf(buyer)).toEqual({ role: 'Admin', acts: 1 });
});

test('an ended account cannot become an admin', async () => {
  const buyer = await shop.buyer();
  const admin = await shop.admin();
  await admin.client.call(deleteBuyer, { params: { _id: buyer.userId } });
  await expect(grant(buyer)).rejects.toThrow(/Nobody is registered/);
  expect(await roleOf(buyer)).toEqual({ role: 'Buyer', acts: 0 });
});
