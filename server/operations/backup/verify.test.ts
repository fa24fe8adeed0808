import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorageError } from '#server/listings/photos/storage.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { type ArchiveSource, archiveFile, RestoreImpossible } from './archive.ts';
import { createBackupFile } from './backup.ts';
import { refutesBackup, verifyBackup, withScratchDatabase } from './verify.ts';

let folder: string;
let database: TestDatabase;
let whole: Buffer;

const fingerprint = 'f'.repeat(32);

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-verify-'));
  database = await createTestDatabase();
  await query(
    database.url,
    `insert into users (email, name, is_admin, is_owner) values ('a@b.example', 'Ada', true, true)`,
  );
  const source = { connectionString: database.url, photos: null, secretFile: null };
  const file = join(folder, 'whole.tar');
  await createBackupFile({ ...source, secretFingerprint: fingerprint }, file);
  whole = await readFile(file);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Replaces a text in the manifest by one of the same length, and the manifest's hash, so that the archive is intact. */
async function withManifest(name: string, from: string, to: string): Promise<string> {
  const changed = Buffer.from(whole);
  const start = changed.lastIndexOf('{\n "migrations"');
  const end = changed.indexOf(0, start);
  const hashOf = () =>
    createHash('sha256').update('manifest.json\n').update(changed.subarray(start, end)).digest('hex');
  const before = hashOf();
  const at = changed.indexOf(from, start);
  expect([at > start, at < end, from.length]).toEqual([true, true, to.length]);
  changed.write(to, at);
  changed.write(hashOf(), changed.lastIndexOf(before));
  const path = join(folder, name);
  await writeFile(path, changed);
  return path;
}

const verify = (source: string | ArchiveSource, configuredFingerprint = fingerprint, signal?: AbortSignal) =>
  verifyBackup(
    typeof source === 'string' ? archiveFile(source) : source,
    { connectionString: database.url, origin: 'http://127.0.0.1', configuredFingerprint },
    signal,
  );

const scratchDatabases = async () =>
  (
    await query(
      database.url,
      `select from pg_database where datname = 'coomercio_backup_check_'
        || (select oid from pg_database where datname = current_database())`,
    )
  ).length;

test('a whole backup is restored beside the shop, which is not changed', async () => {
  const { tables } = await verify(join(folder, 'whole.tar'));
  expect(tables.find(({ name }) => name === 'users')?.rows).toBe(1);
  expect(await query(database.url, 'select from users')).toHaveLength(1);
  expect(await scratchDatabases()).toBe(0);
});

test('another number of rows and another secret refute a backup', async () => {
  const start = whole.lastIndexOf('{\n "migrations"');
  const users = whole.indexOf('"name": "users"', start);
  const rows = whole.indexOf('"rows": 1,', users);
  const stated = whole.subarray(users, rows).toString();
  const wrong = verify(await withManifest('rows.tar', `${stated}"rows": 1,`, `${stated}"rows": 3,`));
  await expect(wrong).rejects.toThrow('"public"."users" has 1 rows after the restore instead of 3.');
  await expect(wrong.catch(refutesBackup)).resolves.toBe(true);
  await expect(verify(join(folder, 'whole.tar'), 'another')).rejects.toThrow(
    'COOMERCIO_SECRET is not the secret that this backup was made with',
  );
  expect(await scratchDatabases()).toBe(0);
});

test('a backup of a newer shop cannot be verified, which says nothing about it', async () => {
  const newer = verify(await withManifest('newer.tar', '"0001-', '"9001-'));
  await expect(newer).rejects.toThrow(RestoreImpossible);
  await expect(newer.catch(refutesBackup)).resolves.toBe(false);
});

test('ending the shop ends a verification', async () => {
  const ending = new AbortController();
  const whole = archiveFile(join(folder, 'whole.tar'));
  let opened = 0;
  const aborting = {
    ...whole,
    // The second time its rows are written.
    open: () => {
      opened += 1;
      if (opened === 2) ending.abort();
      return whole.open();
    },
  };
  await expect(verify(aborting, fingerprint, ending.signal)).rejects.toThrow();
  expect([opened, await scratchDatabases()]).toEqual([2, 0]);
});

test('replaces a scratch database that a killed verification has left', async () => {
  await withScratchDatabase(database.url, async (url) => {
    await query(url, 'create table left_behind ()');
    await withScratchDatabase(database.url, async (next) => {
      expect(await query(next, `select from pg_class where relname = 'left_behind'`)).toEqual([]);
    });
  });
});

test('says what to do when the role may not create databases', async () => {
  const role = `limited_${process.pid}`;
  await query(database.url, `create role ${role} login password 'limited'`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'limited' }).href;
  await expect(withScratchDatabase(url, async () => undefined)).rejects.toThrow(
    new RestoreImpossible(
      `The role ${role} may not create a database to verify it in: run ALTER ROLE "${role}" CREATEDB.`,
    ),
  );
  await query(database.url, `drop role ${role}`);
});

test('a lost connection and a full disk say nothing about a backup; a broken constraint does', () => {
  const failure = (code: string) => Object.assign(new Error('of PostgreSQL'), { code });
  for (const code of ['57P01', '53100', '42501', 'ECONNRESET'])
    expect(refutesBackup(failure(code))).toBe(false);
  for (const code of ['23503', '22P02', '42703']) expect(refutesBackup(failure(code))).toBe(true);
  expect(refutesBackup(new StorageError('The bucket does not answer.'))).toBe(false);
});
