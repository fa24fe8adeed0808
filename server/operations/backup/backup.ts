import { access, readFile, stat } from 'node:fs/promises';
import { Client } from 'pg';
import { type PhotoStorage, StorageError } from '#server/listings/photos/storage.ts';
import { PHOTO_DELETION_LOCK } from '#server/platform/database/advisory-locks.ts';
import {
  type ArchiveSink,
  type ArchiveWriter,
  BackupError,
  type Manifest,
  toFile,
  writeArchive,
} from './archive.ts';
import { exportPhotos, type PhotoProgress } from './export-photos.ts';
import { openReferencedPhotos } from './referenced-photos.ts';
import {
  configureSession,
  exportTable,
  listTables,
  readLedgerBalances,
  readQueueVersion,
  readSequences,
} from './rows.ts';

/** The parts of a shop that a backup reads. */
export interface BackupSource {
  connectionString: string;
  /** The shop's photo storage; null when another host stores the photos. */
  photos: PhotoStorage | null;
  /** The path of the generated secret; null when a secret is configured. */
  secretFile: string | null;
  secretFingerprint: string;
}

/** The contents of a backup in numbers. */
export type BackupSummary = ReturnType<typeof summarize>;

/** @param bytes the size of the file */
export function summarize(
  { tables, photos, missingPhotos }: Pick<Manifest, 'tables' | 'photos' | 'missingPhotos'>,
  bytes: number,
) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows, photos, missingPhotos, bytes };
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Checks that the connection, and with it the lock that prevents the deletion of photos, still exists.
 * @throws BackupError when the connection was lost
 */
async function assertLockHeld(client: Client): Promise<void> {
  try {
    await client.query('select');
  } catch {
    throw new BackupError(
      'The connection to the database was lost while the photos were read, and with it the lock that prevents their deletion. No backup was made.',
    );
  }
}

/**
 * Makes a backup while the shop runs: all rows of one read-only snapshot, then the photos that they reference. A photo is
 * stored before a row references it, is never changed, and is not deleted during the backup, so each one is found unless
 * the storage had lost it before.
 * @param onProgress called for each photo
 * @param signal ends the backup without a result
 * @throws BackupError when the database has no shop, or the photos cannot be read; the errors of `sink`
 */
export async function createBackup(
  source: BackupSource,
  sink: ArchiveSink,
  onProgress: PhotoProgress,
  signal?: AbortSignal,
): Promise<Omit<Manifest, 'entries'>> {
  const client = createLongLivedClient(source.connectionString);
  await client.connect();
  try {
    await configureSession(client);
    // Held until the connection is closed.
    await client.query('select pg_advisory_lock_shared(hashtext($1))', [PHOTO_DELETION_LOCK]);
    return await writeArchive(sink, (archive) => writeContents(client, source, archive, onProgress), signal);
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
): Promise<BackupSummary> {
  if (await exists(file)) throw new BackupError(`${file} exists already; a backup never replaces another.`);
  const manifest = await createBackup(source, toFile(file), onProgress);
  return summarize(manifest, (await stat(file)).size);
}

async function writeContents(
  client: Client,
  source: BackupSource,
  archive: ArchiveWriter,
  onProgress: PhotoProgress,
): Promise<Omit<Manifest, 'entries'>> {
  await client.query('begin transaction isolation level repeatable read read only');
  const tables = await listTables(client);
  if (!tables.some(({ name }) => name === 'kysely_migration')) {
    throw new BackupError('There is no shop in this database yet, so there is nothing to back up.');
  }
  const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const exported: Manifest['tables'] = [];
  for (const table of tables) exported.push(await exportTable(client, archive, table));
  const sequences = await readSequences(client);
  const queueVersion = await readQueueVersion(client);
  const ledgerBalances = await readLedgerBalances(client);
  const referenced = await openReferencedPhotos(client);
  await client.query('commit');
  const photos =
    source.photos === null ? null : await exportPhotos(source.photos, archive, referenced, onProgress);
  await assertLockHeld(client);
  if (source.secretFile !== null) {
    const secret = await readFile(source.secretFile);
    await archive.add('secret', secret);
  }
  const manifest = {
    format: 'coomercio-backup' as const,
    version: 2 as const,
    createdAt: new Date().toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    queueVersion,
    tables: exported,
    sequences,
    ledgerBalances,
    photos: photos === null ? null : photos.files,
    missingPhotos: photos === null ? { count: 0, first: [] } : photos.missing,
    secret: { included: source.secretFile !== null, mark: source.secretFingerprint },
  };
  await archive.finish(manifest);
  return manifest;
}
