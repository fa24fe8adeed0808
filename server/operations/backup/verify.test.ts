import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { post } from '#server/money/ledger/steps.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createSampleShops, laptopPhoto } from '#tests/harness/operations/backup-shops.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { BackupError, toFile, writeArchive } from './archive.ts';
import { createBackupFile } from './backup.ts';
import { archiveFile, verifiedEntries, verifyArchive } from './read-archive.ts';
import { withScratchDatabase } from './scratch-database.ts';
import { refutesBackup, verifyByRestore } from './verify.ts';

let folder: string;
let database: TestDatabase;
let connection: Connection;
let whole: Buffer;

const origin = 'http://127.0.0.1';
const secretFingerprint = 'f'.repeat(32);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-verify-'));
  database = await createTestDatabase();
  connection = connect(database.url, () => undefined);
  await connection.database.transaction().execute((transaction) =>
    post(transaction, {
      kind: 'bank_payout',
      reference: 'po_1',
      entries: [
        { account: 'processor', amountCents: -54_321, orderId: null },
        { account: 'bank', amountCents: 54_321, orderId: null },
      ],
    }),
  );
  const source = { connectionString: database.url, photos: null, secretFile: null, secretFingerprint };
  await createBackupFile(source, join(folder, 'whole.tar'), () => undefined);
  whole = await readFile(join(folder, 'whole.tar'));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Replaces a text in the manifest by one of the same length, and the manifest's hash, so that the archive is intact. */
async function withManifest(name: string, from: string, to: string): Promise<string> {
  const changed = Buffer.from(whole);
  const start = changed.lastIndexOf('{\n "format"');
  const end = changed.indexOf(0, start);
  const hashOf = () => createHash('sha256').update(changed.subarray(start, end)).digest('hex');
  const before = hashOf();
  const at = changed.indexOf(from, start);
  expect([at > start, at < end, from.length]).toEqual([true, true, to.length]);
  changed.write(to, at);
  const hashAt = changed.lastIndexOf(before);
  expect(hashAt).toBeGreaterThan(end);
  changed.write(hashOf(), hashAt);
  const path = join(folder, name);
  await writeFile(path, changed);
  return path;
}

const verify = (path: string, fingerprint = secretFingerprint) =>
  withScratchDatabase({ directUrl: database.url, verifyUrl: null }, (scratchUrl) =>
    verifyByRestore(archiveFile(path), scratchUrl, { secretFingerprint: fingerprint, origin }),
  );

test('a whole backup is restored, and its ledger has the same balances', async () => {
  expect((await verify(join(folder, 'whole.tar'))).ledgerBalances).toEqual([
    { account: 'bank', cents: '54321' },
    { account: 'processor', cents: '-54321' },
  ]);
});

test('other balances, another number of rows and another secret refute a backup', async () => {
  const balances = verify(await withManifest('balances.tar', '"54321"', '"54322"'));
  await expect(balances).rejects.toThrow(
    new BackupError('The ledger’s account bank has 54321 cents after the restore instead of 54322.'),
  );
  await expect(balances.catch(refutesBackup)).resolves.toBe(true);
  const rows = await withManifest('rows.tar', '"rows": 2,', '"rows": 3,');
  await expect(verify(rows)).rejects.toThrow(/ received 2 rows instead of 3\.$/);
  await expect(verify(join(folder, 'whole.tar'), 'another')).rejects.toThrow(
    'COOMERCIO_SECRET is not the secret that this backup was made with',
  );
});

test('a photo that a laptop shows must be in the backup', async () => {
  const shops = await createSampleShops();
  onTestFinished(() => shops.close());
  const shop = await shops.createFilled('disk');
  const file = shops.newPath();
  await shop.backUp(file);
  const verifyPhotos = (path: string) =>
    withScratchDatabase({ directUrl: shop.url, verifyUrl: null }, (scratchUrl) =>
      verifyByRestore(archiveFile(path), scratchUrl, { secretFingerprint: 'the same', origin }),
    );
  expect(await verifyPhotos(file)).toMatchObject({ photos: 6, missingPhotos: { count: 0 } });

  // The same backup without one photo, whose manifest does not know of it.
  const { master } = laptopPhoto('Laptop 1');
  const { manifest } = await verifyArchive(archiveFile(file));
  const incomplete = shops.newPath();
  await writeArchive(toFile(incomplete), async (archive) => {
    for await (const { name, content } of verifiedEntries(archiveFile(file))) {
      if (name !== `photos/${master}`) await archive.add(name, await buffer(content));
    }
    await archive.finish({ ...manifest, photos: 5 });
  });
  await expect(verifyPhotos(incomplete)).rejects.toThrow(
    new BackupError('Of the photos that laptops show it lacks 1; the storage had lost 0.'),
  );
});

test('ending the shop ends a verification', async () => {
  const ending = new AbortController();
  await withScratchDatabase({ directUrl: database.url, verifyUrl: null }, async (scratchUrl) => {
    const source = archiveFile(join(folder, 'whole.tar'));
    let opened = 0;
    const aborting = {
      ...source,
      // The second time its rows are written.
      open: () => {
        opened += 1;
        if (opened === 2) ending.abort();
        return source.open();
      },
    };
    const shop = { secretFingerprint, origin };
    await expect(verifyByRestore(aborting, scratchUrl, shop, ending.signal)).rejects.toThrow();
  });
});

test('a lost connection and a full disk say nothing about a backup; a broken constraint does', () => {
  const failure = (code: string) => Object.assign(new Error('of PostgreSQL'), { code });
  expect(['57P01', '53100', '42501', 'ECONNRESET'].map((code) => refutesBackup(failure(code)))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(['23503', '22P02', '42703'].map((code) => refutesBackup(failure(code)))).toEqual([true, true, true]);
});
