import { type Kysely, sql } from 'kysely';

/** A laptop can also be measured by a snapshot of eReuse Workbench. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table measurements
      drop constraint measurements_measured_with_check,
      add constraint measurements_measured_with_check
        check (measured_with in ('linux', 'windows', 'macos', 'workbench'));
    alter table laptop_drafts
      drop constraint laptop_drafts_measured_with_check,
      add constraint laptop_drafts_measured_with_check
        check (measured_with in ('linux', 'windows', 'macos', 'workbench'));
  `.execute(database);
}
