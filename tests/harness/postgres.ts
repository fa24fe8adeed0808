import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateToLatest } from '#server/database/migrate.ts';

const migrated = 'shop_template';

/** A database of a test file's own. */
export interface TestDatabase {
  /** Connection string of its superuser. */
  url: string;
  /** Removes it, ending whatever connections are left. */
  drop(): Promise<void>;
}

/**
 * Creates a database by copying `template`: by default the migrated, empty shop (about 50 ms);
 * `template0` gives one without any table.
 *
 * @throws Error when called outside a vitest run, which starts the server.
 */
export async function createTestDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  const template = options.template ?? migrated;
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asSuperuser(async (client) => {
    if (template === migrated) await ensureMigrated(client);
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

/** Made by the first test file that wants it, so that a broken migration fails only the tests that need one. */
async function ensureMigrated(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtext($1))`, [migrated]);
  try {
    const found = await client.query('select from pg_database where datname = $1', [migrated]);
    if (found.rowCount === 1) return;
    await client.query(`drop database if exists ${migrated}_unfinished with (force)`);
    await client.query(`create database ${migrated}_unfinished`);
    await migrateToLatest(urlOf(`${migrated}_unfinished`));
    await client.query(`alter database ${migrated}_unfinished rename to ${migrated}`);
  } finally {
    await client.query(`select pg_advisory_unlock(hashtext($1))`, [migrated]);
  }
}
