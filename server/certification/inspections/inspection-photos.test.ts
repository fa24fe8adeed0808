import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimWords } from '#contract/certification/certificates.ts';
import {
  decideInspection,
  MAXIMUM_INSPECTION_PHOTOS,
  readInspection,
} from '#contract/certification/inspection-queue.ts';
import { readMeasurement } from '#contract/certification/inspections.ts';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { completeOrder, payOutSale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { answerAll, metFromPhotos } from './testing/checklist.ts';
import { thinkpad } from './testing/linux-tree.ts';
import { measureAs } from './testing/measure.ts';

const KEY = 'key of the test';
const MONTH = 30 * 24 * 60 * 60_000;
const description = { Memory: '16 GB', Storage: '512 GB SSD', Display: '14.0"', Processor: 'Core i5-10310U' };

let shop: TestShop;
let seller: Person;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({ photoKey: KEY });
  [seller, admin] = await Promise.all([shop.seller(), shop.admin()]);
});
afterAll(() => shop.close());

let shade = 0;

/** Uploads a new photo. */
async function upload(by: Person): Promise<Response> {
  // Neighbouring shades are the same JPEG file.
  shade += 20;
  const background = { r: shade % 240, g: 40 + 40 * Math.floor(shade / 240), b: 60 };
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.append('image', new File([new Uint8Array(photo)], 'laptop.jpg', { type: 'image/jpeg' }));
  return fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  });
}
const uploadedBy = async (by: Person) => PhotoUploaded.parse(await (await upload(by)).json()).data.url;

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

async function measuredLaptop(by: Person, details: object = {}): Promise<string> {
  const image = await uploadedBy(by);
  const id = await shop.laptop(by, { ...details, image, description, condition: 'Good' });
  await measureAs(shop, by, id, thinkpad);
  return id;
}

const readCase = (_id: string) => admin.client.call(readInspection, { params: { _id } });

async function approve(id: string, photos: string[]) {
  const { version, measurement } = await readCase(id);
  const body = {
    ...{ version, measurementId: measurement._id, photos },
    ...{ kind: 'hand' as const, decision: 'approved' as const, grade: 'Good' as const },
    checklist: answerAll('met'),
  };
  return admin.client.call(decideInspection, { params: { _id: id }, body });
}

const shownPhotos = async (_id: string) =>
  (await shop.visitor.call(readMeasurement, { params: { _id } })).inspectionPhotos;

const decisionsAbout = async (id: string) =>
  (await shop.connection.pool.query('select * from inspections where laptop_id = $1', [id])).rows;

test('photos of an approval are shown while the laptop is inspected, and are kept', {
  tags: 'long',
}, async () => {
  const id = await measuredLaptop(seller);
  const photos = [await uploadedBy(admin), await uploadedBy(admin)];
  await approve(id, photos);
  expect(await shownPhotos(id)).toEqual(photos);
  expect((await readCase(id)).laptop.level).toBe('inspected_hand');
  const { inspectionClaims } = await shop.visitor.call(readMeasurement, { params: { _id: id } });
  expect(inspectionClaims.map(claimWords)).toEqual(Array(10).fill('Passed, in hand'));
  expect((await readCase(id)).decisions).toMatchObject([{ photos }]);
  const own = await seller.client.call(readOwnData, {});
  expect(own.inspections.find(({ laptop_id }) => laptop_id === id)).toMatchObject({ photos });

  // A seller who shows one of them and takes it away again does not remove it.
  const { laptop } = await readCase(id);
  await changeListing(seller, id, { image: laptop.image, images: [laptop.image, photos[0] ?? ''] });
  await changeListing(seller, id, { image: laptop.image, images: [laptop.image] });
  expect(await shownPhotos(id)).toEqual([]);
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH));
  expect(await Promise.all(photos.map(statusOf))).toEqual([200, 200]);
});

test('only photos that were uploaded to the shop are taken, and not more than the maximum', async () => {
  const id = await measuredLaptop(seller);
  const real = await uploadedBy(admin);
  const refused: string[][] = [
    ['https://elsewhere.example/laptop.jpg'],
    [real, real.replace('-64x48-', '-64x64-')],
    [real, real],
    Array.from({ length: MAXIMUM_INSPECTION_PHOTOS + 1 }, (_, at) => `${real}${at}`),
  ];
  for (const photos of refused) {
    await expect(approve(id, photos)).rejects.toMatchObject({
      status: 422,
      errors: { photos: expect.any(String) },
    });
  }
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH));
  await expect(approve(id, [real])).rejects.toMatchObject({
    errors: { photos: expect.stringContaining('choose it again') },
  });
  expect(await decisionsAbout(id)).toEqual([]);
  expect((await upload(await shop.buyer())).status).toBe(403);
});

test('the seller’s photos are not taken for the shop’s', async () => {
  const id = await measuredLaptop(seller);
  const { laptop } = await readCase(id);
  await expect(approve(id, [await uploadedBy(admin), laptop.image])).rejects.toMatchObject({
    status: 422,
    errors: { photos: expect.stringContaining('the seller’s') },
  });
  expect(await decisionsAbout(id)).toEqual([]);
});

test('an approval of another kind is not taken for a retry', async () => {
  const id = await measuredLaptop(seller);
  const photos = [await uploadedBy(admin)];
  const { version, measurement } = await readCase(id);
  await approve(id, photos);
  const fromPhotos = {
    ...{ version, measurementId: measurement._id, photos: [], kind: 'photos' as const },
    ...{ decision: 'approved' as const, grade: 'Good' as const, checklist: metFromPhotos },
  };
  await expect(
    admin.client.call(decideInspection, { params: { _id: id }, body: fromPhotos }),
  ).rejects.toMatchObject({ code: 'changed_elsewhere' });
});

test('a decision is never changed or deleted', async () => {
  const id = await measuredLaptop(seller);
  await approve(id, [await uploadedBy(admin)]);
  for (const statement of [
    `update inspections set note = 'Other' where laptop_id = $1`,
    'delete from inspections where laptop_id = $1',
  ]) {
    await expect(shop.connection.pool.query(statement, [id])).rejects.toThrow(
      'inspections are never changed',
    );
  }
  expect(await decisionsAbout(id)).toMatchObject([{ note: '' }]);
});

test('when a seller’s account ends, decisions about sold laptops stay without personal data, and others are deleted', async () => {
  const [leaver, buyer] = [await shop.seller('Sven Leaving'), await shop.buyer()];
  const contact = { mobile_number: '+351 966 000 333', location: 'His Own Street 9' };
  const [sold, unsold] = [await measuredLaptop(leaver, contact), await measuredLaptop(leaver, contact)];
  const [photoOfSold, photoOfUnsold] = [await uploadedBy(admin), await uploadedBy(admin)];
  await approve(sold, [photoOfSold]);
  await approve(unsold, [photoOfUnsold]);
  const sale = await sellLaptop(shop, { seller: leaver, buyer, laptopId: sold });
  await payOutSale(sale, admin);
  await completeOrder(shop, sale.orderId);
  await leaver.client.call(deleteOwnAccount, { query: { email: leaver.email } });

  expect(await decisionsAbout(unsold)).toEqual([]);
  const [kept, ...others] = await decisionsAbout(sold);
  expect(kept).toMatchObject({ decision: 'approved', grade: 'Good', inspector_id: admin.userId });
  expect(others).toEqual([]);
  for (const word of [leaver.email, 'Sven Leaving', '966 000 333', 'His Own Street']) {
    expect(JSON.stringify(kept)).not.toContain(word);
  }
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH));
  expect([await statusOf(photoOfSold), await statusOf(photoOfUnsold)]).toEqual([200, 404]);
});
