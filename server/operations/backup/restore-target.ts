import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { createIdentity } from '#identity/provider.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { latestMigration, migrateTo, migrationNames } from '#server/platform/database/migrate.ts';
import { createQueue } from '#server/platform/jobs/queue.ts';
import { createLogger } from '../log/log.ts';
import { BackupError, type Manifest, RestoreImpossible } from './archive.ts';
import { listTables, readQueueVersion } from './rows.ts';

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
export async function requireNoOtherConnections(client: Client): Promise<void> {
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

/** @throws BackupError when the database was migrated further than the backup */
async function requireNoLaterMigrations(client: Client, manifest: Manifest): Promise<void> {
  const found = await client.query(`select to_regclass('public.kysely_migration') is not null as present`);
  if (found.rows[0]?.present !== true) return;
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const later = rows.map(({ name }) => name).filter((name) => !manifest.migrations.includes(name));
  if (later.length === 0) return;
  throw new BackupError(
    `This database is further than the backup (${later.join(', ')}): restore into a new database or data folder; the next start brings it up to date.`,
  );
}

/** Creates the identity provider's tables. */
async function prepareIdentity({ connectionString, origin }: RestoreTarget): Promise<void> {
  const identity = await createIdentity(
    {
      databaseUrl: connectionString,
      origin,
      trustedOrigins: [],
      // Only creates tables. Rows that are signed or encrypted with this are deleted before the import.
      secret: 'temporary secret, only to create the tables',
      serviceSecret: 'temporary secret, only to create the tables',
    },
    createLogger('error'),
  );
  await identity.close();
}

/** Creates the queue's tables. */
async function prepareQueue({ connectionString }: RestoreTarget): Promise<void> {
  const queue = createQueue(connectionString, (error) => console.error(error.message));
  await queue.start([]);
  await queue.stop();
}

/** Migrates an empty database to the schema of the backup's rows. @throws BackupError when that is impossible */
export async function prepareSchema(
  client: Client,
  manifest: Manifest,
  target: RestoreTarget,
): Promise<void> {
  const unknown = manifest.migrations.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new RestoreImpossible(
      `This backup was made by a newer shop (${unknown.join(', ')}): restore it with that version.`,
    );
  }
  await requireNoLaterMigrations(client, manifest);
  await migrateTo(target.connectionString, manifest.migrations.at(-1) ?? latestMigration);
  const isIdentityTable = ({ schema }: { schema: string }) => schema === 'identity';
  // Existing rows may be encrypted with a lost secret, with which the provider cannot start. So only missing tables are
  // created.
  if (manifest.tables.some(isIdentityTable) && !(await listTables(client)).some(isIdentityTable)) {
    await prepareIdentity(target);
  }
  if (manifest.queueVersion !== null) {
    await prepareQueue(target);
    const version = await readQueueVersion(client);
    if (version !== manifest.queueVersion) {
      throw new RestoreImpossible(
        `The queue's tables are of version ${version}, in the backup of ${manifest.queueVersion}: restore it with the version of the shop that made it.`,
      );
    }
  }
  const present = await listTables(client);
  for (const { schema, name, columns } of manifest.tables) {
    const available = present.find((table) => table.schema === schema && table.name === name)?.columns ?? [];
    const missing = columns.filter((column) => !available.includes(column));
    if (missing.length === 0) continue;
    throw new RestoreImpossible(
      `${schema}.${name} has no column ${missing.join(', ')}: restore with the version of the shop that made the backup.`,
    );
  }
}
