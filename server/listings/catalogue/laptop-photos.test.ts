import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { NewLaptop } from '#contract/listings/catalogue.ts';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { StorageError } from '#server/listings/photos/storage.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { requireStoredPhotos } from './listing.ts';

const KEY = 'key of the test';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop({ photoKey: KEY });
  seller = await shop.seller();
});
afterAll(() => shop.close());

const query = async (text: string, values: unknown[] = []) =>
  (await shop.connection.pool.query<Record<string, unknown>>(text, values)).rows;

async function upload(by: Person, shade: number): Promise<string> {
  const background = { r: shade, g: 10, b: 10 };
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.append('image', new File([new Uint8Array(photo)], 'laptop.jpg', { type: 'image/jpeg' }));
  const answer = await fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  });
  return PhotoUploaded.parse(await answer.json()).data.url;
}

const hashIn = (url: string) => /\/photos\/([0-9a-f]{64})-/.exec(url)?.[1] ?? '';

/** The hashes of the photos that a laptop shows, in its order. */
async function shownBy(laptop: string): Promise<unknown[]> {
  const rows = await query(
    'select position, photo_hash as hash from laptop_photos where laptop_id = $1 order by position',
    [laptop],
  );
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  return rows.map(({ hash }) => hash);
}

test('a photo that was never uploaded is rejected at its field, and nothing is listed', async () => {
  const real = await upload(seller, 1);
  const invented = real.replace(hashIn(real), createHash('sha256').update('invented').digest('hex'));
  const refused = (image: string, images?: string[]) =>
    expect(shop.laptop(seller, { image, ...(images && { images }) })).rejects;
  const before = await query('select count(*) from laptops');

  await refused(invented).toMatchObject({
    status: 422,
    code: 'invalid_input',
    errors: { image: expect.stringMatching(/^This photo was not uploaded to this shop/) },
  });
  await refused(real, [real, invented]).toMatchObject({
    errors: { 'images.1': expect.stringContaining('choose it again') },
  });
  // The hash of a photo that is there, under a size and a blur that it does not have.
  await refused(real.replace('-64x48-', '-64x64-')).toMatchObject({ status: 422 });
  expect(await query('select count(*) from laptops')).toEqual(before);
  expect(await query('select from photos where hash = $1', [hashIn(invented)])).toEqual([]);
});

test('while the photo storage is unavailable nothing is listed, and the refusal asks to retry', async () => {
  const problem = new StorageError('The bucket photos answered 500.');
  const fail = () => Promise.reject(problem);
  const keys = () => {
    throw problem;
  };
  const photoStorage = {
    description: 'the bucket photos',
    put: fail,
    get: fail,
    has: fail,
    keys,
    remove: fail,
  };
  const body = z.parse(NewLaptop, sampleLaptop(shop.origin));
  await expect(
    requireStoredPhotos({ photoStorage, toStoredPhoto: (url) => url }, body),
  ).rejects.toMatchObject({
    status: 503,
    code: 'busy',
    message: expect.stringContaining('Nothing was saved'),
  });
});

test('several laptops can show the same photo, and another seller can upload it too', async () => {
  const url = await upload(seller, 2);
  const other = await shop.seller();
  expect(await upload(other, 2)).toBe(url);
  for (const each of [seller, seller, other]) {
    expect(await shownBy(await shop.laptop(each, { image: url }))).toEqual([hashIn(url)]);
  }
});

test('triggers keep laptop_photos in sync with every write of images', async () => {
  const urls = [await upload(seller, 3), await upload(seller, 4), await upload(seller, 5)];
  const [first = '', ...others] = urls.map(hashIn);
  const laptop = await shop.laptop(seller, { image: urls[0] ?? '', images: urls });
  expect(await shownBy(laptop)).toEqual([first, ...others]);
  const foreign = `https://img.example${new URL(urls[0] ?? '').pathname.replace(first, 'f'.repeat(64))}`;
  await query('update laptops set images = $2 where id = $1', [
    laptop,
    // An earlier origin's and another host's beside a path.
    [`https://earlier.example${new URL(urls[1] ?? '').pathname}`, `/photos/${first}-x/64.webp`, foreign],
  ]);
  expect(await shownBy(laptop)).toEqual([others[0], first]);
  await query('update laptops set images = array[brands.image] from brands where laptops.id = $1', [laptop]);
  expect(await shownBy(laptop)).toEqual([]);
});

test('the schema rejects laptops with unknown photos, and the deletion of shown photos', async () => {
  const url = await upload(seller, 6);
  const laptop = await shop.laptop(seller, { image: url });
  const violated = { code: '23503', constraint: 'shown_photo_is_known' };
  await expect(
    query(`update laptops set images = array[$2] where id = $1`, [
      laptop,
      `/photos/${'e'.repeat(64)}-x/1.webp`,
    ]),
  ).rejects.toMatchObject(violated);
  await expect(query('delete from photos where hash = $1', [hashIn(url)])).rejects.toMatchObject(violated);
  expect(await shownBy(laptop)).toEqual([hashIn(url)]);
});
