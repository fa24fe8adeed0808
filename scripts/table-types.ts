import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import {
  type DatabaseMetadata,
  PostgresDialect as GeneratorDialect,
  generate,
  IdentifierNode,
} from 'kysely-codegen';
import pg from 'pg';
import { root } from './paths.ts';

const COLUMN_TYPES = 'server/platform/database/column-types.ts';

/** The types of that file, such as `LaptopsPhotoKinds`, by columns, such as `laptops.photo_kinds`. */
async function readColumnTypes(db: Kysely<unknown>): Promise<Map<string, IdentifierNode>> {
  const text = await readFile(join(root, COLUMN_TYPES), 'utf8');
  const types = new Set([...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name));
  const { rows } = await sql<{ column: string; type: string }>`
    select relname || '.' || attname as column, replace(initcap(replace(relname || '_' || attname, '_', ' ')), ' ', '') as type
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`.execute(
    db,
  );
  return new Map(
    rows.flatMap(({ column, type }) =>
      types.has(type) ? [[column, new IdentifierNode(type)] as const] : [],
    ),
  );
}

/** Gives the columns with a list of allowed texts the type of these texts. */
async function addTexts(db: Kysely<unknown>, metadata: DatabaseMetadata): Promise<DatabaseMetadata> {
  const { rows } = await sql<{ name: string; texts: string[] }>`
    select relname || '.' || attname as name,
           (select array_agg(quoted[1]) from regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''([^'']*)''::text', 'g') as quoted) as texts
      from pg_constraint
      join pg_class on pg_class.oid = conrelid
      join pg_attribute on attrelid = conrelid and conkey = array[attnum]
     where contype = 'c' and relnamespace = 'public'::regnamespace
       and pg_get_constraintdef(pg_constraint.oid) like 'CHECK ((' || attname || ' = ANY (ARRAY[%'`.execute(
    db,
  );
  const textsOf = new Map(rows.map(({ name, texts }) => [name, texts]));
  for (const table of metadata.tables) {
    for (const column of table.columns) {
      column.enumValues = textsOf.get(`${table.name}.${column.name}`) ?? column.enumValues;
    }
  }
  return metadata;
}

/** Generates the types of a database's tables as TypeScript. @param url of a migrated database */
export async function generateTableTypes(url: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: url });
  // A lost connection fails the query under way. Without one, a database that is dropped now may be faster than the end of the
  // connection.
  const warn = (error: Error) => console.warn(error.message);
  pool.on('error', warn);
  pool.on('connect', (client) => client.on('error', warn));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const columnTypes = await readColumnTypes(db);
    return await generate({
      db,
      dialect: new GeneratorDialect(),
      includePattern: 'public.*',
      excludePattern: '*.kysely_*',
      overrides: { columns: Object.fromEntries(columnTypes) },
      customImports: Object.fromEntries(
        [...columnTypes.values()].map(({ name }) => [name, './column-types.ts']),
      ),
      typeMapping: { timestamptz: 'Date', date: 'Date' },
      postprocess: ({ metadata }) => addTexts(db, metadata),
      typeOnlyImports: true,
      outFile: null,
    });
  } finally {
    await db.destroy();
  }
}
