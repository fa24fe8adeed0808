// Who may pay for a laptop when several want to: one at a time, at most two laptops each, in the order of asking.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseHold } from '#contract/bookings.ts';
import { Problem } from '#contract/client.ts';
import { createPaymentIntent } from '#contract/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

const price = 549.99;
const minutes = 60_000;

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterAll(() => shop.close());

const times = <Made>(count: number, make: () => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, make));

interface Place {
  person: Person;
  bookingId: string;
}

const book = async (person: Person, laptop: string): Promise<Place> => ({
  person,
  bookingId: await shop.booking(person, laptop),
});

/** Somebody new who has booked a laptop. */
const booker = async (laptop: string) => book(await shop.buyer(), laptop);

type Asked =
  | { code: 'held'; heldUntil: string | null; waiting: number }
  | { code: string; place: number | null; problem: Problem };

/** Opens, or renews, the payment page. */
async function ask({ person, bookingId }: Place): Promise<Asked> {
  try {
    const body = { price, bookingId };
    const { heldUntil, waiting } = await person.client.call(createPaymentIntent, { body });
    return { code: 'held', heldUntil, waiting };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, place: error.place, problem: error };
  }
}

const placeOf = (answer: Asked | undefined) =>
  answer !== undefined && 'place' in answer ? (answer.place ?? 0) : 0;

const letGo = ({ person, bookingId }: Place) =>
  person.client.call(releaseHold, { params: { _id: bookingId } });

/** Time passes for the holds on a laptop, and for its line where nobody asks again. */
async function pass(laptop: string, milliseconds: number, tables = ['holds']): Promise<void> {
  const ago = `$2 * interval '1 millisecond'`;
  for (const table of tables) {
    const start = table === 'holds' ? `started_at = started_at - ${ago},` : '';
    await shop.connection.pool.query(
      `update ${table} set ${start} expires_at = expires_at - ${ago} where laptop_id = $1`,
      [laptop, milliseconds],
    );
  }
}

async function liveHolds(): Promise<{ buyer_id: string; laptops: number }[]> {
  const { rows } = await shop.connection.pool.query(
    `select buyer_id, count(*)::int as laptops from holds where expires_at > now() group by buyer_id`,
  );
  return rows;
}

test('one buyer who asks for 24 laptops at once holds two, and is told which', async () => {
  const buyer = await shop.buyer();
  const laptops = await Promise.all(
    Array.from({ length: 24 }, (_, index) => shop.laptop(seller, { name: `Laptop ${index}` })),
  );
  const places = await Promise.all(laptops.map((laptop) => book(buyer, laptop)));
  const answers = await Promise.all(places.map(ask));
  expect(answers.filter(({ code }) => code === 'held')).toHaveLength(2);
  const refused = answers.filter((answer) => 'problem' in answer);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_holds']));
  const held = places.filter((_, index) => answers[index]?.code === 'held');
  for (const { problem } of refused) {
    expect(problem.holds.map(({ bookingId }) => bookingId).sort()).toEqual(
      held.map(({ bookingId }) => bookingId).sort(),
    );
    for (const { productName } of problem.holds) expect(problem.message).toContain(productName);
    expect(problem.retryAt).toBeInstanceOf(Date);
  }
  // Nobody is kept waiting by places in line that this buyer could not use.
  const { rows } = await shop.connection.pool.query('select from hold_waits where buyer_id = $1', [
    buyer.userId,
  ]);
  expect(rows).toEqual([]);

  const other = places.find((_, index) => answers[index]?.code !== 'held');
  const [first] = held;
  if (other === undefined || first === undefined) throw new Error('There is no other.');
  await letGo(first);
  expect(await ask(other)).toMatchObject({ code: 'held' });
  expect(await ask(first)).toMatchObject({ code: 'too_many_holds' });
});

test('two who take turns keep nobody else out: the one who waits is next', async () => {
  const laptop = await shop.laptop(seller);
  const [one, two, honest] = [await booker(laptop), await booker(laptop), await booker(laptop)];
  const first = await ask(one);
  expect(await ask(two)).toMatchObject({ code: 'somebody_is_paying', place: 1 });
  expect(await ask(honest)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  // Not renewed while somebody waits.
  expect(await ask(one)).toEqual({ ...first, waiting: 2 });

  await pass(laptop, 4 * minutes);
  expect(await ask(one)).toMatchObject({ code: 'somebody_is_paying', place: 3 });
  expect(await ask(honest)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  expect(await ask(two)).toMatchObject({ code: 'held', waiting: 2 });

  await letGo(two);
  expect(await ask(two)).toMatchObject({ code: 'somebody_is_paying', place: 3 });
  expect(await ask(one)).toMatchObject({ code: 'somebody_is_paying', place: 2 });
  expect(await ask(honest)).toMatchObject({ code: 'held', waiting: 2 });
});

test('a place in line is lost by who does not ask again, and given up by who lets go', async () => {
  const laptop = await shop.laptop(seller);
  const [holder, gone, leaving, last] = [
    await booker(laptop),
    await booker(laptop),
    await booker(laptop),
    await booker(laptop),
  ];
  for (const place of [holder, gone, leaving]) await ask(place);
  expect(await ask(last)).toMatchObject({ place: 3 });
  await pass(laptop, 4 * minutes, ['holds', 'hold_waits']);
  // Only these two have asked again.
  expect(await ask(leaving)).toMatchObject({ code: 'held' });
  expect(await ask(last)).toMatchObject({ place: 1 });
  expect(await ask(gone)).toMatchObject({ place: 2 });
  await letGo(last);
  await letGo(leaving);
  expect(await ask(gone)).toMatchObject({ code: 'held' });
});

test('the 20 minutes in all go on when a buyer lets go and takes again while others wait', async () => {
  const laptop = await shop.laptop(seller);
  const [holder, other] = [await booker(laptop), await booker(laptop)];
  await ask(holder);
  // As after many renewals.
  await shop.connection.pool.query(
    `update holds set started_at = started_at - interval '16 minutes' where laptop_id = $1`,
    [laptop],
  );
  await ask(other);
  await pass(laptop, 4 * minutes);
  expect(await ask(other)).toMatchObject({ code: 'held' });
  expect(await ask(holder)).toMatchObject({ place: 1 });
  await pass(laptop, 4 * minutes);
  const again = await ask(holder);
  // A minute is left.
  if (!('heldUntil' in again) || again.heldUntil === null) throw new Error(again.code);
  expect(Date.parse(again.heldUntil) - Date.now()).toBeLessThan(1.1 * minutes);
  await ask(other);
  await pass(laptop, 2 * minutes);
  expect(await ask(holder)).toMatchObject({ code: 'somebody_is_paying', place: null });
  expect(await ask(other)).toMatchObject({ code: 'held', waiting: 0 });
  await letGo(other);
  expect(await ask(holder)).toMatchObject({ code: 'held', heldUntil: null });
});

test('buyers who ask at the same moment have their turn one by one, in the order of their places', async () => {
  const laptop = await shop.laptop(seller);
  const buyers = await times(8, async () => book(await shop.buyer(), laptop));
  const answers = await Promise.all(buyers.map(ask));
  expect(answers.map((answer) => ('place' in answer ? answer.place : 0)).toSorted()).toEqual(
    buyers.map((_, index) => index),
  );
  const inOrder = buyers
    .map((buyer, index) => ({ buyer, answer: answers[index] }))
    .filter(({ answer }) => answer?.code !== 'held')
    .toSorted((a, b) => placeOf(a.answer) - placeOf(b.answer))
    .map(({ buyer }) => buyer);
  while (inOrder.length > 0) {
    await pass(laptop, 4 * minutes);
    const codes = (await Promise.all(inOrder.map(ask))).map(({ code }) => code);
    expect(codes).toEqual(inOrder.map((_, index) => (index === 0 ? 'held' : 'somebody_is_paying')));
    inOrder.shift();
  }
});

test('many buyers ask for many laptops at once: nobody holds three, no laptop has two, and no call fails', async () => {
  const laptops = await times(6, () => shop.laptop(seller));
  const buyers = await times(5, () => shop.buyer());
  const places = await Promise.all(buyers.flatMap((buyer) => laptops.map((laptop) => book(buyer, laptop))));
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(places.map(ask));
    for (const { code } of answers) {
      expect(['held', 'somebody_is_paying', 'too_many_holds']).toContain(code);
    }
    for (const { laptops: held } of await liveHolds()) expect(held).toBeLessThanOrEqual(2);
    for (const laptop of laptops) await pass(laptop, 4 * minutes);
  }
});

test('only the buyer lets go of a booking’s turn', async () => {
  const laptop = await shop.laptop(seller);
  const mine = await book(await shop.buyer(), laptop);
  await ask(mine);
  const stranger = await shop.buyer();
  await expect(letGo({ ...mine, person: stranger })).rejects.toMatchObject({ status: 404 });
  expect(await letGo(mine)).toEqual({ acknowledged: true, deletedCount: 1 });
  expect(await letGo(mine)).toEqual({ acknowledged: true, deletedCount: 0 });
});
