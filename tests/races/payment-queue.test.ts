// Payment windows: one buyer at a time pays for a laptop, a buyer has at most two, and waiting buyers are served in order.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { closePaymentWindow } from '#contract/sales/bookings.ts';
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
  | { code: 'open'; paymentWindowEndsAt: string | null; waiting: number }
  | { code: string; place: number | null; problem: Problem };

/** Requests or renews the payment window, as the payment page does. */
async function requestPaymentWindow({ person, bookingId }: BuyerBooking): Promise<HoldResponse> {
  try {
    const body = { price, bookingId };
    const { paymentWindowEndsAt, waiting } = await person.client.call(createPaymentIntent, { body });
    return { code: 'open', paymentWindowEndsAt, waiting };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, place: error.place, problem: error };
  }
}

const queuePlaceOf = (response: HoldResponse | undefined) =>
  response !== undefined && 'place' in response ? (response.place ?? 0) : 0;

const release = ({ person, bookingId }: BuyerBooking) =>
  person.client.call(closePaymentWindow, { params: { _id: bookingId } });

/** Moves the times of a laptop's payment window, or of its rows in other tables with an expiry, into the past. */
async function ageRows(laptop: string, milliseconds: number, tables = ['payment_windows']): Promise<void> {
  const ago = `$2 * interval '1 millisecond'`;
  for (const table of tables) {
    const start = table === 'payment_windows' ? `started_at = started_at - ${ago},` : '';
    await shop.connection.pool.query(
      `update ${table} set ${start} expires_at = expires_at - ${ago} where laptop_id = $1`,
      [laptop, milliseconds],
    );
  }
}

async function countOpenPaymentWindows(): Promise<{ buyer_id: string; laptops: number }[]> {
  const { rows } = await shop.connection.pool.query(
    `select buyer_id, count(*)::int as laptops from payment_windows where expires_at > now() group by buyer_id`,
  );
  return rows;
}

test('a buyer who requests 24 payment windows concurrently gets two, and the refusals name them', async () => {
  const buyer = await shop.buyer();
  const laptops = await Promise.all(
    Array.from({ length: 24 }, (_, index) => shop.laptop(seller, { name: `Laptop ${index}` })),
  );
  const bookings = await Promise.all(laptops.map((laptop) => book(buyer, laptop)));
  const answers = await Promise.all(bookings.map(requestPaymentWindow));
  expect(answers.filter(({ code }) => code === 'open')).toHaveLength(2);
  const refused = answers.filter((answer) => 'problem' in answer);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_payment_windows']));
  const open = bookings.filter((_, index) => answers[index]?.code === 'open');
  for (const { problem } of refused) {
    expect(problem.paymentWindows.map(({ bookingId }) => bookingId).sort()).toEqual(
      open.map(({ bookingId }) => bookingId).sort(),
    );
    for (const { productName } of problem.paymentWindows) expect(problem.message).toContain(productName);
    expect(problem.retryAt).toBeInstanceOf(Date);
  }
  // The buyer does not take places in the queues of the other laptops.
  const { rows } = await shop.connection.pool.query('select from payment_queue where buyer_id = $1', [
    buyer.userId,
  ]);
  expect(rows).toEqual([]);

  const other = bookings.find((_, index) => answers[index]?.code !== 'open');
  const [first] = open;
  if (other === undefined || first === undefined)
    throw new Error('Two payment windows must be open and the others refused.');
  await release(first);
  expect(await requestPaymentWindow(other)).toMatchObject({ code: 'open' });
  expect(await requestPaymentWindow(first)).toMatchObject({ code: 'too_many_payment_windows' });
});

test('two alternating buyers do not overtake a third who waits', async () => {
  const laptop = await shop.laptop(seller);
  const [one, two, honest] = [
    await registerAndBook(laptop),
    await registerAndBook(laptop),
    await registerAndBook(laptop),
  ];
  const first = await requestPaymentWindow(one);
  expect(await requestPaymentWindow(two)).toMatchObject({ code: 'somebody_is_paying', place: 1 });
  expect(await requestPaymentWindow(honest)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  // Not renewed while somebody waits.
  expect(await requestPaymentWindow(one)).toEqual({ ...first, waiting: 2 });

  await ageRows(laptop, 4 * minutes);
  expect(await requestPaymentWindow(one)).toMatchObject({ code: 'somebody_is_paying', place: 3 });
  expect(await requestPaymentWindow(honest)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  expect(await requestPaymentWindow(two)).toMatchObject({ code: 'open', waiting: 2 });

  await release(two);
  expect(await requestPaymentWindow(two)).toMatchObject({ code: 'somebody_is_paying', place: 3 });
  expect(await requestPaymentWindow(one)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  expect(await requestPaymentWindow(honest)).toMatchObject({ code: 'open', waiting: 2 });
});

test('a place in the queue expires without a renewal and ends with a release', async () => {
  const laptop = await shop.laptop(seller);
  const [holder, gone, leaving, last] = [
    await registerAndBook(laptop),
    await registerAndBook(laptop),
    await registerAndBook(laptop),
    await registerAndBook(laptop),
  ];
  for (const booking of [holder, gone, leaving]) await requestPaymentWindow(booking);
  expect(await requestPaymentWindow(last)).toMatchObject({ place: 3 });
  await ageRows(laptop, 4 * minutes, ['payment_windows', 'payment_queue']);
  // Only these two renew their places.
  expect(await requestPaymentWindow(leaving)).toMatchObject({ code: 'open' });
  expect(await requestPaymentWindow(last)).toMatchObject({ place: 1 });
  expect(await requestPaymentWindow(gone)).toMatchObject({ place: 2 });
  await release(last);
  await release(leaving);
  expect(await requestPaymentWindow(gone)).toMatchObject({ code: 'open' });
});

test('the limit of 20 minutes in all continues after a release while others wait', async () => {
  const laptop = await shop.laptop(seller);
  const [holder, other] = [await registerAndBook(laptop), await registerAndBook(laptop)];
  await requestPaymentWindow(holder);
  // The state after many renewals.
  await shop.connection.pool.query(
    `update payment_windows set started_at = started_at - interval '16 minutes' where laptop_id = $1`,
    [laptop],
  );
  await requestPaymentWindow(other);
  await ageRows(laptop, 4 * minutes);
  expect(await requestPaymentWindow(other)).toMatchObject({ code: 'open' });
  expect(await requestPaymentWindow(holder)).toMatchObject({ place: 1 });
  await ageRows(laptop, 4 * minutes);
  const again = await requestPaymentWindow(holder);
  // A minute is left.
  if (!('paymentWindowEndsAt' in again) || again.paymentWindowEndsAt === null) throw new Error(again.code);
  expect(Date.parse(again.paymentWindowEndsAt) - Date.now()).toBeLessThan(1.1 * minutes);
  await requestPaymentWindow(other);
  await ageRows(laptop, 2 * minutes);
  expect(await requestPaymentWindow(holder)).toMatchObject({ code: 'somebody_is_paying', place: null });
  expect(await requestPaymentWindow(other)).toMatchObject({ code: 'open', waiting: 0 });
  await release(other);
  expect(await requestPaymentWindow(holder)).toMatchObject({ code: 'open', paymentWindowEndsAt: null });
});

test('concurrent buyers get the payment window one after the other in the order of the queue', async () => {
  const laptop = await shop.laptop(seller);
  const buyers = await createMany(8, async () => book(await shop.buyer(), laptop));
  const answers = await Promise.all(buyers.map(requestPaymentWindow));
  expect(answers.map((answer) => ('place' in answer ? answer.place : 0)).toSorted()).toEqual(
    buyers.map((_, index) => index),
  );
  const inOrder = buyers
    .map((buyer, index) => ({ buyer, answer: answers[index] }))
    .filter(({ answer }) => answer?.code !== 'open')
    .toSorted((a, b) => queuePlaceOf(a.answer) - queuePlaceOf(b.answer))
    .map(({ buyer }) => buyer);
  while (inOrder.length > 0) {
    await ageRows(laptop, 4 * minutes);
    const codes = (await Promise.all(inOrder.map(requestPaymentWindow))).map(({ code }) => code);
    expect(codes).toEqual(inOrder.map((_, index) => (index === 0 ? 'open' : 'somebody_is_paying')));
    inOrder.shift();
  }
});

test('with many concurrent requests no buyer has three payment windows, no laptop has two, and no call fails', {
  tags: 'long',
}, async () => {
  const laptops = await createMany(6, () => shop.laptop(seller));
  const buyers = await createMany(5, () => shop.buyer());
  const bookings = await Promise.all(buyers.flatMap((buyer) => laptops.map((laptop) => book(buyer, laptop))));
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(bookings.map(requestPaymentWindow));
    for (const { code } of answers) {
      expect(['open', 'somebody_is_paying', 'too_many_payment_windows']).toContain(code);
    }
    for (const { laptops: windows } of await countOpenPaymentWindows())
      expect(windows).toBeLessThanOrEqual(2);
    for (const laptop of laptops) await ageRows(laptop, 4 * minutes);
  }
});

test('only the buyer can release the payment window of a booking', async () => {
  const laptop = await shop.laptop(seller);
  const mine = await book(await shop.buyer(), laptop);
  await requestPaymentWindow(mine);
  const stranger = await shop.buyer();
  await expect(release({ ...mine, person: stranger })).rejects.toMatchObject({ status: 404 });
  expect(await release(mine)).toEqual({ acknowledged: true, deletedCount: 1 });
  expect(await release(mine)).toEqual({ acknowledged: true, deletedCount: 0 });
});
