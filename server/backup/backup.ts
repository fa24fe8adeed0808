import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { PHOTO_DELETION_LOCK } from '../database/connect.ts';
import { type PhotoStorage, StorageError } from '../photos/storage.ts';
import { type ArchiveWriter, BackupProblem, type Manifest, writeArchive } from './archive.ts';
import { exportPhotos, type PhotoProgress } from './export-photos.ts';
import { holdNamedPhotos } from './named-photos.ts';
import { exportTable, prepareSession, queueVersionOf, sequencesOf, tablesOf } from './rows.ts';

/** What is backed up. */
export interface BackupSource {
  connectionString: string;
  /** Where the shop keeps its photos; null when another host does. */
  photos: PhotoStorage | null;
  /** The file of the generated secret; null when one is configured. */
  secretFile: string | null;
  /** What tells the shop's secret from others. */
  secretMark: string;
}

/** What a backup holds. */
export interface BackupSummary {
  tables: number;
  rows: number;
  photos: number | null;
  /** Photos that laptops show and that were nowhere when it was made: how many, and the first of them. */
  missingPhotos: Manifest['missingPhotos'];
  /** Of the file, in bytes. */
  bytes: number;
}

/** @param bytes of the file */
export function summaryOf(
  { tables, photos, missingPhotos }: Pick<Manifest, 'tables' | 'photos' | 'missingPhotos'>,
  bytes: number,
): BackupSummary {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows, photos, missingPhotos, bytes };
}

/**
 * A connection on which nothing may be said for as long as photos take. That it broke is told by the next query on it.
 */
export function longConnection(connectionString: string): Client {
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
 * While the connection lives, no photo is removed.
 * @throws BackupProblem when it does not any more
 */
async function demandStillLocked(client: Client): Promise<void> {
  try {
    await client.query('select');
  } catch {
    throw new BackupProblem(
      'The connection to the database was lost while the photos were read, and with it what keeps them from being removed. No backup was made.',
    );
  }
}

/**
 * Writes a backup while the shop runs: all rows as of one moment, in one read-only snapshot, and then the photos that
 * they name. A photo is there before a row names it and is never changed, and none is removed meanwhile, so each is
 * found, unless it was lost before.
 * @param progress told of each photo
 * @throws BackupProblem when the file exists, there is no shop in the database, or its photos cannot be read
 */
export async function backUp(
  source: BackupSource,
  file: string,
  progress: PhotoProgress,
): Promise<BackupSummary> {
  if (await exists(file)) throw new BackupProblem(`${file} exists already; a backup never replaces another.`);
  const client = longConnection(source.connectionString);
  await client.connect();
  try {
    await prepareSession(client);
    // Until the end, when the connection closes.
    await client.query('select pg_advisory_lock_shared(hashtext($1))', [PHOTO_DELETION_LOCK]);
    const manifest = await writeArchive(file, (archive) => write(client, source, archive, progress));
    return summaryOf(manifest, (await stat(file)).size);
  } catch (error) {
    if (error instanceof StorageError) throw new BackupProblem(`${error.message} No backup was made.`);
    throw error;
  } finally {
    await client.end();
  }
}

async function write(
  client: Client,
  source: BackupSource,
  archive: ArchiveWriter,
  progress: PhotoProgress,
): Promise<Omit<Manifest, 'entries'>> {
  await client.query('begin transaction isolation level repeatable read read only');
  const tables = await tablesOf(client);
  if (!tables.some(({ name }) => name === 'kysely_migration')) {
    throw new BackupProblem('There is no shop in this database yet, so there is nothing to back up.');
  }
  const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const exported: Manifest['tables'] = [];
  for (const table of tables) exported.push(await exportTable(client, archive, table));
  const sequences = await sequencesOf(client);
  const queueVersion = await queueVersionOf(client);
  const recorded = tables.some(({ schema, name }) => schema === 'public' && name === 'photos');
  const named = await holdNamedPhotos(client, recorded);
  await client.query('commit');
  const photos = source.photos === null ? null : await exportPhotos(source.photos, archive, named, progress);
  await demandStillLocked(client);
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
    photos: photos === null ? null : photos.files,
    missingPhotos: photos === null ? { count: 0, first: [] } : photos.missing,
    secret: { included: source.secretFile !== null, mark: source.secretMark },
  };
  await archive.finish(manifest);
  return manifest;
}

/** Where the generated secret of a data folder is. */
export const secretFileIn = (dataFolder: string) => join(dataFolder, 'secret');
