// Holds: one buyer at a time pays for a laptop, a buyer holds at most two laptops, and waiting buyers are served in order.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { releaseHold } from '#contract/sales/bookings.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

const price = 549.99;
const minutes = 60_000;

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

const createMany = <Item>(count: number, create: () => Promise<Item>) =>
  Promise.all(Array.from({ length: count }, create));

interface BuyerBooking {
  person: Person;
  bookingId: string;
}

const book = async (person: Person, laptop: string): Promise<BuyerBooking> => ({
  person,
  bookingId: await shop.booking(person, laptop),
});

/** Registers a buyer and books a laptop. */
const registerAndBook = async (laptop: string) => book(await shop.buyer(), laptop);

type HoldResponse =
  | { code: 'held'; heldUntil: string | null; waiting: number }
  | { code: string; place: number | null; problem: Problem };

/** Requests or renews the hold, as the payment page does. */
async function requestHold({ person, bookingId }: BuyerBooking): Promise<HoldResponse> {
  try {
    const body = { price, bookingId };
    const { heldUntil, waiting } = await person.client.call(createPaymentIntent, { body });
    return { code: 'held', heldUntil, waiting };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, place: error.place, problem: error };
  }
}

const queuePlaceOf = (response: HoldResponse | undefined) =>
  response !== undefined && 'place' in response ? (response.place ?? 0) : 0;

const release = ({ person, bookingId }: BuyerBooking) =>
  person.client.call(releaseHold, { params: { _id: bookingId } });

/** Moves the times of a laptop's holds, or of its rows in other tables with an expiry, into the past. */
async function ageRows(laptop: string, milliseconds: number, tables = ['holds']): Promise<void> {
  const ago = `$2 * interval '1 millisecond'`;
  for (const table of tables) {
    const start = table === 'holds' ? `started_at = started_at - ${ago},` : '';
    await shop.connection.pool.query(
      `update ${table} set ${start} expires_at = expires_at - ${ago} where laptop_id = $1`,
      [laptop, milliseconds],
    );
  }
}

async function countUnexpiredHolds(): Promise<{ buyer_id: string; laptops: number }[]> {
  const { rows } = await shop.connection.pool.query(
    `select buyer_id, count(*)::int as laptops from holds where expires_at > now() group by buyer_id`,
  );
  return rows;
}

test('a buyer who requests 24 holds concurrently gets two, and the refusals name them', async () => {
  const buyer = await shop.buyer();
  const laptops = await Promise.all(
    Array.from({ length: 24 }, (_, index) => shop.laptop(seller, { name: `Laptop ${index}` })),
  );
  const bookings = await Promise.all(laptops.map((laptop) => book(buyer, laptop)));
  const answers = await Promise.all(bookings.map(requestHold));
  expect(answers.filter(({ code }) => code === 'held')).toHaveLength(2);
  const refused = answers.filter((answer) => 'problem' in answer);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_holds']));
  const held = bookings.filter((_, index) => answers[index]?.code === 'held');
  for (const { problem } of refused) {
    expect(problem.holds.map(({ bookingId }) => bookingId).sort()).toEqual(
      held.map(({ bookingId }) => bookingId).sort(),
    );
    for (const { productName } of problem.holds) expect(problem.message).toContain(productName);
    expect(problem.retryAt).toBeInstanceOf(Date);
  }
  // The buyer does not take places in the queues of the other laptops.
  const { rows } = await shop.connection.pool.query('select from hold_waits where buyer_id = $1', [
    buyer.userId,
  ]);
  expect(rows).toEqual([]);

  const other = bookings.find((_, index) => answers[index]?.code !== 'held');
  const [first] = held;
  if (other === undefined || first === undefined)
    throw new Error('Two bookings must be held and the others refused.');
  await release(first);
  expect(await requestHold(other)).toMatchObject({ code: 'held' });
  expect(await requestHold(first)).toMatchObject({ code: 'too_many_holds' });
});

test('two alternating buyers do not overtake a third who waits', async () => {
  const laptop = await shop.laptop(seller);
  const [one, two, honest] = [
    await registerAndBook(laptop),
    await registerAndBook(laptop),
    await registerAndBook(laptop),
  ];
  const first = await requestHold(one);
  expect(await requestHold(two)).toMatchObject({ code: 'somebody_is_paying', place: 1 });
  expect(await requestHold(honest)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  // Not renewed while somebody waits.
  expect(await requestHold(one)).toEqual({ ...first, waiting: 2 });

  await ageRows(laptop, 4 * minutes);
  expect(await requestHold(one)).toMatchObject({ code: 'somebody_is_paying', place: 3 });
  expect(await requestHold(honest)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  expect(await requestHold(two)).toMatchObject({ code: 'held', waiting: 2 });

  await release(two);
  expect(await requestHold(two)).toMatchObject({ code: 'somebody_is_paying', place: 3 });
  expect(await requestHold(one)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  expect(await requestHold(honest)).toMatchObject({ code: 'held', waiting: 2 });
});

test('a place in the queue expires without a renewal and ends with a release', async () => {
  const laptop = await shop.laptop(seller);
  const [holder, gone, leaving, last] = [
    await registerAndBook(laptop),
    await registerAndBook(laptop),
    await registerAndBook(laptop),
    await registerAndBook(laptop),
  ];
  for (const booking of [holder, gone, leaving]) await requestHold(booking);
  expect(await requestHold(last)).toMatchObject({ place: 3 });
  await ageRows(laptop, 4 * minutes, ['holds', 'hold_waits']);
  // Only these two renew their places.
  expect(await requestHold(leaving)).toMatchObject({ code: 'held' });
  expect(await requestHold(last)).toMatchObject({ place: 1 });
  expect(await requestHold(gone)).toMatchObject({ place: 2 });
  await release(last);
  await release(leaving);
  expect(await requestHold(gone)).toMatchObject({ code: 'held' });
});

test('the limit of 20 minutes in all continues after a release while others wait', async () => {
  const laptop = await shop.laptop(seller);
  const [holder, other] = [await registerAndBook(laptop), await registerAndBook(laptop)];
  await requestHold(holder);
  // The state after many renewals.
  await shop.connection.pool.query(
    `update holds set started_at = started_at - interval '16 minutes' where laptop_id = $1`,
    [laptop],
  );
  await requestHold(other);
  await ageRows(laptop, 4 * minutes);
  expect(await requestHold(other)).toMatchObject({ code: 'held' });
  expect(await requestHold(holder)).toMatchObject({ place: 1 });
  await ageRows(laptop, 4 * minutes);
  const again = await requestHold(holder);
  // A minute is left.
  if (!('heldUntil' in again) || again.heldUntil === null) throw new Error(again.code);
  expect(Date.parse(again.heldUntil) - Date.now()).toBeLessThan(1.1 * minutes);
  await requestHold(other);
  await ageRows(laptop, 2 * minutes);
  expect(await requestHold(holder)).toMatchObject({ code: 'somebody_is_paying', place: null });
  expect(await requestHold(other)).toMatchObject({ code: 'held', waiting: 0 });
  await release(other);
  expect(await requestHold(holder)).toMatchObject({ code: 'held', heldUntil: null });
});

test('concurrent buyers get the hold one after the other in the order of the queue', async () => {
  const laptop = await shop.laptop(seller);
  const buyers = await createMany(8, async () => book(await shop.buyer(), laptop));
  const answers = await Promise.all(buyers.map(requestHold));
  expect(answers.map((answer) => ('place' in answer ? answer.place : 0)).toSorted()).toEqual(
    buyers.map((_, index) => index),
  );
  const inOrder = buyers
    .map((buyer, index) => ({ buyer, answer: answers[index] }))
    .filter(({ answer }) => answer?.code !== 'held')
    .toSorted((a, b) => queuePlaceOf(a.answer) - queuePlaceOf(b.answer))
    .map(({ buyer }) => buyer);
  while (inOrder.length > 0) {
    await ageRows(laptop, 4 * minutes);
    const codes = (await Promise.all(inOrder.map(requestHold))).map(({ code }) => code);
    expect(codes).toEqual(inOrder.map((_, index) => (index === 0 ? 'held' : 'somebody_is_paying')));
    inOrder.shift();
  }
});

test('with many concurrent requests no buyer holds three laptops, no laptop has two holds, and no call fails', async () => {
  const laptops = await createMany(6, () => shop.laptop(seller));
  const buyers = await createMany(5, () => shop.buyer());
  const bookings = await Promise.all(buyers.flatMap((buyer) => laptops.map((laptop) => book(buyer, laptop))));
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(bookings.map(requestHold));
    for (const { code } of answers) {
      expect(['held', 'somebody_is_paying', 'too_many_holds']).toContain(code);
    }
    for (const { laptops: held } of await countUnexpiredHolds()) expect(held).toBeLessThanOrEqual(2);
    for (const laptop of laptops) await ageRows(laptop, 4 * minutes);
  }
});

test('only the buyer can release the hold of a booking', async () => {
  const laptop = await shop.laptop(seller);
  const mine = await book(await shop.buyer(), laptop);
  await requestHold(mine);
  const stranger = await shop.buyer();
  await expect(release({ ...mine, person: stranger })).rejects.toMatchObject({ status: 404 });
  expect(await release(mine)).toEqual({ acknowledged: true, deletedCount: 1 });
  expect(await release(mine)).toEqual({ acknowledged: true, deletedCount: 0 });
});
