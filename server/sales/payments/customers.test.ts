import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { deleteBuyer } from '#contract/operations/user-admin.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
let seller: Person;

beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));

const book = async (buyer: Person) => shop.booking(buyer, await shop.laptop(seller));

/** Prepares the payment of a booking. @returns its intent at the card processor */
async function prepare(buyer: Person, bookingId: string) {
  const body = { price: 549.99, bookingId };
  const { clientSecret } = await buyer.client.call(createPaymentIntent, { body });
  const [id = ''] = clientSecret.split('_secret_');
  return shop.cards.stripe.paymentIntents.retrieve(id);
}

/** Prepares the payment of a new booking. @returns the customer of its intent */
async function customerOfNewPayment(buyer: Person): Promise<string> {
  return String((await prepare(buyer, await book(buyer))).customer);
}

const read = (id: string) => shop.cards.stripe.customers.retrieve(id);
const deleted = (id: string) => ({ id, object: 'customer', deleted: true });

async function storedCustomer(buyer: Person): Promise<string | null> {
  const { rows } = await shop.connection.pool.query('select card_customer_id from users where id = $1', [
    buyer.userId,
  ]);
  return rows[0].card_customer_id;
}

describe('a buyer’s payments', () => {
  test('belong to one customer, who has the contact of the last payment and is in the export', async () => {
    const buyer = await shop.buyer('Cora Customer');
    const first = await customerOfNewPayment(buyer);
    const account = { metadata: { buyerId: buyer.userId }, phone: '+351 900 000 000' };
    expect(await read(first)).toMatchObject({ ...account, name: 'Cora Customer', email: buyer.email });
    expect((await buyer.client.call(readOwnData, {})).account).toMatchObject({ card_customer_id: first });

    await shop.connection.pool.query(
      `update users set name = 'Cora Married', email_verified = false where id = $1`,
      [buyer.userId],
    );
    expect(await customerOfNewPayment(buyer)).toBe(first);
    expect(await read(first)).toMatchObject({ ...account, name: 'Cora Married', email: null });
  });

  test('that begin at the same time belong to one customer', async () => {
    const buyer = await shop.buyer();
    const bookings = [await book(buyer), await book(buyer)];
    await shop.cards.setFaults({
      calls: [{ kind: 'hold', moment: 'before', method: 'POST', path: '/v1/customers', times: 2 }],
    });
    const preparing = Promise.all(bookings.map((bookingId) => prepare(buyer, bookingId)));
    await shop.cards.waitForHeldCalls(2);
    await shop.cards.releaseHeldCalls();
    const customers = (await preparing).map(({ customer }) => customer);
    const stored = await storedCustomer(buyer);
    expect(customers).toEqual([stored, stored]);
    expect(await shop.cards.listCustomerIds(buyer.userId)).toEqual([stored]);
  });

  test('belong to one customer when the answer to its creation was lost and the name has changed since', async () => {
    const buyer = await shop.buyer();
    const bookingId = await book(buyer);
    await shop.cards.setFaults({
      calls: [{ kind: 'hold', moment: 'after', method: 'POST', path: '/v1/customers' }],
    });
    const preparing = prepare(buyer, bookingId);
    await shop.cards.waitForHeldCalls(1);
    await shop.connection.pool.query(`update users set name = 'Another Name' where id = $1`, [buyer.userId]);
    const second = await customerOfNewPayment(buyer);
    await shop.cards.releaseHeldCalls();
    expect((await preparing).customer).toBe(second);
    expect(await shop.cards.listCustomerIds(buyer.userId)).toEqual([second]);
  });

  test('go on with a new customer when the operator has deleted theirs', async () => {
    const buyer = await shop.buyer();
    const first = await customerOfNewPayment(buyer);
    await shop.cards.stripe.customers.del(first);
    const second = await customerOfNewPayment(buyer);
    expect(second).not.toBe(first);
    expect(await read(second)).toMatchObject({ metadata: { buyerId: buyer.userId } });
    expect(await storedCustomer(buyer)).toBe(second);
  });

  test('go on with a new customer when the shop’s keys are those of another account', async () => {
    const buyer = await shop.buyer();
    const elsewhere = `cus_of_another_account_${buyer.userId}`;
    await shop.connection.pool.query('update users set card_customer_id = $1 where id = $2', [
      elsewhere,
      buyer.userId,
    ]);
    const customer = await customerOfNewPayment(buyer);
    expect(customer).not.toBe(elsewhere);
    expect(await storedCustomer(buyer)).toBe(customer);
  });

  test('never share a customer with another buyer’s', async () => {
    const [one, other] = [await shop.buyer(), await shop.buyer()];
    const customer = await customerOfNewPayment(one);
    expect(await customerOfNewPayment(other)).not.toBe(customer);
    await expect(
      shop.connection.pool.query('update users set card_customer_id = $1 where id = $2', [
        customer,
        other.userId,
      ]),
    ).rejects.toThrow(/users_card_customer_id_key/);
  });
});

describe('at the end of the account', () => {
  const end = (buyer: Person) => buyer.client.call(deleteOwnAccount, { query: { email: buyer.email } });

  test('the customer is deleted, also when the card processor fails at first', async () => {
    const buyer = await shop.buyer();
    const customer = await customerOfNewPayment(buyer);
    // Stripe's library makes three attempts for each one of the job.
    const path = `/v1/customers/${customer}`;
    await shop.cards.setFaults({ calls: [{ kind: 'error', method: 'DELETE', path, times: 3 }] });
    await end(buyer);
    await expect.poll(() => storedCustomer(buyer), { timeout: 30_000 }).toBeNull();
    expect(await read(customer)).toEqual(deleted(customer));
  });

  test('one that the operator has deleted already is forgotten', async () => {
    const buyer = await shop.buyer();
    await shop.cards.stripe.customers.del(await customerOfNewPayment(buyer));
    await end(buyer);
    await expect.poll(() => storedCustomer(buyer)).toBeNull();
  });

  test('an admin’s deletion deletes the customer, too', async () => {
    const buyer = await shop.buyer();
    const customer = await customerOfNewPayment(buyer);
    const admin = await shop.admin();
    await admin.client.call(deleteBuyer, { params: { _id: buyer.userId } });
    await expect.poll(() => storedCustomer(buyer)).toBeNull();
    expect(await read(customer)).toEqual(deleted(customer));
  });

  test('a customer that is created at this moment is deleted, and nothing can be paid', async () => {
    const buyer = await shop.buyer();
    const bookingId = await book(buyer);
    await shop.cards.setFaults({
      calls: [{ kind: 'hold', moment: 'after', method: 'POST', path: '/v1/customers' }],
    });
    const preparing = prepare(buyer, bookingId);
    const refused = expect(preparing).rejects.toMatchObject({ code: 'account_ended' });
    await shop.cards.waitForHeldCalls(1);
    await end(buyer);
    await shop.cards.releaseHeldCalls();
    await refused;
    const [id = '', ...others] = await shop.cards.listCustomerIds(buyer.userId);
    expect(others).toEqual([]);
    expect(await read(id)).toEqual(deleted(id));
  });
});
