import { type Kysely, sql } from 'kysely';

/**
 * A draft's code allows one report and one browser check, like a listing's. Listing moves the check.
 *
 * A process of the previous version clears the code with the report; a check with that code is then refused, and the seller
 * gets a new code.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptop_drafts
      add column report_taken boolean not null default false,
      -- The latest check, in the columns of the table of browser checks.
      add column checked_at timestamptz,
      add column check_code_sha256 text check (check_code_sha256 ~ '^[0-9a-f]{64}$'),
      add column check_results jsonb
        check (jsonb_typeof(check_results) = 'array' and octet_length(check_results::text) <= 8192),
      add column check_browser jsonb
        check (jsonb_typeof(check_browser) = 'object' and octet_length(check_browser::text) <= 2048),
      add constraint a_check_is_whole
        check (num_nonnulls(checked_at, check_code_sha256, check_results, check_browser) in (0, 4));
    create index laptop_drafts_by_check_code on laptop_drafts (check_code_sha256)
      where check_code_sha256 is not null;
  `.execute(database);
}
