import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from 'pg';
import { StorageError } from '#server/listings/photos/storage.ts';
import { BackupError, type Manifest } from './archive.ts';
import { type BackupSummary, createLongLivedClient, summarize } from './backup.ts';
import type { PhotoProgress } from './export-photos.ts';
import { type ArchiveSource, type VerifiedArchive, verifiedEntries, verifyArchive } from './read-archive.ts';
import { REFERENCED_PHOTOS } from './referenced-photos.ts';
import { beginPhotoRestore, type PhotoRestore } from './restore-photos.ts';
import { prepareSchema, type RestoreTarget, requireNoOtherConnections } from './restore-target.ts';
import {
  configureSession,
  dropForeignKeys,
  findOccupiedTable,
  importTable,
  readTableParts,
  setTriggers,
  truncateTables,
} from './rows.ts';

/**
 * Checks that the shop has no data that a restore would overwrite. Photos that an interrupted restore wrote do not
 * count while there are no rows.
 */
async function requireEmpty(client: Client, photos: PhotoRestore | null): Promise<void> {
  const occupiedTable = await findOccupiedTable(client);
  const wasInterrupted = photos?.existing.wasInterrupted === true;
  if (occupiedTable === null && (wasInterrupted || photos?.existing.hasPhotos !== true)) return;
  if (wasInterrupted) {
    throw new BackupError(
      'A restore into this shop was interrupted before its end. Say --replace to do it again and to lose what is here.',
    );
  }
  const existingData =
    occupiedTable === null ? `photos in ${photos?.description}` : `data (in ${occupiedTable})`;
  throw new BackupError(
    `This shop has ${existingData} of its own. Restore into an empty one, or say --replace to lose what is here.`,
  );
}

/**
 * Finds the secret with which the restored shop runs.
 * @returns the secret in the archive; null when the configured one is the same
 * @throws BackupError when the archive's secret differs from the configured one or is missing
 */
export async function resolveSecret(
  source: ArchiveSource,
  archive: VerifiedArchive,
  target: Pick<RestoreTarget, 'configuredFingerprint' | 'fingerprintOf'>,
): Promise<string | null> {
  const { secret } = archive.manifest;
  if (target.configuredFingerprint !== null) {
    if (target.configuredFingerprint === secret.mark) return null;
    throw new BackupError(
      'COOMERCIO_SECRET is not the secret that this backup was made with; nobody could sign in. Set that one, or none if the backup brings its own.',
    );
  }
  if (!secret.included) {
    throw new BackupError('This backup was made with COOMERCIO_SECRET set: set the same one to restore it.');
  }
  for await (const entry of verifiedEntries(source, archive)) {
    if (entry.name === 'secret') {
      const value = await text(entry.content);
      if (target.fingerprintOf(value) === secret.mark) return value;
      break;
    }
  }
  throw new BackupError(`${source.name} is damaged: its secret does not match its manifest.`);
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.restoring`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(secret);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

/** Writes all rows and photos. The transaction is not committed, so that it can still be rolled back. */
export async function writeContents(
  client: Client,
  archive: VerifiedArchive,
  source: ArchiveSource,
  photos: Pick<PhotoRestore, 'write'> | null,
  onProgress: PhotoProgress,
): Promise<void> {
  const { tables, sequences } = archive.manifest;
  await client.query('begin');
  const foreignKeys = await dropForeignKeys(client);
  await truncateTables(client);
  // The backup includes the rows that triggers have written.
  await setTriggers(client, 'disable');
  const entries = verifiedEntries(source, archive);
  try {
    for await (const { table, parts } of readTableParts(entries, tables))
      await importTable(client, table, parts);
    for (const { schema, name, value } of sequences) {
      await client.query('select setval(format($1, $2::text, $3::text)::regclass, $4)', [
        '%I.%I',
        schema,
        name,
        value,
      ]);
    }
    await setTriggers(client, 'enable');
    // Creating the foreign keys again checks them.
    for (const createForeignKey of foreignKeys) await client.query(createForeignKey);
    if (photos === null) return;
    await client.query(`create temporary table photos_to_keep as ${REFERENCED_PHOTOS}`);
    await client.query('create index on photos_to_keep (hash)');
    await photos.write(entries, archive.manifest, onProgress);
  } finally {
    await entries.return(archive);
  }
}

/** Opens the storage for a backup's photos; null when it has none. */
async function openPhotos(manifest: Manifest, { photos }: RestoreTarget): Promise<PhotoRestore | null> {
  if (manifest.photos === null) return null;
  if (photos === null) {
    throw new BackupError(
      'This backup holds photos, and this shop keeps its photos at another host: unset IMAGE_HOST_URL to restore it.',
    );
  }
  try {
    return await beginPhotoRestore(photos);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new BackupError(`${error.message} Nothing was restored.`);
  }
}

/**
 * Removes the written photos after a failure.
 * @returns the failure with a sentence about the state of the shop
 */
async function rollBackPhotos(photos: PhotoRestore | null, failure: unknown): Promise<unknown> {
  let outcome = 'Nothing was restored.';
  try {
    await photos?.rollBack();
  } catch {
    outcome = `Nothing was restored; photos that had come already stay in ${photos?.description} until a restore ends.`;
  }
  const hasMessage = failure instanceof StorageError || failure instanceof BackupError;
  return hasMessage ? new BackupError(`${failure.message} ${outcome}`) : failure;
}

/** Removes the replaced shop's photos, once the restored rows are committed. */
async function removeReplacedPhotos(photos: PhotoRestore, client: Client): Promise<void> {
  try {
    await photos.removeReplaced(client);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new BackupError(
      `${error.message} Everything is restored, but photos of the shop before may still be in ${photos.description}: restore once more with --replace.`,
    );
  }
}

export interface RestoreOptions {
  /** Whether existing data may be overwritten. */
  replace: boolean;
  /** Called for each photo. */
  onProgress: PhotoProgress;
  /** Called with a message for the operator. */
  report(message: string): void;
}

/**
 * Restores a backup into a stopped shop. It verifies the whole archive first, then writes all rows in one transaction and
 * the photos beside existing ones, verifying each entry again. Then it commits, writes the secret and removes the replaced
 * shop's photos.
 * @throws BackupError with a message for the operator; the shop is unchanged unless the message says otherwise
 */
export async function restore(
  target: RestoreTarget,
  source: ArchiveSource,
  { replace, onProgress, report }: RestoreOptions,
): Promise<BackupSummary> {
  const archive = await verifyArchive(source);
  const { manifest } = archive;
  const secret = await resolveSecret(source, archive, target);
  const photos = await openPhotos(manifest, target);
  const client = createLongLivedClient(target.connectionString);
  await client.connect();
  try {
    await configureSession(client);
    await requireNoOtherConnections(client);
    if (!replace) await requireEmpty(client, photos);
    if (photos?.existing.wasInterrupted) {
      report('An earlier restore into this shop was interrupted; it is done again from its beginning.');
    }
    await prepareSchema(client, manifest, target);
    try {
      await writeContents(client, archive, source, photos, onProgress);
    } catch (error) {
      throw await rollBackPhotos(photos, error);
    }
    await client.query('commit');
    if (secret !== null) await writeSecret(target.secretFile, secret);
    if (photos !== null) await removeReplacedPhotos(photos, client);
    return summarize(manifest, await source.size());
  } finally {
    await client.end();
    await photos?.close();
  }
}
