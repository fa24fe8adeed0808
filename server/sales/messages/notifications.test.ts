import { beforeAll, expect, test } from 'vitest';
import { listNotifications } from '#contract/people/notifications.ts';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import { blockPerson, markRead, openConversation, sendMessage } from '#contract/sales/messages.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { enqueueUnreadNotifications } from './notifications.ts';

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

async function pair(claims: Record<string, unknown> = {}) {
  const [buyer, seller] = [await shop.buyer('Ana', claims), await shop.seller('Marta')];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  const { insertedId: id } = await buyer.client.call(openConversation, { body: { bookingId } });
  return { buyer, seller, id };
}
const send = ({ client }: Person, _id: string, text: string) =>
  client.call(sendMessage, { params: { _id }, body: { text } });
const mark = ({ client }: Person, _id: string, sequence: number) =>
  client.call(markRead, { params: { _id }, body: { sequence } });

/** Runs the task of the timer after some minutes, and its jobs. */
async function after(minutes: number) {
  const { database, pool } = shop.connection;
  const now = new Date(Date.now() + minutes * MINUTE_MS);
  await enqueueUnreadNotifications({ database, enqueue: shop.enqueue }, now);
  await waitForEmptyQueue(pool);
}
const mailsTo = ({ email }: Person) =>
  shop.mails.filter(
    ({ to, subject }) => JSON.stringify(to).includes(email) && subject.includes('wrote to you'),
  );
const notificationsOf = async ({ client }: Person) =>
  (await client.call(listNotifications, { query: {} })).filter(({ topic }) => topic === 'messages');

test('a person is told of messages that were not read for ten minutes, once until they are read', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'Can we meet?');
  await send(buyer, id, 'Please call +1 900 555 0100.');
  await after(9);
  expect(mailsTo(seller)).toEqual([]);
  await after(11);
  const [mail, ...others] = mailsTo(seller);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Ana wrote to you about EliteBook 840 G8');
  expect(mail?.text).toContain('You have 2 messages from Ana that you have not read.');
  expect(mail?.text).toContain(`/dashboard/messages/${id}`);
  expect(mail?.text).not.toMatch(/Can we meet|call/);
  expect(await notificationsOf(seller)).toMatchObject([{ path: `/dashboard/messages/${id}` }]);
  expect(mailsTo(buyer)).toEqual([]);

  await send(buyer, id, 'Hello?');
  await after(30);
  expect(mailsTo(seller)).toHaveLength(1);

  await mark(seller, id, 3);
  await send(buyer, id, 'And now?');
  await after(30);
  expect(mailsTo(seller)).toHaveLength(2);
});

test('nothing is told of messages that were read or answered, or whose sender was blocked', async () => {
  const read = await pair();
  await send(read.buyer, read.id, 'One.');
  await mark(read.seller, read.id, 1);
  const answered = await pair();
  await send(answered.buyer, answered.id, 'One.');
  await send(answered.seller, answered.id, 'Two.');
  await mark(answered.buyer, answered.id, 2);
  const blocked = await pair();
  await send(blocked.buyer, blocked.id, 'One.');
  await blocked.seller.client.call(blockPerson, { params: { _id: blocked.id }, body: { blocked: true } });
  await after(30);
  for (const { seller, buyer } of [read, answered, blocked]) {
    expect([...mailsTo(seller), ...mailsTo(buyer)]).toEqual([]);
  }
});

test('a message that is read in part is told of', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'One.');
  await send(buyer, id, 'Two.');
  await mark(seller, id, 1);
  await after(11);
  expect(mailsTo(seller)[0]?.text).toContain('You have a message from Ana');
});

test('an email has no words and no name of a person whose address is not verified', async () => {
  const { buyer, seller, id } = await pair({ email_verified: false });
  await send(buyer, id, 'Buy cheap watches.');
  await after(11);
  const [mail] = mailsTo(seller);
  expect(mail?.subject).toBe('A buyer wrote to you about EliteBook 840 G8');
  expect(mail?.text).not.toContain('watches');
  expect(mail?.text).not.toContain('Ana');
});
