import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop, listCategory } from '#contract/listings/catalogue.ts';
import { reportLaptop } from '#contract/listings/reports.ts';
import { saveSearch } from '#contract/listings/saved-searches.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { recordSettlement } from '#contract/money/settlements.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { listBookings, listOwnBuyers } from '#contract/sales/bookings.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const deleteAccount = (person: Person, email = person.email) =>
  person.client.call(deleteOwnAccount, { query: { email } });

const prepare = (buyer: Person, bookingId: string) =>
  buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });

async function buy(buyer: Person, laptopId: string): Promise<string> {
  const bookingId = await shop.booking(buyer, laptopId);
  const { clientSecret } = await prepare(buyer, bookingId);
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  return transactionId;
}

/** Completes a sale and pays its seller: neither could delete the account otherwise. */
async function payOut(buyer: Person, seller: Person, transactionId: string): Promise<void> {
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    'select id from orders where transaction_id = $1',
    [transactionId],
  );
  const orderId = rows[0]?.id ?? '';
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  await completeOrder(shop, orderId);
  const { due } = await seller.client.call(readOwnMoney, {});
  const body = { kind: 'paid', sellerId: seller.userId, amount: due, note: transactionId } as const;
  const admin = await shop.admin();
  await admin.client.call(recordSettlement, { body });
  await shop.connection.pool.query('update users set ended_at = now() where id = $1', [admin.userId]);
  await waitForEmptyQueue(shop.connection.pool);
}

/** Each text in each table in which something of this person still stands. */
async function traces(...words: string[]): Promise<string[]> {
  const { rows: tables } = await shop.connection.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await shop.connection.pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from "${name}" t`,
    );
    for (const { row } of rows) if (words.some((word) => row.includes(word))) found.push(name);
  }
  return found;
}

test('a user can export all stored personal data', async () => {
  const seller = await shop.seller('Sara Export');
  const buyer = await shop.buyer('Ben Export');
  const [bought, wished] = [await shop.laptop(seller), await shop.laptop(seller)];
  const transactionId = await buy(buyer, bought);
  await buyer.client.call(wish, { body: { productCode: wished } });
  await buyer.client.call(reportLaptop, {
    body: { productCode: wished, reason: 'Stolen', note: 'I saw it' },
  });

  await buyer.client.call(saveSearch, {
    body: { name: 'My search', filters: { brand: 'Dell' }, frequency: 'daily' },
  });

  const his = await buyer.client.call(readOwnData, {});
  expect(his).toMatchObject({
    account: { id: buyer.userId, email: buyer.email, name: 'Ben Export', is_buyer: true, is_seller: false },
    laptops: [],
    bookings: [{ laptop_id: bought, price_cents: 54_999, phone: '+351900000000', ended_at: null }],
    wishlist: [{ laptop_id: wished, laptop_name: expect.any(String) }],
    savedSearches: [
      { name: 'My search', filters: { brand: ['Dell'] }, frequency: 'daily', last_email_at: null },
    ],
    paymentAttempts: [{ transaction_id: transactionId, amount_cents: 54_999, state: 'sold' }],
    orders: [
      {
        ...{ party: 'buyer', laptop_id: bought, transaction_id: transactionId, price_cents: 54_999 },
        ...{ state: 'held', events: [{ event: 'paid' }] },
      },
    ],
    refunds: [],
    reports: [{ laptop_id: wished, reason: 'Stolen', note: 'I saw it' }],
  });
  const hers = await seller.client.call(readOwnData, {});
  expect(hers.laptops.map(({ id }) => id).sort()).toEqual([bought, wished].sort());
  expect(hers.laptops[0]).toMatchObject({ mobile_number: '+351912345678', resale_price_cents: 54_999 });
  expect(hers.orders).toMatchObject([
    { party: 'seller', laptop_id: bought, transaction_id: transactionId, commission_cents: 0 },
  ]);
  expect(his.orders[0]).not.toHaveProperty('commission_cents');
  // Nobody else's id, and no code that another person must show.
  const { rows } = await shop.connection.pool.query('select handover_code from orders where buyer_id = $1', [
    buyer.userId,
  ]);
  for (const secret of [buyer.userId, rows[0].handover_code])
    expect(JSON.stringify(hers)).not.toContain(secret);
  expect(JSON.stringify(his)).not.toContain(seller.userId);
  expect(JSON.stringify(hers)).not.toContain(buyer.email);
});

test('a buyer’s account ends immediately; paid sales are kept separately and reported', async () => {
  const seller = await shop.seller();
  const buyer = await shop.buyer('Lea Leaving');
  const [bought, booked, wished] = [
    await shop.laptop(seller),
    await shop.laptop(seller),
    await shop.laptop(seller),
  ];
  const transactionId = await buy(buyer, bought);
  await payOut(buyer, seller, transactionId);
  await shop.booking(buyer, booked, { phone: '+351 955 000 111', location: 'Her Own Street 7' });
  await buyer.client.call(wish, { body: { productCode: wished } });

  const { kept } = await deleteAccount(buyer);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatch(/^Of one payment or refund: .*bookkeeping/);

  await expect(buyer.client.call(listBookings, { query: {} })).rejects.toMatchObject({
    code: 'account_ended',
  });
  expect(await traces(buyer.email, 'Lea Leaving', '955 000 111', 'Her Own Street')).toEqual(['bookkeeping']);
  const { rows } = await shop.connection.pool.query('select * from bookkeeping where name = $1', [
    'Lea Leaving',
  ]);
  expect(rows).toMatchObject([{ transaction_id: transactionId, party: 'buyer', email: buyer.email }]);

  const buyers = await seller.client.call(listOwnBuyers, { query: {} });
  const states = buyers.map(({ productCode, state }) => [productCode, state]);
  expect(states).toContainEqual([bought, 'Paid']);
  expect(states).toContainEqual([booked, 'Cancelled']);
  // Nothing is left there that looks like a way to reach somebody.
  for (const booking of buyers) {
    expect(booking.buyerName).toBe('Former account');
    expect(booking).not.toHaveProperty('email');
    expect(booking).not.toHaveProperty('phone');
    expect(booking).not.toHaveProperty('location');
  }

  // However late the sign-in is removed, one that was made since stays.
  const { rows: orders } = await shop.connection.pool.query(
    `select (data->>'endedAt')::timestamptz = ended_at as "atItsEnd" from pgboss.job, users
      where data->>'type' = 'accounts.erase-identity' and data->>'email' = $1 and users.id = $2`,
    [buyer.email, buyer.userId],
  );
  expect(orders).toEqual([{ atItsEnd: true }]);
  // Once it is removed, the queue forgets the address.
  await waitForEmptyQueue(shop.connection.pool);
  expect(await shop.runTasks()).toEqual([]);
  const jobs = await shop.connection.pool.query('select from pgboss.job where data::text like $1', [
    `%${buyer.email}%`,
  ]);
  expect(jobs.rowCount).toBe(0);
  expect(shop.mails.filter(({ subject }) => subject === 'Your account was deleted')).toMatchObject([
    { to: buyer.email },
  ]);

  // Who comes back begins anew.
  const soon = Math.floor(Date.now() / 1000) + 2;
  const proven = shop.client(await shop.issuer.idToken(buyer.email, { auth_time: soon }));
  await expect(proven.call(exchangeToken, { query: { email: buyer.email } })).rejects.toMatchObject({
    code: 'not_allowed',
  });
});

test('a deleted account cannot be registered again with its old sign-in, only with a new one', async () => {
  const buyer = await shop.buyer('Rae Turning');
  const body = { name: 'Rae Turning', email: buyer.email, role: 'Buyer' as const };
  const registering = async (claims: Record<string, unknown>) =>
    shop.client(await shop.issuer.idToken(buyer.email, claims)).call(registerUser, { body });
  await deleteAccount(buyer);
  const now = Math.floor(Date.now() / 1000);
  // Its session is renewed until the identity provider has erased it; other providers send no `auth_time`.
  for (const claims of [
    { iat: now + 2, auth_time: now - 30 },
    { iat: now - 30, auth_time: undefined },
  ]) {
    await expect(registering(claims)).rejects.toMatchObject({
      code: 'session_ended',
      message: expect.stringContaining('please sign in again'),
    });
  }
  await expect(registering({ auth_time: now + 2 })).resolves.toMatchObject({ acknowledged: true });
});

test('ending a seller’s account withdraws unsold laptops and removes telephone numbers', async () => {
  const seller = await shop.seller('Sven Leaving');
  const buyer = await shop.buyer();
  const [sold, unsold] = [
    await shop.laptop(seller, { mobile_number: '+351 966 000 222', location: 'His Own Street 8' }),
    await shop.laptop(seller, {
      mobile_number: '+351 966 000 222',
      description: 'Scratch from my office in Rua Augusta',
      use_time: 'Two years at Augusta Lda',
      posted_time: 'Augusta’s Monday',
    }),
  ];
  const transactionId = await buy(buyer, sold);
  await shop.booking(buyer, unsold);
  await payOut(buyer, seller, transactionId);
  await deleteAccount(seller);

  const shelf = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
  expect(shelf.map(({ _id }) => _id)).not.toContain(unsold);
  expect(await traces(seller.email, 'Sven Leaving', '966 000 222', 'His Own Street', 'Augusta')).toEqual([
    'bookkeeping',
  ]);
  const orders = await buyer.client.call(listBookings, { query: {} });
  const stateOf = (laptop: string) => orders.find(({ productCode }) => productCode === laptop)?.state;
  expect([stateOf(sold), stateOf(unsold)]).toEqual(['Paid', 'Cancelled']);
  for (const order of orders) expect(order).not.toHaveProperty('sellerPhone');
});

test('an account cannot end while a refund is pending', async () => {
  const seller = await shop.seller();
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptop);
  const { clientSecret } = await prepare(buyer, bookingId);
  await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } }).catch(() => undefined);
  await shop.connection.pool.query(
    `insert into refunds (booking_id, transaction_id, amount_cents, reason)
     values ($1, 'pi_on_its_way', 54999, 'left_the_shop')`,
    [bookingId],
  );
  await expect(deleteAccount(buyer)).rejects.toMatchObject({
    code: 'money_on_its_way',
    message:
      'A refund to you is not finished. Please try again when the money has arrived. Your account is as it was.',
  });
  await expect(buyer.client.call(listBookings, { query: {} })).resolves.toHaveLength(1);
  await shop.connection.pool.query(
    `update refunds set state = 'failed', failed_at = now(), failure_reason = 'lost_card'
      where transaction_id = 'pi_on_its_way'`,
  );
  await expect(deleteAccount(buyer)).rejects.toMatchObject({ code: 'money_on_its_way' });
  await shop.connection.pool.query(
    `update refunds set state = 'done', done_at = now(), failed_at = null, failure_reason = null
      where transaction_id = 'pi_on_its_way'`,
  );
  await deleteAccount(buyer);
  // An attempt that was open cannot be paid any more.
  expect((await shop.pay(clientSecret)).status).not.toBe('succeeded');
});

test('a seller’s account cannot end while a buyer is paying', async () => {
  const seller = await shop.seller();
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptop);
  const { clientSecret } = await prepare(buyer, bookingId);
  await expect(deleteAccount(seller)).rejects.toMatchObject({
    code: 'money_on_its_way',
    retryAt: expect.any(Date),
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  await payOut(buyer, seller, transactionId);
  await deleteAccount(seller);
});

test('ending an account requires its own email address', async () => {
  const [buyer, other] = [await shop.buyer(), await shop.buyer()];
  await expect(deleteAccount(buyer, other.email)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(buyer.client.call(listBookings, { query: {} })).resolves.toEqual([]);
});

test('ending an account requires a recent authentication', async () => {
  const buyer = await shop.buyer();
  const signedIn = async (claims: Record<string, unknown>) => {
    const proven = shop.client(await shop.issuer.idToken(buyer.email, claims));
    const { coomercioToken } = await proven.call(exchangeToken, { query: { email: buyer.email } });
    return { ...buyer, client: shop.client(coomercioToken) };
  };
  const now = Math.floor(Date.now() / 1000);
  for (const auth_time of [now - 11 * 60, undefined]) {
    await expect(deleteAccount(await signedIn({ auth_time }))).rejects.toMatchObject({
      status: 403,
      code: 'reauthentication_required',
    });
  }
  await expect(buyer.client.call(listBookings, { query: {} })).resolves.toEqual([]);
  await deleteAccount(await signedIn({ auth_time: now - 9 * 60 }));
});

test('the last owner cannot delete the account; of two concurrent requests one succeeds', async () => {
  const [first, second] = [await shop.admin(), await shop.admin()];
  const seller = await shop.seller();
  await first.client.call(verifySeller, { params: { email: seller.email }, query: {} });
  const outcomes = await Promise.allSettled([deleteAccount(first), deleteAccount(second)]);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toMatchObject([{ reason: { status: 409, code: 'last_owner' } }]);
  const { rows } = await shop.connection.pool.query(
    `select id from users where is_admin and ended_at is null`,
  );
  expect(rows).toHaveLength(1);
  // The audit entries of the first admin are kept. While another admin exists, the refused one can delete the account.
  await shop.admin();
  const [outcome] = outcomes;
  const { kept } = outcome?.status === 'fulfilled' ? outcome.value : await deleteAccount(first);
  expect(kept).toEqual(['What you did as an admin, one act, without your name.']);
});
