import { type Kysely, sql } from 'kysely';

/** The lists of the inspection desk are ordered by the laptops' numbers. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    drop index laptops_measured;
    create index laptops_by_level on laptops (level, number desc) where state = 'available' and level <> 'word';
  `.execute(database);
}
