import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateToLatest } from '#server/platform/database/migrate.ts';
import { createQueue } from '#server/platform/jobs/queue.ts';

/** A database that is filled once in a run and then copied, which takes about 50 ms. */
export interface DatabaseTemplate {
  name: string;
  /** Fills the empty database. No connection may be left open. */
  fill(url: string): Promise<void>;
}

const migratedShop: DatabaseTemplate = {
  name: 'shop_template',
  fill: async (url) => {
    await migrateToLatest(url);
    // Creating its tables is a fifth of PostgreSQL's work at the first start of a shop.
    const errors: Error[] = [];
    const queue = createQueue(url, (error) => errors.push(error));
    await queue.start([]);
    await queue.stop();
    if (errors.length > 0) throw new AggregateError(errors, 'The job queue could not be created.');
  },
};

/** A database of one test or one test file. */
export interface TestDatabase {
  /** The superuser's connection string. */
  url: string;
  /** Drops the database and terminates its connections. */
  drop(): Promise<void>;
}

/**
 * Creates a database from a template.
 * @param options.template by default the migrated, empty shop with the job queue's tables; the name of an existing database; `template0` has no tables
 * @throws Error outside a vitest run, which starts the server
 */
export async function createTestDatabase({
  template = migratedShop,
}: {
  template?: DatabaseTemplate | string;
} = {}): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asSuperuser(async (client) => {
    const source = typeof template === 'string' ? template : await ensureFilled(client, template);
    await client.query(`create database ${name} template ${source} strategy file_copy`);
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

/**
 * Creates a template on first use, so that a broken migration fails only the tests that need it.
 * @returns its name
 */
async function ensureFilled(client: pg.Client, { name, fill }: DatabaseTemplate): Promise<string> {
  await client.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    const found = await client.query('select from pg_database where datname = $1', [name]);
    if (found.rowCount === 1) return name;
    await client.query(`drop database if exists ${name}_unfinished with (force)`);
    await client.query(`create database ${name}_unfinished`);
    await fill(urlOf(`${name}_unfinished`));
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}
