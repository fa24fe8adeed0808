import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type ArchiveWriter, BackupProblem, type Manifest, partName, type TableOfBackup } from './archive.ts';
import type { ArchiveEntry } from './read-archive.ts';

/** Rows are cut into parts of this many bytes, because an archive states an entry's size and hash before the entry. */
const PART_BYTES = 4 * 1024 * 1024;

/** The schemas of the shop, of the identity provider and of the queue. */
const schemas = ['public', 'identity', 'pgboss'] as const;

/** Of the queue only the jobs are the shop's; the rest it makes and keeps by itself. */
const queueTables = ['queue', 'job'];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const full = ({ schema, name }: { schema: string; name: string }) => `${quoted(schema)}.${quoted(name)}`;

/** Makes what is written as text the same whatever the server's settings are. */
export async function prepareSession(client: Client): Promise<void> {
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0;
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set client_encoding = 'UTF8'`);
}

/** The tables whose rows are kept, with their columns. */
export async function tablesOf(
  client: Client,
): Promise<Pick<TableOfBackup, 'schema' | 'name' | 'columns'>[]> {
  const { rows } = await client.query<{ schema: string; name: string; columns: string[] }>(
    `select nspname as schema, relname as name,
            (select array_agg(attname::text order by attnum) from pg_attribute
              where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and not relispartition and nspname = any ($1)
        and (nspname <> 'pgboss' or relname = any ($2))
      order by nspname, relname`,
    [schemas, queueTables],
  );
  return rows;
}

/** Where each sequence stands that has been used. */
export async function sequencesOf(client: Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text as value
       from pg_sequences where schemaname = any ($1) and last_value is not null order by 1, 2`,
    [schemas],
  );
  return rows;
}

/** The version of the queue's own tables, or null. */
export async function queueVersionOf(client: Client): Promise<number | null> {
  const found = await client.query(`select to_regclass('pgboss.version') is not null as there`);
  if (found.rows[0]?.there !== true) return null;
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  return rows[0]?.version ?? null;
}

/** Adds a table's rows to an archive. The client stands in the transaction whose snapshot is kept. */
export async function exportTable(
  client: Client,
  archive: ArchiveWriter,
  table: Pick<TableOfBackup, 'schema' | 'name' | 'columns'>,
): Promise<TableOfBackup> {
  const columns = table.columns.map(quoted).join(', ');
  const stream = client.query(copyTo(`copy (select ${columns} from ${full(table)}) to stdout`));
  let parts = 0;
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    parts += 1;
    await archive.add(partName(table, parts), Buffer.concat(waiting));
    waiting = [];
    bytes = 0;
  };
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk);
    waiting.push(piece);
    bytes += piece.length;
    if (bytes >= PART_BYTES) await flush();
  }
  await flush();
  return { ...table, rows: stream.rowCount, parts };
}

/** Fills a table with the rows that `parts` give. @throws BackupProblem when they are not as many as were kept */
export async function importTable(
  client: Client,
  table: TableOfBackup,
  parts: AsyncIterable<Buffer>,
): Promise<void> {
  const columns = table.columns.map(quoted).join(', ');
  const stream = client.query(copyFrom(`copy ${full(table)} (${columns}) from stdin`));
  await pipeline(Readable.from(parts), stream);
  if (stream.rowCount !== table.rows) {
    throw new BackupProblem(`${full(table)} took ${stream.rowCount} rows instead of ${table.rows}.`);
  }
}

/** The parts of one table after the other, from entries that come in the order in which they were written. */
export async function* tablesIn(
  entries: AsyncIterator<ArchiveEntry, unknown>,
  tables: readonly TableOfBackup[],
): AsyncGenerator<{ table: TableOfBackup; parts: AsyncIterable<Buffer> }> {
  for (const table of tables) {
    yield {
      table,
      parts: (async function* () {
        for (let part = 1; part <= table.parts; part += 1) {
          const { value, done } = await entries.next();
          if (done === true || value.name !== partName(table, part)) {
            throw new BackupProblem(`The rows of ${full(table)} are not where they should be.`);
          }
          for await (const chunk of value.content) yield Buffer.from(chunk);
        }
      })(),
    };
  }
}

/** Drops the references between tables, which only hold once all are filled. @returns what makes them again */
export async function dropReferences(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
       from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
      where contype = 'f' and conparentid = 0 and nspname = any ($1) order by 1, 2`,
    [schemas],
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`,
  );
}

/** Turns the triggers of the shop's tables off or on; those of references are no part of it. */
export async function switchTriggers(client: Client, to: 'disable' | 'enable'): Promise<void> {
  for (const table of await tablesOf(client)) {
    if (table.schema === 'public') await client.query(`alter table ${full(table)} ${to} trigger user`);
  }
}

/** Empties all tables whose rows a backup keeps, those included that a given one does not have. */
export async function emptyTables(client: Client): Promise<void> {
  const tables = await tablesOf(client);
  await client.query(`truncate ${tables.map(full).join(', ')}`);
}

/** Tables that a new shop fills by itself, so that rows in them are nobody's. */
const ownRows = [
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.brands',
  'public.rate_limits',
  'identity.jwks',
  'identity.attempt_limit',
  'pgboss.queue',
];

/** The first table in which somebody has left something, or null. */
export async function occupiedTable(client: Client): Promise<string | null> {
  for (const table of await tablesOf(client)) {
    const name = `${table.schema}.${table.name}`;
    if (ownRows.includes(name)) continue;
    const { rows } = await client.query(`select exists (select from ${full(table)}) as occupied`);
    if (rows[0]?.occupied === true) return name;
  }
  return null;
}
