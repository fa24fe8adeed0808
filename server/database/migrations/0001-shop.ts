import { type Kysely, sql } from 'kysely';

/** The initial tables. Invariants are constraints, so that they hold independently of the code. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      email text not null unique check (email = lower(email)),
      name text not null check (name <> ''),
      role text not null check (role in ('Buyer', 'Seller', 'Admin')),
      verified boolean not null default false check (not verified or role = 'Seller'),
      created_at timestamptz not null default now(),
      ended_at timestamptz
    );
    create index users_alive_newest on users (role, number desc) where ended_at is null;
    create index users_alive_by_name on users (role, name, number) where ended_at is null;
    create index users_alive_by_email on users (role, email) where ended_at is null;

    create table brands (
      id uuid primary key default gen_random_uuid(),
      category_id text not null unique,
      image text not null,
      position integer not null unique
    );

    create table laptops (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      brand text not null references brands (category_id) on update cascade,
      seller_id uuid not null references users,
      name text not null,
      location text not null,
      images text[] not null check (cardinality(images) between 1 and 8),
      description jsonb not null check (jsonb_typeof(description) in ('string', 'object')),
      original_price_cents integer not null check (original_price_cents > 0),
      resale_price_cents integer not null check (resale_price_cents > 0),
      posted_time text not null,
      use_time text not null,
      mobile_number text not null,
      condition text not null check (condition in ('Excellent', 'Good', 'Fair')),
      state text not null default 'available' check (state in ('available', 'sold', 'withdrawn', 'taken_down')),
      sold_to_id uuid,
      taken_down_note text,
      advertised_at timestamptz,
      created_at timestamptz not null default now(),
      check (resale_price_cents <= original_price_cents),
      check ((state = 'sold') = (sold_to_id is not null)),
      check ((state = 'taken_down') = (taken_down_note is not null))
    );
    create index laptops_on_the_shelf on laptops (brand, number desc) where state = 'available';
    create index laptops_advertised on laptops (number desc) where state = 'available' and advertised_at is not null;
    create index laptops_of_a_seller on laptops (seller_id, number desc);

    create table wishlist_items (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      buyer_id uuid not null references users,
      laptop_id uuid not null references laptops,
      added_at timestamptz not null default now(),
      constraint wished_once unique (buyer_id, laptop_id)
    );
    create index wishlist_items_of_a_laptop on wishlist_items (laptop_id);

    create table bookings (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      laptop_id uuid not null references laptops,
      buyer_id uuid not null references users,
      price_cents integer not null check (price_cents > 0),
      phone text not null,
      location text not null,
      booked_at timestamptz not null default now(),
      paid_at timestamptz,
      transaction_id text constraint transaction_pays_once unique,
      constraint booked_once unique (buyer_id, laptop_id),
      unique (id, laptop_id),
      unique (id, transaction_id),
      check ((paid_at is null) = (transaction_id is null))
    );
    create unique index one_paid_booking_per_laptop on bookings (laptop_id) where paid_at is not null;
    create index bookings_of_a_laptop on bookings (laptop_id);
    create index bookings_of_a_buyer on bookings (buyer_id, number desc);

    -- A laptop can only be sold to a buyer who has booked it.
    alter table laptops add constraint sold_to_a_booker
      foreign key (sold_to_id, id) references bookings (buyer_id, laptop_id);

    create table holds (
      laptop_id uuid primary key references laptops,
      booking_id uuid not null unique,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      foreign key (booking_id, laptop_id) references bookings (id, laptop_id),
      check (expires_at >= started_at and expires_at <= started_at + interval '20 minutes')
    );

    create table payment_intents (
      id uuid primary key default gen_random_uuid(),
      booking_id uuid not null references bookings,
      amount_cents integer not null check (amount_cents > 0),
      transaction_id text unique,
      state text not null default 'open' check (state in ('open', 'settled', 'refunded', 'closed')),
      created_at timestamptz not null default now(),
      next_check_at timestamptz not null default now() + interval '1 minute'
    );
    create unique index one_open_intent_per_booking on payment_intents (booking_id) where state = 'open';
    create index intents_to_check on payment_intents (next_check_at) where state = 'open';

    create table payments (
      id uuid primary key default gen_random_uuid(),
      booking_id uuid not null constraint paid_once unique,
      transaction_id text not null unique,
      amount_cents integer not null check (amount_cents > 0),
      paid_at timestamptz not null default now(),
      foreign key (booking_id, transaction_id) references bookings (id, transaction_id)
    );

    create table refunds (
      id uuid primary key default gen_random_uuid(),
      booking_id uuid not null references bookings,
      transaction_id text not null constraint refunded_once unique,
      amount_cents integer not null check (amount_cents > 0),
      reason text not null check (reason in ('sold_to_another', 'left_the_shop', 'paid_twice', 'wrong_amount')),
      state text not null default 'pending' check (state in ('pending', 'done')),
      created_at timestamptz not null default now(),
      done_at timestamptz,
      check ((state = 'done') = (done_at is not null))
    );

    create table webhook_events (
      id text primary key,
      type text not null,
      transaction_id text,
      received_at timestamptz not null default now()
    );

    create table reports (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      laptop_id uuid not null references laptops,
      reporter_id uuid not null references users,
      reason text not null check (reason in ('Counterfeit', 'Not as described', 'Stolen', 'Prohibited', 'Other')),
      note text not null,
      resolution text check (resolution in ('dismissed', 'taken_down')),
      created_at timestamptz not null default now(),
      constraint reported_once unique (laptop_id, reporter_id)
    );
    create index open_reports on reports (laptop_id) where resolution is null;

    create table audit_entries (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      admin_id uuid not null references users,
      act text not null,
      laptop_id uuid references laptops,
      subject text not null,
      note text not null,
      created_at timestamptz not null default now()
    );
    create index audit_entries_of_a_laptop on audit_entries (laptop_id) where laptop_id is not null;
    create function keep_audit_entries() returns trigger language plpgsql as $$
      begin
        raise exception 'audit entries are never changed';
      end
    $$;
    create trigger audit_entries_stay before update or delete on audit_entries
      for each row execute function keep_audit_entries();

    -- Every process caches responses of the catalogue; this notification invalidates all these caches.
    create function tell_catalogue_changed() returns trigger language plpgsql as $$
      begin
        notify catalogue_changed;
        return null;
      end
    $$;
    create trigger laptops_changed after insert or update or delete on laptops
      for each statement execute function tell_catalogue_changed();
    create trigger brands_changed after insert or update or delete on brands
      for each statement execute function tell_catalogue_changed();
    create trigger sellers_changed after update of name, verified, ended_at on users
      for each statement execute function tell_catalogue_changed();

    insert into brands (category_id, image, position) values
      ('HP', '/brands/hp.svg', 1), ('Dell', '/brands/dell.svg', 2), ('Acer', '/brands/acer.svg', 3);
  `.execute(database);
}
