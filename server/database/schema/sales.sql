create table bookings (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity,
  laptop_id uuid not null,
  buyer_id uuid not null references users(id),
  price_cents integer not null check (price_cents > 0),
  phone text not null,
  location text not null,
  booked_at timestamptz default now() not null,
  seller_id uuid not null,
  cancelled_at timestamptz,
  cancelled_by text check (cancelled_by in ('buyer', 'withdrawal')),
  told_price_cents integer check (told_price_cents > 0),
  told_agreed_cents integer check (told_agreed_cents > 0),
  ended_at timestamptz,
  constraint bookings_id_laptop_id_key unique (id, laptop_id),
  constraint booked_of_seller foreign key (laptop_id, seller_id) references laptops(id, seller_id),
  constraint cancelled_by_somebody check ((cancelled_at is null) = (cancelled_by is null))
);
create unique index booked_once on bookings (buyer_id, laptop_id) where (ended_at is null);
create index bookings_by_seller on bookings (seller_id, number desc);
create index bookings_of_a_buyer on bookings (buyer_id, number desc);
create index bookings_of_a_laptop on bookings (laptop_id);

create table holds (
  laptop_id uuid primary key references laptops(id),
  booking_id uuid not null unique,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  buyer_id uuid not null references users(id),
  constraint holds_booking_id_laptop_id_fkey foreign key (booking_id, laptop_id) references bookings(id, laptop_id),
  constraint holds_check check (expires_at >= started_at and (expires_at <= (started_at + '00:20:00'::interval)))
);
create index holds_of_a_buyer on holds (buyer_id, expires_at);

create table hold_uses (
  booking_id uuid primary key references bookings(id),
  used_ms integer not null check (used_ms >= 0 and (used_ms <= ((20 * 60) * 1000))),
  ended_at timestamptz not null
);

create table hold_waits (
  booking_id uuid primary key,
  laptop_id uuid not null,
  buyer_id uuid not null references users(id),
  number bigint generated always as identity unique,
  expires_at timestamptz not null,
  constraint hold_waits_booking_id_laptop_id_fkey foreign key (booking_id, laptop_id) references bookings(id, laptop_id)
);
create index hold_waits_expired on hold_waits (expires_at);
create index hold_waits_of_a_buyer on hold_waits (buyer_id);
create index hold_waits_of_a_laptop on hold_waits (laptop_id, number);

create table payment_intents (
  id uuid default gen_random_uuid() primary key,
  booking_id uuid not null references bookings(id),
  amount_cents integer not null check (amount_cents > 0),
  transaction_id text unique,
  state text default 'open' not null check (state in ('open', 'settled', 'refunded', 'closed')),
  created_at timestamptz default now() not null,
  next_check_at timestamptz default (now() + '00:01:00'::interval) not null
);
create index intents_to_check on payment_intents (next_check_at) where (state = 'open');
create unique index one_open_intent_per_booking on payment_intents (booking_id) where (state = 'open');
create index payment_intents_by_booking on payment_intents (booking_id);

create table payments (
  id uuid default gen_random_uuid() primary key,
  booking_id uuid not null references bookings(id),
  transaction_id text not null unique,
  amount_cents integer not null check (amount_cents > 0),
  paid_at timestamptz default now() not null,
  constraint paid_once unique (booking_id)
);
create index payments_by_time on payments (paid_at);

create table orders (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  booking_id uuid not null references bookings(id),
  laptop_id uuid not null references laptops(id),
  buyer_id uuid not null references users(id),
  seller_id uuid not null references users(id),
  transaction_id text not null unique,
  price_cents integer not null check (price_cents > 0),
  commission_cents integer not null,
  state text not null check (state in ('held', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'charge_disputed', 'completed', 'refunded', 'charged_back')),
  state_since timestamptz default now() not null,
  due_at timestamptz,
  laptop_with_buyer boolean default false not null,
  released_at timestamptz,
  refunded_cents integer default 0 not null,
  handover_code text not null check (handover_code ~ '^[0-9]{6}$'),
  wrong_codes integer default 0 not null check (wrong_codes >= 0),
  codes_locked_until timestamptz,
  placed_at timestamptz default now() not null,
  disputed_in text check (disputed_in in ('held', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'completed')),
  cancel_reason text check (char_length(cancel_reason) >= 0 and char_length(cancel_reason) <= 1000),
  in_complaint boolean generated always as ((coalesce(disputed_in, state) in ('complaint', 'offered', 'contested', 'awaiting_return', 'return_reported'))) stored not null,
  stands boolean generated always as ((laptop_with_buyer or (state not in ('refunded', 'charged_back')))) stored not null,
  goodwill_cents integer default 0 not null,
  constraint order_of_a_laptop unique (id, laptop_id),
  constraint ordered_once unique (booking_id),
  constraint orders_booking_id_laptop_id_fkey foreign key (booking_id, laptop_id) references bookings(id, laptop_id),
  constraint paid_orders foreign key (transaction_id) references payments(transaction_id),
  constraint disputed_from_a_state check ((state = 'charge_disputed') = (disputed_in is not null)),
  constraint each_wait_ends check ((due_at is null) = (state in ('charge_disputed', 'completed', 'refunded', 'charged_back'))),
  constraint orders_check check (commission_cents >= 0 and commission_cents <= price_cents),
  constraint refunded_in_full check (state <> 'refunded' or refunded_cents = price_cents),
  constraint refunded_within_price check (refunded_cents >= 0 and refunded_cents <= price_cents),
  constraint returned_within_price check (goodwill_cents >= 0 and (state in ('charged_back', 'charge_disputed')
    or ((refunded_cents + goodwill_cents) <= price_cents)))
);

create function is_sale(orders) returns boolean language sql immutable as $$
  select $1.released_at is not null and $1.state not in ('refunded', 'charged_back', 'charge_disputed')
$$;

create unique index one_order_per_laptop on orders (laptop_id) where stands;
create index orders_due on orders (due_at) where (due_at is not null);
create index orders_in_complaint on orders (id) where in_complaint;
create index orders_in_question on orders (state) where (state in ('complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'charge_disputed'));
create index orders_of_a_buyer on orders (buyer_id, number desc);
create index orders_of_a_seller on orders (seller_id, number desc);
create index unreleased_orders_of_a_seller on orders (seller_id) where ((released_at is null) and (refunded_cents < price_cents));

create table order_events (
  order_id uuid not null references orders(id),
  number bigint generated always as identity unique,
  happened_at timestamptz default clock_timestamp() not null,
  event text not null,
  actor text not null check (actor in ('buyer', 'seller', 'admin', 'clock', 'bank', 'shop')),
  amount_cents integer,
  primary key (order_id, number)
);

create table refunds (
  id uuid default gen_random_uuid() primary key,
  booking_id uuid not null references bookings(id),
  transaction_id text not null,
  amount_cents integer not null check (amount_cents > 0),
  reason text not null check (reason in ('sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount', 'price_changed', 'lock_found', 'order_cancelled', 'complaint', 'partial', 'charged_back', 'by_admin', 'goodwill', 'made_at_processor', 'unexplained')),
  state text default 'pending' not null check (state in ('waiting', 'pending', 'done', 'failed', 'settled_by_bank')),
  created_at timestamptz default now() not null,
  done_at timestamptz,
  attempt integer default 1 not null check (attempt > 0),
  card_refund_id text,
  failed_at timestamptz,
  failure_reason text,
  next_check_at timestamptz default (now() + '00:01:00'::interval),
  note text default '' not null check (char_length(note) <= 1000),
  told_waiting_at timestamptz,
  unfunded_attempt integer check (unfunded_attempt > 0),
  constraint failed_when_and_why check (((state = 'failed') = (failed_at is not null))
    and ((state = 'failed') = (failure_reason is not null))),
  constraint refunds_check check ((state = 'done') = (done_at is not null)),
  constraint waiting_refunds_are_not_made check (state <> 'waiting' or card_refund_id is null)
);
create index refunds_by_booking on refunds (booking_id);
create index refunds_by_card_refund on refunds (card_refund_id) where (card_refund_id is not null);
create index refunds_by_time on refunds (created_at);
create index refunds_of_a_payment on refunds (transaction_id, created_at);
create index refunds_that_wait on refunds (created_at, id) where (state = 'waiting');
create index refunds_to_check on refunds (next_check_at) where (state in ('pending', 'done'));
create index refunds_unfinished on refunds (state) where (state <> 'done');

create table disputes (
  id uuid default gen_random_uuid() primary key,
  card_dispute_id text not null,
  booking_id uuid not null references bookings(id),
  transaction_id text not null,
  amount_cents integer not null check (amount_cents > 0),
  reason text not null,
  evidence_due_at timestamptz,
  state text default 'open' not null check (state in ('open', 'inquiry', 'inquiry_closed', 'chargeback', 'won', 'lost')),
  opened_at timestamptz default now() not null,
  closed_at timestamptz,
  next_check_at timestamptz default (now() + '1 day'::interval) not null,
  constraint disputed_once unique (card_dispute_id),
  constraint closed_when check ((state in ('open', 'inquiry', 'chargeback')) = (closed_at is null))
);
create index disputes_by_time on disputes (opened_at);
create index disputes_lost_by_time on disputes (closed_at) where (state = 'lost');
create index disputes_of_a_booking on disputes (booking_id);
create index disputes_of_a_payment on disputes (transaction_id);
create index disputes_to_check on disputes (next_check_at) where (closed_at is null);

create table fraud_warnings (
  warning_id text primary key,
  booking_id uuid not null references bookings(id),
  transaction_id text not null,
  fraud_type text not null,
  received_at timestamptz default now() not null
);
create index fraud_warnings_of_a_booking on fraud_warnings (booking_id);

create table complaints (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  order_id uuid not null references orders(id),
  nth smallint not null check (nth >= 1 and nth <= 3),
  kind text not null check (kind in ('not_as_described', 'locked', 'does_not_work', 'not_handed_over', 'not_taken')),
  complained_at timestamptz default now() not null,
  reminded_at timestamptz,
  constraint complaints_in_turn unique (order_id, nth)
);

create table complaint_statements (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  complaint_id uuid not null references complaints(id),
  nth smallint not null check (nth >= 1 and nth <= 50),
  said_at timestamptz default clock_timestamp() not null,
  party text not null check (party in ('buyer', 'seller', 'admin')),
  author_id uuid not null references users(id),
  move text check (move in ('complain', 'withdraw', 'take_offer', 'decline_offer', 'report_return', 'accept', 'offer', 'contest', 'confirm_return', 'deny_return', 'decide_return', 'decide_refund', 'decide_part', 'decide_release')),
  text text not null check (char_length(text) <= 2000),
  amount_cents integer check (amount_cents > 0),
  photos text[] default '{}'::text[] not null check (cardinality(photos) <= 6),
  constraint statements_in_turn unique (complaint_id, nth),
  constraint amounts_of_offers check ((amount_cents is not null) = (move is not null
    and move in ('offer', 'take_offer', 'decide_part')))
);
create index complaint_statements_of_an_author on complaint_statements (author_id, number);

create table complaint_photos (
  statement_id uuid not null references complaint_statements(id),
  position integer not null,
  photo_hash text not null references photos(hash),
  primary key (statement_id, "position")
);
create index complaint_photos_of_a_photo on complaint_photos (photo_hash);

create table conversations (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  laptop_id uuid not null references laptops(id),
  buyer_id uuid not null references users(id),
  seller_id uuid not null references users(id),
  opened_at timestamptz default now() not null,
  messages integer default 0 not null check (messages >= 0),
  latest_number bigint,
  buyer_read integer default 0 not null,
  seller_read integer default 0 not null,
  buyer_notice_at timestamptz,
  seller_notice_at timestamptz,
  buyer_told integer default 0 not null,
  seller_told integer default 0 not null,
  constraint conversations_once unique (laptop_id, buyer_id),
  constraint conversations_of_two check (buyer_id <> seller_id),
  constraint latest_with_messages check ((latest_number is null) = (messages = 0)),
  constraint read_messages_exist check ((buyer_read >= 0 and buyer_read <= messages) and (seller_read >= 0
    and seller_read <= messages)),
  constraint told_messages_exist check ((buyer_told >= 0 and buyer_told <= messages) and (seller_told >= 0
    and seller_told <= messages))
);
create index conversations_by_buyer on conversations (buyer_id, opened_at);
create index conversations_of_a_buyer on conversations (buyer_id, latest_number desc) where (latest_number is not null);
create index conversations_of_a_pair on conversations (seller_id, buyer_id);
create index conversations_of_a_seller on conversations (seller_id, latest_number desc) where (latest_number is not null);
create index conversations_to_tell_buyers on conversations (buyer_notice_at) where (buyer_notice_at is not null);
create index conversations_to_tell_sellers on conversations (seller_notice_at) where (seller_notice_at is not null);

create table messages (
  conversation_id uuid not null references conversations(id),
  sequence integer not null check (sequence > 0),
  number bigint generated always as identity unique,
  sender_id uuid not null references users(id),
  sent_at timestamptz default clock_timestamp() not null,
  text text not null check (char_length(text) <= 2000),
  photos text[] default '{}'::text[] not null check (cardinality(photos) <= 4),
  primary key (conversation_id, sequence)
);
create index messages_of_a_sender on messages (sender_id, number);

create table message_photos (
  photo_hash text primary key references photos(hash) on delete cascade,
  photo text not null,
  conversation_id uuid not null references conversations(id),
  uploader_id uuid not null references users(id),
  sequence integer
);
create index message_photos_of_a_conversation on message_photos (conversation_id);
create index message_photos_of_an_uploader on message_photos (uploader_id);

create table message_blocks (
  blocker_id uuid not null references users(id),
  blocked_id uuid not null references users(id),
  blocked_at timestamptz default now() not null,
  primary key (blocker_id, blocked_id),
  constraint blocks_of_two check (blocker_id <> blocked_id)
);

create table message_reports (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  conversation_id uuid not null references conversations(id),
  reporter_id uuid not null references users(id),
  until_sequence integer not null check (until_sequence > 0),
  note text not null check (char_length(note) <= 1000),
  reported_at timestamptz default now() not null,
  resolved_at timestamptz
);
create index message_reports_of_a_reporter on message_reports (reporter_id, number);
create unique index message_reports_open_once on message_reports (conversation_id, reporter_id) where (resolved_at is null);

create table meetings (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  conversation_id uuid not null references conversations(id),
  proposer_id uuid not null references users(id),
  place text not null check (char_length(place) <= 200),
  starts_at timestamptz not null,
  state text default 'proposed' not null check (state in ('proposed', 'agreed', 'cancelled')),
  state_since timestamptz default now() not null,
  reminded_at timestamptz
);

create function is_planned(meetings) returns boolean language sql stable as $$
  select $1.state <> 'cancelled'
     and exists (
           select from conversations
             join laptops on laptops.id = conversations.laptop_id
             join bookings on bookings.laptop_id = conversations.laptop_id
                          and bookings.buyer_id = conversations.buyer_id
                          and bookings.ended_at is null
             left join orders on orders.booking_id = bookings.id
            where conversations.id = $1.conversation_id
              and bookings.booked_at <= $1.state_since
              and case when orders.id is null
                       then bookings.cancelled_at is null and laptops.state in ('available', 'blocked')
                       else orders.state not in ('refunded', 'charged_back') end
              and not exists (
                    select from order_events
                     where order_events.order_id = orders.id and order_events.happened_at > $1.state_since
                       and order_events.event in ('hand_over', 'confirm')))
$$;

create index meetings_of_a_conversation on meetings (conversation_id, state_since);
create index meetings_of_a_proposer on meetings (proposer_id, number);
create unique index meetings_one_at_a_time on meetings (conversation_id) where (state <> 'cancelled');
create index meetings_to_remind_of on meetings (starts_at) where ((state = 'agreed') and (reminded_at is null));

create table reviews (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  order_id uuid not null references orders(id),
  side text not null check (side in ('buyer', 'seller')),
  author_id uuid not null references users(id),
  subject_id uuid not null references users(id),
  stars smallint not null check (stars >= 1 and stars <= 5),
  text text not null check (octet_length(text) >= 1 and octet_length(text) <= 8000),
  written_at timestamptz default now() not null,
  due_at timestamptz not null,
  shown_at timestamptz,
  answer text check (octet_length(answer) >= 1 and octet_length(answer) <= 8000),
  answered_at timestamptz,
  removed_at timestamptz,
  removed_by_id uuid references users(id),
  removal_reason text check (octet_length(removal_reason) >= 1 and octet_length(removal_reason) <= 4000),
  constraint one_review_per_side unique (order_id, side),
  constraint answered_when_shown check (answer is null or shown_at is not null),
  constraint answered_with_time check ((answer is null) = (answered_at is null)),
  constraint removed_with_reason check (((removed_at is null) = (removal_reason is null))
    and ((removed_at is null) = (removed_by_id is null))),
  constraint reviews_of_somebody_else check (author_id <> subject_id)
);
create index answers_by_subject on reviews (subject_id, number) where (answer is not null);
create index reviews_by_author on reviews (author_id, number);
create index reviews_due on reviews (due_at) where (shown_at is null);
create index shown_reviews on reviews (subject_id, number desc) where ((shown_at is not null) and (removed_at is null));

create table review_reports (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  review_id uuid not null references reviews(id),
  reporter_id uuid not null references users(id),
  reason text not null check (char_length(reason) >= 1 and char_length(reason) <= 100),
  note text not null check (char_length(note) <= 1000),
  reported_at timestamptz default now() not null,
  resolution text check (resolution in ('dismissed', 'removed')),
  constraint review_reported_once unique (review_id, reporter_id)
);
create index review_reports_of_a_reporter on review_reports (reporter_id, number);
create index review_reports_of_a_review on review_reports (review_id, number);
create index review_reports_open on review_reports (review_id) where (resolution is null);

create table reputations (
  user_id uuid primary key references users(id),
  sold integer default 0 not null check (sold >= 0),
  reviews integer default 0 not null check (reviews >= 0),
  stars integer default 0 not null,
  constraint stars_of_reviews check (stars >= reviews and (stars <= (5 * reviews)))
);

alter table laptops add constraint sold_in_its_order foreign key (sold_order_id, id) references orders(id, laptop_id);
alter table ledger_entries add constraint ledger_entries_order_id_fkey foreign key (order_id) references orders(id);
alter table receipts add constraint receipts_order_id_fkey foreign key (order_id) references orders(id);
alter table transfers add constraint transfers_order_id_fkey foreign key (order_id) references orders(id);
alter table order_payables add constraint order_payables_order_id_fkey foreign key (order_id) references orders(id);
alter table same_laptop_checks add constraint same_laptop_checks_order_id_fkey foreign key (order_id) references orders(id);

create function add_complaint_photos() returns trigger language plpgsql as $$
  begin
    delete from complaint_photos where statement_id = new.id;
    insert into complaint_photos
    select new.id, shown.place, shown.photo_hash from photos_in(new.photos) as shown
     where shown.url like '/%';
    return null;
  end
$$;
create trigger complaint_statement_added after insert
  or update of photos on complaint_statements for each row
  execute function add_complaint_photos();

create function bound_refunds() returns trigger language plpgsql as $$
  declare
    captured bigint;
    refunded bigint;
  begin
    -- Locked, so that of two transactions the second one sums what the first one has committed.
    select amount_cents into captured
      from ledger_postings join ledger_entries on posting_id = ledger_postings.id and account = 'processor'
     where kind in ('sale', 'payment_without_sale') and reference = new.transaction_id
       for no key update of ledger_postings;
    select sum(amount_cents) into refunded
      from refunds where transaction_id = new.transaction_id and state not in ('failed', 'settled_by_bank');
    if refunded > captured then
      raise exception 'the refunds of % are % cents, more than the % that were captured', new.transaction_id, refunded, captured
        using errcode = 'check_violation', constraint = 'refunds_within_payment', table = 'refunds';
    end if;
    return null;
  end
$$;
create constraint trigger refunds_are_bounded after insert
  or update of amount_cents, state on refunds deferrable initially deferred for each row when (new.state not in ('failed', 'settled_by_bank'))
  execute function bound_refunds();

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
create trigger holds_of_buyer_checked before insert or update on holds for each row
  execute function check_holds_of_buyer();

create function check_sale() returns trigger language plpgsql as $$
  declare
    booking bookings := (select bookings from bookings where id = new.booking_id);
  begin
    if new.price_cents <> (select resale_price_cents from laptops where id = new.laptop_id) then
      raise exception 'a booking is paid at the price of its laptop'
        using errcode = 'check_violation', constraint = 'paid_at_price_of_laptop', table = 'orders';
    end if;
    if new.price_cents > booking.price_cents then
      raise exception 'a booking is paid at a price to which its buyer agreed'
        using errcode = 'check_violation', constraint = 'paid_at_agreed_price', table = 'orders';
    end if;
    if booking.cancelled_at is not null or booking.ended_at is not null or booking.buyer_id <> new.buyer_id then
      raise exception 'an order is opened for a booking of its buyer that is open'
        using errcode = 'check_violation', constraint = 'open_bookings_are_paid', table = 'orders';
    end if;
    return new;
  end
$$;
create trigger orders_of_open_bookings before insert on orders for each row
  execute function check_sale();

create function check_sold_booking() returns trigger language plpgsql as $$
  begin
    if exists (select from orders where booking_id = new.id) then
      raise exception 'a booking that was paid keeps its price and is not cancelled'
        using errcode = 'check_violation', constraint = 'price_of_sale_stays', table = 'bookings';
    end if;
    return new;
  end
$$;
create trigger paid_bookings_stay before update of price_cents, cancelled_at on bookings for each row when ((new.price_cents <> old.price_cents
  or new.cancelled_at is distinct from old.cancelled_at))
  execute function check_sold_booking();

create function count_sales() returns trigger language plpgsql as $$
  declare
    change integer := case when is_sale(new) then 1 else -1 end;
  begin
    -- A row for the buyer as well, which count_shown_reviews may be inserting: both must lock it.
    insert into reputations (user_id)
      select person from unnest(array[new.seller_id, new.buyer_id]) as person order by person
      on conflict (user_id) do nothing;
    perform from reputations where user_id in (new.seller_id, new.buyer_id) order by user_id for no key update;
    update reputations set sold = sold + change where user_id = new.seller_id;
    update reputations
       set reviews = reputations.reviews + change * counted.reviews,
           stars = reputations.stars + change * counted.stars
      from (select subject_id, count(*) as reviews, sum(stars) as stars from reviews
             where order_id = new.id and shown_at is not null and removed_at is null
             group by subject_id) as counted
     where reputations.user_id = counted.subject_id;
    perform tell_people_changed('seller', array[new.seller_id]);
    return null;
  end
$$;
create trigger sales_counted after update on orders for each row when ((is_sale(old.*) <> is_sale(new.*)))
  execute function count_sales();

create function count_shown_reviews() returns trigger language plpgsql as $$
  declare
    people uuid[];
  begin
    insert into reputations (user_id)
      select distinct subject_id from new_rows where shown_at is not null order by subject_id
      on conflict (user_id) do nothing;
    -- In one order, so that two transactions do not wait for each other. A transaction that undoes a sale locks the same rows: the
    -- later one of both reads what the earlier one has committed.
    perform from reputations
      where user_id in (select subject_id from new_rows where shown_at is not null)
      order by user_id for no key update;
    update reputations
       set reviews = reputations.reviews + change.reviews, stars = reputations.stars + change.stars
      from (select subject_id, sum(reviews) as reviews, sum(stars) as stars
              from (select order_id, subject_id, -1 as reviews, -stars as stars from old_rows
                     where shown_at is not null and removed_at is null
                    union all
                    select order_id, subject_id, 1, stars from new_rows
                     where shown_at is not null and removed_at is null) as counted
              join orders on orders.id = counted.order_id
             where is_sale(orders)
             group by subject_id) as change
     where reputations.user_id = change.subject_id and (change.reviews, change.stars) <> (0, 0);
    select array_agg(distinct subject_id) into people from new_rows where shown_at is not null;
    perform tell_people_changed('seller', people);
    return null;
  end
$$;
create trigger reviews_counted after update on reviews referencing old table as old_rows new table as new_rows for each statement
  execute function count_shown_reviews();

create function due_orders(seller uuid, balance bigint, payout_after text) returns table(order_id uuid, payable_cents bigint, due_cents bigint, hold text) language plpgsql stable rows 20 as $$
  declare
    open record;
    rest bigint := balance;
    is_disputed boolean := exists (select from seller_balances where seller_id = seller and disputed_orders > 0);
  begin
    for open in select payables.order_id, payables.payable_cents, payables.hold from order_payables as payables
                 where payables.seller_id = seller and payables.payable_cents > 0 and payables.hold <> 'none'
                   and (payables.hold = 'stopped' or payout_after = 'completed')
                 order by payables.first_entry desc
    loop
      exit when rest <= 0;
      order_id := open.order_id;
      payable_cents := open.payable_cents;
      due_cents := least(open.payable_cents, rest);
      hold := case when is_disputed then 'stopped' else open.hold end;
      rest := rest - due_cents;
      return next;
    end loop;
    for open in select payables.order_id, payables.payable_cents from order_payables as payables
                 where payables.seller_id = seller and payables.payable_cents > 0
                   and (payables.hold = 'none' or (payables.hold = 'complaints' and payout_after = 'release'))
                 order by payables.first_entry desc
    loop
      exit when rest <= 0;
      order_id := open.order_id;
      payable_cents := open.payable_cents;
      due_cents := least(open.payable_cents, rest);
      hold := case when is_disputed then 'stopped' else 'none' end;
      rest := rest - due_cents;
      return next;
    end loop;
  end
$$;

create function keep_reviews() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      if new.shown_at is not null or new.removed_at is not null then
        raise exception 'a review is written before it is shown or removed';
      end if;
      return new;
    end if;
    if (old.order_id, old.side, old.author_id, old.subject_id, old.stars, old.text, old.written_at, old.due_at)
       is distinct from
       (new.order_id, new.side, new.author_id, new.subject_id, new.stars, new.text, new.written_at, new.due_at)
       or (old.shown_at is not null and new.shown_at is distinct from old.shown_at)
       or (old.answer is not null and new.answer is distinct from old.answer)
       or (old.removed_at is not null and new.removed_at is distinct from old.removed_at) then
      raise exception 'a review is never changed, and it is shown, answered and removed once';
    end if;
    return new;
  end
$$;
create trigger reviews_stay before insert or update on reviews for each row
  execute function keep_reviews();

create function note_payout_hold() returns trigger language plpgsql as $$
  declare
    disputed integer := (new.state = 'charge_disputed')::integer;
  begin
    if tg_op = 'UPDATE' then disputed := disputed - (old.state = 'charge_disputed')::integer; end if;
    if disputed <> 0 then
      insert into seller_balances as balances (seller_id, balance_cents, disputed_orders)
        values (new.seller_id, 0, greatest(disputed, 0))
        on conflict (seller_id) do update set disputed_orders = balances.disputed_orders + disputed;
    end if;
    update order_payables set hold = payout_hold(new.state)
     where order_id = new.id and hold <> payout_hold(new.state);
    return null;
  end
$$;
create trigger orders_note_payout_hold after insert
  or update of state on orders for each row
  execute function note_payout_hold();

create function require_refund() returns trigger language plpgsql as $$
  declare
    order_row orders := (select orders from orders where id = new.id);
    refunds_cents bigint;
  begin
    if order_row.state = 'charged_back'
       or exists (select from disputes where transaction_id = order_row.transaction_id and state = 'lost') then
      return null;
    end if;
    select coalesce(sum(amount_cents), 0) into refunds_cents
      from refunds where transaction_id = order_row.transaction_id and reason <> 'unexplained';
    if refunds_cents <> order_row.refunded_cents + order_row.goodwill_cents then
      raise exception 'the order % gave % cents back with refunds of %', new.id,
        order_row.refunded_cents + order_row.goodwill_cents, refunds_cents
        using errcode = 'check_violation', constraint = 'refunded_orders_have_refunds';
    end if;
    return null;
  end
$$;
create constraint trigger refunded_orders_have_refunds after insert
  or update of state, refunded_cents, goodwill_cents on orders deferrable initially deferred for each row
  execute function require_refund();

create function set_seller_of_booking() returns trigger language plpgsql as $$
  begin
    if new.seller_id is null then
      select seller_id into new.seller_id from laptops where id = new.laptop_id;
    end if;
    return new;
  end
$$;
create trigger bookings_seller before insert on bookings for each row
  execute function set_seller_of_booking();

create function tell_block_changed() returns trigger language plpgsql as $$
  declare
    changed message_blocks := coalesce(new, old);
  begin
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages')::text)
       from unnest(array[changed.blocker_id, changed.blocked_id]) as person;
    return null;
  end
$$;
create trigger block_changed after insert or delete on message_blocks for each row
  execute function tell_block_changed();

create function tell_conversation_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages', 'id', new.id)::text)
       from unnest(array[new.buyer_id, new.seller_id]) as person;
    return null;
  end
$$;
create trigger conversation_changed after update of messages, buyer_read, seller_read on conversations for each row when (((old.messages is distinct from new.messages
  or old.buyer_read is distinct from new.buyer_read)
  or old.seller_read is distinct from new.seller_read))
  execute function tell_conversation_changed();

create function tell_meeting_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages', 'id', conversations.id)::text)
       from conversations, unnest(array[conversations.buyer_id, conversations.seller_id]) as person
      where conversations.id = new.conversation_id;
    return null;
  end
$$;
create trigger meeting_changed after insert or update of state on meetings for each row
  execute function tell_meeting_changed();
create trigger order_events_stay before delete or update on order_events for each row
  execute function keep_ledger();
