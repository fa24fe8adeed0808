import { type Kysely, sql } from 'kysely';

/**
 * The end of the code with which a sold laptop is measured again. The buyer sees it on their own page, and compares it with the code
 * on the laptop. Of 60 random bits 40 stay secret. Null for codes of earlier versions.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table same_laptop_checks
      add column code_ending text check (code_ending ~ '^[0-9A-Z]{4}$')
  `.execute(database);
}
