import { type Kysely, sql } from 'kysely';

/** When each of the two people of a conversation is told of unread messages, and up to which one that was done. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table conversations
      add column buyer_notice_at timestamptz,
      add column seller_notice_at timestamptz,
      add column buyer_told integer not null default 0,
      add column seller_told integer not null default 0,
      add constraint told_messages_exist
        check (buyer_told between 0 and messages and seller_told between 0 and messages);
    create index conversations_to_tell_buyers on conversations (buyer_notice_at) where buyer_notice_at is not null;
    create index conversations_to_tell_sellers on conversations (seller_notice_at) where seller_notice_at is not null;
  `.execute(database);
}
