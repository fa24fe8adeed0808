import { type Client, escapeIdentifier } from 'pg';
import { StorageError } from '#server/listings/photos/storage.ts';
import { BackupError, type Manifest, RestoreImpossible } from './archive.ts';
import { createLongLivedClient } from './backup.ts';
import type { ArchiveSource } from './read-archive.ts';
import { type RestoreOptions, restore } from './restore.ts';
import type { RestoreTarget } from './restore-target.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** The code of an error of PostgreSQL or of the system; empty for other errors. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

async function drop(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
}

/**
 * Creates a database beside the shop's with the same encoding and collation. One shop has one of this name, so that the
 * next verification replaces what a killed one has left.
 * @returns its name
 */
async function createScratchDatabase(client: Client): Promise<string> {
  const { rows } = await client.query<Record<'role' | 'oid' | 'encoding' | 'collate' | 'ctype', string>>(
    `select current_user as role, oid::text, pg_encoding_to_char(encoding) as encoding, datcollate as collate,
            datctype as ctype
       from pg_database where datname = current_database()`,
  );
  const [shop] = rows;
  if (shop === undefined) throw new Error('PostgreSQL does not list the database of this connection.');
  const name = `coomercio_backup_check_${shop.oid}`;
  try {
    await drop(client, name);
    await client.query(
      `create database ${escapeIdentifier(name)} template template0 encoding ${client.escapeLiteral(shop.encoding)}
         lc_collate ${client.escapeLiteral(shop.collate)} lc_ctype ${client.escapeLiteral(shop.ctype)}`,
    );
  } catch (error) {
    if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new RestoreImpossible(
      `The role ${shop.role} may not create a database to verify it in: run ALTER ROLE ${escapeIdentifier(shop.role)} CREATEDB.`,
      { cause: error },
    );
  }
  return name;
}

/** Runs `work` with an empty database beside the shop's, and drops it afterwards. @throws RestoreImpossible */
export async function withScratchDatabase<Result>(
  connectionString: string,
  work: (scratchUrl: string) => Promise<Result>,
): Promise<Result> {
  const client = createLongLivedClient(connectionString);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0');
    const name = await createScratchDatabase(client);
    try {
      return await work(Object.assign(new URL(connectionString), { pathname: `/${name}` }).href);
    } finally {
      await drop(client, name);
    }
  } finally {
    await client.end();
  }
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
  options: Omit<RestoreOptions, 'replace'>,
): Promise<Manifest> {
  return withScratchDatabase(shop.connectionString, (connectionString) =>
    restore({ ...shop, connectionString, photos: countedPhotos, secretFile: null }, source, {
      ...options,
      replace: false,
    }),
  );
}

/** PostgreSQL's classes of errors that the data of a backup cause: wrong values, broken constraints, missing columns. */
const DATA_ERRORS = /^(22|23|42(?!501))...$/;

/** Whether an error shows that a backup is wrong, and not that the server or the storage failed. */
export function refutesBackup(error: unknown): error is Error {
  if (error instanceof RestoreImpossible || error instanceof StorageError) return false;
  return error instanceof BackupError || DATA_ERRORS.test(codeOf(error));
}
