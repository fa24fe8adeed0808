-- Bookings, payments, orders, refunds, complaints, messages and reviews.

-- Bookings ----------------------------------------------------------------------------------------------------------

-- A buyer's reservation of a laptop. Whether it was paid, and what became of the sale, is what its order says
-- (docs/decisions/0047-a-sale-is-its-order.md).
create table bookings (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity, -- not unique, as of users
  laptop_id uuid not null,
  buyer_id uuid not null references users,
  seller_id uuid not null, -- the laptop's (booked_of_seller), for an index on a seller's bookings in the order of their list
  currency text not null default 'USD' constraint booked_in_currency references shop_currency (code),
  -- To which the buyer agreed, or the lowest price of the laptop since then, until it is paid.
  price_cents integer not null check (price_cents > 0),
  notified_price_cents integer check (notified_price_cents > 0), -- last told by email; null: the buyer knows only price_cents
  agreed_when_notified_cents integer check (agreed_when_notified_cents > 0), -- price_cents when notified_price_cents was told
  check (num_nulls(notified_price_cents, agreed_when_notified_cents) in (0, 2)),
  phone text not null,
  delivery text not null default 'meet' check (delivery in ('meet', 'ship')),
  location text, -- where the buyer wants to meet
  booked_at timestamptz not null default now(),
  cancelled_at timestamptz, -- null also when the laptop's present state alone cancels it, and if it has an order
  cancelled_by text check (cancelled_by in ('buyer', 'withdrawal')), -- withdrawal: the laptop left and was listed again
  ended_at timestamptz, -- when its order ended with the laptop at its seller; null while the order stands
  constraint bookings_id_laptop_id_key unique (id, laptop_id),
  constraint booked_of_seller foreign key (laptop_id, seller_id) references laptops (id, seller_id),
  constraint bookings_of_two check (buyer_id <> seller_id), -- nobody buys from themselves
  constraint meeting_has_place check ((delivery = 'meet') = (location is not null)),
  constraint cancelled_by_somebody check ((cancelled_at is null) = (cancelled_by is null))
);
create unique index booked_once on bookings (buyer_id, laptop_id) where ended_at is null;
create index bookings_of_a_buyer on bookings (buyer_id, number desc);
create index bookings_by_seller on bookings (seller_id, number desc);
create index bookings_of_a_laptop on bookings (laptop_id);

-- Where a laptop is sent. A row is deleted when it is not needed any more (server/sales/shipping/actions.ts).
create table shipping_addresses (
  booking_id uuid primary key references bookings,
  stored_at timestamptz not null default now(),
  name text not null check (char_length(name) between 1 and 100),
  line1 text not null check (char_length(line1) between 1 and 100),
  line2 text check (char_length(line2) between 1 and 100),
  city text not null check (char_length(city) between 1 and 80),
  region text check (char_length(region) between 1 and 80),
  postal_code text check (char_length(postal_code) between 1 and 16),
  country text not null check (country ~ '^[A-Z]{2}$')
);
create index shipping_addresses_by_time on shipping_addresses (stored_at);

-- The payment window of a laptop: the short time in which one buyer alone can pay for it.
create table payment_windows (
  laptop_id uuid primary key references laptops,
  booking_id uuid not null unique,
  buyer_id uuid not null references users, -- of the booking
  started_at timestamptz not null, -- of the buyer's 20 minutes, before the payment window if the buyer has had one before
  expires_at timestamptz not null,
  foreign key (booking_id, laptop_id) references bookings (id, laptop_id),
  check (expires_at between started_at and started_at + interval '20 minutes')
);
create index payment_windows_of_a_buyer on payment_windows (buyer_id, expires_at);

create function check_payment_windows_of_buyer() returns trigger language plpgsql as $$
  begin
    new.buyer_id := coalesce((select buyer_id from bookings where id = new.booking_id), new.buyer_id);
    -- Two payment windows of one buyer on two laptops would not see each other without this lock.
    perform from users where id = new.buyer_id for no key update;
    -- The application decides by its own clock, which may be a few seconds off.
    if new.expires_at > clock_timestamp() + interval '5 seconds' and 2 <= (
      select count(*) from payment_windows
       where buyer_id = new.buyer_id and laptop_id <> new.laptop_id
         and expires_at > clock_timestamp() + interval '5 seconds'
    ) then
      raise exception 'a buyer has at most two payment windows'
        using errcode = 'check_violation', constraint = 'two_payment_windows_a_buyer', table = 'payment_windows';
    end if;
    return new;
  end
$$;
-- A buyer who had many would keep others from buying them. No constraint can count rows.
create trigger payment_windows_of_buyer_checked before insert or update on payment_windows
  for each row execute function check_payment_windows_of_buyer();

-- How long a booking's earlier payment windows were open.
create table payment_window_uses (
  booking_id uuid primary key references bookings,
  used_ms integer not null check (used_ms between 0 and 20 * 60 * 1000),
  ended_at timestamptz not null
);

-- A place in the queue of buyers who wait for the payment window on a laptop.
create table payment_queue (
  booking_id uuid primary key,
  laptop_id uuid not null,
  buyer_id uuid not null references users,
  number bigint generated always as identity unique, -- the order of the queue
  expires_at timestamptz not null, -- unless the buyer's page renews it
  foreign key (booking_id, laptop_id) references bookings (id, laptop_id)
);
create index payment_queue_of_a_laptop on payment_queue (laptop_id, number);
create index payment_queue_of_a_buyer on payment_queue (buyer_id);
create index payment_queue_expired on payment_queue (expires_at);

-- Payments ----------------------------------------------------------------------------------------------------------

-- An attempt to pay a booking.
create table payment_intents (
  id uuid primary key default gen_random_uuid(),
  booking_id uuid not null references bookings,
  amount_cents integer not null check (amount_cents > 0),
  transaction_id text unique, -- the card processor's; null until it has answered
  state text not null default 'open' check (state in ('open', 'sold', 'refunded', 'closed')),
  created_at timestamptz not null default now(),
  -- When reconciliation next asks the card processor about it.
  next_check_at timestamptz not null default now() + interval '1 minute'
);
-- With two, a buyer could pay twice.
create unique index one_open_intent_per_booking on payment_intents (booking_id) where state = 'open';
create index payment_intents_by_booking on payment_intents (booking_id);
create index intents_to_check on payment_intents (next_check_at) where state = 'open';

-- Orders ------------------------------------------------------------------------------------------------------------

-- A sale: opened by the payment that bought the laptop, in the same transaction. Its price, commission and seller are
-- frozen. contract/money/order-states.ts describes the states and their moves.
create table orders (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  booking_id uuid not null constraint ordered_once unique references bookings,
  laptop_id uuid not null references laptops,
  buyer_id uuid not null references users,
  seller_id uuid not null references users,
  -- Their names at the sale, which its receipts state; null once the account was deleted.
  buyer_name text,
  seller_name text,
  transaction_id text not null unique, -- the card processor's, of the payment that bought the laptop
  placed_at timestamptz not null default now(),
  price_cents integer not null check (price_cents > 0),
  -- What the shop keeps of the whole price.
  commission_cents integer not null check (commission_cents between 0 and price_cents),

  delivery text not null default 'meet' check (delivery in ('meet', 'ship')), -- of the booking
  shipped_at timestamptz, -- when the seller handed the present parcel to a carrier
  delivered_at timestamptz, -- when somebody said so
  reminded_in text, -- the state in which people were last reminded of its deadline
  is_put_off boolean not null default false, -- whether the deadline of this state was put off

  state text not null check (state in (
    'held', 'to_ship', 'shipped', 'delivered', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'charge_disputed',
    'completed', 'refunded', 'charged_back'
  )),
  state_since timestamptz not null default now(),
  due_at timestamptz, -- when the state ends by itself
  -- The end of the payment window or the sending, and since the first release or the delivery the end of the time for complaints: a
  -- later change of the settings does not shorten it.
  promised_until timestamptz not null,
  disputed_in text check (disputed_in in ( -- the state in which a bank disputed the payment, until the bank decides
    'held', 'to_ship', 'shipped', 'delivered', 'complaint', 'offered', 'contested', 'awaiting_return',
    'return_reported', 'released', 'completed'
  )),
  in_complaint boolean not null generated always as ( -- also while a bank decides
    coalesce(disputed_in, state) in ('complaint', 'offered', 'contested', 'awaiting_return', 'return_reported')
  ) stored,
  cancel_reason text check (char_length(cancel_reason) between 0 and 1000), -- why the seller gave the sale up

  -- Whether the buyer has the laptop: one of them said so, or nobody complained in time.
  laptop_with_buyer boolean not null default false,
  -- False once the money went back and the buyer does not have the laptop, which then is its seller's.
  stands boolean not null generated always as (
    laptop_with_buyer or state not in ('refunded', 'charged_back')
  ) stored,
  handover_code text not null check (handover_code ~ '^[0-9]{6}$'), -- the buyer shows it to the seller
  wrong_codes integer not null default 0 check (wrong_codes >= 0),
  codes_locked_until timestamptz,

  released_at timestamptz, -- when the ledger credited the seller
  refunded_cents integer not null default 0, -- went back to the buyer at the cost of the sale, also by a bank
  goodwill_cents integer not null default 0, -- went back at the shop's own cost

  constraint order_of_a_laptop unique (id, laptop_id),
  foreign key (booking_id, laptop_id) references bookings (id, laptop_id),
  constraint each_wait_ends
    check ((due_at is null) = (state in ('charge_disputed', 'completed', 'refunded', 'charged_back'))),
  -- Both meet, or the seller sends it: an order is never in a state of the other way.
  constraint state_of_delivery check (case when delivery = 'ship' then coalesce(disputed_in, state) <> 'held'
    else coalesce(disputed_in, state) not in ('to_ship', 'shipped', 'delivered') end),
  constraint parcel_in_order check (
    (shipped_at is not null or delivered_at is null)
    and case coalesce(disputed_in, state) when 'to_ship' then shipped_at is null
          when 'shipped' then shipped_at is not null and delivered_at is null
          when 'delivered' then delivered_at is not null else true end),
  constraint disputed_from_a_state check ((state = 'charge_disputed') = (disputed_in is not null)),
  constraint refunded_within_price check (refunded_cents between 0 and price_cents),
  constraint refunded_in_full check (state <> 'refunded' or refunded_cents = price_cents),
  -- A bank can take the whole price although the buyer got a part of it as goodwill. Then more than the price went
  -- back.
  constraint returned_within_price check (
    goodwill_cents >= 0
    and (state in ('charged_back', 'charge_disputed') or refunded_cents + goodwill_cents <= price_cents)
  )
);
create unique index one_order_per_laptop on orders (laptop_id) where stands;
create index orders_of_a_buyer on orders (buyer_id, number desc);
create index orders_of_a_seller on orders (seller_id, number desc);
-- Of what waits for a person, what ends first is read first.
create index orders_waiting_for_a_buyer on orders (buyer_id, due_at)
  where state in ('held', 'shipped', 'delivered', 'offered', 'awaiting_return');
create index orders_waiting_for_a_seller on orders (seller_id, due_at)
  where state in ('held', 'to_ship', 'complaint', 'return_reported');
create index unreleased_orders_of_a_seller on orders (seller_id)
  where released_at is null and refunded_cents < price_cents;
create index orders_due on orders (due_at) where due_at is not null;
create index orders_with_parcels on orders (due_at) where state in ('to_ship', 'shipped');
create index orders_in_complaint on orders (id) where in_complaint;
create index orders_in_question on orders (state) where state in (
  'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'charge_disputed'
);

alter table laptops add constraint sold_in_its_order
  foreign key (sold_order_id, id) references orders (id, laptop_id);
alter table ledger_entries add constraint ledger_entries_order_id_fkey foreign key (order_id) references orders;
alter table order_payables add constraint order_payables_order_id_fkey foreign key (order_id) references orders;
alter table transfers add constraint transfers_order_id_fkey foreign key (order_id) references orders;
alter table receipts add constraint receipts_order_id_fkey foreign key (order_id) references orders;
alter table same_laptop_checks add constraint same_laptop_checks_order_id_fkey foreign key (order_id) references orders;
alter table measurement_codes add constraint measurement_codes_order_id_fkey foreign key (order_id) references orders;

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
    if new.delivery <> booking.delivery then
      raise exception 'an order is delivered as its buyer chose'
        using errcode = 'check_violation', constraint = 'delivered_as_booked', table = 'orders';
    end if;
    if booking.cancelled_at is not null or booking.ended_at is not null or booking.buyer_id <> new.buyer_id then
      raise exception 'an order is opened for a booking of its buyer that is open'
        using errcode = 'check_violation', constraint = 'open_bookings_are_paid', table = 'orders';
    end if;
    return new;
  end
$$;
-- Prices and bookings change until the payment. No constraint can compare the rows of three tables.
create trigger orders_of_open_bookings before insert on orders
  for each row execute function check_sale();

create function check_sold_booking() returns trigger language plpgsql as $$
  begin
    if exists (select from orders where booking_id = new.id) then
      raise exception 'a booking that was paid keeps its price and delivery and is not cancelled'
        using errcode = 'check_violation', constraint = 'price_of_sale_stays', table = 'bookings';
    end if;
    return new;
  end
$$;
-- The same afterwards: the order has this price.
create trigger paid_bookings_stay before update of price_cents, delivery, cancelled_at on bookings
  for each row when (new.price_cents <> old.price_cents or new.delivery <> old.delivery
                     or new.cancelled_at is distinct from old.cancelled_at)
  execute function check_sold_booking();

create function lower_agreed_prices() returns trigger language plpgsql as $$
  begin
    update bookings
       set price_cents = new.resale_price_cents,
           agreed_when_notified_cents = coalesce(agreed_when_notified_cents, price_cents),
           notified_price_cents = coalesce(notified_price_cents, price_cents)
      from (select id from bookings as unpaid
             where laptop_id = new.id and cancelled_at is null and price_cents > new.resale_price_cents
               and not exists (select from orders where booking_id = unpaid.id)
             -- Always in this order, so that two statements cannot wait for each other.
             order by id for update) as lowered
     where bookings.id = lowered.id;
    return null;
  end
$$;
-- A buyer relies on a price that the shop has shown. Whatever lowers it, the buyer is not charged more without a new
-- agreement (docs/decisions/0042-lowest-price-of-a-booking.md).
create trigger laptops_price_lowered after update of resale_price_cents on laptops
  for each row when (new.resale_price_cents < old.resale_price_cents)
  execute function lower_agreed_prices();

-- Why what is payable of an order in a state is held back. 'complaints' ends with the time for complaints, and holds
-- back only with the setting payoutAfter=completed. This is the only place that knows.
create function payout_hold(state text) returns text language sql immutable as $$
  select case when state = 'released' then 'complaints'
              when state in ('completed', 'refunded', 'charged_back') then 'none'
              else 'stopped' end
$$;

create function set_payout_hold() returns trigger language plpgsql as $$
  begin
    new.hold := (select payout_hold(state) from orders where id = new.order_id);
    return new;
  end
$$;
-- The first entry of an order can precede the change of its state in the same transaction; the next trigger follows it.
create trigger order_payables_set_hold before insert on order_payables
  for each row execute function set_payout_hold();

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
-- Money of an order with a complaint or a dispute must not be paid out, whatever changed the order's state.
create trigger orders_note_payout_hold after insert or update of state on orders
  for each row execute function note_payout_hold();

-- A parcel of an order, as its sender typed it.
create table parcels (
  order_id uuid not null references orders,
  number bigint generated always as identity unique,
  nth smallint not null check (nth between 1 and 10), -- of the order
  way text not null check (way in ('out', 'back')), -- to the buyer, or returned to the seller
  carrier text not null check (char_length(carrier) between 1 and 40),
  tracking_number text not null check (tracking_number ~ '^[A-Z0-9]{6,40}$'),
  sent_at timestamptz not null default now(),
  report text not null default '' check (char_length(report) <= 1000), -- the proof of delivery, or why it came back
  primary key (order_id, nth),
  -- The number of somebody else's parcel proves nothing.
  constraint tracked_once unique (tracking_number)
);

-- Where the seller of an order sends its laptop from: printed on its label, and where its return label leads. The latest one of a
-- seller is proposed for the next order.
create table sender_addresses (
  order_id uuid primary key references orders,
  seller_id uuid not null references users,
  stored_at timestamptz not null default now(),
  changed_at timestamptz not null default now(), -- labels that were quoted since then are sent from it
  name text not null check (char_length(name) between 1 and 100),
  line1 text not null check (char_length(line1) between 1 and 100),
  line2 text check (char_length(line2) between 1 and 100),
  city text not null check (char_length(city) between 1 and 80),
  region text check (char_length(region) between 1 and 80),
  postal_code text check (char_length(postal_code) between 1 and 16),
  country text not null check (country ~ '^[A-Z]{2}$'),
  phone text not null check (char_length(phone) between 1 and 40)
);
create index sender_addresses_by_time on sender_addresses (stored_at);
create index sender_addresses_of_seller on sender_addresses (seller_id, stored_at);

-- A label that the shop buys for a parcel of an order. It is stored when its prices are known; the PDF stays with the carrier.
create table labels (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  order_id uuid not null references orders,
  way text not null check (way in ('out', 'back')), -- as of parcels
  -- quoted: its prices are known. buying: the carrier is asked. bought: to be printed. used: the carrier has the parcel.
  -- voiding: the carrier is asked for its price back. voided: that is back, or nothing was bought. kept: the carrier does not
  -- give it back. failed: the carrier did not sell it.
  state text not null default 'quoted'
    check (state in ('quoted', 'buying', 'bought', 'used', 'voiding', 'voided', 'kept', 'failed')),
  shipment_id text not null unique, -- the carrier's; a shipment has one label, however often it is bought
  borne_by text not null check (borne_by in ('seller', 'shop')), -- the setting when it was quoted
  rates jsonb not null, -- the offered prices
  insured_cents integer not null check (insured_cents >= 0),
  quoted_premium_cents integer not null check (quoted_premium_cents >= 0),
  quoted_at timestamptz not null default now(),
  rate_id text, -- of the chosen price
  carrier text check (char_length(carrier) between 1 and 40),
  service text,
  cost_cents integer check (cost_cents > 0),
  premium_cents integer check (premium_cents >= 0), -- of the insurance
  charged_cents integer check (charged_cents >= 0), -- what the seller bears of both
  tracking_number text unique check (tracking_number ~ '^[A-Z0-9]{6,40}$'),
  bought_at timestamptz,
  printed_at timestamptz,
  -- To which address it leads, while that is another one than its order's: the buyer has corrected it since. Erased with that.
  former_address text,
  manifest uuid check (manifest is null or (bought_at is not null and way = 'out')), -- of the labels on one sheet for the carrier
  tracking text not null default 'unknown' check (tracking in ( -- what the carrier last reported
    'unknown', 'pre_transit', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender',
    'failure', 'cancelled', 'error'
  )),
  tracked_at timestamptz, -- since when
  problem text not null default '', -- why the carrier did not sell it, in words
  -- Of a lost or damaged parcel, at the insurance. found: it paid, the parcel was found, and what it took back is recorded.
  claim text check (claim in ('open', 'paid', 'refused', 'found')),
  claim_type text check (claim_type in ('loss', 'damage')), -- as the insurance calls it
  claim_paid_cents integer check (claim_paid_cents > 0), -- less what it took back
  next_check_at timestamptz, -- when the shop asks the carrier about it; null: never
  constraint chosen_labels_have_a_rate check ((state = 'quoted') <= (rate_id is null)),
  constraint bought_labels_are_known check (
    num_nulls(carrier, service, cost_cents, premium_cents, charged_cents, tracking_number, bought_at) in (0, 7)
    and (state in ('bought', 'used', 'kept')) <= (bought_at is not null)
    and (state in ('quoted', 'buying', 'failed')) <= (bought_at is null)),
  constraint claims_have_a_type check ((claim is null) = (claim_type is null)),
  constraint claims_are_paid check (
    case claim when 'paid' then claim_paid_cents is not null when 'found' then true else claim_paid_cents is null end)
);
-- Two labels at once would be paid twice and used once.
create unique index one_label_per_parcel on labels (order_id, way) where state in ('quoted', 'buying', 'bought');
create index labels_of_an_order on labels (order_id, number);
create index labels_to_check on labels (next_check_at) where next_check_at is not null;
create index labels_to_print on labels (order_id) where state = 'bought';
create index open_claims on labels (number) where claim in ('open', 'paid');
create index labels_by_purchase on labels (bought_at) where bought_at is not null;

create function limit_insurance_payments() returns trigger language plpgsql as $$
  declare
    price bigint := (select price_cents from orders where id = new.order_id for no key update);
    paid bigint := (select sum(claim_paid_cents) from labels where order_id = new.order_id);
  begin
    if paid > price then
      raise exception 'the insurances of the order % pay more than its price', new.order_id
        using errcode = 'check_violation', constraint = 'insurance_pays_once', table = 'labels';
    end if;
    return null;
  end
$$;
-- One laptop can be damaged on its way out and lost on its way back. Its price would be the seller's twice.
create trigger labels_limit_insurance_payments after insert or update of claim_paid_cents on labels
  for each row when (new.claim_paid_cents is not null)
  execute function limit_insurance_payments();

create function erase_former_addresses() returns trigger language plpgsql as $$
  begin
    update labels set former_address = null from orders
     where orders.booking_id = old.booking_id and labels.order_id = orders.id and former_address is not null;
    return null;
  end
$$;
create trigger shipping_address_erased after delete on shipping_addresses
  for each row execute function erase_former_addresses();

create function tell_parcel_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'orders', 'id', new.order_id)::text)
       from (select unnest(array[buyer_id, seller_id]) as person from orders where id = new.order_id
             union all
             select id from users
              where is_admin and ended_at is null and (is_owner or areas && '{complaints,money}')) as readers;
    return null;
  end
$$;
-- Open pages of an order, also of admins who may read it, show at once what a carrier reports. Not of every report a person is notified.
create trigger label_changed after update of state, tracking, claim on labels
  for each row when ((old.state, old.tracking, old.claim) is distinct from (new.state, new.tracking, new.claim))
  execute function tell_parcel_changed();

-- A photo of a laptop before its seller hands it to a carrier: with a slip, packed, and as a parcel. It proves what was sent when, so it
-- stays as it is, and is erased as the address that can be on it.
create table packing_photos (
  order_id uuid not null references orders,
  number bigint generated always as identity unique,
  nth smallint not null check (nth between 1 and 12), -- of the order
  photo text not null, -- in its stored form
  photo_hash text references photos, -- null for another image host
  added_at timestamptz not null default now(),
  primary key (order_id, nth),
  constraint packing_photo_once unique (order_id, photo)
);
create index packing_photos_of_a_photo on packing_photos (photo_hash);
create index packing_photos_by_time on packing_photos (added_at);

create trigger packing_photo_added after insert on packing_photos -- as label_changed
  for each row execute function tell_parcel_changed();

-- What people need to know of a parcel that is on its way to the buyer: what its carrier reports, or that it is late, some days before
-- the price goes back. Null for nothing. The page of an order, lists and what waits have it from here.
create function parcel_news(orders, late_days integer) returns text language sql stable as $$
  select case $1.state when 'shipped' then (
    select case when labels.tracking in ('available_for_pickup', 'return_to_sender', 'failure') then labels.tracking
                when $1.due_at < now() + make_interval(days => late_days) then 'late' end
      from parcels
      left join labels on labels.order_id = parcels.order_id and labels.tracking_number = parcels.tracking_number
     where parcels.order_id = $1.id and parcels.way = 'out'
     order by parcels.nth desc
     limit 1)
  when 'awaiting_return' then (
    select 'no_return_address'
     where $1.delivery = 'ship' and not exists (select from sender_addresses where order_id = $1.id)) end
$$;

-- What happened to an order. Append-only.
create table order_events (
  order_id uuid not null references orders,
  number bigint generated always as identity unique,
  happened_at timestamptz not null default clock_timestamp(),
  event text not null,
  actor text not null check (actor in ('buyer', 'seller', 'admin', 'deadline', 'bank', 'shop', 'carrier')),
  amount_cents integer,
  primary key (order_id, number)
);

-- Parcels that were delivered, or turned back, when the money had gone the other way.
create index late_arrivals on order_events (happened_at) where event = 'arrive_late';

-- Buyer, seller and admins argue from it about money.
create trigger order_events_stay before update or delete on order_events
  for each row execute function refuse_change('the events of orders are never changed');
create trigger order_events_stay_whole before truncate on order_events
  for each statement execute function refuse_change('the events of orders are never changed');

-- Refunds and disputes ----------------------------------------------------------------------------------------------

-- A refund of a payment, due or made.
create table refunds (
  id uuid primary key default gen_random_uuid(),
  booking_id uuid not null references bookings,
  transaction_id text not null, -- of the payment, which has no order when it bought nothing
  amount_cents integer not null check (amount_cents > 0),
  reason text not null check (reason in (
    'sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount', 'price_changed',
    'lock_found', 'order_cancelled', 'not_delivered', 'complaint', 'partial', 'charged_back', 'by_admin', 'goodwill',
    'made_at_processor', 'unexplained'
  )),
  -- waiting: until the money is back from the seller, or an admin decides. done can become failed, when the buyer's
  -- bank returns the money. paid_by_bank: it failed, and a lost dispute gave the buyer the money. paid_by_hand: it
  -- failed, and an admin paid it from the shop's bank account.
  state text not null default 'pending'
    check (state in ('waiting', 'pending', 'done', 'failed', 'paid_by_bank', 'paid_by_hand')),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  attempt integer not null default 1 check (attempt > 0), -- each has its own idempotency key at the card processor
  card_refund_id text, -- of this attempt. Not unique: one that an operator made there can pay several rows.
  failed_at timestamptz,
  failure_reason text, -- the card processor's code
  unfunded_attempt integer check (unfunded_attempt > 0), -- which waits for funds in the balance there; null when none
  next_check_at timestamptz default now() + interval '1 minute', -- when reconciliation asks about it; null: never
  note text not null default '' check (char_length(note) <= 1000), -- what an admin told both people about it
  told_waiting_at timestamptz, -- when the buyer and the admins were told that it waits
  check ((state = 'done') = (done_at is not null)),
  constraint failed_when_and_why
    check ((state = 'failed') = (failed_at is not null) and (state = 'failed') = (failure_reason is not null)),
  constraint waiting_refunds_are_not_made check (state <> 'waiting' or card_refund_id is null)
);
create index refunds_by_booking on refunds (booking_id);
create index refunds_of_a_payment on refunds (transaction_id, created_at);
create index refunds_by_card_refund on refunds (card_refund_id) where card_refund_id is not null;
create index refunds_unfinished on refunds (state) where state <> 'done';
create index refunds_that_wait on refunds (created_at, id) where state in ('waiting', 'failed');
create index refunds_to_check on refunds (next_check_at) where state in ('pending', 'done');

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
      from refunds where transaction_id = new.transaction_id and state not in ('failed', 'paid_by_bank', 'paid_by_hand');
    if refunded > captured then
      raise exception 'the refunds of % are % cents, more than the % that were captured',
        new.transaction_id, refunded, captured
        using errcode = 'check_violation', constraint = 'refunds_within_payment', table = 'refunds';
    end if;
    return null;
  end
$$;
-- The refunds of a payment are bounded by what was captured, as the ledger has it. Neither a unique index nor a check
-- of one row can express it. At the end of the transaction, when the payment is posted.
create constraint trigger refunds_are_bounded after insert or update of amount_cents, state on refunds
  deferrable initially deferred for each row when (new.state not in ('failed', 'paid_by_bank', 'paid_by_hand'))
  execute function bound_refunds();

-- A dispute that a buyer opened at their bank.
create table disputes (
  id uuid primary key default gen_random_uuid(),
  card_dispute_id text not null constraint disputed_once unique, -- the card processor's
  booking_id uuid not null references bookings,
  transaction_id text not null,
  amount_cents integer not null check (amount_cents > 0),
  reason text not null, -- the card processor's code, such as fraudulent
  evidence_due_at timestamptz, -- null when the bank accepts none
  state text not null check (state in ('inquiry', 'inquiry_closed', 'disputed', 'won', 'lost')),
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  next_check_at timestamptz not null default now() + interval '1 day', -- when reconciliation asks about it
  constraint closed_when check ((state in ('inquiry', 'disputed')) = (closed_at is null))
);
create index disputes_of_a_booking on disputes (booking_id);
create index disputes_of_a_payment on disputes (transaction_id);
create index disputes_lost_by_time on disputes (closed_at) where state = 'lost';
create index disputes_to_check on disputes (next_check_at) where closed_at is null;

-- Whether a bank took the money of a dispute back. One that is won afterwards keeps what its order gave back.
create function was_lost(disputes) returns boolean language sql stable as $$
  select exists (select from ledger_postings where kind = 'dispute_lost' and reference = $1.card_dispute_id)
$$;

create function require_refund() returns trigger language plpgsql as $$
  declare
    order_row orders := (select orders from orders where id = new.id);
    refunds_cents bigint;
  begin
    if order_row.state = 'charged_back'
       or exists (select from disputes where transaction_id = order_row.transaction_id and was_lost(disputes)) then
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
-- An order gives back the sum of its refunds, unless a bank took money back as well. Else a buyer would be told of
-- money that nobody sends. At the end of the transaction, when order and refunds are there.
create constraint trigger refunded_orders_have_refunds
  after insert or update of state, refunded_cents, goodwill_cents on orders
  deferrable initially deferred for each row execute function require_refund();

-- A card network's warning that a payment is probably fraudulent.
create table fraud_warnings (
  warning_id text primary key, -- the card processor's
  booking_id uuid not null references bookings,
  transaction_id text not null,
  fraud_type text not null,
  received_at timestamptz not null default now()
);
create index fraud_warnings_of_a_booking on fraud_warnings (booking_id);

-- Complaints --------------------------------------------------------------------------------------------------------

-- A complaint about an order. The latest one is open while the order is in_complaint.
create table complaints (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  order_id uuid not null references orders,
  nth smallint not null check (nth between 1 and 3), -- of the order
  kind text not null
    check (kind in (
      'not_as_described', 'locked', 'does_not_work', 'not_handed_over', 'not_taken', 'damaged', 'not_arrived'
    )),
  complained_at timestamptz not null default now(),
  constraint complaints_in_turn unique (order_id, nth)
);

-- What was said or done about a complaint. Texts and photos are erased with their author's account.
create table complaint_statements (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  complaint_id uuid not null references complaints,
  nth smallint not null check (nth between 1 and 50), -- of the complaint
  said_at timestamptz not null default clock_timestamp(),
  party text not null check (party in ('buyer', 'seller', 'admin')),
  author_id uuid not null references users,
  move text check (move in ( -- null for words alone
    'complain', 'withdraw', 'take_offer', 'decline_offer', 'report_return',
    'accept', 'offer', 'contest', 'confirm_return', 'deny_return',
    'decide_return', 'decide_refund', 'decide_part', 'decide_release'
  )),
  text text not null check (char_length(text) <= 2000),
  amount_cents integer check (amount_cents > 0),
  photos text[] not null default '{}' check (cardinality(photos) <= 6), -- in their stored form
  constraint statements_in_turn unique (complaint_id, nth), -- the second of two answers at once is refused
  constraint amounts_of_offers
    check ((amount_cents is not null) = (move is not null and move in ('offer', 'take_offer', 'decide_part')))
);
create index complaint_statements_of_an_author on complaint_statements (author_id, number);

-- Which statement shows which photo of the built-in host, derived from complaint_statements.photos as laptop_photos is.
create table complaint_photos (
  statement_id uuid not null references complaint_statements,
  position integer not null, -- in complaint_statements.photos, from 1
  photo_hash text not null references photos,
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
create trigger complaint_statement_added after insert or update of photos on complaint_statements -- as laptops_added
  for each row execute function add_complaint_photos();

-- Messages ----------------------------------------------------------------------------------------------------------

-- What a buyer and a seller write to each other about a laptop. Its two people have columns and no table of their own,
-- so that a conversation is read, written and marked as read by one row.
create table conversations (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  laptop_id uuid not null references laptops,
  buyer_id uuid not null references users,
  seller_id uuid not null references users,
  opened_at timestamptz not null default now(),
  messages integer not null default 0 check (messages >= 0), -- how many, which is the sequence of the latest one
  -- Of the latest message or proposed meeting, by which lists are ordered; null before the first one.
  latest_number bigint,
  -- The sequence up to which a person has read.
  buyer_read integer not null default 0,
  seller_read integer not null default 0,
  -- When a person is told of unread messages; null while there are none, or when that was done.
  buyer_notice_at timestamptz,
  seller_notice_at timestamptz,
  -- The sequence up to which that was done.
  buyer_told integer not null default 0,
  seller_told integer not null default 0,
  constraint conversations_once unique (laptop_id, buyer_id),
  constraint conversations_of_two check (buyer_id <> seller_id),
  constraint latest_with_messages check (messages = 0 or latest_number is not null),
  constraint read_messages_exist
    check (buyer_read between 0 and messages and seller_read between 0 and messages),
  constraint told_messages_exist
    check (buyer_told between 0 and messages and seller_told between 0 and messages)
);
create index conversations_of_a_buyer on conversations (buyer_id, latest_number desc) where latest_number is not null;
create index conversations_of_a_seller on conversations (seller_id, latest_number desc) where latest_number is not null;
create index conversations_by_buyer on conversations (buyer_id, opened_at);
create index conversations_of_a_pair on conversations (seller_id, buyer_id);
create index conversations_to_tell_buyers on conversations (buyer_notice_at) where buyer_notice_at is not null;
create index conversations_to_tell_sellers on conversations (seller_notice_at) where seller_notice_at is not null;

-- Open pages of both people show a message, and that it was read, at once.
create trigger conversation_changed after update of messages, buyer_read, seller_read on conversations
  for each row when (
    (old.messages, old.buyer_read, old.seller_read) is distinct from (new.messages, new.buyer_read, new.seller_read)
  )
  execute function tell_live('messages', 'id', 'buyer_id', 'seller_id');

create function tell_partners_of_ended_account() returns trigger language plpgsql as $$
  begin
    -- The latest ones. More are not told at once: their pages say it when they are read again.
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages')::text)
       from (select distinct person
               from ((select seller_id as person, latest_number from conversations
                       where buyer_id = new.id and latest_number is not null
                       order by latest_number desc limit 500)
                     union all
                     (select buyer_id, latest_number from conversations
                       where seller_id = new.id and latest_number is not null
                       order by latest_number desc limit 500)) as latest) as people;
    return null;
  end
$$;
-- The end of an account closes its conversations. Open pages then say so instead of taking another message.
create trigger account_ended_in_conversations after update of ended_at on users
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function tell_partners_of_ended_account();

-- A message of a conversation.
create table messages (
  conversation_id uuid not null references conversations,
  sequence integer not null check (sequence > 0), -- in the conversation, from 1
  number bigint generated always as identity unique,
  sender_id uuid not null references users,
  sent_at timestamptz not null default clock_timestamp(),
  text text not null check (char_length(text) <= 2000),
  photos text[] not null default '{}' check (cardinality(photos) <= 4), -- in their stored form
  primary key (conversation_id, sequence)
);
create index messages_of_a_sender on messages (sender_id, number);

-- A private photo of the built-in host: of one conversation from its upload on, and of one message once that is sent.
create table message_photos (
  photo_hash text primary key references photos on delete cascade,
  photo text not null, -- in its stored form
  conversation_id uuid not null references conversations,
  uploader_id uuid not null references users,
  sequence integer -- of the message that shows it; null before it is sent
);
create index message_photos_of_a_conversation on message_photos (conversation_id);
create index message_photos_of_an_uploader on message_photos (uploader_id);

-- A person who does not take messages from another.
create table message_blocks (
  blocker_id uuid not null references users,
  blocked_id uuid not null references users,
  primary key (blocker_id, blocked_id),
  constraint blocks_of_two check (blocker_id <> blocked_id)
);

-- A block closes conversations, too, and its end opens them.
create trigger block_changed after insert or delete on message_blocks
  for each row execute function tell_live('messages', '', 'blocker_id', 'blocked_id');

-- A report of a conversation by one of its people.
create table message_reports (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  conversation_id uuid not null references conversations,
  reporter_id uuid not null references users,
  until_sequence integer not null check (until_sequence > 0), -- an admin reads the messages up to this one
  note text not null check (char_length(note) <= 1000),
  reported_at timestamptz not null default now(),
  resolved_at timestamptz
);
create unique index message_reports_open_once on message_reports (conversation_id, reporter_id)
  where resolved_at is null;
create index message_reports_of_a_reporter on message_reports (reporter_id, number);

-- Where and when the two people of a conversation meet.
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
-- Counts the meetings that were proposed in a conversation within a day.
create index meetings_of_a_conversation on meetings (conversation_id, state_since);
create index meetings_of_a_proposer on meetings (proposer_id, number);
create index meetings_to_remind_of on meetings (starts_at) where state = 'agreed' and reminded_at is null;

-- Whether two people still plan to meet: from the proposal until the laptop is handed over or its sale is undone. A
-- meeting counts for the booking that its buyer had then. One for the return of a laptop is proposed after the
-- hand-over or the delivery, so it is planned.
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
              and (bookings.delivery = 'meet' or orders.delivered_at <= $1.state_since)
              and case when orders.id is null
                       then bookings.cancelled_at is null and laptops.state in ('available', 'blocked')
                       else orders.state not in ('refunded', 'charged_back') end
              and not exists (
                    select from order_events
                     where order_events.order_id = orders.id and order_events.happened_at > $1.state_since
                       and order_events.event in ('hand_over', 'confirm')))
$$;

create function tell_meeting_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages', 'id', conversations.id)::text)
       from conversations, unnest(array[conversations.buyer_id, conversations.seller_id]) as person
      where conversations.id = new.conversation_id;
    return null;
  end
$$;
-- Open pages of both people show a proposal and its answer at once.
create trigger meeting_changed after insert or update of state on meetings
  for each row execute function tell_meeting_changed();

-- Reviews -----------------------------------------------------------------------------------------------------------

-- What one side of an order wrote about the other.
create table reviews (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  order_id uuid not null references orders,
  side text not null check (side in ('buyer', 'seller')), -- which wrote it
  author_id uuid not null references users,
  subject_id uuid not null references users, -- the reviewed person
  stars smallint not null check (stars between 1 and 5),
  text text not null check (octet_length(text) between 1 and 8000),
  written_at timestamptz not null default now(),
  due_at timestamptz not null, -- when it is shown without a review of the other side
  shown_at timestamptz,
  answer text check (octet_length(answer) between 1 and 8000),
  answered_at timestamptz,
  removed_at timestamptz,
  removed_by_id uuid references users,
  removal_reason text check (octet_length(removal_reason) between 1 and 4000),
  constraint one_review_per_side unique (order_id, side),
  constraint reviews_of_somebody_else check (author_id <> subject_id),
  constraint answered_when_shown check (answer is null or shown_at is not null),
  constraint answered_with_time check ((answer is null) = (answered_at is null)),
  constraint removed_with_reason
    check ((removed_at is null) = (removal_reason is null) and (removed_at is null) = (removed_by_id is null))
);
create index shown_reviews_of_sellers on reviews (subject_id, number desc)
  where side = 'buyer' and shown_at is not null and removed_at is null;
create index reviews_by_author on reviews (author_id, number);
create index answers_by_subject on reviews (subject_id, number) where answer is not null;
create index reviews_due on reviews (due_at) where shown_at is null;

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
-- Else a side could change its review after it has read the other's, and a removed review could return.
create trigger reviews_stay before insert or update on reviews
  for each row execute function keep_reviews();

-- A report of a review by a person who read it. A review's text never changes, so a report needs no copy of it.
create table review_reports (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  review_id uuid not null references reviews,
  reporter_id uuid not null references users,
  reason text not null check (char_length(reason) between 1 and 100),
  note text not null check (char_length(note) <= 1000),
  reported_at timestamptz not null default now(),
  resolution text check (resolution in ('dismissed', 'removed')) -- null while an admin has not decided
);
create unique index review_reports_open_once on review_reports (review_id, reporter_id) where resolution is null;
create index review_reports_of_a_review on review_reports (review_id, number);
create index review_reports_open on review_reports (review_id) where resolution is null;
create index review_reports_of_a_reporter on review_reports (reporter_id, number);

-- Sums of a person's sales and reviews, without which pages would count them for each seller that they show. A person
-- without any may have no row.
create table reputations (
  user_id uuid primary key references users,
  sold integer not null default 0 check (sold >= 0), -- sales, by is_sale()
  reviews integer not null default 0 check (reviews >= 0), -- shown reviews about this person as a seller, of sales
  stars integer not null default 0, -- the sum of their stars
  buyer_reviews integer not null default 0 check (buyer_reviews >= 0), -- the same about this person as a buyer
  buyer_stars integer not null default 0,
  constraint stars_of_reviews check (stars between reviews and 5 * reviews),
  constraint stars_of_buyer_reviews check (buyer_stars between buyer_reviews and 5 * buyer_reviews)
);

-- Whether an order counts as a sale: its money was released, the seller gave at most half of it back, and no bank decides
-- about it. Reviews count with their sale (docs/decisions/0048-reviews-of-undone-sales.md).
create function is_sale(orders) returns boolean language sql immutable as $$
  select $1.released_at is not null and $1.state not in ('refunded', 'charged_back', 'charge_disputed')
         and $1.refunded_cents <= $1.price_cents / 2
$$;

create function count_shown_reviews() returns trigger language plpgsql as $$
  declare
    people uuid[];
  begin
    insert into reputations (user_id)
      select distinct subject_id from new_rows where shown_at is not null order by subject_id
      on conflict (user_id) do nothing;
    -- In one order, so that two transactions do not wait for each other. A transaction that undoes a sale locks the
    -- same rows: the later one of both reads what the earlier one has committed.
    perform from reputations
      where user_id in (select subject_id from new_rows where shown_at is not null)
      order by user_id for no key update;
    update reputations
       set reviews = reputations.reviews + change.reviews, stars = reputations.stars + change.stars,
           buyer_reviews = reputations.buyer_reviews + change.buyer_reviews,
           buyer_stars = reputations.buyer_stars + change.buyer_stars
      from (select subject_id,
                   coalesce(sum(reviews) filter (where side = 'buyer'), 0) as reviews,
                   coalesce(sum(stars) filter (where side = 'buyer'), 0) as stars,
                   coalesce(sum(reviews) filter (where side = 'seller'), 0) as buyer_reviews,
                   coalesce(sum(stars) filter (where side = 'seller'), 0) as buyer_stars
              from (select order_id, subject_id, side, -1 as reviews, -stars as stars from old_rows
                     where shown_at is not null and removed_at is null
                    union all
                    select order_id, subject_id, side, 1, stars from new_rows
                     where shown_at is not null and removed_at is null) as counted
              join orders on orders.id = counted.order_id
             where is_sale(orders)
             group by subject_id) as change
     where reputations.user_id = change.subject_id
       and (change.reviews, change.stars, change.buyer_reviews, change.buyer_stars) <> (0, 0, 0, 0);
    select array_agg(distinct subject_id) into people from new_rows where shown_at is not null;
    perform tell_people_changed(people);
    return null;
  end
$$;
-- Reviews are shown by time, answered and removed in several places, and each must change the same sums.
create trigger reviews_counted after update on reviews referencing old table as old_rows new table as new_rows
  for each statement execute function count_shown_reviews();

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
           stars = reputations.stars + change * counted.reviews * counted.stars,
           buyer_reviews = reputations.buyer_reviews + change * (1 - counted.reviews),
           buyer_stars = reputations.buyer_stars + change * (1 - counted.reviews) * counted.stars
      from (select subject_id, (side = 'buyer')::integer as reviews, stars from reviews
             where order_id = new.id and shown_at is not null and removed_at is null) as counted
     where reputations.user_id = counted.subject_id;
    perform tell_people_changed(array[new.seller_id]);
    return null;
  end
$$;
-- An order becomes a sale, or stops being one, by moves of people, by time, and by banks.
create trigger sales_counted after update on orders
  for each row when (is_sale(old) <> is_sale(new))
  execute function count_sales();
