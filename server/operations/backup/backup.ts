import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { type PhotoStorage, StorageError } from '#server/listings/photos/storage.ts';
import { PHOTO_DELETION_LOCK } from '#server/platform/database/advisory-locks.ts';
import { withClient } from '#server/platform/database/connect.ts';
import * as archive from './archive.ts';
import { exportPhotos, openReferencedPhotos } from './photos.ts';
import * as rows from './rows.ts';

/** The parts of a shop that a backup reads. */
export interface BackupSource {
  connectionString: string;
  /** The shop's photo storage; null when another host stores the photos. */
  photos: PhotoStorage | null;
  /** The path of the generated secret; null when a secret is configured. */
  secretFile: string | null;
  secretFingerprint: string;
}

/** Runs `work` with a client without time limits, in whose text format values do not depend on the server's settings. */
export const withBackupClient = <Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> =>
  withClient(connectionString, async (client) => {
    await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
      set idle_session_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
      set client_encoding = 'UTF8'`);
    return work(client);
  });

async function writeContents(
  client: Client,
  { photos, secretFile, secretFingerprint }: BackupSource,
  add: archive.AddEntry,
): Promise<archive.Contents> {
  await client.query('begin transaction isolation level repeatable read read only');
  const migrations = await rows.readMigrations(client);
  if (migrations.length === 0) {
    throw new archive.BackupError('There is no shop in this database yet, so there is nothing to back up.');
  }
  const tables: archive.BackedUpTable[] = [];
  for (const table of await rows.listTables(client)) tables.push(await rows.exportTable(client, add, table));
  const sequences = await rows.readSequences(client);
  const referenced = await openReferencedPhotos(client);
  await client.query('commit');
  const exported =
    photos === null
      ? { photos: null, missingPhotos: { count: 0, first: [] } }
      : await exportPhotos(photos, add, referenced);
  if (secretFile !== null) await add(archive.SECRET, await readFile(secretFile));
  return {
    migrations,
    tables,
    sequences,
    ...exported,
    secret: { included: secretFile !== null, fingerprint: secretFingerprint },
  };
}

/**
 * Makes a backup while the shop runs: all rows of one read-only snapshot, then the photos that they reference. A photo is
 * stored before a row references it, is never changed, and is not deleted during the backup, so each one is found unless
 * the storage had lost it before.
 * @param signal ends the backup without a result
 * @throws BackupError when the database has no shop, or the photos cannot be read; the errors of `sink`
 */
export async function createBackup(
  source: BackupSource,
  sink: archive.ArchiveSink,
  signal?: AbortSignal,
): Promise<archive.Manifest> {
  try {
    return await withBackupClient(source.connectionString, async (client) => {
      // Held until the connection is closed.
      await client.query('select pg_advisory_lock_shared(hashtext($1))', [PHOTO_DELETION_LOCK]);
      return archive.writeArchive(sink, (add) => writeContents(client, source, add), signal);
    });
  } catch (error) {
    if (error instanceof StorageError) throw new archive.BackupError(`${error.message} No backup was made.`);
    throw error;
  }
}

/** Makes a backup in a file. @throws BackupError when the file exists, and the errors of {@link createBackup} */
export async function createBackupFile(source: BackupSource, file: string): Promise<archive.Manifest> {
  if (existsSync(file)) {
    throw new archive.BackupError(`${file} exists already; a backup never replaces another.`);
  }
  return createBackup(source, (content) => archive.writeFileSafely(file, content));
}
