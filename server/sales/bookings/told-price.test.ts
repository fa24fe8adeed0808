// What a buyer is told about a price that changes again while the person is told.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { agreeToPrice } from '#contract/sales/bookings.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { notifyPriceChanged } from './notifications.ts';

let shop: SharedShop;
let buyer: Person;
let laptop: string;
let bookingId: string;

beforeAll(async () => {
  shop = await sharedShop();
});
beforeEach(async () => {
  laptop = await shop.laptop(await shop.seller());
  buyer = await shop.buyer();
  bookingId = await shop.booking(buyer, laptop);
});

/** Changes the price without a job that tells it. @returns the laptop's version */
async function setPrice(cents: number): Promise<number> {
  const { rows } = await shop.connection.pool.query<{ version: number }>(
    `update laptops set resale_price_cents = $2, version = version + 1, price_version = version + 1
      where id = $1 returning version`,
    [laptop, cents],
  );
  return rows[0]?.version ?? 0;
}

/** Runs the job of a version. @param during runs while the buyer is told the first time @returns what the buyer is told */
async function tell(priceVersion: number, during = async (): Promise<unknown> => undefined) {
  const told: string[] = [];
  const notifier = {
    notify: async (_recipient: unknown, { paragraphs }: { paragraphs: readonly string[] }) => {
      told.push(paragraphs.join(' '));
      if (told.length === 1) await during();
    },
  };
  const { database } = shop.connection;
  await notifyPriceChanged({ database, notifier }, { bookingId, priceVersion }, 'a job');
  return told;
}

const lowered = (from: string, to: string) =>
  expect.stringContaining(`has lowered the price from ${from} to ${to}.`);
const loweredAndRaised = (from: string, to: string, now: string) =>
  expect.stringContaining(`lowered the price from ${from} to ${to}, and has raised it to ${now} since.`);

test('a further lowering is told from the price that was told before', async () => {
  const told = await tell(await setPrice(50_000), () => setPrice(40_000));
  expect(told).toEqual([lowered('$549.99', '$500.00'), lowered('$500.00', '$400.00')]);
});

test('a lowering and a rise back to the price that is being told ask for an agreement', async () => {
  const version = await setPrice(50_000);
  const told = await tell(version, async () => {
    await setPrice(45_000);
    await setPrice(50_000);
  });
  expect(told).toEqual([lowered('$549.99', '$500.00'), loweredAndRaised('$500.00', '$450.00', '$500.00')]);
});

test('an agreement to the price that is being told needs no further email', async () => {
  const version = await setPrice(60_000);
  const told = await tell(version, () =>
    buyer.client.call(agreeToPrice, { params: { _id: bookingId }, body: { price: 600 } }),
  );
  expect(told).toEqual([expect.stringContaining('has raised the price from $549.99 to $600.00.')]);
});

test('an agreement to another price than the one that is being told is confirmed', async () => {
  const version = await setPrice(50_000);
  const told = await tell(version, async () => {
    await setPrice(54_999);
    await buyer.client.call(agreeToPrice, { params: { _id: bookingId }, body: { price: 549.99 } });
  });
  expect(told).toEqual([
    lowered('$549.99', '$500.00'),
    expect.stringContaining('has raised the price from $500.00 to $549.99. Your booking is kept at $549.99'),
  ]);
});

test('a second run of a job tells nothing, also of a price to which the buyer has to agree', async () => {
  await setPrice(50_000);
  const version = await setPrice(54_999);
  await expect(tell(version)).resolves.toEqual([loweredAndRaised('$549.99', '$500.00', '$549.99')]);
  await expect(tell(version)).resolves.toEqual([]);
});
