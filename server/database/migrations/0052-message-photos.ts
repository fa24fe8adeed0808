import { type Kysely, sql } from 'kysely';

/** Photos of messages. Each belongs to one conversation from its upload on, and to one message once it is sent. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table messages
      add column photos text[] not null default '{}' check (cardinality(photos) <= 4);

    create table message_photos (
      photo_hash text primary key references photos (hash) on delete cascade,
      photo text not null,
      conversation_id uuid not null references conversations,
      uploader_id uuid not null references users,
      sequence integer
    );
    create index message_photos_of_a_conversation on message_photos (conversation_id);
    create index message_photos_of_an_uploader on message_photos (uploader_id);
  `.execute(database);
}
