import { type Kysely, sql } from 'kysely';

/** The code for the slip of paper, before a laptop is listed. Listing gives it to the laptop. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptop_drafts
      add column slip_code text not null default new_slip_code()
        check (slip_code ~ '^[34679ACDEFGHJKMNPQRTUVWXY]{5}$')
  `.execute(database);
}
