// A restored shop shows the admin's photos of an inspected laptop, and its certificate in all versions.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyCertificate } from '#contract/certification/certificate-verification.ts';
import {
  listCertificateVersions,
  readCertificate,
  readCertificateKeys,
} from '#contract/certification/certificates.ts';
import { decideInspection, readInspection } from '#contract/certification/inspection-queue.ts';
import { readMeasurement } from '#contract/certification/inspections.ts';
import { samplePicture, shopPictures, uploadPhoto } from '#demo/pictures.ts';
import { answerAll } from '#server/certification/inspections/testing/checklist.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { measureAs } from '#server/certification/inspections/testing/measure.ts';
import { openDiskStorage, type PhotoStorage } from '#server/listings/photos/storage.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { createTestDatabase } from '#tests/harness/platform/postgres.ts';
import { archiveFile } from './archive.ts';
import { createBackupFile } from './backup.ts';
import { restore } from './restore.ts';

const KEY = 'key of the test';

let folder: string;
let shop: TestShop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-inspected-'));
  shop = await openShop('first');
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const photosOf = (name: string): Promise<PhotoStorage> => openDiskStorage(join(folder, name));

/** Starts a shop with its photos in a folder of this name. */
async function openShop(name: string, database?: TestShop['database']): Promise<TestShop> {
  const storage = await photosOf(name);
  return startTestShop({
    ...(database !== undefined && { database }),
    photoKey: KEY,
    dependencies: async ({ origin, folder: shopFolder }) => ({
      photos: { origin, key: KEY, storage, spoolFolder: join(shopFolder, 'uploads') },
    }),
  });
}

const upload = ({ token }: Person, picture = samplePicture) =>
  uploadPhoto(picture, { photosUrl: `${shop.origin}/photos`, photoKey: KEY, token });

/** Lists and measures a laptop, and approves it with a photo. @returns its id */
async function inspectedLaptop(): Promise<string> {
  const [seller, admin] = await Promise.all([shop.seller(), shop.admin()]);
  const description = { Memory: '16 GB', Storage: '512 GB SSD', Processor: 'Core i5-10310U' };
  const image = await upload(seller);
  const _id = await shop.laptop(seller, { image, description, condition: 'Good' });
  await measureAs(shop, seller, _id, thinkpad);
  await shop.visitor.call(readCertificate, { params: { _id } });
  const { version, measurement } = await admin.client.call(readInspection, { params: { _id } });
  await admin.client.call(decideInspection, {
    params: { _id },
    body: {
      ...{
        version,
        measurementId: measurement._id,
        photos: [await upload(admin, shopPictures({ name: 'Dell Latitude 7420' })[0])],
      },
      ...{ kind: 'hand', decision: 'approved', grade: 'Good', checklist: answerAll('met') },
    },
  });
  return _id;
}

/** What a visitor sees of a laptop, with the bytes of the admin's photos. */
async function shownIn({ visitor, origin }: TestShop, _id: string) {
  const params = { params: { _id } };
  const { inspectionPhotos, measurement } = await visitor.call(readMeasurement, params);
  const photos = await Promise.all(
    inspectionPhotos.map(async (url) => {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      return { path: url.replace(origin, ''), bytes: Buffer.from(await response.arrayBuffer()) };
    }),
  );
  return { measurement, photos };
}

test('a restored shop has the photos of an inspection, and the certificate with all its versions', {
  tags: 'long',
}, async () => {
  const _id = await inspectedLaptop();
  const params = { params: { _id } };
  const before = await shownIn(shop, _id);
  expect(before.photos).toHaveLength(1);
  const { jws } = await shop.visitor.call(readCertificate, params);
  const { versions } = await shop.visitor.call(listCertificateVersions, params);
  expect(versions.map(({ version, level }) => [version, level])).toEqual([
    [2, 'inspected_hand'],
    [1, 'measured'],
  ]);

  const [file, photos, database] = [
    join(folder, 'shop.tar'),
    await photosOf('first'),
    await createTestDatabase(),
  ];
  const source = { photos, secretFile: null, secretFingerprint: 'the same' };
  await createBackupFile({ connectionString: shop.database.url, ...source }, file);
  await restore(
    {
      connectionString: database.url,
      photos: await photosOf('second'),
      secretFile: join(folder, 'secret'),
      configuredFingerprint: 'the same',
      origin: shop.origin,
    },
    archiveFile(file),
    {},
  );

  const restored = await openShop('second', database);
  try {
    expect(await shownIn(restored, _id)).toEqual(before);
    expect((await restored.visitor.call(listCertificateVersions, params)).versions).toEqual(versions);
    // The shop's keys come from its secret: what was saved before the loss is verified with those after it.
    const keys = await restored.visitor.call(readCertificateKeys, {});
    const issuer = { ...keys, issuer: shop.origin };
    const { isGenuine, findings } = await verifyCertificate(jws ?? '', issuer, null, new Date());
    expect(findings.filter(({ passed }) => passed === false)).toEqual([]);
    expect(isGenuine).toBe(true);
  } finally {
    await restored.close();
  }
});
