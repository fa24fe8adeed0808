// The types in tables.ts are written by hand. They must agree with the schema in what the compiler takes from them: which columns there
// are, which are null, which an insert may leave out, and which texts a column takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type ESTree, parseSync } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

/** How a column is inserted: `never` also for one that only the database writes. */
type Insertion = 'required' | 'optional' | 'never';
/** @property texts the texts that the column takes, or null for any */
interface Column {
  isNullable: boolean;
  insertion: Insertion;
  texts: string[] | null;
}

const declarations = parseSync(
  'tables.ts',
  readFileSync(join(import.meta.dirname, 'tables.ts'), 'utf8'),
).program.body.map((node) => ('declaration' in node && node.declaration !== null ? node.declaration : node));
const aliases = new Map(
  declarations.flatMap((node) =>
    node.type === 'TSTypeAliasDeclaration' ? [[node.id.name, node.typeAnnotation] as const] : [],
  ),
);

const partsOf = (type: ESTree.TSType): ESTree.TSType[] => (type.type === 'TSUnionType' ? type.types : [type]);
const has = (type: ESTree.TSType | undefined, ...kinds: string[]): boolean =>
  type !== undefined && partsOf(type).some((part) => kinds.includes(part.type));

function describeType(type: ESTree.TSType): Column {
  if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const alias = aliases.get(type.typeName.name);
    const [select, insert] = type.typeArguments?.params ?? [];
    if (alias !== undefined) return describeType(alias);
    if (select !== undefined && type.typeName.name === 'Generated')
      return { ...describeType(select), insertion: 'optional' };
    if (select !== undefined && type.typeName.name === 'GeneratedAlways')
      return { ...describeType(select), insertion: 'never' };
    if (select !== undefined && type.typeName.name === 'ColumnType') {
      const optional = has(insert, 'TSUndefinedKeyword', 'TSNullKeyword') ? 'optional' : 'required';
      return { ...describeType(select), insertion: has(insert, 'TSNeverKeyword') ? 'never' : optional };
    }
  }
  const isNullable = has(type, 'TSNullKeyword');
  const values = partsOf(type).filter((part) => part.type !== 'TSNullKeyword');
  const texts = values.flatMap((part) =>
    part.type === 'TSLiteralType' && 'value' in part.literal ? [String(part.literal.value)] : [],
  );
  return {
    isNullable,
    insertion: isNullable ? 'optional' : 'required',
    // Null also when a part of them is declared in the contract.
    // Null also when the contract declares some of them.
    texts: texts.length === values.length ? texts.sort() : null,
  };
}

/** The columns of the types, by names such as `users.email`. */
function describeTypes(): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const node of declarations) {
    if (node.type !== 'TSInterfaceDeclaration' || node.id.name !== 'Tables') continue;
    for (const [table, members] of propertiesOf(node.body.body)) {
      if (members.type !== 'TSTypeLiteral') throw new Error(`${table} is not written as an object type`);
      for (const [column, type] of propertiesOf(members.members))
        columns.set(`${table}.${column}`, describeType(type));
    }
  }
  return columns;
}

const propertiesOf = (members: readonly ESTree.TSSignature[]): [string, ESTree.TSType][] =>
  members.flatMap((member) =>
    member.type === 'TSPropertySignature' && 'name' in member.key && member.typeAnnotation !== null
      ? [[String(member.key.name), member.typeAnnotation.typeAnnotation]]
      : [],
  );

let testDatabase: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

async function describeDatabase(): Promise<Map<string, Column>> {
  const { rows } = await client.query<{
    name: string;
    is_nullable: boolean;
    insertion: Insertion;
    texts: string[] | null;
  }>(`
    select relname || '.' || attname as name, not attnotnull as is_nullable,
           case when attgenerated <> '' or attidentity = 'a' then 'never'
                when atthasdef or attidentity = 'd' or not attnotnull then 'optional'
                else 'required' end as insertion,
           (select array_agg(quoted[1] order by quoted[1])
              from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''::text', 'g') as quoted
             where conrelid = attrelid and conkey = array[attnum] and contype = 'c'
               and pg_get_constraintdef(oid) like 'CHECK ((' || attname || ' = ANY (ARRAY[%') as texts
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
       and attnum > 0 and not attisdropped`);
  return new Map(
    rows.map(({ name, is_nullable, ...column }) => [name, { isNullable: is_nullable, ...column }]),
  );
}

test('the types of the tables agree with the schema', async () => {
  const types = describeTypes();
  const database = await describeDatabase();
  for (const [name, column] of database) {
    const type = types.get(name);
    // A type may demand a value that has a default, and forbid one that the shop never writes.
    if (type?.insertion === 'never' || column.insertion === 'optional')
      column.insertion = type?.insertion ?? column.insertion;
    if (type?.texts === null) column.texts = null;
  }
  expect(Object.fromEntries(types)).toEqual(Object.fromEntries(database));
});
