import { type Kysely, sql } from 'kysely';

/**
 * What was recorded of the documents that an admin has seen of a seller, and the new names that wait for an admin. Documents that
 * were recorded before have the day only.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table users
      add column address_document text,
      add column address_seen text,
      add column identity_document text,
      add column identity_seen text,
      add constraint address_document_was_seen check (
        (address_document is null) = (address_seen is null)
        and (address_document is null or address_checked_at is not null)
      ),
      add constraint identity_document_was_seen check (
        (identity_document is null) = (identity_seen is null)
        and (identity_document is null or identity_checked_at is not null)
      )
  `.execute(database);
  // A new request is a new row: an admin decides about the name that the desk showed, and about no later one.
  await sql`
    create table waiting_names (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      user_id uuid not null unique references users on delete cascade,
      name text not null check (char_length(name) between 1 and 100),
      created_at timestamptz not null default now()
    )
  `.execute(database);
}
