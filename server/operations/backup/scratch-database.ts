import { type Client, escapeIdentifier } from 'pg';
import { createLongLivedClient } from './backup.ts';

/** A backup cannot be verified. The message says why and what to do. It says nothing about the backup. */
export class VerificationImpossible extends Error {
  override readonly name = 'VerificationImpossible';
}

/** Marks a database of `BACKUP_VERIFY_URL` as one that the shop may empty. */
const MARKER_SCHEMA = 'coomercio_backup_check';

const INSUFFICIENT_PRIVILEGE = '42501';

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

async function withClient<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createLongLivedClient(connectionString);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    return await work(client);
  } finally {
    await client.end();
  }
}

interface ShopDatabase {
  role: string;
  /** The database's number in its server, which no other one has. */
  oid: string;
  encoding: string;
  collate: string;
  ctype: string;
}

async function readShopDatabase(client: Client): Promise<ShopDatabase> {
  const { rows } = await client.query<ShopDatabase>(
    `select current_user as role, oid::text, pg_encoding_to_char(encoding) as encoding, datcollate as collate,
            datctype as ctype
       from pg_database where datname = current_database()`,
  );
  const [database] = rows;
  if (database === undefined) throw new Error('PostgreSQL does not list the database of this connection.');
  return database;
}

/** One shop has one scratch database, so that the next run finds what a killed one has left. */
const nameFor = ({ oid }: ShopDatabase) => `coomercio_backup_check_${oid}`;

async function drop(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
}

/** Removes the scratch database that a killed verification has left. */
export async function removeScratchDatabase(directUrl: string): Promise<void> {
  await withClient(directUrl, async (client) => drop(client, nameFor(await readShopDatabase(client))));
}

async function create(directUrl: string): Promise<string> {
  return withClient(directUrl, async (client) => {
    const shop = await readShopDatabase(client);
    const name = nameFor(shop);
    try {
      await drop(client, name);
      await client.query(
        `create database ${escapeIdentifier(name)} template template0 encoding ${client.escapeLiteral(shop.encoding)}
           lc_collate ${client.escapeLiteral(shop.collate)} lc_ctype ${client.escapeLiteral(shop.ctype)}`,
      );
    } catch (error) {
      if (!hasCode(error, INSUFFICIENT_PRIVILEGE)) throw error;
      throw new VerificationImpossible(
        `The role ${shop.role} may not create a database to verify it in: run ALTER ROLE ${escapeIdentifier(shop.role)} CREATEDB, or set BACKUP_VERIFY_URL to an empty database that the role owns.`,
        { cause: error },
      );
    }
    return Object.assign(new URL(directUrl), { pathname: `/${encodeURIComponent(name)}` }).href;
  });
}

/** Empties a database that is empty or was used for this before. @throws VerificationImpossible for any other one */
async function empty(verifyUrl: string): Promise<void> {
  await withClient(verifyUrl, async (client) => {
    const { rows } = await client.query<{ marked: boolean; occupied: boolean; owned: boolean }>(
      `select to_regnamespace($1) is not null as marked,
              exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
                       where nspname <> 'information_schema' and nspname not like 'pg\\_%') as occupied,
              pg_has_role(datdba, 'usage') as owned
         from pg_database where datname = current_database()`,
      [MARKER_SCHEMA],
    );
    const [found] = rows;
    if (found?.owned !== true) {
      throw new VerificationImpossible(
        'The role in BACKUP_VERIFY_URL does not own its database: run ALTER DATABASE … OWNER TO it.',
      );
    }
    if (found.occupied && !found.marked) {
      throw new VerificationImpossible(
        'BACKUP_VERIFY_URL leads to a database with tables of its own, which were not touched: create an empty one.',
      );
    }
    await client.query(`create schema if not exists ${MARKER_SCHEMA}`);
    await client.query('drop schema if exists public, identity, pgboss cascade; create schema public');
  });
}

/**
 * Runs `work` with an empty database, and removes its content afterwards.
 * @param options.directUrl the shop's database; the scratch database is created beside it
 * @param options.verifyUrl a database to use instead; null to create one
 * @throws VerificationImpossible
 */
export async function withScratchDatabase<Result>(
  { directUrl, verifyUrl }: { directUrl: string; verifyUrl: string | null },
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> {
  if (verifyUrl === null) {
    const connectionString = await create(directUrl);
    try {
      return await work(connectionString);
    } finally {
      await removeScratchDatabase(directUrl);
    }
  }
  await empty(verifyUrl);
  try {
    return await work(verifyUrl);
  } finally {
    await empty(verifyUrl);
  }
}
