import { type Kysely, sql } from 'kysely';

/**
 * Buyers queue for the payment hold on a laptop and have at most two holds at a time. Disputes distinguish inquiries. The
 * price of a laptop on sale is at least the card processor's minimum amount. The previous version inserts and updates
 * holds without the new column, which a trigger sets.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table holds add column buyer_id uuid references users;
    update holds set buyer_id = (select buyer_id from bookings where bookings.id = booking_id);
    alter table holds alter column buyer_id set not null;
    create index holds_of_a_buyer on holds (buyer_id, expires_at);

    create function check_holds_of_buyer() returns trigger language plpgsql as $$
      begin
        new.buyer_id := coalesce((select buyer_id from bookings where id = new.booking_id), new.buyer_id);
        -- Two holds of one buyer on two laptops would not see each other without this lock.
        perform from users where id = new.buyer_id for no key update;
        -- The application decides by its own clock, which may be a few seconds off.
        if new.expires_at > clock_timestamp() + interval '5 seconds' and 2 <= (
          select count(*) from holds
           where buyer_id = new.buyer_id and laptop_id <> new.laptop_id
             and expires_at > clock_timestamp() + interval '5 seconds'
        ) then
          raise exception 'a buyer holds at most two laptops'
            using errcode = 'check_violation', constraint = 'two_holds_a_buyer', table = 'holds';
        end if;
        return new;
      end
    $$;
    create trigger holds_of_buyer_checked before insert or update on holds
      for each row execute function check_holds_of_buyer();

    -- How long a booking's buyer has held the laptop before the laptop's current hold.
    create table hold_uses (
      booking_id uuid primary key references bookings,
      used_ms integer not null check (used_ms between 0 and 20 * 60 * 1000),
      ended_at timestamptz not null
    );

    -- The queue of buyers. An entry expires unless the buyer's page renews it.
    create table hold_waits (
      booking_id uuid primary key,
      laptop_id uuid not null,
      buyer_id uuid not null references users,
      number bigint generated always as identity unique,
      expires_at timestamptz not null,
      foreign key (booking_id, laptop_id) references bookings (id, laptop_id)
    );
    create index hold_waits_of_a_laptop on hold_waits (laptop_id, number);
    create index hold_waits_of_a_buyer on hold_waits (buyer_id);
    create index hold_waits_expired on hold_waits (expires_at);

    -- 'open' remains for earlier disputes, which did not distinguish inquiries from chargebacks.
    alter table disputes
      drop constraint disputes_state_check,
      add constraint disputes_state_check
        check (state in ('open', 'inquiry', 'inquiry_closed', 'chargeback', 'won', 'lost')),
      drop constraint closed_when,
      add constraint closed_when
        check ((state in ('open', 'inquiry', 'chargeback')) = (closed_at is null));
    drop index disputes_to_check;
    create index disputes_to_check on disputes (next_check_at) where closed_at is null;

    update laptops
       set state = 'taken_down',
           taken_down_note = 'Its price is below $0.50, the least that a card can be charged. Please list it again at a higher price.'
     where state = 'available' and resale_price_cents < 50;
    alter table laptops add constraint least_price check (resale_price_cents >= 50 or state <> 'available');
  `.execute(database);
}
