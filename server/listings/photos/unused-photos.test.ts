import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { deleteSeller } from '#contract/operations/user-admin.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { PHOTO_DELETION_LOCK } from '#server/platform/database/advisory-locks.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder, payOutSale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { removeUnusedPhotos } from './unused-photos.ts';

const KEY = 'key of the test';
const DAY = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ photoKey: KEY });
});
afterAll(() => shop.close());

let shade = 0;

/** A photo that nobody has uploaded yet. */
async function newPhoto(): Promise<Buffer> {
  shade += 1;
  const background = { r: shade % 256, g: 90, b: 40 };
  return sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

function send(seller: Person, photo: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('image', new File([new Uint8Array(photo)], 'laptop.jpg', { type: 'image/jpeg' }));
  return fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller.token}` },
    body: form,
  });
}

async function upload(seller: Person, photo: Buffer): Promise<string> {
  return PhotoUploaded.parse(await (await send(seller, photo)).json()).data.url;
}

const statusOf = async (url: string) => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};
const inDays = (days: number) => new Date(Date.now() + days * DAY);

test('only photos of sold laptops remain of an ended account', async () => {
  const [leaver, expelled, other] = [await shop.seller(), await shop.seller(), await shop.seller()];
  const [buyer, admin] = [await shop.buyer(), await shop.admin()];
  const sharedBytes = await newPhoto();
  const [sold, unsold, both, banned] = [
    await upload(leaver, await newPhoto()),
    await upload(leaver, await newPhoto()),
    await upload(leaver, sharedBytes),
    await upload(expelled, await newPhoto()),
  ];
  const laptopId = await shop.laptop(leaver, { image: sold });
  const sale = await sellLaptop(shop, { seller: leaver, buyer, laptopId });
  const booked = await shop.laptop(leaver, { image: unsold });
  await shop.booking(buyer, booked);
  await shop.laptop(leaver, { image: both });
  await shop.laptop(expelled, { image: banned });
  await shop.laptop(other, { image: await upload(other, sharedBytes) });
  for (const url of [sold, unsold, both, banned]) expect(await statusOf(url)).toBe(200);

  await payOutSale(sale, admin);
  await completeOrder(shop, sale.orderId);
  await leaver.client.call(deleteOwnAccount, { query: { email: leaver.email } });
  await admin.client.call(deleteSeller, { params: { _id: expelled.userId } });
  await waitForEmptyQueue(shop.connection.pool);

  const after = await Promise.all([sold, unsold, both, banned].map(statusOf));
  expect(after).toEqual([200, 404, 200, 404]);
  const orders = await buyer.client.call(listBookings, { query: {} });
  const order = orders.find(({ productCode }) => productCode === booked);
  expect(order).toMatchObject({ state: 'Cancelled', image: `${shop.origin}/brands/none.svg` });
});

test('an unused upload is removed after a day, and the same photo can be uploaded again', async () => {
  const seller = await shop.seller();
  const photo = await newPhoto();
  const url = await upload(seller, photo);
  await shop.removeUnusedPhotos(inDays(0.9));
  expect(await statusOf(url)).toBe(200);
  await shop.removeUnusedPhotos(inDays(1.1));
  expect(await statusOf(url)).toBe(404);

  // A form that has been open for longer says so, at its photo.
  await expect(shop.laptop(seller, { image: url })).rejects.toMatchObject({
    status: 422,
    errors: { image: expect.stringContaining('choose it again') },
  });
  expect(await upload(seller, photo)).toBe(url);
  expect(await statusOf(url)).toBe(200);
  await shop.laptop(seller, { image: url });
  await shop.removeUnusedPhotos(inDays(30));
  expect(await statusOf(url)).toBe(200);
});

test('a concurrent upload does not treat a photo that is being removed as stored', async () => {
  const seller = await shop.seller();
  const photo = await newPhoto();
  const url = await upload(seller, photo);
  const hash = createHash('sha256').update(photo).digest('hex');
  // As a process leaves it that was killed between deciding and removing.
  await shop.connection.pool.query(`update photos set state = 'leaving' where hash = $1`, [hash]);
  const refused = await send(seller, photo);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  await expect(shop.laptop(seller, { image: url })).rejects.toMatchObject({ status: 422 });
  await shop.removeUnusedPhotos();
  expect(await upload(seller, photo)).toBe(url);
  expect(await statusOf(url)).toBe(200);
});

/** A storage that nothing may touch. */
function unusedStorage(): PhotoStorage {
  const refuse = () => {
    throw new Error('The storage was used.');
  };
  return { description: 'no storage', put: refuse, get: refuse, has: refuse, keys: refuse, remove: refuse };
}

test('a photo that is being listed is kept, and nothing is removed during a backup', async () => {
  const seller = await shop.seller();
  const url = await upload(seller, await newPhoto());
  const client = new pg.Client({ connectionString: shop.connection.pool.options.connectionString });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select hash from photos where $1 like $2 || hash || $3 for key share', [
      url,
      '%/photos/',
      '-%',
    ]);
    await shop.removeUnusedPhotos(inDays(2));
    expect(await statusOf(url)).toBe(200);
    await client.query('commit');

    await client.query('select pg_advisory_lock_shared(hashtext($1))', [PHOTO_DELETION_LOCK]);
    const { database } = shop.connection;
    const storage = unusedStorage();
    expect(
      await removeUnusedPhotos({ database, directUrl: shop.database.url, storage }, inDays(2)),
    ).toBeNull();
    expect(await statusOf(url)).toBe(200);
  } finally {
    await client.end();
  }
  await shop.removeUnusedPhotos(inDays(2));
  expect(await statusOf(url)).toBe(404);
});

test('one photo that cannot be removed does not block the removal of others', { tags: 'long' }, async () => {
  const hash = (at: number) => at.toString(16).padStart(64, '0');
  const hashes = Array.from({ length: 600 }, (_, at) => hash(at + 1));
  await shop.connection.pool.query(
    `insert into photos (hash, since) select unnest($1::text[]), now() - interval '2 days'`,
    [hashes],
  );
  let stuck: string | null = hash(1);
  const storage: PhotoStorage = {
    description: 'a storage of this test',
    put: async () => undefined,
    get: async (key) => {
      const record = { hash: key.slice(0, 64), width: 320, height: 240, blur: '0'.repeat(36) };
      const bytes = Buffer.from(JSON.stringify(record));
      return { stream: Readable.from([bytes]), size: bytes.length };
    },
    has: async () => false,
    keys: () => {
      throw new Error('Removal lists nothing.');
    },
    remove: async (key) => {
      if (stuck !== null && key.startsWith(stuck)) throw new Error('This one stays.');
    },
  };
  const remove = () =>
    removeUnusedPhotos(
      { database: shop.connection.database, directUrl: shop.database.url, storage },
      new Date(),
    );
  const left = async () => {
    const { rows } = await shop.connection.pool.query<{ hash: string }>(
      `select hash from photos where state <> 'gone' and hash = any ($1)`,
      [hashes],
    );
    return rows.map((row) => row.hash);
  };
  await expect(remove()).rejects.toThrow('1 of 600 photos could not be removed');
  expect(await left()).toEqual([stuck]);
  stuck = null;
  expect(await remove()).toBe(1);
  expect(await left()).toEqual([]);
});

test('every listed laptop has its photo after concurrent uploads, listings and removals', async () => {
  const [one, other, third] = [await shop.seller(), await shop.seller(), await shop.seller()];
  const listed: string[] = [];
  const refusals: number[] = [];
  let removed = 0;

  async function tryToList(seller: Person, photo: Buffer): Promise<void> {
    const answer = await send(seller, photo);
    if (answer.status !== 200) return void refusals.push(answer.status);
    const { url } = PhotoUploaded.parse(await answer.json()).data;
    await shop.laptop(seller, { image: url }).then(
      () => listed.push(url),
      (error: { status: number }) => refusals.push(error.status),
    );
  }

  for (let round = 0; round < 12; round += 1) {
    const [wanted, never] = [await newPhoto(), await newPhoto()];
    let done = false;
    // Runs as if two days had passed: only listed photos and photos that are being listed are protected.
    const removing = (async () => {
      while (!done) removed += await shop.removeUnusedPhotos(inDays(2));
    })();
    const tries = Array.from({ length: 4 }, (_, index) => tryToList(index % 2 === 0 ? one : other, wanted));
    await Promise.all([...tries, send(third, never)]);
    done = true;
    await removing;
    // However the tries went: nobody is kept from listing the photo now, and from here on it stays.
    await tryToList(one, wanted);
    expect(listed.length).toBeGreaterThan(round);
  }
  removed += await shop.removeUnusedPhotos(inDays(2));
  expect(removed).toBeGreaterThanOrEqual(12);
  expect(listed.length + refusals.length).toBe(60);
  expect(refusals.filter((status) => status !== 422 && status !== 503)).toEqual([]);
  for (const url of new Set(listed)) expect(await statusOf(url), url).toBe(200);
});
