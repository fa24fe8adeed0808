import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client } from 'pg';
import { StorageError } from '#server/listings/photos/storage.ts';
import { fingerprintOf } from '#server/platform/secrets.ts';
import { BackupError, type Manifest, SECRET } from './archive.ts';
import { createLongLivedClient } from './backup.ts';
import { type PhotoProgress, removeReplacedPhotos, restorePhotos } from './photos.ts';
import { type ArchiveSource, type VerifiedArchive, verifiedEntries, verifyArchive } from './read-archive.ts';
import { prepareSchema, type RestoreTarget, requireNoOtherConnections } from './restore-target.ts';
import {
  configureSession,
  dropForeignKeys,
  findOccupiedTable,
  importTable,
  setTriggers,
  truncateTables,
} from './rows.ts';

/**
 * Finds the secret with which the restored shop runs.
 * @returns the secret in the archive; null when the configured one is the same
 * @throws BackupError when the archive's secret differs from the configured one or is missing
 */
async function resolveSecret(
  source: ArchiveSource,
  archive: VerifiedArchive,
  configuredFingerprint: string | null,
): Promise<string | null> {
  const { secret } = archive.manifest;
  if (configuredFingerprint !== null) {
    if (configuredFingerprint === secret.fingerprint) return null;
    throw new BackupError(
      'COOMERCIO_SECRET is not the secret that this backup was made with; nobody could sign in. Set that one, or none if the backup brings its own.',
    );
  }
  if (!secret.included) {
    throw new BackupError('This backup was made with COOMERCIO_SECRET set: set the same one to restore it.');
  }
  for await (const { name, content } of verifiedEntries(source, archive)) {
    if (name !== SECRET) continue;
    const value = content.toString('utf8');
    if (fingerprintOf(value) === secret.fingerprint) return value;
    break;
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
async function writeContents(
  client: Client,
  archive: VerifiedArchive,
  source: ArchiveSource,
  photos: RestoreTarget['photos'],
  onProgress: PhotoProgress,
): Promise<void> {
  const { manifest } = archive;
  await client.query('begin');
  const foreignKeys = await dropForeignKeys(client);
  await truncateTables(client);
  // The backup includes the rows that triggers have written.
  await setTriggers(client, 'disable');
  const entries = verifiedEntries(source, archive);
  try {
    for (const table of manifest.tables) await importTable(client, table, entries);
    for (const { schema, name, value } of manifest.sequences) {
      const setSequence = 'select setval(format($1, $2::text, $3::text)::regclass, $4)';
      await client.query(setSequence, ['%I.%I', schema, name, value]);
    }
    await setTriggers(client, 'enable');
    // Creating the foreign keys again checks them.
    for (const createForeignKey of foreignKeys) await client.query(createForeignKey);
    if (photos !== null) await restorePhotos(photos, entries, manifest, onProgress);
  } finally {
    await entries.return(archive);
  }
}

export interface RestoreOptions {
  /** Whether existing data may be overwritten. */
  replace: boolean;
  onProgress: PhotoProgress;
  /** Ends the restore; it fails, and changes no rows. */
  signal?: AbortSignal;
}

/**
 * Restores a backup into a stopped shop. It verifies the whole archive first, then writes all rows in one transaction and
 * the photos beside existing ones, verifying each entry again. Then it commits, writes the secret and removes the replaced
 * shop's photos.
 * @throws BackupError, StorageError with a message for the operator; no row was changed unless the message says otherwise
 */
export async function restore(
  target: RestoreTarget,
  source: ArchiveSource,
  { replace, onProgress, signal }: RestoreOptions,
): Promise<Manifest> {
  const archive = await verifyArchive(source, signal);
  const { manifest } = archive;
  const secret = await resolveSecret(source, archive, target.configuredFingerprint);
  if (manifest.photos !== null && target.photos === null) {
    throw new BackupError(
      'This backup holds photos, and this shop keeps its photos at another host: unset IMAGE_HOST_URL to restore it.',
    );
  }
  const photos = manifest.photos === null ? null : target.photos;
  const client = createLongLivedClient(target.connectionString);
  await client.connect();
  // Fails the statement under way, which may take minutes.
  const endConnection = () => void client.end();
  signal?.addEventListener('abort', endConnection, { once: true });
  try {
    await configureSession(client);
    await requireNoOtherConnections(client);
    const occupiedTable = replace ? null : await findOccupiedTable(client);
    if (occupiedTable !== null) {
      throw new BackupError(
        `This shop has data (in ${occupiedTable}) of its own. Restore into an empty one, or say --replace to lose what is here.`,
      );
    }
    await prepareSchema(client, manifest, target);
    try {
      await writeContents(client, archive, source, photos, onProgress);
    } catch (error) {
      const hasMessage = error instanceof BackupError || error instanceof StorageError;
      if (hasMessage) error.message += ' No row was changed.';
      throw error;
    }
    await client.query('commit');
    if (secret !== null && target.secretFile !== null) await writeSecret(target.secretFile, secret);
    if (replace && photos !== null) await removePhotosOfReplacedShop(client, photos);
    return manifest;
  } finally {
    signal?.removeEventListener('abort', endConnection);
    await client.end();
  }
}

/** @throws BackupError when they cannot be removed; the rows are committed */
async function removePhotosOfReplacedShop(
  client: Client,
  photos: NonNullable<RestoreTarget['photos']>,
): Promise<void> {
  try {
    await removeReplacedPhotos(client, photos);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new BackupError(
      `${error.message} Everything is restored, but photos of the shop before may still be in ${photos.description}: restore once more with --replace.`,
    );
  }
}
