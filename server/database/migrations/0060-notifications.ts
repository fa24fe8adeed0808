import { type Kysely, sql } from 'kysely';

/** What the shop tells people, when it emails them about it, and the browsers that get push messages. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key,
      number bigint generated always as identity,
      user_id uuid not null references users (id),
      topic text not null
        check (topic in ('money', 'safety', 'shop', 'searches', 'bookings', 'listings', 'messages', 'reviews')),
      title text not null check (length(title) between 1 and 300),
      body text not null check (length(body) <= 1000),
      quoted_id uuid references users (id),
      path text not null check (path like '/%' and length(path) <= 500),
      created_at timestamptz not null default now(),
      seen_at timestamptz,
      emailed_at timestamptz,
      digest_at timestamptz,
      digest_id uuid,
      check (num_nonnulls(emailed_at, digest_at, digest_id) <= 1)
    )
  `.execute(database);
  await sql`create index notifications_by_user on notifications (user_id, number)`.execute(database);
  await sql`create index notifications_unseen on notifications (user_id, number) where seen_at is null`.execute(
    database,
  );
  await sql`create index notifications_unseen_by_path on notifications (user_id, path) where seen_at is null`.execute(
    database,
  );
  await sql`create index notifications_digest_due on notifications (digest_at, user_id) where digest_at is not null`.execute(
    database,
  );
  await sql`create index notifications_by_digest on notifications (digest_id) where digest_id is not null`.execute(
    database,
  );
  await sql`create index notifications_by_quoted on notifications (quoted_id) where quoted_id is not null`.execute(
    database,
  );
  await sql`create index notifications_by_age on notifications (created_at)`.execute(database);
  await sql`
    create table notification_settings (
      user_id uuid not null references users (id),
      topic text not null check (topic in ('bookings', 'listings', 'messages', 'reviews')),
      delivery text not null check (delivery in ('now', 'daily', 'off')),
      primary key (user_id, topic)
    )
  `.execute(database);
  await sql`
    create table push_subscriptions (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id),
      session_id text,
      endpoint text not null unique check (length(endpoint) <= 1000),
      p256dh text not null check (length(p256dh) <= 90),
      auth text not null check (length(auth) <= 26),
      created_at timestamptz not null default now()
    )
  `.execute(database);
  await sql`create index push_subscriptions_by_user on push_subscriptions (user_id, created_at)`.execute(
    database,
  );
  await sql`create index push_subscriptions_by_session on push_subscriptions (session_id) where session_id is not null`.execute(
    database,
  );

  // Streams of server-sent events follow this channel. PostgreSQL sends equal notifications of a transaction once.
  await sql`
    create function notify_live_notifications() returns trigger language plpgsql as $$
      begin
        perform pg_notify('live', json_build_object('to', new.user_id, 'about', 'notifications')::text);
        return null;
      end
    $$
  `.execute(database);
  await sql`
    create trigger notifications_inserted after insert on notifications
      for each row execute function notify_live_notifications()
  `.execute(database);
  await sql`
    create trigger notifications_seen after update of seen_at on notifications
      for each row execute function notify_live_notifications()
  `.execute(database);

  // A browser in which nobody is signed in any more gets no push messages.
  await sql`
    create function remove_push_subscriptions_of_session() returns trigger language plpgsql as $$
      begin
        delete from push_subscriptions where session_id = new.id;
        return null;
      end
    $$
  `.execute(database);
  await sql`
    create trigger ended_session_pushes after insert on ended_sessions
      for each row execute function remove_push_subscriptions_of_session()
  `.execute(database);
}
