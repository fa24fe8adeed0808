import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from 'pg';
import { StorageError } from '../photos/storage.ts';
import { BackupProblem, type Manifest } from './archive.ts';
import { type BackupSummary, longConnection, summaryOf } from './backup.ts';
import type { PhotoProgress } from './export-photos.ts';
import { photosNamedByRows } from './named-photos.ts';
import { type CheckedArchive, checkedEntries, verifyArchive } from './read-archive.ts';
import { type ArrivingPhotos, openArrivingPhotos } from './restore-photos.ts';
import { demandAlone, prepareSchema, type RestoreTarget } from './restore-target.ts';
import {
  dropReferences,
  emptyTables,
  importTable,
  occupiedTable,
  prepareSession,
  switchTriggers,
  tablesIn,
} from './rows.ts';

/**
 * Refuses to write over anything unasked. Photos that an interrupted restore left are nothing of the shop's as long as
 * its rows have not come.
 */
async function demandEmpty(client: Client, photos: ArrivingPhotos | null): Promise<void> {
  const occupied = await occupiedTable(client);
  const interrupted = photos?.before.interrupted === true;
  if (occupied === null && (interrupted || photos?.before.any !== true)) return;
  if (interrupted) {
    throw new BackupProblem(
      'A restore into this shop was interrupted before its end. Say --replace to do it again and to lose what is here.',
    );
  }
  const where = occupied === null ? `photos in ${photos?.description}` : `data (in ${occupied})`;
  throw new BackupProblem(
    `This shop has ${where} of its own. Restore into an empty one, or say --replace to lose what is here.`,
  );
}

async function checkSecret(
  file: string,
  archive: CheckedArchive,
  target: RestoreTarget,
): Promise<string | null> {
  const { secret } = archive.manifest;
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
  for await (const entry of checkedEntries(file, archive)) {
    if (entry.name === 'secret') {
      const value = await text(entry.content);
      if (target.markOf(value) === secret.mark) return value;
      break;
    }
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
  archive: CheckedArchive,
  file: string,
  photos: ArrivingPhotos | null,
  progress: PhotoProgress,
): Promise<void> {
  const { tables, sequences } = archive.manifest;
  await client.query('begin');
  const references = await dropReferences(client);
  await emptyTables(client);
  // What triggers would write has come as rows of its own.
  await switchTriggers(client, 'disable');
  const entries = checkedEntries(file, archive);
  try {
    for await (const { table, parts } of tablesIn(entries, tables)) await importTable(client, table, parts);
    for (const { schema, name, value } of sequences) {
      await client.query('select setval(format($1, $2::text, $3::text)::regclass, $4)', [
        '%I.%I',
        schema,
        name,
        value,
      ]);
    }
    await switchTriggers(client, 'enable');
    // Made again they are checked: rows that name each other are all there, or none is.
    for (const reference of references) await client.query(reference);
    if (photos === null) return;
    const recorded = tables.some(({ schema, name }) => schema === 'public' && name === 'photos');
    await client.query(`create temporary table photos_to_keep as ${photosNamedByRows(recorded)}`);
    await client.query('create index on photos_to_keep (hash)');
    await photos.take(entries, archive.manifest, progress);
  } finally {
    await entries.return(archive);
  }
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
    return await openArrivingPhotos(photos);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
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
    outcome = `Nothing was restored; photos that had come already stay in ${photos?.description} until a restore ends.`;
  }
  const known = failure instanceof StorageError || failure instanceof BackupProblem;
  return known ? new BackupProblem(`${failure.message} ${outcome}`) : failure;
}

/** Ends a restore whose rows count already. */
async function settle(photos: ArrivingPhotos, client: Client): Promise<void> {
  try {
    await photos.settle(client);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new BackupProblem(
      `${error.message} Everything is restored, but photos of the shop before may still be in ${photos.description}: restore once more with --replace.`,
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
 * in one transaction and the photos beside those that are there, each checked once more; then the transaction is
 * committed, the secret takes its place, and photos of the shop before are removed.
 * @throws BackupProblem in a sentence; the shop is then as it was, unless the sentence says otherwise
 */
export async function restore(
  target: RestoreTarget,
  file: string,
  { replace, progress, tell }: RestoreOptions,
): Promise<BackupSummary> {
  const archive = await verifyArchive(file);
  const { manifest } = archive;
  const secret = await checkSecret(file, archive, target);
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
      await fill(client, archive, file, photos, progress);
    } catch (error) {
      throw await takenBack(photos, error);
    }
    await client.query('commit');
    if (secret !== null) await writeSecret(target.secretFile, secret);
    if (photos !== null) await settle(photos, client);
    return summaryOf(manifest, (await stat(file)).size);
  } finally {
    await client.end();
    await photos?.close();
  }
}
