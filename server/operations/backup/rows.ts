import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type AddEntry, type BackedUpTable, BackupError, type Manifest, partName } from './archive.ts';
import type { ArchiveEntry } from './read-archive.ts';

/** Rows are split into entries of this many bytes: the archive lists an entry's size and hash before its content. */
const PART_BYTES = 4 * 1024 * 1024;

/** The schemas of the shop, of the identity provider and of the queue. */
const schemas = ['public', 'identity', 'pgboss'] as const;

/** The only tables of pg-boss that are backed up; it recreates the others. */
const queueTables = ['queue', 'job'];

/** Tables about the machine on which the shop runs. They are not backed up, and a restore leaves them as they are. */
const machineTables = ['photo_folder', 'backup_state'];

const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const qualifiedName = ({ schema, name }: { schema: string; name: string }) =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;

/** Makes the text format of values independent of the server's settings. */
export async function configureSession(client: Client): Promise<void> {
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0;
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set client_encoding = 'UTF8'`);
}

/** Lists the tables whose rows are backed up, with their columns. */
export async function listTables(
  client: Client,
): Promise<Pick<BackedUpTable, 'schema' | 'name' | 'columns'>[]> {
  const { rows } = await client.query<{ schema: string; name: string; columns: string[] }>(
    `select nspname as schema, relname as name,
            (select array_agg(attname::text order by attnum) from pg_attribute
              where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and not relispartition and nspname = any ($1)
        and (nspname <> 'pgboss' or relname = any ($2)) and (nspname <> 'public' or relname <> all ($3))
      order by nspname, relname`,
    [schemas, queueTables, machineTables],
  );
  return rows;
}

/** Reads the last value of each sequence that has been used. */
export async function readSequences(client: Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text as value
       from pg_sequences where schemaname = any ($1) and last_value is not null order by 1, 2`,
    [schemas],
  );
  return rows;
}

/** Reads the schema version of pg-boss, or null without its tables. */
export async function readQueueVersion(client: Client): Promise<number | null> {
  const found = await client.query(`select to_regclass('pgboss.version') is not null as present`);
  if (found.rows[0]?.present !== true) return null;
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  return rows[0]?.version ?? null;
}

/** Adds a table's rows to an archive. @param client in the transaction whose snapshot is backed up */
export async function exportTable(
  client: Client,
  add: AddEntry,
  table: Pick<BackedUpTable, 'schema' | 'name' | 'columns'>,
): Promise<BackedUpTable> {
  const columns = table.columns.map(quoteIdentifier).join(', ');
  const stream = client.query(copyTo(`copy (select ${columns} from ${qualifiedName(table)}) to stdout`));
  let parts = 0;
  let buffered: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    parts += 1;
    await add(partName(table, parts), Buffer.concat(buffered));
    buffered = [];
    bytes = 0;
  };
  for await (const chunk of stream) {
    const chunkBuffer = Buffer.from(chunk);
    buffered.push(chunkBuffer);
    bytes += chunkBuffer.length;
    if (bytes >= PART_BYTES) await flush();
  }
  await flush();
  return { ...table, rows: stream.rowCount, parts };
}

async function* readParts(
  entries: AsyncIterator<ArchiveEntry, unknown>,
  table: BackedUpTable,
): AsyncGenerator<Buffer> {
  for (let part = 1; part <= table.parts; part += 1) {
    const { value, done } = await entries.next();
    if (done === true || value.name !== partName(table, part)) {
      throw new BackupError(`The rows of ${qualifiedName(table)} are not where they should be.`);
    }
    yield value.content;
  }
}

/**
 * Copies the rows of a table from the next entries.
 * @throws BackupError when the entries are others, or when the number of rows differs from the manifest's
 */
export async function importTable(
  client: Client,
  table: BackedUpTable,
  entries: AsyncIterator<ArchiveEntry, unknown>,
): Promise<void> {
  const columns = table.columns.map(quoteIdentifier).join(', ');
  const stream = client.query(copyFrom(`copy ${qualifiedName(table)} (${columns}) from stdin`));
  await pipeline(Readable.from(readParts(entries, table)), stream);
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${qualifiedName(table)}`);
  const count = Number(rows[0]?.count);
  if (count === table.rows) return;
  throw new BackupError(
    `${qualifiedName(table)} has ${count} rows after the restore instead of ${table.rows}.`,
  );
}

/** Drops all foreign keys, which hold only once all tables are filled. @returns the SQL that creates them again */
export async function dropForeignKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
       from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
      where contype = 'f' and conparentid = 0 and nspname = any ($1) order by 1, 2`,
    [schemas],
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quoteIdentifier(name)}`);
  return rows.map(
    ({ table, name, definition }) =>
      `alter table ${table} add constraint ${quoteIdentifier(name)} ${definition}`,
  );
}

/** Disables or enables the user-defined triggers of the shop's tables. */
export async function setTriggers(client: Client, action: 'disable' | 'enable'): Promise<void> {
  for (const table of await listTables(client)) {
    if (table.schema === 'public')
      await client.query(`alter table ${qualifiedName(table)} ${action} trigger user`);
  }
}

/** Truncates all tables that backups include, even those that this backup lacks. */
export async function truncateTables(client: Client): Promise<void> {
  const tables = await listTables(client);
  await client.query(`truncate ${tables.map(qualifiedName).join(', ')}`);
}

/** Tables that have rows in a new shop: their rows are not user data. */
const selfPopulatedTables = [
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.brands',
  'public.content_pages',
  'public.content_versions',
  'public.rate_limits',
  'public.balance_reading',
  'public.ledger_totals_until',
  'public.shop_time_zone',
  'public.shop_identities',
  'identity.jwks',
  'identity.rate_limits',
  'pgboss.queue',
];

/** Finds a table that has user data, or null. */
export async function findOccupiedTable(client: Client): Promise<string | null> {
  for (const table of await listTables(client)) {
    const name = `${table.schema}.${table.name}`;
    if (selfPopulatedTables.includes(name)) continue;
    const { rows } = await client.query(`select exists (select from ${qualifiedName(table)}) as occupied`);
    if (rows[0]?.occupied === true) return name;
  }
  return null;
}
