import { beforeAll, expect, test } from 'vitest';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { readBooking } from '#contract/sales/bookings.ts';
import * as contract from '#contract/sales/meetings.ts';
import {
  blockPerson,
  listConversations,
  openConversation,
  readConversation,
  sendMessage,
} from '#contract/sales/messages.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { meetingDue } from './meeting-notifications.ts';
import { enqueueReminders } from './meetings.ts';

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

async function pair() {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const laptopId = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptopId);
  const { insertedId: id } = await buyer.client.call(openConversation, { body: { bookingId } });
  return { buyer, seller, id, laptopId };
}
const propose = async ({ client }: Person, _id: string, place = 'Café Central', startsAt = inHours(48)) =>
  (await client.call(contract.proposeMeeting, { params: { _id }, body: { place, startsAt } })).insertedId;
const answer = async ({ client }: Person, _id: string, meeting: string, given: 'agree' | 'cancel') =>
  (await client.call(contract.answerMeeting, { params: { _id }, body: { meeting, answer: given } }))
    .modifiedCount;
const shown = async ({ client }: Person, _id: string) =>
  (await client.call(readConversation, { params: { _id } })).meeting;
const mailsTo = ({ email }: Person) =>
  shop.mails.filter(({ to }) => JSON.stringify(to).includes(email)).map(({ subject }) => subject);

test('a meeting is proposed by one side and agreed on by the other', async () => {
  const { buyer, seller, id } = await pair();
  const startsAt = inHours(30);
  const meeting = await propose(buyer, id, 'Café Central', startsAt);
  expect(await shown(buyer, id)).toEqual({
    ...{ _id: meeting, place: 'Café Central', startsAt, state: 'proposed', mine: true },
  });
  await expect(answer(buyer, id, meeting, 'agree')).rejects.toMatchObject({
    code: 'message_refused',
    message: expect.stringContaining('the other person agrees to it'),
  });
  // Nobody is told of a state that has passed by then.
  await waitForEmptyQueue(shop.connection.pool);
  expect(await answer(seller, id, meeting, 'agree')).toBe(1);
  expect(await answer(seller, id, meeting, 'agree')).toBe(0);
  expect(await shown(seller, id)).toMatchObject({ state: 'agreed', mine: false });
  await waitForEmptyQueue(shop.connection.pool);
  expect(await answer(buyer, id, meeting, 'cancel')).toBe(1);
  expect(await shown(seller, id)).toBeNull();
  await expect(answer(seller, id, meeting, 'agree')).rejects.toMatchObject({ code: 'message_refused' });
  await waitForEmptyQueue(shop.connection.pool);
  expect(mailsTo(seller).filter((subject) => subject.includes('meet'))).toEqual([
    'Ana proposes a meeting about EliteBook 840 G8',
    'Ana has cancelled the meeting about EliteBook 840 G8',
  ]);
  expect(mailsTo(buyer)).toContain('Marta agrees to meet about EliteBook 840 G8');
});

test('both read where the buyer wants to meet, while they can agree on a meeting', async () => {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const laptopId = await shop.laptop(seller);
  const { insertedId: id } = await buyer.client.call(openConversation, { body: { productCode: laptopId } });
  const place = async ({ client }: Person) =>
    (await client.call(readConversation, { params: { _id: id } })).bookedPlace;
  expect(await place(buyer)).toBeUndefined();
  await shop.booking(buyer, laptopId);
  for (const person of [buyer, seller]) expect(await place(person)).toBe('Central Station');
  const params = { _id: id };
  await buyer.client.call(blockPerson, { params, body: { blocked: true } });
  for (const person of [buyer, seller]) expect(await place(person)).toBeUndefined();
});

test('a new proposal takes the place of the meeting, and the old one cannot be agreed on', async () => {
  const { buyer, seller, id } = await pair();
  const first = await propose(buyer, id);
  const second = await propose(seller, id, 'Station');
  expect(await shown(buyer, id)).toMatchObject({ _id: second, place: 'Station', mine: false });
  await expect(answer(seller, id, first, 'agree')).rejects.toMatchObject({ code: 'message_refused' });
  expect(await answer(buyer, id, second, 'agree')).toBe(1);
});

test('a conversation with only a proposed meeting is in both lists, and a proposal puts it before the others', async () => {
  const { buyer, seller, id } = await pair();
  const list = ({ client }: Person) => client.call(listConversations, { query: {} });
  expect(await list(seller)).toEqual([]);
  await propose(buyer, id);
  for (const person of [buyer, seller]) {
    expect(await list(person)).toMatchObject([
      { _id: id, preview: null, meeting: { place: 'Café Central' } },
    ]);
  }
  const laptopId = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptopId);
  const { insertedId: other } = await buyer.client.call(openConversation, { body: { bookingId } });
  await buyer.client.call(sendMessage, { params: { _id: other }, body: { text: 'Hello' } });
  expect((await list(seller)).map(({ _id }) => _id)).toEqual([other, id]);
  await propose(buyer, id, 'Station');
  expect((await list(seller)).map(({ _id }) => _id)).toEqual([id, other]);
});

test('proposals and answers at the same time leave one meeting', async () => {
  const { buyer, seller, id } = await pair();
  const first = await propose(buyer, id);
  await Promise.allSettled([
    propose(buyer, id, 'A'),
    propose(seller, id, 'B'),
    answer(seller, id, first, 'agree'),
    answer(seller, id, first, 'cancel'),
    answer(buyer, id, first, 'cancel'),
  ]);
  const { rows } = await shop.connection.pool.query(
    `select state from meetings where conversation_id = $1 and state <> 'cancelled'`,
    [id],
  );
  expect(rows).toEqual([{ state: 'proposed' }]);
});

test('only the two people of a booking meet, at a place and a time to come', async () => {
  const { buyer, seller, id } = await pair();
  const meeting = await propose(buyer, id);
  const stranger = await shop.buyer();
  await expect(propose(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(answer(stranger, id, meeting, 'cancel')).rejects.toMatchObject({ code: 'not_found' });
  const other = await pair();
  await expect(answer(other.seller, other.id, meeting, 'agree')).rejects.toMatchObject({ code: 'not_found' });
  for (const startsAt of [inHours(-1), inHours(24 * 91), 'tomorrow', '2026-11-24T10:00']) {
    await expect(propose(buyer, id, 'Station', startsAt)).rejects.toMatchObject({
      errors: { startsAt: expect.any(String) },
    });
  }
  for (const place of ['', 'x'.repeat(201), 'two\nlines', 'gpj.\u202eexe']) {
    await expect(propose(buyer, id, place)).rejects.toMatchObject({ errors: { place: expect.any(String) } });
  }
  await seller.client.call(blockPerson, { params: { _id: id }, body: { blocked: true } });
  await expect(propose(buyer, id)).rejects.toMatchObject({ code: 'message_refused' });
  // Whoever has agreed can cancel.
  expect(await answer(buyer, id, meeting, 'cancel')).toBe(1);

  const productCode = await shop.laptop(other.seller);
  const { insertedId } = await buyer.client.call(openConversation, { body: { productCode } });
  await expect(propose(buyer, insertedId)).rejects.toMatchObject({
    message: expect.stringContaining('after the laptop is booked'),
  });
});

test('a person proposes at most ten meetings a day in a conversation, since each is an email', async () => {
  const { buyer, seller, id } = await pair();
  const outcomes = await Promise.allSettled(
    Array.from({ length: contract.MAXIMUM_PROPOSALS_A_DAY + 5 }, (_, count) =>
      propose(buyer, id, `${count}`),
    ),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(5);
  expect(refused[0]).toMatchObject({ reason: { code: 'message_refused' } });
  await answer(buyer, id, (await shown(buyer, id))?._id ?? '', 'cancel');
  await expect(propose(buyer, id)).rejects.toMatchObject({ code: 'message_refused' });
  // The other person still can, and tomorrow the first one as well.
  await propose(seller, id);
  await shop.connection.pool.query(
    `update meetings set state_since = state_since - interval '1 day' where conversation_id = $1`,
    [id],
  );
  await propose(buyer, id);
});

test('both are reminded once, the day before', async () => {
  const { buyer, seller, id } = await pair();
  const { database, pool } = shop.connection;
  const remind = async (hours: number) => {
    const now = new Date(Date.now() + hours * HOUR_MS);
    await enqueueReminders({ database, enqueue: shop.enqueue }, now);
    await waitForEmptyQueue(pool);
  };
  const reminders = (person: Person) => mailsTo(person).filter((subject) => subject.includes('within a day'));
  const meeting = await propose(buyer, id, 'Café Central', inHours(48));
  await remind(30);
  expect(reminders(seller)).toEqual([]);
  await answer(seller, id, meeting, 'agree');
  await remind(20);
  expect(reminders(seller)).toEqual([]);
  await remind(25);
  await remind(26);
  expect(reminders(seller)).toEqual(['You meet Ana about EliteBook 840 G8 within a day']);
  expect(reminders(buyer)).toEqual(['You meet Marta about EliteBook 840 G8 within a day']);
  // A reminder that a mail server kept waiting until the meeting had begun.
  await pool.query(`update meetings set starts_at = now() - interval '1 minute' where id = $1`, [meeting]);
  await database
    .transaction()
    .execute((transaction) =>
      shop.enqueue(transaction, meetingDue, { meetingId: meeting, people: [seller.userId] }),
    );
  await waitForEmptyQueue(pool);
  expect(reminders(seller)).toHaveLength(1);
});

test('the booking has the agreed meeting until the hand-over, which ends it without a reminder', async () => {
  const sale = await sellLaptop(shop);
  const { buyer, seller, bookingId, orderId } = sale;
  const { insertedId: id } = await buyer.client.call(openConversation, { body: { bookingId } });
  const meetingOfBooking = async ({ client }: Person) =>
    (await client.call(readBooking, { params: { _id: bookingId } })).meeting;
  const startsAt = inHours(48);
  const meeting = await propose(buyer, id, 'Café Central', startsAt);
  expect(await meetingOfBooking(buyer)).toBeUndefined();
  await answer(seller, id, meeting, 'agree');
  for (const person of [buyer, seller]) {
    expect(await meetingOfBooking(person)).toEqual({ place: 'Café Central', startsAt });
  }
  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  expect(await shown(seller, id)).toBeNull();
  expect(await meetingOfBooking(seller)).toBeUndefined();
  const { database, pool } = shop.connection;
  await enqueueReminders({ database, enqueue: shop.enqueue }, new Date(inHours(25)));
  await waitForEmptyQueue(pool);
  expect(mailsTo(buyer).filter((subject) => subject.includes('within a day'))).toEqual([]);
  // They can meet again, for example to return the laptop.
  await propose(buyer, id, 'Station');
  expect(await shown(seller, id)).toMatchObject({ place: 'Station' });
});

test('the meeting of a buyer ends when another buyer pays first', async () => {
  const { buyer, seller, id, laptopId } = await pair();
  await answer(seller, id, await propose(buyer, id), 'agree');
  await sellLaptop(shop, { seller, laptopId });
  expect(await shown(buyer, id)).toBeNull();
  await expect(propose(buyer, id)).rejects.toMatchObject({
    code: 'message_refused',
    message: expect.stringContaining('nothing to meet for'),
  });
});

test('one’s own data have one’s own meetings and those on which both agreed; an ended account cancels them and takes its places with it', async () => {
  const { buyer, seller, id } = await pair();
  const exported = async ({ client }: Person) => (await client.call(readOwnData, {})).meetings;
  const meeting = await propose(buyer, id, 'Low Lane 5');
  expect(await exported(buyer)).toMatchObject([
    { place: 'Low Lane 5', state: 'proposed', is_proposer: true },
  ]);
  expect(await exported(seller)).toEqual([]);
  await answer(seller, id, meeting, 'agree');
  expect(await exported(seller)).toMatchObject([
    { place: 'Low Lane 5', state: 'agreed', is_proposer: false },
  ]);
  await buyer.client.call(deleteOwnAccount, { query: { email: buyer.email } });
  expect(await shown(seller, id)).toBeNull();
  const { rows } = await shop.connection.pool.query(
    'select place, state from meetings where conversation_id = $1',
    [id],
  );
  expect(rows).toEqual([{ place: '', state: 'cancelled' }]);
});
