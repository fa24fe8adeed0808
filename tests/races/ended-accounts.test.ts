// An account can end between the access check and the write of the same call. Each test stops the call at that point
// with a database lock, so that the order is deterministic.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addBrand, changeBrand } from '#contract/listings/brands.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { deleteSeller, verifySeller } from '#contract/operations/user-admin.ts';
import { Problem } from '#contract/platform/client.ts';
import { book } from '#contract/sales/bookings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForBlocked, whileLocked } from '#tests/harness/platform/held-locks.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';

let shop: TestShop;
let admin: Person;

beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
// Jobs of an earlier test would wait for the locks as well.
beforeEach(() => waitForEmptyQueue(shop.connection.pool));
afterAll(() => shop.close());

const bookingRequest = (productCode: string) => ({
  body: { price: 549.99, phone: '+351 955 000 333', location: 'Her Own Street 9', productCode },
});
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
const deleteAccount = ({ client, email }: Person) => client.call(deleteOwnAccount, { query: { email } });

test('withdraws a laptop that is listed while its seller is deleted', async () => {
  const seller = await shop.seller();
  const { listing, deletion } = await whileLocked(shop, 'lock table photos', async () => {
    const listing = outcomeOf(shop.laptop(seller));
    await waitForBlocked(shop, 1);
    const deletion = outcomeOf(admin.client.call(deleteSeller, { params: { _id: seller.userId } }));
    await Promise.race([deletion, waitForBlocked(shop, 2)]);
    return { listing, deletion };
  });
  expect(await listing).toBe('done');
  expect(await deletion).toBe('done');
  const { rows } = await shop.connection.pool.query('select state from laptops where seller_id = $1', [
    seller.userId,
  ]);
  expect(rows).toEqual([{ state: 'withdrawn' }]);
});

test.each([
  ['verified', ({ email }: Person) => admin.client.call(verifySeller, { params: { email }, query: {} })],
  ['deleted', ({ userId: _id }: Person) => admin.client.call(deleteSeller, { params: { _id } })],
])('a seller is %s while the brand of the laptops gets another name', async (_word, act) => {
  const seller = await shop.seller();
  const brand = `Brand ${seller.userId.slice(0, 8)}`;
  const { insertedId: _id } = await admin.client.call(addBrand, { body: { name: brand } });
  const laptops: string[] = [];
  const least = () => laptops.toSorted().slice(0, 2);
  // The renaming waits for the second id. Whoever locks the laptops by age has locked another one before it waits for one of these.
  while (laptops.length < 4 || [laptops.at(0), laptops.at(-1)].some((id) => id && least().includes(id))) {
    laptops.push(await shop.laptop(seller, { category_Id: brand }));
  }
  const held = `select from laptops where id = '${least()[1]}' for update`;
  const calls = await whileLocked(shop, held, async () => {
    const body = { name: `${brand} Two`, hidden: false };
    const renaming = outcomeOf(admin.client.call(changeBrand, { params: { _id }, body }));
    await waitForBlocked(shop, 1);
    const acting = outcomeOf(act(seller));
    await waitForBlocked(shop, 2);
    return [renaming, acting];
  });
  expect(await Promise.all(calls)).toEqual(['done', 'done']);
});

test('removes the telephone number of a booking made while the account of its buyer is deleted', async () => {
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(await shop.seller());
  const { booking, deletion } = await whileLocked(
    shop,
    `select from laptops where id = '${laptop}' for update`,
    async () => {
      const booking = outcomeOf(buyer.client.call(book, bookingRequest(laptop)));
      await waitForBlocked(shop, 1);
      const deletion = outcomeOf(deleteAccount(buyer));
      await Promise.race([deletion, waitForBlocked(shop, 2)]);
      return { booking, deletion };
    },
  );
  expect(await booking).toBe('done');
  expect(await deletion).toBe('done');
  const { rows } = await shop.connection.pool.query(
    'select phone, location from bookings where buyer_id = $1',
    [buyer.userId],
  );
  expect(rows).toEqual([{ phone: 'removed', location: 'removed' }]);
});

test('rejects bookings and wishes of users deleted during the call', async () => {
  const [booker, wisher] = [await shop.buyer(), await shop.buyer()];
  const laptop = await shop.laptop(await shop.seller());
  const { calls } = await whileLocked(shop, 'lock table wishlist_items, laptops', async () => {
    const calls = [
      outcomeOf(booker.client.call(book, bookingRequest(laptop))),
      outcomeOf(wisher.client.call(wish, { body: { productCode: laptop } })),
    ];
    await waitForBlocked(shop, 2);
    await shop.connection.pool.query('update users set ended_at = now() where id = any ($1)', [
      [booker.userId, wisher.userId],
    ]);
    return { calls };
  });
  expect(await Promise.all(calls)).toEqual(['account_ended', 'account_ended']);
});

test('booking an own laptop does not deadlock with the deletion of the account', async () => {
  const seller = await shop.seller();
  const laptop = await shop.laptop(seller);
  const { deletion, booking } = await whileLocked(
    shop,
    `select from laptops where id = '${laptop}' for update`,
    async () => {
      const deletion = outcomeOf(deleteAccount(seller));
      await waitForBlocked(shop, 1);
      const booking = outcomeOf(seller.client.call(book, bookingRequest(laptop)));
      await waitForBlocked(shop, 2);
      return { deletion, booking };
    },
  );
  expect(await deletion).toBe('done');
  expect(await booking).toBe('account_ended');
});

test('a conversation that is opened about a laptop does not deadlock with the deletion of its seller', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const laptop = await shop.laptop(seller);
  const { deletion, opening } = await whileLocked(
    shop,
    `select from laptops where id = '${laptop}' for no key update`,
    async () => {
      const deletion = outcomeOf(deleteAccount(seller));
      await waitForBlocked(shop, 1);
      // It has locked the laptop's key, and waits for the seller's.
      const opening = outcomeOf(buyer.client.call(openConversation, { body: { productCode: laptop } }));
      await waitForBlocked(shop, 2);
      return { deletion, opening };
    },
  );
  expect(await deletion).toBe('done');
  expect(await opening).toBe('done');
});

test('an account ends while a transaction holds the keys of its laptops, as a report of two of them does', async () => {
  const seller = await shop.seller();
  await Promise.all([shop.laptop(seller), shop.laptop(seller)]);
  const ban = await whileLocked(
    shop,
    `select from laptops where seller_id = '${seller.userId}' for key share`,
    () => {
      const ban = outcomeOf(admin.client.call(deleteSeller, { params: { _id: seller.userId } }));
      return Promise.race([ban, waitForBlocked(shop, 1).then(() => 'blocked')]);
    },
  );
  expect(ban).toBe('done');
});

test('the deletion of a seller does not deadlock with a new name of the brand of its laptops', async () => {
  const seller = await shop.seller();
  const { insertedId: _id } = await admin.client.call(addBrand, { body: { name: 'Wortmann' } });
  const ids = await Promise.all(
    Array.from({ length: 8 }, () => shop.laptop(seller, { category_Id: 'Wortmann' })),
  );
  const { renaming, deletion } = await whileLocked(
    shop,
    `select from laptops where id = '${ids.toSorted()[0]}' for no key update`,
    async () => {
      const renaming = outcomeOf(
        admin.client.call(changeBrand, {
          params: { _id },
          body: { name: 'Terra', hidden: false },
        }),
      );
      await waitForBlocked(shop, 1);
      const deletion = outcomeOf(deleteAccount(seller));
      await waitForBlocked(shop, 2);
      return { renaming, deletion };
    },
  );
  expect(await renaming).toBe('done');
  expect(await deletion).toBe('done');
});

test('concurrent listing, booking, asking, wishing, paying and account deletion cause no deadlock and leave no personal data', async () => {
  const answers: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const seller = await shop.seller();
    const [payer, ...others] = [await shop.buyer(), await shop.buyer(), await shop.buyer()];
    const [paidFor, wanted] = [await shop.laptop(seller), await shop.laptop(seller)];
    const bookingId = await shop.booking(payer, paidFor);
    const { clientSecret } = await payer.client.call(createPaymentIntent, {
      body: { price: 549.99, bookingId },
    });
    const { transactionId } = await shop.pay(clientSecret);
    const report = () => payer.client.call(recordPayment, { body: { transactionId, bookingId } });
    const remove = { params: { _id: seller.userId } };
    const calls = [
      report(),
      shop.laptop(seller),
      seller.client.call(book, bookingRequest(wanted)),
      ...others.flatMap((each) => [
        each.client.call(book, bookingRequest(wanted)),
        each.client.call(book, bookingRequest(paidFor)),
        each.client.call(wish, { body: { productCode: wanted } }),
        each.client.call(openConversation, { body: { productCode: wanted } }),
        deleteAccount(each),
      ]),
      round % 2 === 0 ? deleteAccount(seller) : admin.client.call(deleteSeller, remove),
      deleteAccount(payer),
      report(),
      shop.laptop(seller),
    ];
    answers.push(...(await Promise.all(calls.map(outcomeOf))));
  }
  expect(answers).toContain('done');
  expect(answers).not.toContain('internal');
  const { rows } = await shop.connection.pool.query(
    `select laptops.id from laptops join users on users.id = seller_id
      where ended_at is not null and state in ('available', 'taken_down')
     union all
     select bookings.id from bookings join users on users.id = buyer_id
      where email like '%@ended.invalid' and bookings.phone <> 'removed'
     union all
     select wishlist_items.id from wishlist_items join users on users.id = buyer_id
      where email like '%@ended.invalid'`,
  );
  expect(rows).toEqual([]);
});
