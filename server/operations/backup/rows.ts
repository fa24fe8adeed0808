import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  type AddEntry,
  type ArchiveEntry,
  type BackedUpTable,
  BackupError,
  type ListedTable,
  type Manifest,
  partName,
} from './archive.ts';

/** Rows are split into entries of this many bytes: the archive lists an entry's size and hash before its content. */
const PART_BYTES = 4 * 1024 * 1024;

/** The schemas of the shop, of the identity provider and of the queue. */
const schemas = ['public', 'identity', 'pgboss'] as const;

/** The only tables of pg-boss that are backed up; it recreates the others. */
const queueTables = ['queue', 'job'];

/** Tables about the machine on which the shop runs. They are not backed up, and a restore leaves them as they are. */
const machineTables = ['photo_folder', 'backup_state'];

const qualifiedName = ({ schema, name }: { schema: string; name: string }) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
const columnList = ({ columns }: Pick<ListedTable, 'columns'>) => columns.map(escapeIdentifier).join(', ');

/** Lists the tables whose rows are backed up, with their columns. */
export async function listTables(client: Client): Promise<ListedTable[]> {
  const { rows } = await client.query<ListedTable>(
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

async function hasTable(client: Client, name: string): Promise<boolean> {
  return (await client.query('select where to_regclass($1) is not null', [name])).rowCount === 1;
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

/** Reads the names of the shop's migrations, oldest first; none without a shop. */
export async function readMigrations(client: Client): Promise<string[]> {
  if (!(await hasTable(client, 'public.kysely_migration'))) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Adds a table's rows to an archive. @param client in the transaction whose snapshot is backed up */
export async function exportTable(client: Client, add: AddEntry, table: ListedTable): Promise<BackedUpTable> {
  const select = `select ${columnList(table)} from ${qualifiedName(table)}`;
  const stream = client.query(copyTo(`copy (${select}) to stdout`));
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
    buffered.push(Buffer.from(chunk));
    bytes += chunk.length;
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
  const name = qualifiedName(table);
  const stream = client.query(copyFrom(`copy ${name} (${columnList(table)}) from stdin`));
  await pipeline(Readable.from(readParts(entries, table)), stream);
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${name}`);
  const count = Number(rows[0]?.count);
  if (count === table.rows) return;
  throw new BackupError(`${name} has ${count} rows after the restore instead of ${table.rows}.`);
}

/** Drops all foreign keys, which hold only once all tables are filled. @returns the SQL that creates them again */
export async function dropForeignKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I ', conrelid::regclass, conname)
              || pg_get_constraintdef(pg_constraint.oid) as create
       from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
      where contype = 'f' and conparentid = 0 and nspname = any ($1) order by 1`,
    [schemas],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ create }) => create);
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

/** Finds a table with people, or null. A new shop has rows of its own, but none that somebody made. */
export async function findOccupiedTable(client: Client): Promise<string | null> {
  for (const name of ['identity.user', 'public.users']) {
    if (!(await hasTable(client, name))) continue;
    if ((await client.query(`select from ${name} limit 1`)).rowCount === 1) return name;
  }
  return null;
}
