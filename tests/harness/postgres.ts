import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateToLatest } from '#server/database/migrate.ts';

const migratedTemplate = 'shop_template';

/** A database of one test file. */
export interface TestDatabase {
  /** The superuser's connection string. */
  url: string;
  /** Drops the database and terminates its connections. */
  drop(): Promise<void>;
}

/**
 * Creates a database from a template.
 * @param options.template by default the migrated, empty shop (about 50 ms); `template0` has no tables
 * @throws Error outside a vitest run, which starts the server
 */
export async function createTestDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  const template = options.template ?? migratedTemplate;
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asSuperuser(async (client) => {
    if (template === migratedTemplate) await ensureMigrated(client);
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: urlOf(name),
    drop: () =>
      asSuperuser(
        async (client) => void (await client.query(`drop database if exists ${name} with (force)`)),
      ),
  };
}

function urlOf(name: string): string {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: run the tests with vitest.');
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

async function asSuperuser<T>(action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

/** Creates the migrated template on first use, so that a broken migration fails only the tests that need it. */
async function ensureMigrated(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtext($1))`, [migratedTemplate]);
  try {
    const found = await client.query('select from pg_database where datname = $1', [migratedTemplate]);
    if (found.rowCount === 1) return;
    await client.query(`drop database if exists ${migratedTemplate}_unfinished with (force)`);
    await client.query(`create database ${migratedTemplate}_unfinished`);
    await migrateToLatest(urlOf(`${migratedTemplate}_unfinished`));
    await client.query(`alter database ${migratedTemplate}_unfinished rename to ${migratedTemplate}`);
  } finally {
    await client.query(`select pg_advisory_unlock(hashtext($1))`, [migratedTemplate]);
  }
}
