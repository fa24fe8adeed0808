import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/listings/photos.ts';
import { listReportedItems } from '#contract/listings/reports.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { compareLaptops } from './actions.ts';

const photoKey = 'a key';
let shop: TestShop;
let admin: Person;
let seller: Person;
let other: Person;
beforeAll(async () => {
  shop = await startTestShop({ photoKey });
  [admin, seller, other] = [await shop.admin(), await shop.seller(), await shop.seller()];
});
afterAll(() => shop.close());

let seed = 0;
beforeEach(() => {
  seed += 1;
});

/** A picture of grey shapes, another one for each test. */
function picture(number = seed) {
  const shapes = Array.from({ length: 24 }, (_, index) => {
    const random = (salt: number) => (Math.sin(number * 91.7 + index * 12.9 + salt * 78.2) * 43758.5) % 1;
    const part = (salt: number, size: number) => Math.round(Math.abs(random(salt)) * size);
    const grey = part(5, 255);
    return `<rect x="${part(1, 560)}" y="${part(2, 400)}" width="${part(3, 260) + 20}" height="${part(4, 200) + 20}" fill="rgb(${grey},${grey},${grey})"/>`;
  });
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#ccc"/>${shapes.join('')}</svg>`,
    ),
  );
}

async function upload(owner: Person, photo: Buffer): Promise<string> {
  const form = new FormData();
  form.append(PHOTO_FIELD, new Blob([new Uint8Array(photo)]), 'photo');
  const response = await fetch(`${shop.origin}/photos?key=${encodeURIComponent(photoKey)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  });
  return PhotoUploaded.parse(await response.json()).data.url;
}

/** Lists a laptop with one photo. */
async function listed(owner: Person, photo: Buffer): Promise<string> {
  const image = await upload(owner, photo);
  return shop.laptop(owner, { image });
}

const compare = () => compareLaptops(shop.connection.database, new AbortController().signal);

async function findings(laptopId: string) {
  const [item] = await admin.client.call(listReportedItems, { query: { laptop: laptopId } });
  const reports = item?.reports ?? [];
  return reports.flatMap((report) =>
    report.by === 'shop' ? [{ other: report.otherLaptop._id, photos: report.photos }] : [],
  );
}

test.each([
  ['the same bytes', async () => picture().png().toBuffer()],
  ['another size and compression', async () => picture().resize(400).jpeg({ quality: 60 }).toBuffer()],
  [
    'slightly cropped',
    async () =>
      sharp(await picture().png().toBuffer())
        .extract({ left: 16, top: 12, width: 608, height: 456 })
        .jpeg()
        .toBuffer(),
  ],
])('a photo of another seller is reported once with both photos: %s', async (_name, change) => {
  const original = await listed(seller, await picture().png().toBuffer());
  await compare();
  const copy = await listed(other, await change());
  await compare();
  await compare();
  expect(await findings(copy)).toEqual([
    {
      other: original,
      photos: { reported: expect.stringContaining('/photos/'), other: expect.stringContaining('/photos/') },
    },
  ]);
  expect(await findings(original)).toEqual([]);
});

test('uploads that nothing shows do not hide the photo that was copied', async () => {
  const image = await upload(other, await picture().resize(400).jpeg({ quality: 60 }).toBuffer());
  const { pool } = shop.connection;
  await pool.query(`insert into photos (hash) values (repeat('c', 64))`);
  await pool.query(
    `insert into photo_thumbnails select repeat('c', 64), thumbnail from photo_thumbnails limit 1`,
  );
  // More than one search reads, before those of the original: a quarter of each is the same as of the copy.
  await pool.query(
    `insert into photo_fingerprints (photo_hash, fingerprint)
     select repeat('c', 64), fingerprint # (number::bigint << 16) from photo_fingerprints, generate_series(1, 6000) as number
      where $1 like '%' || photo_hash || '%'`,
    [image],
  );
  const original = await listed(seller, await picture().png().toBuffer());
  await compare();
  const copy = await shop.laptop(other, { image });
  await compare();
  expect(await findings(copy)).toMatchObject([{ other: original }]);
  await pool.query(`delete from photos where hash = repeat('c', 64)`);
});

test('a copy in a listing that was withdrawn at once does not accuse the original', async () => {
  const photo = await picture().png().toBuffer();
  const original = await listed(seller, photo);
  await compare();
  const copy = await listed(other, photo);
  await other.client.call(deleteOwnLaptop, { params: { _id: copy } });
  await compare();
  await shop.connection.pool.query('insert into laptops_to_compare (laptop_id) values ($1)', [original]);
  await compare();
  expect(await findings(original)).toEqual([]);
});

test('two sellers who list the same photo at the same time are found, in one report', async () => {
  const photo = await picture().png().toBuffer();
  const ids = await Promise.all([listed(seller, photo), listed(other, photo), compare()]);
  await Promise.all([compare(), compare()]);
  await compare();
  expect([...(await findings(ids[0])), ...(await findings(ids[1]))]).toHaveLength(1);
});

test('a seller’s own photo, another photo and a plain one are not reported', async () => {
  const own = await listed(seller, await picture().png().toBuffer());
  const again = await listed(seller, await picture().jpeg().toBuffer());
  const different = await listed(
    other,
    await picture(seed + 0.5)
      .png()
      .toBuffer(),
  );
  const plain = sharp({ create: { width: 320, height: 240, channels: 3, background: '#ffffff' } });
  const [white, whiteToo] = [
    await listed(seller, await plain.png().toBuffer()),
    await listed(other, await plain.jpeg().toBuffer()),
  ];
  await compare();
  for (const id of [own, again, different, white, whiteToo]) expect(await findings(id)).toEqual([]);
});

test('what was computed of a photo goes with the photo', async () => {
  const id = await listed(seller, await picture().png().toBuffer());
  await compare();
  const count = async () => {
    const { rows } = await shop.connection.pool.query<{ count: number }>(
      'select count(*)::int as count from photo_thumbnails',
    );
    return rows[0]?.count ?? 0;
  };
  const before = await count();
  await shop.connection.pool.query(`update laptops set images = array['/brand.webp'] where id = $1`, [id]);
  await seller.client.call(deleteOwnLaptop, { params: { _id: id } });
  await shop.connection.pool.query(`update photos set state = 'waiting', since = now() - interval '2 days'
    where not exists (select from laptop_photos where photo_hash = hash)`);
  await shop.removeUnusedPhotos();
  expect(await count()).toBe(before - 1);
});

test('a photo that many listings show is reported with each of them, a step after the other', {
  tags: 'long',
}, async () => {
  const photo = await picture().png().toBuffer();
  const original = await listed(seller, photo);
  await shop.connection.pool.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents, resale_price_cents,
                          posted_time, use_time, mobile_number, condition)
     select brand, seller_id, name, location, images, description, original_price_cents, resale_price_cents,
            posted_time, use_time, mobile_number, condition
       from laptops, generate_series(1, 120) where id = $1`,
    [original],
  );
  await compare();
  const copy = await listed(other, photo);
  await compare();
  const { rows } = await shop.connection.pool.query(
    `select count(distinct other_laptop_id)::int as count from reports where laptop_id = $1 and reason = 'Same photo'`,
    [copy],
  );
  expect(rows).toEqual([{ count: 121 }]);
});
