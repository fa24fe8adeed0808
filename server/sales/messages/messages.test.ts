import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { deleteSeller } from '#contract/operations/user-admin.ts';
import { cancelBooking } from '#contract/sales/bookings.ts';
import * as contract from '#contract/sales/messages.ts';
import { createLimiter } from '#server/platform/http/limits.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { enqueueUnreadNotifications } from './notifications.ts';
import { MAXIMUM_QUESTIONS_A_DAY } from './rules.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const open = async ({ client }: Person, body: { productCode: string } | { bookingId: string }) =>
  (await client.call(contract.openConversation, { body })).insertedId;
const send = ({ client }: Person, _id: string, text: string) =>
  client.call(contract.sendMessage, { params: { _id }, body: { text } });
const read = ({ client }: Person, _id: string) => client.call(contract.readConversation, { params: { _id } });
const messages = ({ client }: Person, _id: string, query: { limit?: number; cursor?: string } = {}) =>
  client.page(contract.listMessages, { params: { _id }, query });
const texts = async (person: Person, _id: string) =>
  (await messages(person, _id)).items.map(({ mine, text }) => `${mine ? 'me' : 'them'}: ${text}`);
const mark = ({ client }: Person, _id: string, sequence: number) =>
  client.call(contract.markRead, { params: { _id }, body: { sequence } });
const block = ({ client }: Person, _id: string, blocked: boolean) =>
  client.call(contract.blockPerson, { params: { _id }, body: { blocked } });

/** A buyer and a seller with the conversation of a booking. */
async function pair() {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const laptopId = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptopId);
  return { buyer, seller, laptopId, bookingId, id: await open(buyer, { bookingId }) };
}

test('two people write to each other about a booking, and see what the other has read', async () => {
  const { buyer, seller, bookingId, id } = await pair();
  expect(await open(seller, { bookingId })).toBe(id);
  expect((await seller.client.page(contract.listConversations, { query: {} })).items).toEqual([]);
  await send(buyer, id, 'Hello.\nIs it still there?');
  await send(buyer, id, 'I can come tomorrow.');
  const [listed] = await seller.client.call(contract.listConversations, { query: {} });
  expect(listed).toMatchObject({
    ...{ _id: id, role: 'seller', personName: 'Ana', latest: 2, read: 0, unread: 2, closed: null },
    preview: { text: 'I can come tomorrow.', mine: false },
  });
  await mark(seller, id, 1);
  expect(await read(buyer, id)).toMatchObject({ readByOther: 1, unread: 0, personName: 'Marta' });
  await send(seller, id, 'Yes.');
  expect(await read(seller, id)).toMatchObject({ read: 3, unread: 0 });
  expect(await texts(seller, id)).toEqual([
    'me: Yes.',
    'them: I can come tomorrow.',
    'them: Hello.\nIs it still there?',
  ]);
  expect(await read(buyer, id)).toMatchObject({ unread: 1, preview: { text: 'Yes.', mine: false } });
});

test('conversations with new messages are counted until they are read, or a notification tells of them', async () => {
  const { buyer, seller, laptopId, id } = await pair();
  const other = await shop.buyer('Otto');
  const asked = await open(other, { productCode: laptopId });
  const count = async ({ client }: Person) =>
    (await client.call(contract.countUnreadConversations, {})).count;
  expect(await count(seller)).toBe(0);
  await send(buyer, id, 'Hello.');
  await send(buyer, id, 'Are you there?');
  await send(other, asked, 'Is it new?');
  expect([await count(seller), await count(buyer)]).toEqual([2, 0]);
  await mark(seller, id, 1);
  expect(await count(seller)).toBe(2);
  await mark(seller, id, 2);
  expect(await count(seller)).toBe(1);
  await shop.connection.pool.query(
    `update conversations set seller_notice_at = now() - interval '1 second' where id = $1`,
    [asked],
  );
  await enqueueUnreadNotifications(
    { database: shop.connection.database, enqueue: async () => undefined },
    new Date(),
  );
  expect(await count(seller)).toBe(0);
  await send(seller, id, 'Yes.');
  expect([await count(seller), await count(buyer), await count(other)]).toEqual([0, 1, 0]);
});

test('a read mark moves forward only, and not past the latest message', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'One.');
  await send(buyer, id, 'Two.');
  expect(await mark(seller, id, 2_000_000_000)).toMatchObject({ modifiedCount: 1 });
  expect(await mark(seller, id, 1)).toMatchObject({ modifiedCount: 0 });
  expect(await read(buyer, id)).toMatchObject({ readByOther: 2 });
  await send(buyer, id, 'Three.');
  expect(await read(seller, id)).toMatchObject({ read: 2, unread: 1 });
});

test('older messages are read by pages, and conversations are ordered by their latest message', async () => {
  const { buyer, seller, id } = await pair();
  for (let number = 1; number <= 5; number += 1) await send(seller, id, `${number}`);
  const first = await messages(buyer, id, { limit: 2 });
  const second = await messages(buyer, id, { limit: 2, cursor: first.next ?? '' });
  const third = await messages(buyer, id, { limit: 2, cursor: second.next ?? '' });
  expect([first, second, third].map(({ items }) => items.map(({ text }) => text))).toEqual([
    ['5', '4'],
    ['3', '2'],
    ['1'],
  ]);
  expect(third.next).toBeNull();

  const later = await open(buyer, { bookingId: await shop.booking(buyer, await shop.laptop(seller)) });
  await send(buyer, later, 'Another one.');
  const order = async () =>
    (await buyer.client.call(contract.listConversations, { query: {} })).map(({ _id }) => _id);
  expect(await order()).toEqual([later, id]);
  await send(seller, id, 'Still there?');
  expect(await order()).toEqual([id, later]);
  const page = await buyer.client.page(contract.listConversations, { query: { limit: 1 } });
  const rest = await buyer.client.call(contract.listConversations, { query: { cursor: page.next ?? '' } });
  expect(rest.map(({ _id }) => _id)).toEqual([later]);
});

test('before a booking, a buyer asks one question, and may write again after the answer or with a booking', async () => {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const productCode = await shop.laptop(seller);
  const id = await open(buyer, { productCode });
  await send(buyer, id, 'Does the camera work?');
  await expect(send(buyer, id, 'Hello?')).rejects.toMatchObject({
    code: 'message_refused',
    message: expect.stringContaining('You have asked Marta a question'),
  });
  await send(seller, id, 'It does.');
  await send(buyer, id, 'And the microphone?');
  expect(await read(buyer, id)).toMatchObject({ closed: expect.stringContaining('after the answer') });
  const bookingId = await shop.booking(buyer, productCode);
  // The question goes on as the conversation of the booking.
  expect(await open(buyer, { bookingId })).toBe(id);
  await send(buyer, id, 'I have booked it.');
  await buyer.client.call(cancelBooking, { params: { _id: bookingId } });
  await expect(send(buyer, id, 'Or not.')).rejects.toMatchObject({ code: 'message_refused' });
});

test('only buyers ask, about a laptop for sale of somebody else, and not about many a day', async () => {
  const [buyer, seller] = [await shop.buyer(), await shop.seller()];
  const productCode = await shop.laptop(seller);
  for (const person of [seller, await shop.seller(), await shop.admin()]) {
    await expect(open(person, { productCode })).rejects.toMatchObject({ code: 'not_allowed' });
  }
  await expect(open(buyer, { productCode: crypto.randomUUID() })).rejects.toMatchObject({
    code: 'not_found',
  });
  const stranger = await shop.buyer();
  const bookingId = await shop.booking(buyer, productCode);
  await expect(open(stranger, { bookingId })).rejects.toMatchObject({ code: 'not_found' });
  for (const body of [{}, { productCode, bookingId }]) {
    await expect(buyer.client.call(contract.openConversation, { body })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  }

  const laptops = [];
  for (let count = 0; count <= MAXIMUM_QUESTIONS_A_DAY; count += 1) laptops.push(await shop.laptop(seller));
  const outcomes = await Promise.allSettled(laptops.map((code) => open(stranger, { productCode: code })));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: 'message_refused' } }]);
});

test('a retried message is sent once, and concurrent ones get numbers without gaps', async () => {
  const { buyer, seller, id } = await pair();
  const retried = () =>
    buyer.client.call(contract.sendMessage, {
      params: { _id: id },
      body: { text: 'Once.' },
      idempotencyKey: 'key-of-a-draft',
    });
  const first = await retried();
  expect(await retried()).toEqual(first);
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, at) => send(at % 2 === 0 ? buyer : seller, id, `${at}`)),
  );
  expect(sent.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, at) => at + 2),
  );
  expect(await texts(buyer, id)).toHaveLength(13);
});

test('two requests that open the same conversation at once get the same one', async () => {
  const { buyer, seller, bookingId, id } = await pair();
  await shop.connection.pool.query('delete from conversations where id = $1', [id]);
  const ids = await Promise.all([buyer, seller, buyer, seller].map((person) => open(person, { bookingId })));
  expect(new Set(ids).size).toBe(1);
});

test('a blocked person cannot write, in no conversation of the two, until the block ends', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'Answer me!');
  expect(await block(seller, id, true)).toMatchObject({ modifiedCount: 1 });
  expect(await block(seller, id, true)).toMatchObject({ modifiedCount: 0 });
  await expect(send(buyer, id, 'ANSWER ME!')).rejects.toMatchObject({
    message: 'Marta does not take messages from you.',
  });
  await expect(send(seller, id, 'No.')).rejects.toMatchObject({
    message: 'You have blocked Ana. Unblock to write.',
  });
  await expect(open(buyer, { productCode: await shop.laptop(seller) })).rejects.toMatchObject({
    code: 'message_refused',
  });
  expect(await read(seller, id)).toMatchObject({ blocked: true });
  // The blocked person cannot end the block.
  expect(await block(buyer, id, false)).toMatchObject({ modifiedCount: 0 });
  await block(seller, id, false);
  await send(buyer, id, 'Thank you.');
  expect(await texts(seller, id)).toEqual(['them: Thank you.', 'them: Answer me!']);
});

test('a blocked person reaches the other by no booking either, until the block ends', async () => {
  const { buyer, seller, id } = await pair();
  const laptopId = await shop.laptop(seller);
  const words = { location: 'You cannot block me!' };
  await block(seller, id, true);
  await expect(shop.booking(buyer, laptopId, words)).rejects.toThrow('does not take bookings from you');
  await block(seller, id, false);
  await block(buyer, id, true);
  await expect(shop.booking(buyer, laptopId, words)).rejects.toThrow('You have blocked the seller');
  await block(buyer, id, false);
  await shop.booking(buyer, laptopId);
});

test('a message that is sent while its sender is blocked is stored before the block, or refused', async () => {
  const { buyer, seller, id } = await pair();
  for (let round = 0; round < 10; round += 1) {
    const sending = Array.from({ length: 4 }, () => send(buyer, id, `${round}`).catch(() => null));
    await block(seller, id, true);
    const count = (await read(seller, id)).latest;
    await Promise.all(sending);
    expect((await read(seller, id)).latest).toBe(count);
    await block(seller, id, false);
  }
});

test('messages are texts of a bounded length without control and bidirectional characters', async () => {
  const { buyer, seller, id } = await pair();
  for (const text of ['', ' \n ', '\u200b\u3164\u2800', 'x'.repeat(2001), 'gpj.exe\u202e', 'a\u0000b']) {
    await expect(send(buyer, id, text)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  const script = '<script>alert(1)</script> <img src=x onerror=alert(1)>';
  await send(buyer, id, script);
  await send(buyer, id, 'x'.repeat(2000));
  expect((await texts(seller, id)).at(-1)).toBe(`them: ${script}`);
  const huge = await fetch(`${shop.origin}/api/conversations/${id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(20_000_000) }),
  });
  expect(huge.status).toBe(413);
});

test('the reader of a link or of a payment outside the shop is warned, the writer is not', async () => {
  const { buyer, seller, id } = await pair();
  await send(seller, id, 'Pay by Western Union, see https://pay.example');
  const warnings = async (person: Person) => (await messages(person, id)).items[0]?.warnings;
  expect(await warnings(buyer)).toEqual(['link', 'payment']);
  expect(await warnings(seller)).toEqual([]);
});

test('after an account has ended, the other person reads the conversation without a name and cannot write', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'My number is on the booking.');
  const admin = await shop.admin();
  await admin.client.call(deleteSeller, { params: { _id: seller.userId } });
  expect(await read(buyer, id)).toMatchObject({
    personName: null,
    closed: expect.stringContaining('The other account has ended'),
  });
  await expect(send(buyer, id, 'Hello?')).rejects.toMatchObject({ code: 'message_refused' });
  expect(await texts(buyer, id)).toEqual(['me: My number is on the booking.']);
});

test('one’s own data have one’s own messages; they go when nobody can read them any more', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'I live in Low Lane 5.');
  await send(seller, id, 'I live in High Street 7.');
  const data = await buyer.client.call(readOwnData, {});
  expect(data.messages).toMatchObject([{ conversation_id: id, text: 'I live in Low Lane 5.' }]);
  const leave = ({ client, email }: Person) => client.call(deleteOwnAccount, { query: { email } });
  expect(JSON.stringify(await leave(buyer))).toContain('Your messages, without your name');
  expect(await texts(seller, id)).toEqual(['me: I live in High Street 7.', 'them: I live in Low Lane 5.']);
  expect(JSON.stringify(await leave(seller))).not.toContain('Your messages');
  const { rows } = await shop.connection.pool.query('select text from messages where conversation_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ text: '' }, { text: '' }]);
});

test('one’s own data name the people whom one has blocked', async () => {
  const { buyer, seller, id } = await pair();
  await buyer.client.call(contract.blockPerson, { params: { _id: id }, body: { blocked: true } });
  const { messageBlocks } = await buyer.client.call(readOwnData, {});
  expect(messageBlocks).toEqual([{ blocked_name: expect.stringMatching(/./) }]);
  expect((await seller.client.call(readOwnData, {})).messageBlocks).toEqual([]);
});

test('both people are told of a message and of a read mark', async () => {
  const { buyer, seller, id } = await pair();
  const listener = await shop.connection.pool.connect();
  const told: unknown[] = [];
  listener.on('notification', ({ payload }) => {
    const event = JSON.parse(payload ?? '');
    if (event.id === id) told.push(event);
  });
  try {
    await listener.query('listen live');
    const both = [buyer, seller].map(({ userId }) => ({ to: userId, about: 'messages', id }));
    await send(buyer, id, 'Hello.');
    await expect.poll(() => told).toEqual(both);
    await mark(seller, id, 1);
    await expect.poll(() => told).toEqual([...both, ...both]);
    await mark(seller, id, 1);
    await send(seller, id, 'Hi.');
    await expect.poll(() => told).toEqual([...both, ...both, ...both]);
  } finally {
    listener.release(true);
  }
});

test('both people are told of a block and of its end, and people of the end of an account', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'Hello.');
  const listener = await shop.connection.pool.connect();
  const told: unknown[] = [];
  listener.on('notification', ({ payload }) => {
    const event = JSON.parse(payload ?? '');
    if (event.about === 'messages') told.push(event);
  });
  const toldTo = (...people: Person[]) =>
    expect
      .poll(() => told.splice(0))
      .toEqual(people.map(({ userId }) => ({ to: userId, about: 'messages' })));
  try {
    await listener.query('listen live');
    await block(seller, id, true);
    await toldTo(seller, buyer);
    await block(seller, id, false);
    await toldTo(seller, buyer);
    await seller.client.call(deleteOwnAccount, { query: { email: seller.email } });
    await toldTo(buyer);
  } finally {
    listener.release(true);
  }
});

test('a flood of messages is refused after some hundred an hour', async () => {
  const limited = await startTestShop({ limited: true });
  try {
    const [buyer, seller] = [await limited.buyer(), await limited.seller()];
    const bookingId = await limited.booking(buyer, await limited.laptop(seller));
    const id = await open(buyer, { bookingId });
    const limiter = createLimiter(limited.connection.database);
    await limiter.take('messaging', { account: buyer.userId, address: null }, 239);
    await send(buyer, id, 'x');
    await expect(send(buyer, id, 'x')).rejects.toMatchObject({ code: 'too_many_requests' });
  } finally {
    await limited.close();
  }
});
