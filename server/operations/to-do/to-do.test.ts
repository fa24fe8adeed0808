import { beforeAll, expect, test } from 'vitest';
import { reportLaptop } from '#contract/listings/reports.ts';
import { listToDo, MAXIMUM_TO_DO } from '#contract/operations/to-do.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { readBooking } from '#contract/sales/bookings.ts';
import { complain } from '#contract/sales/complaints.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { blockPerson, markRead, openConversation, sendMessage } from '#contract/sales/messages.ts';
import { handOver } from '#contract/sales/orders.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { onboard } from '#tests/harness/money/connected-seller.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { toToDo } from './rules.ts';

const NAME = 'EliteBook 840 G8';
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

let shop: SharedShop;
beforeAll(async () => {
  shop = await sharedShop();
});

/** What waits besides the payout account, which no seller of this shop has. */
const read = async ({ client }: Person) =>
  (await client.call(listToDo, {})).filter(({ kind }) => kind !== 'open_payout_account');
const kindsOf = async (person: Person) => (await read(person)).map(({ kind }) => kind);

async function startConversation(seller: Person, buyer: Person) {
  const laptopId = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptopId);
  const { insertedId: _id } = await buyer.client.call(openConversation, { body: { bookingId } });
  return { laptopId, bookingId, params: { _id } };
}

test('a booking waits for its buyer until it is paid, and a raised price for an agreement', async () => {
  const [seller, buyer] = [await shop.seller('Marta'), await shop.buyer()];
  expect(await read(buyer)).toEqual([]);
  const laptopId = await shop.laptop(seller);
  const _id = await shop.booking(buyer, laptopId);
  const item = { _id, productName: NAME, personName: 'Marta', until: null, meetingAt: null };
  expect(await read(buyer)).toEqual([{ kind: 'pay', count: 1, items: [item] }]);
  await changeListing(seller, laptopId, { resale_price: 600 });
  expect(await read(buyer)).toEqual([{ kind: 'agree_to_price', count: 1, items: [item] }]);
  expect(await read(seller)).toEqual([]);
});

test('a paid order waits for both people until the hand-over, with its deadline and the agreed meeting', async () => {
  const { seller, buyer, orderId, bookingId, code } = await sellLaptop(shop);
  const { rows } = await shop.connection.pool.query<{ due_at: Date }>(
    'select due_at from orders where id = $1',
    [orderId],
  );
  const until = rows[0]?.due_at.toISOString();
  expect(await read(buyer)).toMatchObject([
    { kind: 'show_code', items: [{ _id: orderId, until, meetingAt: null }] },
  ]);
  expect(await read(seller)).toMatchObject([{ kind: 'hand_over', items: [{ _id: orderId, until }] }]);

  const { insertedId: conversation } = await buyer.client.call(openConversation, { body: { bookingId } });
  const params = { _id: conversation };
  const startsAt = inHours(30);
  const { insertedId: meeting } = await buyer.client.call(proposeMeeting, {
    params,
    body: { place: 'Station', startsAt },
  });
  // One line for the seller, and it is not the buyer's turn.
  expect(await kindsOf(buyer)).toEqual([]);
  expect(await read(seller)).toMatchObject([
    { kind: 'answer_meeting', items: [{ _id: conversation, until: startsAt, meetingAt: startsAt }] },
  ]);
  const proposal = { place: 'Station', startsAt };
  const bookingOf = async (person: Person) => person.client.call(readBooking, { params: { _id: bookingId } });
  expect((await bookingOf(buyer)).proposal).toEqual({ ...proposal, mine: true });
  expect(await bookingOf(seller)).toMatchObject({ proposal: { ...proposal, mine: false } });
  await seller.client.call(blockPerson, { params, body: { blocked: true } });
  expect(await kindsOf(seller), 'proposals of blocked people are not listed').toEqual(['hand_over']);
  await seller.client.call(blockPerson, { params, body: { blocked: false } });
  await seller.client.call(answerMeeting, { params, body: { meeting, answer: 'agree' } });
  expect(await read(seller)).toMatchObject([{ kind: 'hand_over', items: [{ meetingAt: startsAt }] }]);
  expect(await bookingOf(seller)).toMatchObject({ meeting: proposal });
  expect(await read(buyer)).toMatchObject([{ kind: 'show_code', items: [{ meetingAt: startsAt }] }]);

  await seller.client.call(handOver, { params: { _id: orderId }, body: { code } });
  expect([await read(buyer), await read(seller)]).toEqual([[], []]);
});

test('a question waits for the seller until it is answered, and an answer for the buyer until it is read', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer('Ana')];
  const { params } = await startConversation(seller, buyer);
  await buyer.client.call(sendMessage, { params, body: { text: 'Is the charger included?' } });
  const question = [{ kind: 'answer_question', items: [{ _id: params._id, personName: 'Ana' }] }];
  expect(await read(seller)).toMatchObject(question);
  await seller.client.call(markRead, { params, body: { sequence: 1 } });
  expect(await read(seller)).toMatchObject(question);

  await seller.client.call(sendMessage, { params, body: { text: 'Yes.' } });
  expect(await read(seller)).toEqual([]);
  expect(await kindsOf(buyer)).toEqual(['pay', 'read_message']);
  await buyer.client.call(markRead, { params, body: { sequence: 2 } });
  await buyer.client.call(sendMessage, { params, body: { text: 'Thanks!' } });
  expect(await kindsOf(buyer)).toEqual(['pay']);
  // Read, and the seller has answered before.
  await seller.client.call(markRead, { params, body: { sequence: 3 } });
  expect(await read(seller)).toEqual([]);
});

test('nothing waits from a person who is blocked', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const { params } = await startConversation(seller, buyer);
  await buyer.client.call(sendMessage, { params, body: { text: 'Hello?' } });
  await seller.client.call(blockPerson, { params, body: { blocked: true } });
  expect(await read(seller)).toEqual([]);
});

test('a complaint waits for its seller, with the day on which it ends', async () => {
  const { seller, buyer, orderId } = await sellLaptop(shop);
  await buyer.client.call(complain, {
    params: { _id: orderId },
    body: { kind: 'not_handed_over', text: 'Nobody came.', photos: [] },
  });
  expect(await kindsOf(buyer)).toEqual([]);
  expect(await read(seller)).toMatchObject([
    { kind: 'answer_complaint', count: 1, items: [{ _id: orderId, until: expect.any(String) }] },
  ]);
});

test('an admin sees how many items are reported and no personal ones, and others see nothing of it', async () => {
  const [admin, seller, buyer] = [await shop.admin(), await shop.seller(), await shop.buyer()];
  const productCode = await shop.laptop(seller);
  const reportsOf = async (person: Person) =>
    (await read(person)).find(({ kind }) => kind === 'resolve_item_report')?.count ?? 0;
  const before = await reportsOf(admin);
  await buyer.client.call(reportLaptop, { body: { productCode, reason: 'Other', note: 'Look at it.' } });
  expect(await reportsOf(admin)).toBe(Math.min(before + 1, MAXIMUM_TO_DO));
  expect(await read(buyer)).toEqual([]);
  expect(await reportsOf(await shop.admin('complaints'))).toBe(await reportsOf(admin));
  expect(await kindsOf(await shop.admin('settings'))).not.toContain('resolve_item_report');
  expect(await kindsOf(await shop.admin('people', 'money'))).not.toContain('resolve_item_report');
});

test('an account at the card processor waits for its seller until it is active', async () => {
  const seller = await shop.seller();
  const kinds = async () => (await seller.client.call(listToDo, {})).map(({ kind }) => kind);
  expect(await kinds()).toEqual(['open_payout_account']);
  await onboard(shop, seller);
  await expect.poll(kinds, { timeout: 60_000 }).toEqual([]);
});

test('of many, the first five are listed and fifty are counted', () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    kind: 'pay' as const,
    id: String(index),
    laptop: NAME,
    person: 'Marta',
    until: null,
    meeting_at: null,
  }));
  const [pay, reports] = toToDo(rows, { resolve_item_report: 70, approve_name: 0 });
  expect(pay).toMatchObject({ kind: 'pay', count: 50 });
  expect(pay?.items.map(({ _id }) => _id)).toEqual(['0', '1', '2', '3', '4']);
  expect(reports).toEqual({ kind: 'resolve_item_report', count: 50, items: [] });
});
