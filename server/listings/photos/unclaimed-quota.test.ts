import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { formWith, halves } from './testing/photo-samples.ts';

const KEY = 'key of the test';
const DAY_SECONDS = 24 * 60 * 60;
const MB = 1_000_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ limited: true, proxies: 1, photoKey: KEY });
});
afterAll(() => shop.close());

async function send({ token }: Person, address: string): Promise<Response> {
  return fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    body: formWith(await halves(640, 480).jpeg().toBuffer()),
  });
}
const statusOf = async (...sender: Parameters<typeof send>) => (await send(...sender)).status;

const hashIn = (url: string): string => /[0-9a-f]{64}/.exec(url)?.[0] ?? '';
const photoRow = (url: string) =>
  shop.connection.database
    .selectFrom('photos')
    .select(['bytes', 'counted_for'])
    .where('hash', '=', hashIn(url))
    .executeTakeFirstOrThrow();

/** Uploads a photo, and changes its stored size to a number of bytes. @returns its URL */
async function uploadOf(bytes: number, ...sender: Parameters<typeof send>): Promise<string> {
  const { data } = PhotoUploaded.parse(await (await send(...sender)).json());
  const { database } = shop.connection;
  await database.updateTable('photos').set({ bytes }).where('hash', '=', hashIn(data.url)).execute();
  return data.url;
}

test('an account whose unused photos are at the quota is refused, until something shows them', async () => {
  const [seller, other] = [await shop.seller(), await shop.seller()];
  await uploadOf(60 * MB, seller, '192.0.2.1');
  const image = await uploadOf(40 * MB, seller, '192.0.2.2');
  const refused = await send(seller, '192.0.2.3');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(DAY_SECONDS - 600);
  expect(ProblemDocument.parse(await refused.json())).toMatchObject({
    code: 'too_many_requests',
    detail: expect.stringContaining('save the form or send the message that uses them'),
  });
  expect(await statusOf(other, '192.0.2.1')).toBe(200);
  await shop.laptop(seller, { image, images: [image] });
  expect(await statusOf(seller, '192.0.2.3')).toBe(200);
});

test('accounts share the quota of their address', async () => {
  const sellers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => shop.seller()));
  const [last] = sellers.slice(-1);
  if (last === undefined) throw new Error('There are six sellers.');
  for (const seller of sellers.slice(0, 5)) await uploadOf(80 * MB, seller, '198.51.100.1');
  expect(await statusOf(last, '198.51.100.1')).toBe(429);
  expect(await statusOf(last, '198.51.100.2')).toBe(200);
});

test('networks of one IPv6 range share a larger quota', async () => {
  const [one, other] = [await shop.seller(), await shop.seller()];
  await uploadOf(1_600 * MB, one, '2001:db8:1:1::1');
  expect(await statusOf(other, '2001:db8:1:2::1')).toBe(429);
  expect(await statusOf(other, '2001:db8:2:1::1')).toBe(200);
});

test('the bytes of what is stored count, for as long as nothing shows the photo', async () => {
  const seller = await shop.seller();
  const { url } = PhotoUploaded.parse(await (await send(seller, '203.0.113.1')).json()).data;
  const { bytes, counted_for } = await photoRow(url);
  expect(bytes).toBeGreaterThan(1_000);
  expect(counted_for).toHaveLength(2);
  await shop.laptop(seller, { image: url, images: [url] });
  expect(await photoRow(url)).toEqual({ bytes, counted_for: [] });
});
