import { Kysely, type MigrationProvider, Migrator, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { withAdvisoryLock } from './advisory-locks.ts';
import * as baseline from './migrations/0001-baseline.ts';

/** All migrations in order. There are no down migrations, and a released migration is never edited. */
const migrations = { '0001-baseline': baseline };

const provider: MigrationProvider = { getMigrations: async () => migrations };

/** The names of all migrations, oldest first. */
export const migrationNames: readonly string[] = Object.keys(migrations).sort();

/** The newest migration, which this code requires of a database. */
export const latestMigration = migrationNames.at(-1) ?? '';

/** How long a migration waits for a lock, in milliseconds. Meanwhile the queries that come after it wait, too. */
const LOCK_TIMEOUT_MS = 5_000;

/** How long a migration that cannot get its locks is attempted again, in milliseconds. */
const LOCK_PATIENCE_MS = 10 * 60_000;

const LOCK_NOT_AVAILABLE = '55P03';

/** The schema of a database does not fit this version of the shop. The message says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

function openMigrationPool(connectionString: string, lockTimeoutMs = LOCK_TIMEOUT_MS): Pool {
  const pool = new Pool({ connectionString, max: 2, lock_timeout: lockTimeoutMs });
  // A lost connection fails the query under way, which reports it. An unhandled error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Reads which migrations of this version a database lacks, and whether it has any of another one. */
async function readState(pool: Pool): Promise<{ missing: readonly string[]; hasOthers: boolean }> {
  const { rows: tables } = await pool.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
  );
  const { rows } =
    tables[0]?.found === true
      ? await pool.query<{ name: string }>('select name from kysely_migration')
      : { rows: [] };
  const done = new Set(rows.map(({ name }) => name));
  return {
    missing: migrationNames.filter((name) => !done.has(name)),
    hasOthers: [...done].some((name) => !(name in migrations)),
  };
}

/**
 * Checks that a database has all migrations of this version. It may have later ones: the previous version of a shop runs
 * on the schema of the next one (docs/operations.md).
 * @throws SchemaError
 */
export async function requireLatestSchema(connectionString: string): Promise<void> {
  const pool = openMigrationPool(connectionString);
  try {
    const { missing } = await readState(pool);
    if (missing.length === 0) return;
    throw new SchemaError(
      `The database lacks ${missing.length} of the ${migrationNames.length} migrations of this version, and MIGRATE=0 leaves them to you: run the command migrate, then start again.`,
    );
  } finally {
    await pool.end();
  }
}

/**
 * Migrates a database to the newest schema. Safe when several processes start at once: the second one waits for the first, and
 * finds nothing left to do. So does a process of an earlier version on a
 * database that a later one has migrated.
 * @param log told when a migration waits for a lock
 * @param options.lockTimeoutMs how long it waits before it lets the queries behind it go first, in milliseconds
 * @throws the error of a failed migration, whose transaction is rolled back; SchemaError when another version of the shop
 *   has migrated a database that lacks a migration of this one
 */
export async function migrateToLatest(
  connectionString: string,
  log: (line: string) => void = () => undefined,
  { lockTimeoutMs }: { lockTimeoutMs?: number } = {},
): Promise<void> {
  const pool = openMigrationPool(connectionString, lockTimeoutMs);
  try {
    const { missing, hasOthers } = await readState(pool);
    if (missing.length === 0) return;
    if (hasOthers) {
      throw new SchemaError(
        `The database has migrations of another version of the shop and lacks ${missing.join(', ')} of this one. It is left as it is: start that version, or set DATABASE_URL or COOMERCIO_DATA to an empty place.`,
      );
    }
    // Kysely's migrator takes its own lock after it has read the catalog, which fails while another process drops a column.
    await withAdvisoryLock(connectionString, 'migrating', () => applyMigrations(pool, log));
  } finally {
    await pool.end();
  }
}

/** Applies the missing migrations, one per transaction. @throws the error of a failed migration */
async function applyMigrations(pool: Pool, log: (line: string) => void): Promise<void> {
  const migrator = openMigrator(pool);
  const patientUntil = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    // `migrateUp` runs one migration per transaction, so that its locks are released before the next one.
    const { error, results } = await migrator.migrateUp();
    if (error === undefined) {
      if (results === undefined || results.length === 0) return;
    } else if (isLockTimeout(error) && Date.now() < patientUntil) {
      log('A migration waits for a lock that another statement holds, and is attempted again.');
    } else {
      throw error;
    }
  }
}

/**
 * Migrates a database up to the named migration, for data of an earlier version.
 * @throws also when the database has later migrations
 */
export async function migrateTo(connectionString: string, name: string): Promise<void> {
  const pool = openMigrationPool(connectionString);
  try {
    const { missing } = await readState(pool);
    // An empty database needs no pauses between migrations: nobody waits for their locks.
    const isEmpty = missing.length === migrationNames.length;
    if (name === latestMigration && !isEmpty) return await migrateToLatest(connectionString);
    const { error } = await openMigrator(pool).migrateTo(name);
    if (error !== undefined) throw error;
  } finally {
    await pool.end();
  }
}

const openMigrator = (pool: Pool) =>
  new Migrator({ db: new Kysely<never>({ dialect: new PostgresDialect({ pool }) }), provider });

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
