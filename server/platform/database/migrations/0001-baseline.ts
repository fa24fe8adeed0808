import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';

/** The files of the schema in the order in which they can be created: each refers only to those before it. */
export const wings = [
  'platform',
  'people',
  'listings',
  'money',
  'certification',
  'sales',
  'operations',
] as const;

/** The schema of release 1.0. From it on, migrations expand and later contract. */
export async function up(database: Kysely<never>): Promise<void> {
  for (const wing of wings) {
    const text = readFileSync(new URL(`../schema/${wing}.sql`, import.meta.url), 'utf8');
    await sql.raw(text).execute(database);
  }
}
