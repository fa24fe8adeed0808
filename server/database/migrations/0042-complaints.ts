import { type Kysely, sql } from 'kysely';

/**
 * Complaints and what was said about them. Whether one is open follows from its order. As for `laptop_photos`, a trigger derives
 * which statement shows which photo. A disputed order keeps its state, to which it returns when the bank decides for the shop.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table orders add column disputed_in text check (disputed_in in (
      'held', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'completed',
      'partly_refunded'
    ));
    update orders set disputed_in = case when refunded_cents > 0 then 'partly_refunded'
                                         when released_at is not null then 'released' else 'held' end
     where state = 'charge_disputed';
    alter table orders
      add constraint disputed_from_a_state check ((state = 'charge_disputed') = (disputed_in is not null)),
      add column cancel_reason text check (char_length(cancel_reason) between 0 and 1000),
      add column in_complaint boolean not null generated always as (
        coalesce(disputed_in, state)
          in ('complaint', 'offered', 'contested', 'awaiting_return', 'return_reported')
      ) stored;
    create index orders_in_complaint on orders (id) where in_complaint;

    create table complaints (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      order_id uuid not null references orders,
      nth smallint not null check (nth between 1 and 3),
      kind text not null check (kind in ('not_as_described', 'locked', 'does_not_work', 'not_handed_over')),
      complained_at timestamptz not null default now(),
      reminded_at timestamptz,
      constraint complaints_in_turn unique (order_id, nth)
    );

    create table complaint_statements (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      complaint_id uuid not null references complaints,
      nth smallint not null check (nth between 1 and 50),
      said_at timestamptz not null default clock_timestamp(),
      party text not null check (party in ('buyer', 'seller', 'admin')),
      author_id uuid not null references users,
      move text check (move in (
        'complain', 'withdraw', 'take_offer', 'decline_offer', 'report_return',
        'accept', 'offer', 'contest', 'confirm_return', 'deny_return',
        'decide_return', 'decide_refund', 'decide_part', 'decide_release'
      )),
      text text not null check (char_length(text) <= 2000),
      amount_cents integer check (amount_cents > 0),
      photos text[] not null default '{}' check (cardinality(photos) <= 6),
      constraint statements_in_turn unique (complaint_id, nth),
      constraint amounts_of_offers check (
        (amount_cents is not null) = (move is not null and move in ('offer', 'take_offer', 'decide_part'))
      )
    );
    create index complaint_statements_of_an_author on complaint_statements (author_id, number);

    create table complaint_photos (
      statement_id uuid not null references complaint_statements (id),
      position integer not null,
      photo_hash text not null references photos (hash),
      primary key (statement_id, position)
    );
    create index complaint_photos_of_a_photo on complaint_photos (photo_hash);
    create function add_complaint_photos() returns trigger language plpgsql as $$
      begin
        delete from complaint_photos where statement_id = new.id;
        insert into complaint_photos
        select new.id, shown.place, shown.photo_hash from photos_in(new.photos) as shown
         where shown.url like '/%';
        return null;
      end
    $$;
    create trigger complaint_statement_added after insert or update of photos on complaint_statements
      for each row execute function add_complaint_photos();
  `.execute(database);
}
