// Two people of a conversation, or of an order, act at the same time. Each test stops the first call within its transaction with a
// database lock until the second one waits as well, so that the order is deterministic.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { deleteSeller } from '#contract/operations/user-admin.ts';
import { Problem } from '#contract/platform/client.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import * as contract from '#contract/sales/messages.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { answerReview, writeReview } from '#contract/sales/reviews.ts';
import { readSeller } from '#contract/sales/seller-pages.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForBlocked, whileLocked } from '#tests/harness/platform/held-locks.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
// Jobs of an earlier test would wait for the locks as well.
beforeEach(() => waitForEmptyQueue(shop.connection.pool));
afterAll(() => shop.close());

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );

/** Starts calls one after the other, each of which waits for a lock. @returns their outcomes */
async function inTurn(lock: string, ...calls: (() => Promise<unknown>)[]): Promise<string[]> {
  const outcomes = await whileLocked(shop, lock, async () => {
    const started: Promise<string>[] = [];
    for (const call of calls) {
      started.push(outcomeOf(call()));
      await waitForBlocked(shop, started.length);
    }
    // Wrapped, so that they are not awaited before the lock is released.
    return { started };
  });
  return Promise.all(outcomes.started);
}

const lockOf = (table: 'conversations' | 'orders' | 'reviews', id: string) =>
  `select from ${table} where id = '${id}' for update`;

/** A buyer and a seller with the conversation of a booking. */
async function pair() {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  const { insertedId: id } = await buyer.client.call(contract.openConversation, { body: { bookingId } });
  // The notification of the booking would wait for the locks as well.
  await waitForEmptyQueue(shop.connection.pool);
  return { buyer, seller, id };
}
const send =
  ({ client }: Person, _id: string, text: string) =>
  () =>
    client.call(contract.sendMessage, { params: { _id }, body: { text } });
const block =
  ({ client }: Person, _id: string) =>
  () =>
    client.call(contract.blockPerson, { params: { _id }, body: { blocked: true } });
const propose =
  ({ client }: Person, _id: string, place: string) =>
  () =>
    client.call(proposeMeeting, {
      params: { _id },
      body: { place, startsAt: new Date(Date.now() + 48 * 3_600_000).toISOString() },
    });
const answer =
  ({ client }: Person, _id: string, meeting: string, given: 'agree' | 'cancel') =>
  () =>
    client.call(answerMeeting, { params: { _id }, body: { meeting, answer: given } });
const leave =
  ({ client, email }: Person) =>
  () =>
    client.call(deleteOwnAccount, { query: { email } });

async function textsIn(id: string): Promise<string[]> {
  const { rows } = await shop.connection.pool.query<{ text: string }>(
    'select text from messages where conversation_id = $1 order by sequence',
    [id],
  );
  return rows.map(({ text }) => text);
}

async function meetingsIn(id: string): Promise<string[]> {
  const { rows } = await shop.connection.pool.query<{ place: string; state: string }>(
    'select place, state from meetings where conversation_id = $1 order by number',
    [id],
  );
  return rows.map(({ place, state }) => `${place} ${state}`);
}

test('a message before a block is stored, one after it is refused, in both directions', async () => {
  const first = await pair();
  expect(
    await inTurn(
      lockOf('conversations', first.id),
      send(first.buyer, first.id, 'Before.'),
      block(first.seller, first.id),
    ),
  ).toEqual(['done', 'done']);
  expect(await textsIn(first.id)).toEqual(['Before.']);

  // In a conversation of its own: after a message has changed the row, PostgreSQL does not keep the order of several waiting calls.
  const { buyer, seller, id } = await pair();
  expect(
    await inTurn(
      lockOf('conversations', id),
      block(seller, id),
      send(buyer, id, 'After.'),
      send(seller, id, 'From the blocker.'),
    ),
  ).toEqual(['done', 'message_refused', 'message_refused']);
  expect(await textsIn(id)).toEqual([]);
});

test('two people who block each other at the same time both do', async () => {
  const { buyer, seller, id } = await pair();
  expect(await inTurn(lockOf('conversations', id), block(buyer, id), block(seller, id))).toEqual([
    'done',
    'done',
  ]);
  const { rowCount } = await shop.connection.pool.query(
    'select from message_blocks where blocker_id = any($1)',
    [[buyer.userId, seller.userId]],
  );
  expect(rowCount).toBe(2);
});

test('of two questions before a booking at the same time one is stored; two answers both are', async () => {
  const [buyer, seller] = [await shop.buyer(), await shop.seller()];
  const productCode = await shop.laptop(seller);
  const { insertedId: id } = await buyer.client.call(contract.openConversation, { body: { productCode } });
  const lock = lockOf('conversations', id);
  expect(await inTurn(lock, send(buyer, id, 'Q1'), send(buyer, id, 'Q2'))).toEqual([
    'done',
    'message_refused',
  ]);
  expect(await inTurn(lock, send(seller, id, 'A1'), send(seller, id, 'A2'))).toEqual(['done', 'done']);
  expect(await textsIn(id)).toEqual(['Q1', 'A1', 'A2']);
});

test('of proposals of both at the same time the later one stands', async () => {
  const { buyer, seller, id } = await pair();
  expect(
    await inTurn(lockOf('conversations', id), propose(buyer, id, 'Café'), propose(seller, id, 'Station')),
  ).toEqual(['done', 'done']);
  expect(await meetingsIn(id)).toEqual(['Café cancelled', 'Station proposed']);
});

test('a meeting that moves while somebody agrees to it is not agreed on; two agreements tell once', async () => {
  const { buyer, seller, id } = await pair();
  const lock = lockOf('conversations', id);
  const { insertedId: first } = await propose(buyer, id, 'Café')();
  expect(await inTurn(lock, propose(buyer, id, 'Station'), answer(seller, id, first, 'agree'))).toEqual([
    'done',
    'message_refused',
  ]);
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    `select id from meetings where conversation_id = $1 and state = 'proposed'`,
    [id],
  );
  const second = rows[0]?.id ?? '';
  const agree = answer(seller, id, second, 'agree');
  expect(await inTurn(lock, agree, agree)).toEqual(['done', 'done']);
  expect(await meetingsIn(id)).toEqual(['Café cancelled', 'Station agreed']);
  await waitForEmptyQueue(shop.connection.pool);
  const agreements = shop.mails.filter(
    ({ to, subject }) => JSON.stringify(to).includes(buyer.email) && subject.includes('agrees to meet'),
  );
  expect(agreements).toHaveLength(1);
});

test('an agreement and a cancellation at the same time end with what came last', async () => {
  const { buyer, seller, id } = await pair();
  const { insertedId: meeting } = await propose(buyer, id, 'Café')();
  expect(
    await inTurn(
      lockOf('conversations', id),
      answer(buyer, id, meeting, 'cancel'),
      answer(seller, id, meeting, 'agree'),
    ),
  ).toEqual(['done', 'message_refused']);
  expect(await meetingsIn(id)).toEqual(['Café cancelled']);
});

test('a message and a meeting that are on their way are stored before the reader’s account ends', async () => {
  const { buyer, seller, id } = await pair();
  expect(
    await inTurn(
      lockOf('conversations', id),
      send(buyer, id, 'Hello.'),
      propose(buyer, id, 'Café'),
      leave(seller),
    ),
  ).toEqual(['done', 'done', 'done']);
  expect(await textsIn(id)).toEqual(['Hello.']);
  expect(await meetingsIn(id)).toEqual(['Café cancelled']);
  expect(await outcomeOf(send(buyer, id, 'Still there?')())).toBe('message_refused');
});

test('a message that waits for the end of its reader’s or its sender’s account is refused', async () => {
  for (const ends of ['buyer', 'seller'] as const) {
    const people = await pair();
    const { buyer, seller, id } = people;
    // The end of the account waits here, after it has locked the account.
    const outcomes = await inTurn(
      'lock table message_blocks in access exclusive mode',
      leave(people[ends]),
      send(buyer, id, 'Hello.'),
      send(seller, id, 'Hello.'),
    );
    expect(outcomes).toEqual(
      ends === 'buyer'
        ? ['done', 'account_ended', 'message_refused']
        : ['done', 'message_refused', 'account_ended'],
    );
    expect(await textsIn(id)).toEqual([]);
  }
});

test('a block waits neither for the end of the other account nor the other way round', async () => {
  const { buyer, seller, id } = await pair();
  const lock = lockOf('conversations', id);
  const { blocking } = await whileLocked(shop, lock, async () => {
    const blocking = outcomeOf(block(buyer, id)());
    await waitForBlocked(shop, 1);
    expect(await outcomeOf(leave(seller)())).toBe('done');
    return { blocking };
  });
  expect(await blocking).toBe('done');
  expect(await inTurn(lock, block(buyer, id), leave(buyer))).toEqual(['done', 'done']);
});

/** An order after its hand-over and the time for complaints. */
async function handedOver() {
  const sale = await sellLaptop(shop);
  await sale.buyer.client.call(confirmOrder, { params: { _id: sale.orderId } });
  await completeOrder(shop, sale.orderId);
  await waitForEmptyQueue(shop.connection.pool);
  return sale;
}
const review =
  ({ client }: Person, _id: string) =>
  () =>
    client.call(writeReview, { params: { _id }, body: { stars: 4, text: 'All went well.' } });

const starsOf = async (orderId: string) =>
  (await shop.connection.pool.query('select stars from reviews where order_id = $1', [orderId])).rows;

test('a review on its way is stored before the account of its author ends', async () => {
  const { buyer, orderId } = await handedOver();
  expect(await inTurn(lockOf('orders', orderId), review(buyer, orderId), leave(buyer))).toEqual([
    'done',
    'done',
  ]);
  expect(await starsOf(orderId)).toEqual([{ stars: 4 }]);
});

test('a review that waits for the end of its author’s account is refused', async () => {
  const { buyer, orderId } = await handedOver();
  const lock = 'lock table message_blocks in access exclusive mode';
  expect(await inTurn(lock, leave(buyer), review(buyer, orderId))).toEqual(['done', 'account_ended']);
  expect(await starsOf(orderId)).toEqual([]);
});

test('the end of its subject’s account neither waits for a review nor prevents it', async () => {
  const { buyer, seller, orderId } = await handedOver();
  const { writing } = await whileLocked(shop, lockOf('orders', orderId), async () => {
    const writing = outcomeOf(review(buyer, orderId)());
    await waitForBlocked(shop, 1);
    await admin.client.call(deleteSeller, { params: { _id: seller.userId } });
    return { writing };
  });
  expect(await writing).toBe('done');
  expect(await starsOf(orderId)).toEqual([{ stars: 4 }]);
  await expect(shop.visitor.call(readSeller, { params: { sellerId: seller.userId } })).rejects.toMatchObject({
    code: 'seller_left',
  });
});

test('two answers to a review at the same time: the first one is stored', async () => {
  const sale = await handedOver();
  const { insertedId: id } = await review(sale.buyer, sale.orderId)();
  await review(sale.seller, sale.orderId)();
  const reply = (text: string) => () =>
    sale.seller.client.call(answerReview, { params: { _id: id }, body: { text } });
  expect(await inTurn(lockOf('reviews', id), reply('First.'), reply('Second.'))).toEqual([
    'done',
    'review_refused',
  ]);
  const { rows } = await shop.connection.pool.query('select answer from reviews where id = $1', [id]);
  expect(rows).toEqual([{ answer: 'First.' }]);
});
