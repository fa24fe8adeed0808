import { beforeAll, describe, expect, test } from 'vitest';
import { listLaptop, listOwnLaptops } from '#contract/listings/catalogue.ts';
import { reportLaptop } from '#contract/listings/reports.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { Problem } from '#contract/platform/client.ts';
import { book, listBookings } from '#contract/sales/bookings.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { waitForBlocked } from '#tests/harness/platform/held-locks.ts';
import { createIdempotency } from './idempotency.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof Problem ? `${error.status} ${error.code}` : String(error)),
  );

/** Makes the raw call `POST /laptops`. */
const post = (person: Person, headers: Record<string, string>, name: string) =>
  fetch(`${shop.origin}/api/laptops`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${person.token}`,
      ...headers,
    },
    body: JSON.stringify({ ...sampleLaptop(shop.origin), name }),
  });

const namesOf = async (person: Person) =>
  (await person.client.call(listOwnLaptops, { query: {} })).map(({ name }) => name);

describe('a retry with the same key and input gets the first response, and is carried out once:', () => {
  test('listing a laptop', async () => {
    const input = { body: { ...sampleLaptop(shop.origin), name: 'Once' }, idempotencyKey: 'laptop' };
    const first = await seller.client.call(listLaptop, input);
    expect(await seller.client.call(listLaptop, input)).toEqual(first);
    expect((await namesOf(seller)).filter((name) => name === 'Once')).toHaveLength(1);
  });

  test('a booking and a wishlist item, also when they are no longer possible; a report', async () => {
    const [buyer, laptopId] = [await shop.buyer(), await shop.laptop(seller, { name: 'Wanted' })];
    const { client } = buyer;
    const booking = {
      body: { price: 549.99, phone: '+351 900 000 000', location: 'Station', productCode: laptopId },
      idempotencyKey: 'booking',
    };
    const item = { body: { productCode: laptopId }, idempotencyKey: 'wish' };
    const report = {
      body: { productCode: laptopId, reason: 'Other', note: 'Odd.' },
      idempotencyKey: 'report',
    } as const;
    const make = async () => [
      await client.call(book, booking),
      await client.call(wish, item),
      await client.call(reportLaptop, report),
    ];
    const first = await make();
    expect(first.map(({ acknowledged }) => acknowledged)).toEqual([true, true, true]);
    await shop.connection.database
      .updateTable('laptops')
      .set({ state: 'withdrawn' })
      .where('id', '=', laptopId)
      .execute();
    expect(await make()).toEqual(first);
    expect(await client.call(listBookings, { query: {} })).toHaveLength(1);
    expect(await client.call(listWishlist, { query: {} })).toHaveLength(1);
  });

  test('the response is marked as a replay; requests without a key are each carried out', async () => {
    const first = await post(seller, { 'idempotency-key': 'replay' }, 'Said');
    const second = await post(seller, { 'idempotency-key': 'replay' }, 'Said');
    expect([first, second].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ]);
    expect(await second.text()).toBe(await first.text());
    for (const _ of ['one', 'another']) expect((await post(seller, {}, 'Said')).status).toBe(200);
    expect((await namesOf(seller)).filter((name) => name === 'Said')).toHaveLength(3);
  });
});

test('the same key with other content is rejected with a message, and changes nothing', async () => {
  await post(seller, { 'idempotency-key': 'other' }, 'The first');
  const answer = await post(seller, { 'idempotency-key': 'other' }, 'The second');
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    code: 'idempotency_key_reused',
    detail: expect.stringContaining('Nothing was changed'),
  });
  expect(await namesOf(seller)).not.toContain('The second');
});

test('a key is scoped to its account', async () => {
  const other = await shop.seller();
  await post(seller, { 'idempotency-key': 'shared' }, 'Shared');
  await post(other, { 'idempotency-key': 'shared' }, 'Shared');
  expect(await namesOf(other)).toEqual(['Shared']);
});

test('a refused request stores no response, so its retry is carried out', async () => {
  const buyer = await shop.buyer();
  const laptopId = await shop.laptop(seller);
  const release = await holdAccount(buyer);
  const item = { body: { productCode: laptopId }, idempotencyKey: 'refused' };
  const first = codeOf(buyer.client.call(wish, item));
  await waitForBlocked(shop, 1);
  await release('update users set ended_at = now() where id = $1');
  expect(await first).toBe('403 account_ended');
  await shop.connection.pool.query('update users set ended_at = null where id = $1', [buyer.userId]);
  expect(await buyer.client.call(wish, item)).toMatchObject({ acknowledged: true });
});

/** Locks an account's row, so that whatever is written in its name waits. @returns what ends that */
async function holdAccount({ userId }: Person): Promise<(last?: string) => Promise<void>> {
  const client = await shop.connection.pool.connect();
  await client.query('begin');
  await client.query('select from users where id = $1 for update', [userId]);
  return async (last) => {
    if (last !== undefined) await client.query(last, [userId]);
    await client.query('commit');
    client.release();
  };
}

test('a duplicate of a running request is asked to retry in a second', async () => {
  const release = await holdAccount(seller);
  const first = post(seller, { 'idempotency-key': 'slow' }, 'Slow');
  await waitForBlocked(shop, 1);
  const duplicate = await post(seller, { 'idempotency-key': 'slow' }, 'Slow');
  expect(duplicate.status).toBe(409);
  expect(duplicate.headers.get('retry-after')).toBe('1');
  expect(await duplicate.json()).toMatchObject({ code: 'request_in_progress' });
  await release();
  const text = await (await first).text();
  expect(await (await post(seller, { 'idempotency-key': 'slow' }, 'Slow')).text()).toBe(text);
});

test('one of twenty concurrent duplicates is carried out', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(seller, { 'idempotency-key': 'twenty' }, 'Twenty')),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  expect((await namesOf(seller)).filter((name) => name === 'Twenty')).toHaveLength(1);
});

test.each([
  ['too long', 'k'.repeat(201)],
  ['empty', ''],
  ['not visible', 'a b'],
])('rejects a key that is %s', async (_, key) => {
  const answer = await post(seller, { 'idempotency-key': key }, 'Never');
  expect(answer.status).toBe(400);
  expect(await namesOf(seller)).not.toContain('Never');
});

test('stores the newest hundred responses per account, and removes expired ones, whose requests run again', async () => {
  const keeper = await shop.seller();
  const { pool, database } = shop.connection;
  await pool.query(
    `insert into idempotency_keys (user_id, key, fingerprint, answer, expires_at)
     select $1, 'old ' || number, repeat('0', 64), '{}', now() + number * interval '1 second'
       from generate_series(1, 120) as number`,
    [keeper.userId],
  );
  await post(keeper, { 'idempotency-key': 'newest' }, 'Kept');
  const keys = async () => {
    const { rows } = await pool.query('select key from idempotency_keys where user_id = $1', [keeper.userId]);
    return rows.map(({ key }) => key);
  };
  const kept = await keys();
  expect(kept).toHaveLength(100);
  expect(kept).toContain('newest');
  expect(kept).not.toContain('old 1');

  await pool.query(
    "update idempotency_keys set expires_at = now() - interval '1 second' where user_id = $1",
    [keeper.userId],
  );
  await post(keeper, { 'idempotency-key': 'newest' }, 'Kept');
  expect(await namesOf(keeper)).toEqual(['Kept', 'Kept']);
  await createIdempotency(database).sweep();
  expect(await keys()).toEqual(['newest']);
});
