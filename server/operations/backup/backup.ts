import { access, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { type PhotoStorage, StorageError } from '#server/listings/photos/storage.ts';
import { PHOTO_DELETION_LOCK } from '#server/platform/database/advisory-locks.ts';
import {
  type AddEntry,
  type ArchiveSink,
  BackupError,
  type Manifest,
  SECRET,
  writeArchive,
  writeFileSafely,
} from './archive.ts';
import { exportPhotos, openReferencedPhotos, type PhotoProgress } from './photos.ts';
import { configureSession, exportTable, listTables, readQueueVersion, readSequences } from './rows.ts';

/** The parts of a shop that a backup reads. */
export interface BackupSource {
  connectionString: string;
  /** The shop's photo storage; null when another host stores the photos. */
  photos: PhotoStorage | null;
  /** The path of the generated secret; null when a secret is configured. */
  secretFile: string | null;
  secretFingerprint: string;
}

/**
 * Creates a client that may be idle for as long as copying photos takes. TCP keep-alive prevents a network from dropping
 * the connection. If it is lost, the next query fails.
 */
export function createLongLivedClient(connectionString: string): Client {
  const client = new Client({ connectionString, keepAlive: true, keepAliveInitialDelayMillis: 30_000 });
  client.on('error', () => undefined);
  return client;
}

async function writeContents(
  client: Client,
  { photos, secretFile, secretFingerprint }: BackupSource,
  add: AddEntry,
  onProgress: PhotoProgress,
): Promise<Omit<Manifest, 'entries'>> {
  await client.query('begin transaction isolation level repeatable read read only');
  const listed = await listTables(client);
  if (!listed.some(({ name }) => name === 'kysely_migration')) {
    throw new BackupError('There is no shop in this database yet, so there is nothing to back up.');
  }
  const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const tables: Manifest['tables'] = [];
  for (const table of listed) tables.push(await exportTable(client, add, table));
  const sequences = await readSequences(client);
  const queueVersion = await readQueueVersion(client);
  const referenced = await openReferencedPhotos(client);
  await client.query('commit');
  const exported =
    photos === null
      ? { photos: null, missingPhotos: { count: 0, first: [] } }
      : await exportPhotos(photos, add, referenced, onProgress);
  if (secretFile !== null) await add(SECRET, await readFile(secretFile));
  return {
    migrations: migrations.rows.map(({ name }) => name),
    queueVersion,
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
  sink: ArchiveSink,
  onProgress: PhotoProgress,
  signal?: AbortSignal,
): Promise<Manifest> {
  const client = createLongLivedClient(source.connectionString);
  await client.connect();
  try {
    await configureSession(client);
    // Held until the connection is closed.
    await client.query('select pg_advisory_lock_shared(hashtext($1))', [PHOTO_DELETION_LOCK]);
    return await writeArchive(sink, (add) => writeContents(client, source, add, onProgress), signal);
  } catch (error) {
    if (error instanceof StorageError) throw new BackupError(`${error.message} No backup was made.`);
    throw error;
  } finally {
    await client.end();
  }
}

/** Makes a backup in a file. @throws BackupError when the file exists, and the errors of {@link createBackup} */
export async function createBackupFile(
  source: BackupSource,
  file: string,
  onProgress: PhotoProgress,
): Promise<Manifest> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new BackupError(`${file} exists already; a backup never replaces another.`);
  return createBackup(source, (content) => writeFileSafely(file, content), onProgress);
}
