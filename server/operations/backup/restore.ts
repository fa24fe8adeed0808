import { addAbortListener } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { createIdentity } from '#identity/provider.ts';
import { type PhotoStorage, StorageError } from '#server/listings/photos/storage.ts';
import { latestMigration, migrateTo, migrationNames } from '#server/platform/database/migrate.ts';
import { migrateQueue } from '#server/platform/jobs/queue.ts';
import { fingerprintOf } from '#server/platform/secrets.ts';
import { createLogger } from '../log/log.ts';
import {
  type ArchiveSource,
  BackupError,
  type Manifest,
  RestoreImpossible,
  verifiedEntries,
  verifyArchive,
  writeFileSafely,
} from './archive.ts';
import { withBackupClient } from './backup.ts';
import { removeReplacedPhotos, restorePhotos } from './photos.ts';
import {
  dropForeignKeys,
  findOccupiedTable,
  importTable,
  listTables,
  readMigrations,
  setTriggers,
  truncateTables,
} from './rows.ts';

/** The shop that a backup is restored into. */
export interface RestoreTarget {
  connectionString: string;
  origin: string;
  /** The shop's photo storage; null when another host stores the photos. */
  photos: Pick<PhotoStorage, 'description' | 'put' | 'has' | 'keys' | 'remove'> | null;
  /** The path of the generated secret; null when the secret of the backup is not kept. */
  secretFile: string | null;
  /** The fingerprint of the configured secret; null when none is configured. */
  configuredFingerprint: string | null;
}

/** How long to wait for other connections to end: PostgreSQL lists a connection for a moment after it was closed. */
const DISCONNECT_GRACE_MS = 3_000;

/** @throws BackupError while other clients are connected to the database */
async function requireNoOtherConnections(client: Client): Promise<void> {
  const deadline = Date.now() + DISCONNECT_GRACE_MS;
  for (;;) {
    const { rows } = await client.query(
      `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    if (rows.length === 0) return;
    if (Date.now() > deadline) {
      throw new BackupError('Somebody is using this database: stop the shop, then restore.');
    }
    await setTimeout(100);
  }
}

/** Creates the identity provider's tables. */
async function prepareIdentity({ connectionString, origin }: RestoreTarget): Promise<void> {
  // Rows that are signed or encrypted with this are deleted before the import.
  const secret = 'temporary secret, only to create the tables';
  const options = {
    databaseUrl: connectionString,
    origin,
    trustedOrigins: [],
    secret,
    serviceSecret: secret,
  };
  const identity = await createIdentity(options, createLogger('error'));
  await identity.close();
}

/** Migrates an empty database to the schema of the backup's rows. @throws BackupError when that is impossible */
async function prepareSchema(client: Client, manifest: Manifest, target: RestoreTarget): Promise<void> {
  const unknown = manifest.migrations.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new RestoreImpossible(
      `This backup was made by a newer shop (${unknown.join(', ')}): restore it with that version.`,
    );
  }
  const later = (await readMigrations(client)).filter((name) => !manifest.migrations.includes(name));
  if (later.length > 0) {
    throw new BackupError(
      `This database is further than the backup (${later.join(', ')}): restore into a new database or data folder; the next start brings it up to date.`,
    );
  }
  await migrateTo(target.connectionString, manifest.migrations.at(-1) ?? latestMigration);
  const hasTablesOf = (tables: readonly { schema: string }[], schema: string) =>
    tables.some((table) => table.schema === schema);
  // Existing rows may be encrypted with a lost secret, with which the provider cannot start. So only missing tables are
  // created.
  if (hasTablesOf(manifest.tables, 'identity') && !hasTablesOf(await listTables(client), 'identity')) {
    await prepareIdentity(target);
  }
  if (hasTablesOf(manifest.tables, 'pgboss')) await migrateQueue(target.connectionString);
  const present = await listTables(client);
  for (const { schema, name, columns } of manifest.tables) {
    const available = present.find((table) => table.schema === schema && table.name === name)?.columns ?? [];
    const missing = columns.filter((column) => !available.includes(column));
    // Jobs are only restored into the same version of pg-boss.
    if (missing.length === 0 && (schema !== 'pgboss' || columns.length === available.length)) continue;
    throw new RestoreImpossible(
      `${schema}.${name} has other columns than in the backup (${missing.join(', ') || 'more'}): restore with the version of the shop that made the backup.`,
    );
  }
}

/**
 * Finds the secret with which the restored shop runs.
 * @param stored the secret in the archive; null when it has none
 * @returns the secret in the archive; null when the configured one is the same
 * @throws BackupError when the archive's secret differs from the configured one or is missing
 */
function resolveSecret(
  path: string,
  { secret: { included, fingerprint } }: Manifest,
  stored: string | null,
  configuredFingerprint: string | null,
): string | null {
  if (configuredFingerprint === fingerprint) return null;
  if (configuredFingerprint !== null) {
    throw new BackupError(
      'COOMERCIO_SECRET is not the secret that this backup was made with; nobody could sign in. Set that one, or none if the backup brings its own.',
    );
  }
  if (!included) {
    throw new BackupError('This backup was made with COOMERCIO_SECRET set: set the same one to restore it.');
  }
  if (stored !== null && fingerprintOf(stored) === fingerprint) return stored;
  throw new BackupError(`${path} is damaged: its secret does not match its manifest.`);
}

/** Writes all rows and photos. The transaction is not committed, so that it can still be rolled back. */
async function writeContents(
  client: Client,
  manifest: Manifest,
  source: ArchiveSource,
  photos: RestoreTarget['photos'],
): Promise<void> {
  await client.query('begin');
  const foreignKeys = await dropForeignKeys(client);
  // The backup includes the rows that triggers have written, and some tables refuse to be truncated.
  await setTriggers(client, 'disable');
  await truncateTables(client);
  const entries = verifiedEntries(source, manifest);
  try {
    for (const table of manifest.tables) await importTable(client, table, entries);
    for (const { schema, name, value } of manifest.sequences) {
      const setSequence = 'select setval(format($1, $2::text, $3::text)::regclass, $4)';
      await client.query(setSequence, ['%I.%I', schema, name, value]);
    }
    await setTriggers(client, 'enable');
    // Creating the foreign keys again checks them.
    for (const createForeignKey of foreignKeys) await client.query(createForeignKey);
    // Payments, transfers and reversals since the backup are found at once, and not a day later.
    await client.query('update balance_reading set next_at = now()');
    if (photos !== null) await restorePhotos(photos, entries, manifest);
  } catch (error) {
    const hasMessage = error instanceof BackupError || error instanceof StorageError;
    if (hasMessage) error.message += ' No row was changed.';
    throw error;
  } finally {
    await entries.return(manifest);
  }
}

export interface RestoreOptions {
  /** Whether existing data may be overwritten. */
  replace?: boolean;
  /** Ends the restore; it fails, and changes no rows. */
  signal?: AbortSignal | undefined;
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
  { replace = false, signal }: RestoreOptions = {},
): Promise<Manifest> {
  const { manifest, secret: stored } = await verifyArchive(source, signal);
  const secret = resolveSecret(source.name, manifest, stored, target.configuredFingerprint);
  if (manifest.photos !== null && target.photos === null) {
    throw new BackupError(
      'This backup holds photos, and this shop keeps its photos at another host: unset IMAGE_HOST_URL to restore it.',
    );
  }
  const photos = manifest.photos === null ? null : target.photos;
  return withBackupClient(target.connectionString, async (client) => {
    // Fails the statement under way, which may take minutes.
    using _ending = signal && addAbortListener(signal, () => void client.end());
    await requireNoOtherConnections(client);
    const occupiedTable = replace ? null : await findOccupiedTable(client);
    if (occupiedTable !== null) {
      throw new BackupError(
        `This shop has data (in ${occupiedTable}) of its own. Restore into an empty one, or say --replace to lose what is here.`,
      );
    }
    await prepareSchema(client, manifest, target);
    await writeContents(client, manifest, source, photos);
    await client.query('commit');
    if (secret !== null && target.secretFile !== null) {
      await mkdir(dirname(target.secretFile), { recursive: true });
      await writeFileSafely(target.secretFile, Readable.from([secret]));
    }
    if (replace && photos !== null) {
      await removeReplacedPhotos(client, photos).catch((error: unknown) => {
        if (!(error instanceof StorageError)) throw error;
        throw new BackupError(
          `${error.message} Everything is restored, but photos of the shop before may still be in ${photos.description}: restore once more with --replace.`,
        );
      });
    }
    return manifest;
  });
}
