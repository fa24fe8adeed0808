import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { latestMigration, migrateTo, migrationNames } from '../database/migrate.ts';
import type { PhotoStorage } from '../photos/storage.ts';
import { BackupProblem, type Manifest } from './archive.ts';
import { queueVersionOf, tablesOf } from './rows.ts';

/** Where a backup is restored to. */
export interface RestoreTarget {
  connectionString: string;
  /** Where the shop keeps its photos; null when another host does. */
  photos: PhotoStorage | null;
  /** Where the generated secret belongs. */
  secretFile: string;
  /** What tells the configured secret from others; null without a configured one. */
  configuredMark: string | null;
  /** Tells a generated secret from others. */
  markOf(secret: string): string;
  /** Makes the identity provider's tables. */
  prepareIdentity(): Promise<void>;
  /** Makes the queue's tables. */
  prepareQueue(): Promise<void>;
}

async function appliedMigrations(client: Client): Promise<string[]> {
  const found = await client.query(`select to_regclass('public.kysely_migration') is not null as there`);
  if (found.rows[0]?.there !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** A connection that somebody has just closed is counted for a moment longer, in milliseconds. */
const PARTING = 3_000;

async function othersConnected(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return rows.length > 0;
}

/** @throws BackupProblem while anybody else is connected to the database */
export async function demandAlone(client: Client): Promise<void> {
  const patience = Date.now() + PARTING;
  while (await othersConnected(client)) {
    if (Date.now() > patience) {
      throw new BackupProblem('Somebody is using this database: stop the shop, then restore.');
    }
    await setTimeout(100);
  }
}

/** Brings an empty database to the schema that the backup's rows are of. @throws BackupProblem when that cannot be done */
export async function prepareSchema(
  client: Client,
  manifest: Manifest,
  target: RestoreTarget,
): Promise<void> {
  const unknown = manifest.migrations.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new BackupProblem(
      `This backup was made by a newer shop (${unknown.join(', ')}): restore it with that version.`,
    );
  }
  const last = manifest.migrations.at(-1) ?? latestMigration;
  const beyond = (await appliedMigrations(client)).filter((name) => !manifest.migrations.includes(name));
  if (beyond.length > 0) {
    throw new BackupProblem(
      `This database is further than the backup (${beyond.join(', ')}): restore into a new database or data folder; the next start brings it up to date.`,
    );
  }
  await migrateTo(target.connectionString, last);
  const ofIdentity = ({ schema }: { schema: string }) => schema === 'identity';
  // Where they are, they may be sealed with a secret that is lost: making them is for where they are not.
  if (manifest.tables.some(ofIdentity) && !(await tablesOf(client)).some(ofIdentity)) {
    await target.prepareIdentity();
  }
  if (manifest.queueVersion !== null) {
    await target.prepareQueue();
    const version = await queueVersionOf(client);
    if (version !== manifest.queueVersion) {
      throw new BackupProblem(
        `The queue's tables are of version ${version}, in the backup of ${manifest.queueVersion}: restore it with the version of the shop that made it.`,
      );
    }
  }
  const present = await tablesOf(client);
  for (const { schema, name, columns } of manifest.tables) {
    const here = present.find((table) => table.schema === schema && table.name === name)?.columns ?? [];
    const missing = columns.filter((column) => !here.includes(column));
    if (missing.length > 0) {
      throw new BackupProblem(
        `${schema}.${name} has no place for ${missing.join(', ')}: restore with the version of the shop that made the backup.`,
      );
    }
  }
}
