import { type Kysely, sql } from 'kysely';

/** Where and when the two people of a conversation meet. One at a time is proposed or agreed on. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table meetings (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      conversation_id uuid not null references conversations,
      proposer_id uuid not null references users,
      place text not null check (char_length(place) <= 200),
      starts_at timestamptz not null,
      state text not null default 'proposed' check (state in ('proposed', 'agreed', 'cancelled')),
      state_since timestamptz not null default now(),
      reminded_at timestamptz
    );
    create unique index meetings_one_at_a_time on meetings (conversation_id) where state <> 'cancelled';
    create index meetings_of_a_proposer on meetings (proposer_id, number);
    create index meetings_to_remind_of on meetings (starts_at) where state = 'agreed' and reminded_at is null;

    create function tell_meeting_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages', 'id', conversations.id)::text)
           from conversations, unnest(array[conversations.buyer_id, conversations.seller_id]) as person
          where conversations.id = new.conversation_id;
        return null;
      end
    $$;
    create trigger meeting_changed after insert or update of state on meetings
      for each row execute function tell_meeting_changed();
  `.execute(database);
}
