import { escapeIdentifier } from 'pg';
import { StorageError } from '#server/listings/photos/storage.ts';
import { type ArchiveSource, BackupError, type Manifest, RestoreImpossible } from './archive.ts';
import { withBackupClient } from './backup.ts';
import { type RestoreTarget, restore } from './restore.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** The code of an error of PostgreSQL or of the system; empty for other errors. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Runs `work` with an empty database beside the shop's, with the same encoding and collation, and drops it afterwards. One
 * shop has one of this name, so that the next verification replaces what a killed one has left.
 * @throws RestoreImpossible when the role may not create a database
 */
export function withScratchDatabase<Result>(
  connectionString: string,
  work: (scratchUrl: string) => Promise<Result>,
): Promise<Result> {
  return withBackupClient(connectionString, async (client) => {
    const { rows } = await client.query<Record<'role' | 'name' | 'creation', string>>(
      `select current_user as role, 'coomercio_backup_check_' || oid as name,
              format('create database coomercio_backup_check_%s template template0 encoding %L lc_collate %L lc_ctype %L',
                     oid, pg_encoding_to_char(encoding), datcollate, datctype) as creation
         from pg_database where datname = current_database()`,
    );
    const [scratch] = rows;
    if (scratch === undefined) throw new Error('PostgreSQL does not list the database of this connection.');
    const { role, name, creation } = scratch;
    const drop = () => client.query(`drop database if exists ${name} with (force)`);
    try {
      await drop();
      await client.query(creation);
    } catch (error) {
      if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new RestoreImpossible(
        `The role ${role} may not create a database to verify it in: run ALTER ROLE ${escapeIdentifier(role)} CREATEDB.`,
        { cause: error },
      );
    }
    try {
      return await work(Object.assign(new URL(connectionString), { pathname: `/${name}` }).href);
    } finally {
      await drop();
    }
  });
}

/** Stands in for the storage of photos: they are read and counted, and not kept. */
const countedPhotos: RestoreTarget['photos'] = {
  description: 'the backup',
  put: async () => undefined,
  has: async () => true,
  async *keys() {},
  remove: async () => undefined,
};

/**
 * Verifies a backup by restoring it into a scratch database beside the shop's: compares each entry with its hash, writes all
 * rows with their constraints and references, and counts rows and photos. The shop is not changed.
 * @throws RestoreImpossible when it cannot be verified here; BackupError when it could not be restored or differs
 */
export function verifyBackup(
  source: ArchiveSource,
  shop: Pick<RestoreTarget, 'connectionString' | 'origin' | 'configuredFingerprint'>,
  signal?: AbortSignal,
): Promise<Manifest> {
  return withScratchDatabase(shop.connectionString, (connectionString) =>
    restore({ ...shop, connectionString, photos: countedPhotos, secretFile: null }, source, { signal }),
  );
}

/** PostgreSQL's classes of errors that the data of a backup cause: wrong values, broken constraints, missing columns. */
const DATA_ERRORS = /^(22|23|42(?!501))...$/;

/** Whether an error shows that a backup is wrong, and not that the server or the storage failed. */
export function refutesBackup(error: unknown): error is Error {
  if (error instanceof RestoreImpossible || error instanceof StorageError) return false;
  return error instanceof BackupError || DATA_ERRORS.test(codeOf(error));
}
