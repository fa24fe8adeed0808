import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { latestMigration, migrateTo, migrationNames } from '#server/platform/database/migrate.ts';
import { BackupError, type Manifest } from './archive.ts';
import { listTables, readQueueVersion } from './rows.ts';

/** The shop that a backup is restored into. */
export interface RestoreTarget {
  connectionString: string;
  /** The shop's photo storage; null when another host stores the photos. */
  photos: PhotoStorage | null;
  /** The path of the generated secret. */
  secretFile: string;
  /** The fingerprint of the configured secret; null when none is configured. */
  configuredFingerprint: string | null;
  fingerprintOf(secret: string): string;
  /** Creates the identity provider's tables. */
  prepareIdentity(): Promise<void>;
  /** Creates the queue's tables. */
  prepareQueue(): Promise<void>;
}

async function readAppliedMigrations(client: Client): Promise<string[]> {
  const found = await client.query(`select to_regclass('public.kysely_migration') is not null as present`);
  if (found.rows[0]?.present !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** How long to wait for other connections to end: PostgreSQL lists a connection for a moment after it was closed. */
const DISCONNECT_GRACE_MS = 3_000;

async function hasOtherConnections(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return rows.length > 0;
}

/** @throws BackupError while other clients are connected to the database */
export async function requireNoOtherConnections(client: Client): Promise<void> {
  const deadline = Date.now() + DISCONNECT_GRACE_MS;
  while (await hasOtherConnections(client)) {
    if (Date.now() > deadline) {
      throw new BackupError('Somebody is using this database: stop the shop, then restore.');
    }
    await setTimeout(100);
  }
}

/** Migrates an empty database to the schema of the backup's rows. @throws BackupError when that is impossible */
export async function prepareSchema(
  client: Client,
  manifest: Manifest,
  target: Pick<RestoreTarget, 'connectionString' | 'prepareIdentity' | 'prepareQueue'>,
): Promise<void> {
  const unknownMigrations = manifest.migrations.filter((name) => !migrationNames.includes(name));
  if (unknownMigrations.length > 0) {
    throw new BackupError(
      `This backup was made by a newer shop (${unknownMigrations.join(', ')}): restore it with that version.`,
    );
  }
  const backupMigration = manifest.migrations.at(-1) ?? latestMigration;
  const laterMigrations = (await readAppliedMigrations(client)).filter(
    (name) => !manifest.migrations.includes(name),
  );
  if (laterMigrations.length > 0) {
    throw new BackupError(
      `This database is further than the backup (${laterMigrations.join(', ')}): restore into a new database or data folder; the next start brings it up to date.`,
    );
  }
  await migrateTo(target.connectionString, backupMigration);
  const isIdentityTable = ({ schema }: { schema: string }) => schema === 'identity';
  // Existing rows may be encrypted with a lost secret, with which the provider cannot start. So only missing tables are
  // created.
  if (manifest.tables.some(isIdentityTable) && !(await listTables(client)).some(isIdentityTable)) {
    await target.prepareIdentity();
  }
  if (manifest.queueVersion !== null) {
    await target.prepareQueue();
    const version = await readQueueVersion(client);
    if (version !== manifest.queueVersion) {
      throw new BackupError(
        `The queue's tables are of version ${version}, in the backup of ${manifest.queueVersion}: restore it with the version of the shop that made it.`,
      );
    }
  }
  const present = await listTables(client);
  for (const { schema, name, columns } of manifest.tables) {
    const available = present.find((table) => table.schema === schema && table.name === name)?.columns ?? [];
    const missing = columns.filter((column) => !available.includes(column));
    if (missing.length > 0) {
      throw new BackupError(
        `${schema}.${name} has no column ${missing.join(', ')}: restore with the version of the shop that made the backup.`,
      );
    }
  }
}
