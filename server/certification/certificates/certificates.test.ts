import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  claimWords,
  ISSUER_METADATA_PATH,
  IssuerMetadata,
  KEY_SET_PATH,
  listCertificateVersions,
  readCertificate,
  readCertificateKeys,
  readCertificateStatus,
} from '#contract/certification/certificates.ts';
import { checklistItems } from '#contract/certification/checklist.ts';
import { decideInspection, readInspection } from '#contract/certification/inspection-queue.ts';
import { readMeasurement } from '#contract/certification/inspections.ts';
import { deleteOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { reportLaptop, takeDownLaptop } from '#contract/listings/reports.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import {
  certificateSecret,
  type Person,
  type SharedShop,
  sharedShop,
} from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { metFromPhotos } from '../inspections/testing/checklist.ts';
import { openSigner, revokeKey, rotateKey } from './keys.ts';
import { renewAll } from './renewal.ts';
import { removeCertificatesOf } from './steps.ts';
import { measure } from './testing/measure.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller('Sofia Seller');
});

const params = (laptopId: string) => ({ params: { _id: laptopId } });
const read = (laptopId: string) => shop.visitor.call(readCertificate, params(laptopId));
const status = (laptopId: string) => shop.visitor.call(readCertificateStatus, params(laptopId));

async function measuredLaptop(): Promise<string> {
  const laptopId = await shop.laptop(seller);
  await measure(shop, seller, laptopId);
  return laptopId;
}

/** Verifies a JWS without the library that signed it. */
async function isSigned(jws: string | null): Promise<boolean> {
  const [header = '', payload = '', signature = ''] = (jws ?? '').split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const { jwks } = await shop.visitor.call(readCertificateKeys, {});
  const key = jwks.keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) return false;
  return verify(
    null,
    Buffer.from(`${header}.${payload}`),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
}

test('a measured laptop gets a certificate that node:crypto verifies; one without a measurement has none', async () => {
  await expect(read(await shop.laptop(seller))).rejects.toMatchObject({ code: 'not_found' });
  const laptopId = await measuredLaptop();
  const { jws, credential, status: state } = await read(laptopId);
  expect(await isSigned(jws)).toBe(true);
  expect(JSON.parse(Buffer.from(jws?.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
    alg: 'EdDSA',
    typ: 'vc+jwt',
  });
  expect(state).toMatchObject({ latestVersion: 1, revoked: null });
  expect(credential).toMatchObject({
    type: ['DigitalProductPassport', 'VerifiableCredential'],
    issuer: { id: shop.origin },
    credentialSubject: { id: `${shop.origin}/c/${laptopId}`, version: 1 },
  });
});

test('a certificate says of each fact of the listing whether it was measured', async () => {
  const laptopId = await shop.laptop(seller, {
    description: {
      Processor: 'Intel Core i5-1145G7',
      Memory: '16 GB',
      Storage: '512 GB SSD',
      Graphics: 'the fast one',
      Battery: '91 % health',
    },
  });
  await measure(shop, seller, laptopId);
  const sources = async () => {
    const { credential } = await read(laptopId);
    const claims = credential?.credentialSubject.certificate.claims ?? [];
    return Object.fromEntries(
      claims.flatMap(({ section, name, source }) => (section === 'listing' ? [[name, source]] : [])),
    );
  };
  expect(await sources()).toEqual({
    // The battery that was read stands in its own section, and the seller's percentage nowhere.
    ...{ Name: null, Brand: null, Condition: null },
    Processor: 'the seller; measured: processor family, processor generation',
    Memory: 'the seller; measured: memory',
    Storage: 'the seller; not compared: largest drive, because the laptop did not report it',
    Graphics:
      'the seller; not compared: kind of graphics, because the words of the listing could not be read as a value',
  });

  // As a later version of the rules reads the description.
  await shop.connection.pool.query(`update laptops set graphics = 'integrated' where id = $1`, [laptopId]);
  expect(await sources()).toMatchObject({
    Graphics: 'the seller; not compared: kind of graphics, because the laptop did not report it',
  });
});

test('the keys are at the well-known addresses', async () => {
  const metadata = IssuerMetadata.parse(await (await fetch(`${shop.origin}${ISSUER_METADATA_PATH}`)).json());
  expect(metadata.issuer).toBe(shop.origin);
  expect(await (await fetch(`${shop.origin}${KEY_SET_PATH}`)).json()).toEqual(metadata.jwks);
});

test('says nothing about the seller that identifies them', async () => {
  const laptopId = await measuredLaptop();
  const text = JSON.stringify(await read(laptopId));
  for (const personal of ['Sofia', seller.email, '+351', 'Lisbon', `5CG${laptopId.slice(0, 8)}`]) {
    expect(text).not.toContain(personal);
  }
});

test('unknown values are claims, and are not given as measured', async () => {
  const laptopId = await measuredLaptop();
  const claims = (await read(laptopId)).credential?.credentialSubject.certificate.claims ?? [];
  expect(claims).toContainEqual({
    section: 'machine',
    name: 'Display',
    state: 'unknown',
    value: null,
    source: null,
  });
  expect(claims.find(({ name }) => name === 'Activation Lock')?.state).toBe('unknown');
  expect(claims.filter(({ state, value }) => state === 'unknown' && value !== null)).toEqual([]);
});

test('a new version is issued when what it says changes, with the differences, and none when nothing has', async () => {
  const laptopId = await measuredLaptop();
  await read(laptopId);
  await measure(shop, seller, laptopId, { health: 88 });
  const { versions } = await shop.visitor.call(listCertificateVersions, params(laptopId));
  expect(versions.map(({ version }) => version)).toEqual([2, 1]);
  expect(versions[0]?.changes).toContainEqual({
    section: 'battery',
    name: 'Health',
    before: '91 % of its capacity when new',
    after: '88 % of its capacity when new',
  });
  const { certificates } = await seller.client.call(readOwnData, {});
  expect(certificates.filter(({ laptop_id }) => laptop_id === laptopId)).toEqual([
    expect.objectContaining({ version: 1, jws: expect.any(String), revoked_at: null }),
    expect.objectContaining({ version: 2, jws: (await read(laptopId)).jws, revocation_reason: null }),
  ]);
  await shop.connection.pool.query('insert into certificates_to_renew (laptop_id) values ($1)', [laptopId]);
  expect((await status(laptopId)).latestVersion).toBe(2);
});

test('says what the shop looked at and what it did not while the laptop is inspected, and no longer after an edit', async () => {
  const laptopId = await measuredLaptop();
  const inspectionClaims = async () => {
    const content = (await read(laptopId)).credential?.credentialSubject.certificate;
    return content?.claims.filter(({ section }) => section === 'inspection') ?? null;
  };
  expect(await inspectionClaims()).toEqual([]);
  const admin = await shop.admin();
  const { version, measurement } = await admin.client.call(readInspection, params(laptopId));
  await admin.client.call(decideInspection, {
    ...params(laptopId),
    body: {
      ...{ version, measurementId: measurement._id, kind: 'photos' },
      ...{ decision: 'approved', grade: 'Excellent', checklist: metFromPhotos },
    },
  });
  const claims = await inspectionClaims();
  expect(claims?.map(({ name }) => name)).toEqual([
    'Grade',
    ...Object.values(checklistItems).map(({ text }) => text),
  ]);
  expect(claims?.map(claimWords)).toEqual([
    ...['Excellent', 'Seen in the photos', 'Not checked', 'Seen in the photos'],
    ...Array(6).fill('Not checked'),
    'Passed',
  ]);
  const { versions } = await shop.visitor.call(listCertificateVersions, params(laptopId));
  expect(versions[0]?.level).toBe('inspected_photos');
  await changeListing(seller, laptopId, { use_time: '3 years' });
  expect(await inspectionClaims()).toEqual([]);
});

test('ten concurrent readers after a measurement see one new version', async () => {
  const laptopId = await measuredLaptop();
  const read = await Promise.all(Array.from({ length: 10 }, () => status(laptopId)));
  expect(new Set(read.map(({ latestVersion }) => latestVersion))).toEqual(new Set([1]));
  const { versions } = await shop.visitor.call(listCertificateVersions, params(laptopId));
  expect(versions).toHaveLength(1);
});

test('is renewed by the timer too, when nobody reads it, by two processes at once', async () => {
  const laptopId = await measuredLaptop();
  const { database, pool } = shop.connection;
  const dependencies = {
    ...{ database, origin: shop.origin },
    shop: () => defaultShopSettings,
    certificateSecrets: [certificateSecret],
  } as const;
  const renew = () =>
    renewAll(dependencies, new AbortController().signal, (error) => {
      throw error;
    });
  await Promise.all([renew(), renew()]);
  const { rows } = await pool.query('select version from certificate_versions where laptop_id = $1', [
    laptopId,
  ]);
  expect(rows).toEqual([{ version: 1 }]);
});

test.each([
  ['a contradiction', 'contradicted', (id: string) => measure(shop, seller, id, { gigabytes: 8 })],
  ['a lock', 'lock_found', (id: string) => measure(shop, seller, id, { locked: true })],
  [
    'a take-down',
    'taken_down',
    async (id: string) => {
      const [admin, buyer] = [await shop.admin(), await shop.buyer()];
      await buyer.client.call(reportLaptop, {
        body: { productCode: id, reason: 'Stolen', note: 'It is mine.' },
      });
      await admin.client.call(takeDownLaptop, { ...params(id), body: { note: 'Stolen' } });
    },
  ],
  ['a withdrawal', 'withdrawn', (id: string) => seller.client.call(deleteOwnLaptop, params(id))],
])('%s revokes it', async (_name, reason, happen) => {
  const laptopId = await measuredLaptop();
  await read(laptopId);
  await happen(laptopId);
  const { revoked, latestVersion } = await status(laptopId);
  expect(revoked?.reason).toBe(reason);
  expect(latestVersion).toBe(1);
  // An admin takes down what the seller wrote; anything else stays readable, marked as revoked.
  const isErased = reason === 'taken_down';
  expect((await read(laptopId)).credential === null).toBe(isErased);
  const { versions } = await shop.visitor.call(listCertificateVersions, params(laptopId));
  expect(versions[0]?.measuredAt === null).toBe(isErased);
  if (reason === 'contradicted') return;
  await expect(shop.visitor.call(readMeasurement, params(laptopId))).rejects.toMatchObject({
    code: 'no_longer_for_sale',
  });
});

test('a laptop that is listed again gets a new version; the revoked one stays revoked', async () => {
  const laptopId = await measuredLaptop();
  await read(laptopId);
  await seller.client.call(deleteOwnLaptop, params(laptopId));
  expect((await status(laptopId)).revoked?.reason).toBe('withdrawn');
  await seller.client.call(relistLaptop, {
    ...params(laptopId),
    body: { posted_time: 'Nov 22, 2026, 11:00 AM' },
  });
  const { versions } = await shop.visitor.call(listCertificateVersions, params(laptopId));
  expect(versions.map(({ revoked }) => revoked?.reason ?? null)).toEqual([null, 'withdrawn']);
});

test('the certificate of a sold laptop holds as of its date', async () => {
  const laptopId = await measuredLaptop();
  await read(laptopId);
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, laptopId);
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { transactionId, bookingId } });
  expect(await status(laptopId)).toMatchObject({ latestVersion: 1, revoked: null });
  await shop.connection.database
    .transaction()
    .execute((transaction) => removeCertificatesOf(transaction, seller.userId));
  expect((await read(laptopId)).jws).not.toBeNull();
});

test('what was wrong with a laptop before its sale revokes its certificate, also when it is renewed after the sale', async () => {
  const laptopId = await measuredLaptop();
  expect(await status(laptopId)).toMatchObject({ revoked: null });
  // Sold before the certificate is renewed.
  await changeListing(seller, laptopId, { description: { Memory: '64 GB' } });
  await sellLaptop(shop, { seller, laptopId });
  expect(await status(laptopId)).toMatchObject({ latestVersion: 1, revoked: { reason: 'contradicted' } });
});

test('a deleted account takes the content along and leaves the revocation', async () => {
  const laptopId = await measuredLaptop();
  await read(laptopId);
  await shop.connection.database
    .transaction()
    .execute((transaction) => removeCertificatesOf(transaction, seller.userId));
  expect(await read(laptopId)).toMatchObject({
    jws: null,
    credential: null,
    status: { revoked: { reason: 'account_deleted' } },
  });
});

test('after a rotation old certificates verify, and new ones have the new key', async () => {
  const old = await measuredLaptop();
  const before = (await read(old)).jws;
  const kid = await rotateKey(shop.connection.database, [certificateSecret]);
  expect(await isSigned(before)).toBe(true);
  expect(await status(old)).toMatchObject({ latestVersion: 1, revoked: null });
  const { jws } = await read(await measuredLaptop());
  expect(JSON.parse(Buffer.from(jws?.split('.')[0] ?? '', 'base64url').toString()).kid).toBe(kid);
  expect(await isSigned(jws)).toBe(true);
});

test('a revoked key is published as revoked, and its certificates are issued again with another key', async () => {
  const laptopId = await measuredLaptop();
  const before = (await read(laptopId)).jws;
  const { kid } = JSON.parse(Buffer.from(before?.split('.')[0] ?? '', 'base64url').toString());
  const revoked = await revokeKey(shop.connection.database, [certificateSecret], kid);
  expect(revoked?.certificates).toBeGreaterThan(0);
  expect(await revokeKey(shop.connection.database, [certificateSecret], kid)).toBeNull();
  expect(await isSigned(before)).toBe(false);
  const keys = await shop.visitor.call(readCertificateKeys, {});
  expect(keys.revoked_keys.map((key) => key.kid)).toContain(kid);
  const after = await read(laptopId);
  expect(after.status.latestVersion).toBe(2);
  expect(await isSigned(after.jws)).toBe(true);
});

test('the command that verifies ends quietly when the reader of its output has gone', async () => {
  const { jws } = await read(await measuredLaptop());
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-verify-'));
  try {
    await writeFile(join(folder, 'certificate'), jws ?? '');
    await writeFile(join(folder, 'keys'), JSON.stringify(await shop.visitor.call(readCertificateKeys, {})));
    const command =
      '"$0" server/certification/certificates/verify-command.ts "$1/certificate" --keys "$1/keys"';
    const verifyWith = (reader: string) =>
      promisify(execFile)('sh', ['-c', `${command} | ${reader}`, process.execPath, folder]);
    expect((await verifyWith('cat')).stdout).toContain('The certificate is genuine.');
    expect((await verifyWith('true')).stderr).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('with another secret, as after a restore without it, a new key signs and old certificates still verify', async () => {
  const laptopId = await measuredLaptop();
  const before = (await read(laptopId)).jws;
  const signer = await openSigner(shop.connection.database, [new Uint8Array(32).fill(99)]);
  expect(await isSigned(await signer.sign({ a: 1 }))).toBe(true);
  expect(await isSigned(before)).toBe(true);
});
