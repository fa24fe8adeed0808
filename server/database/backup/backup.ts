import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { removingPhotos } from '../connect.ts';
import { BackupProblem, type Manifest, writeArchive } from './archive.ts';
import { exportPhotos } from './photos.ts';
import { exportTable, prepareSession, queueVersionOf, sequencesOf, tablesOf } from './rows.ts';

/** What is backed up. */
export interface BackupSource {
  connectionString: string;
  /** The image host's folder; null when photos are kept elsewhere. */
  photosFolder: string | null;
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
  /** Of the file, in bytes. */
  bytes: number;
}

/** @param bytes of the file */
export function summaryOf(
  { tables, photos }: Pick<Manifest, 'tables' | 'photos'>,
  bytes: number,
): BackupSummary {
  return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), photos, bytes };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes a backup while the shop runs: all rows as of one moment, in one read-only snapshot, and then the photos. A
 * photo is there before a laptop names it and is never changed, and none is removed meanwhile, so each that the rows
 * name is among them.
 * @throws BackupProblem when the file exists or there is no shop in the database
 */
export async function backUp(source: BackupSource, file: string): Promise<BackupSummary> {
  if (await exists(file)) throw new BackupProblem(`${file} exists already; a backup never replaces another.`);
  const client = new Client({ connectionString: source.connectionString });
  await client.connect();
  try {
    await prepareSession(client);
    // Until the end, when the connection closes.
    await client.query('select pg_advisory_lock_shared(hashtext($1))', [removingPhotos]);
    await client.query('begin transaction isolation level repeatable read read only');
    const tables = await tablesOf(client);
    if (!tables.some(({ name }) => name === 'kysely_migration')) {
      throw new BackupProblem('There is no shop in this database yet, so there is nothing to back up.');
    }
    const migrations = await client.query<{ name: string }>(
      'select name from kysely_migration order by name',
    );
    const manifest = await writeArchive(file, async (archive) => {
      const exported: Manifest['tables'] = [];
      for (const table of tables) exported.push(await exportTable(client, archive, table));
      const sequences = await sequencesOf(client);
      const queueVersion = await queueVersionOf(client);
      // Photos come later than the snapshot: those that are newer than it do no harm.
      await client.query('commit');
      const photos = source.photosFolder === null ? null : await exportPhotos(source.photosFolder, archive);
      if (source.secretFile !== null) {
        const secret = await readFile(source.secretFile);
        await archive.add('secret', secret.length, secret);
      }
      const manifest = {
        format: 'coomercio-backup' as const,
        version: 1 as const,
        createdAt: new Date().toISOString(),
        migrations: migrations.rows.map(({ name }) => name),
        queueVersion,
        tables: exported,
        sequences,
        photos,
        secret: { included: source.secretFile !== null, mark: source.secretMark },
      };
      await archive.finish(manifest);
      return manifest;
    });
    return summaryOf(manifest, (await stat(file)).size);
  } finally {
    await client.end();
  }
}

/** Where the generated secret of a data folder is. */
export const secretFileIn = (dataFolder: string) => join(dataFolder, 'secret');
