import { type Kysely, sql } from 'kysely';

/**
 * Conversations about laptops. Each has its two people, whose read marks are columns: a conversation is read, written and marked by
 * one row. A trigger tells both people of changes.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table conversations (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      laptop_id uuid not null references laptops,
      buyer_id uuid not null references users,
      seller_id uuid not null references users,
      opened_at timestamptz not null default now(),
      messages integer not null default 0 check (messages >= 0),
      latest_number bigint,
      buyer_read integer not null default 0,
      seller_read integer not null default 0,
      constraint conversations_once unique (laptop_id, buyer_id),
      constraint conversations_of_two check (buyer_id <> seller_id),
      constraint latest_with_messages check ((latest_number is null) = (messages = 0)),
      constraint read_messages_exist
        check (buyer_read between 0 and messages and seller_read between 0 and messages)
    );
    create index conversations_of_a_buyer on conversations (buyer_id, latest_number desc)
      where latest_number is not null;
    create index conversations_of_a_seller on conversations (seller_id, latest_number desc)
      where latest_number is not null;
    create index conversations_by_buyer on conversations (buyer_id, opened_at);
    create index conversations_of_a_pair on conversations (seller_id, buyer_id);

    create table messages (
      conversation_id uuid not null references conversations,
      sequence integer not null check (sequence > 0),
      number bigint generated always as identity unique,
      sender_id uuid not null references users,
      sent_at timestamptz not null default clock_timestamp(),
      text text not null check (char_length(text) <= 2000),
      primary key (conversation_id, sequence)
    );
    create index messages_of_a_sender on messages (sender_id, number);

    create table message_blocks (
      blocker_id uuid not null references users,
      blocked_id uuid not null references users,
      blocked_at timestamptz not null default now(),
      primary key (blocker_id, blocked_id),
      constraint blocks_of_two check (blocker_id <> blocked_id)
    );

    create function tell_conversation_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages', 'id', new.id)::text)
           from unnest(array[new.buyer_id, new.seller_id]) as person;
        return null;
      end
    $$;
    create trigger conversation_changed after update of messages, buyer_read, seller_read on conversations
      for each row when ((old.messages, old.buyer_read, old.seller_read)
                         is distinct from (new.messages, new.buyer_read, new.seller_read))
      execute function tell_conversation_changed();
  `.execute(database);
}
