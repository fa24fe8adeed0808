import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { type PhotoStorage, StorageProblem } from '../../photos/storage.ts';
import { latestMigration, migrateTo, migrationNames } from '../migrate.ts';
import { BackupProblem, type Manifest, readArchive, verifyArchive } from './archive.ts';
import { type BackupSummary, longConnection, summaryOf } from './backup.ts';
import { type ArrivingPhotos, arrivingPhotos, lookAtPhotos, type PhotoProgress } from './photos.ts';
import {
  dropReferences,
  emptyTables,
  importTable,
  occupiedTable,
  prepareSession,
  queueVersionOf,
  tablesIn,
  tablesOf,
} from './rows.ts';

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

async function demandAlone(client: Client): Promise<void> {
  const patience = Date.now() + PARTING;
  while (await othersConnected(client)) {
    if (Date.now() > patience) {
      throw new BackupProblem('Somebody is using this database: stop the shop, then restore.');
    }
    await setTimeout(100);
  }
}

/**
 * Refuses to write over anything unasked. Photos that an interrupted restore left are nothing of the shop's as long as
 * its rows have not come.
 */
async function demandEmpty(client: Client, photos: ArrivingPhotos | null): Promise<void> {
  const occupied = await occupiedTable(client);
  const interrupted = photos?.before.interrupted === true;
  if (occupied === null && (interrupted || photos === null || photos.before.keys.size === 0)) return;
  if (interrupted) {
    throw new BackupProblem(
      'A restore into this shop was interrupted before its end. Say --replace to do it again and to lose what is here.',
    );
  }
  const where = occupied === null ? `photos in ${photos?.place}` : `data (in ${occupied})`;
  throw new BackupProblem(
    `This shop has ${where} of its own. Restore into an empty one, or say --replace to lose what is here.`,
  );
}

/** Brings an empty database to the schema that the backup's rows are of. */
async function prepareSchema(client: Client, manifest: Manifest, target: RestoreTarget): Promise<void> {
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

async function checkSecret(
  file: string,
  { secret }: Manifest,
  target: RestoreTarget,
): Promise<string | null> {
  if (target.configuredMark !== null) {
    if (target.configuredMark === secret.mark) return null;
    throw new BackupProblem(
      'COOMERCIO_SECRET is not the secret that this backup was made with; nobody could sign in. Set that one, or none if the backup brings its own.',
    );
  }
  if (!secret.included) {
    throw new BackupProblem(
      'This backup was made with COOMERCIO_SECRET set: set the same one to restore it.',
    );
  }
  for await (const entry of readArchive(file)) {
    if (entry.name === 'secret') {
      const value = await text(entry.content);
      if (target.markOf(value) === secret.mark) return value;
      break;
    }
    entry.content.resume();
  }
  throw new BackupProblem(`${file} is damaged: its secret is not the one that it names.`);
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

/** Fills all tables in a transaction that is left open: what has come can still be taken back. */
async function fill(
  client: Client,
  manifest: Manifest,
  file: string,
  photos: ArrivingPhotos | null,
  progress: PhotoProgress,
): Promise<void> {
  const entries = readArchive(file);
  await client.query('begin');
  const references = await dropReferences(client);
  await emptyTables(client);
  for await (const { table, parts } of tablesIn(entries, manifest.tables)) {
    await importTable(client, table, parts);
  }
  for (const { schema, name, value } of manifest.sequences) {
    await client.query('select setval(format($1, $2::text, $3::text)::regclass, $4)', [
      '%I.%I',
      schema,
      name,
      value,
    ]);
  }
  // Made again they are checked: rows that name each other are all there, or none is.
  for (const reference of references) await client.query(reference);
  await photos?.take(entries, manifest, progress);
}

/** Opens the place where a backup's photos go; null when it brings none. */
async function openPhotos(manifest: Manifest, { photos }: RestoreTarget): Promise<ArrivingPhotos | null> {
  if (manifest.photos === null) return null;
  if (photos === null) {
    throw new BackupProblem(
      'This backup holds photos, and this shop keeps its photos at another host: unset IMAGE_HOST_URL to restore it.',
    );
  }
  try {
    return arrivingPhotos(photos, await lookAtPhotos(photos));
  } catch (error) {
    if (!(error instanceof StorageProblem)) throw error;
    throw new BackupProblem(`${error.message} Nothing was restored.`);
  }
}

/**
 * Takes photos back after a failure.
 * @returns the failure, with a sentence on what has become of the shop
 */
async function takenBack(photos: ArrivingPhotos | null, failure: unknown): Promise<unknown> {
  let outcome = 'Nothing was restored.';
  try {
    await photos?.withdraw();
  } catch {
    outcome = `Nothing was restored; photos that had come already stay in ${photos?.place} until a restore ends.`;
  }
  const known = failure instanceof StorageProblem || failure instanceof BackupProblem;
  return known ? new BackupProblem(`${failure.message} ${outcome}`) : failure;
}

/** Ends a restore whose rows count already. */
async function settle(photos: ArrivingPhotos): Promise<void> {
  try {
    await photos.settle();
  } catch (error) {
    if (!(error instanceof StorageProblem)) throw error;
    throw new BackupProblem(
      `${error.message} Everything is restored, but photos of the shop before may still be in ${photos.place}: restore once more with --replace.`,
    );
  }
}

/** How a restore is done. */
export interface RestoreOptions {
  /** Whether a shop that has data may lose them. */
  replace: boolean;
  /** Told of each photo. */
  progress: PhotoProgress;
  /** Told what the person at the terminal may like to know. */
  tell(sentence: string): void;
}

/**
 * Restores a backup into an empty shop that nobody uses: first the whole file is checked, then all rows are written
 * in one transaction and the photos beside those that are there; then the rows count, the secret takes its place, and
 * photos of the shop before are removed.
 * @throws BackupProblem in a sentence; the shop is then as it was, unless the sentence says otherwise
 */
export async function restore(
  target: RestoreTarget,
  file: string,
  { replace, progress, tell }: RestoreOptions,
): Promise<BackupSummary> {
  const manifest = await verifyArchive(file);
  const secret = await checkSecret(file, manifest, target);
  const photos = await openPhotos(manifest, target);
  const client = longConnection(target.connectionString);
  await client.connect();
  try {
    await prepareSession(client);
    await demandAlone(client);
    if (!replace) await demandEmpty(client, photos);
    if (photos?.before.interrupted) {
      tell('An earlier restore into this shop was interrupted; it is done again from its beginning.');
    }
    await prepareSchema(client, manifest, target);
    try {
      await fill(client, manifest, file, photos, progress);
    } catch (error) {
      throw await takenBack(photos, error);
    }
    await client.query('commit');
    if (secret !== null) await writeSecret(target.secretFile, secret);
    if (photos !== null) await settle(photos);
    return summaryOf(manifest, (await stat(file)).size);
  } finally {
    await client.end();
  }
}
