import { Kysely, type MigrationProvider, Migrator, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import * as shop from './migrations/0001-shop.ts';

/** Every migration in order. Forward only: what has run on somebody's machine is never edited. */
const migrations: MigrationProvider = {
  getMigrations: async () => ({ '0001-shop': shop }),
};

/**
 * Brings a database to the newest schema. Safe when several processes start at once: Kysely's migrator works under
 * a PostgreSQL advisory lock, and the second finds nothing left to do.
 * @throws the error of the migration that failed; its transaction is rolled back
 */
export async function migrateToLatest(connectionString: string): Promise<void> {
  const database = new Kysely<never>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString, max: 2 }) }),
  });
  try {
    const { error } = await new Migrator({ db: database, provider: migrations }).migrateToLatest();
    if (error !== undefined) throw error;
  } finally {
    await database.destroy();
  }
}
