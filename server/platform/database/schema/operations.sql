-- Reports of listings, backups, and pages that admins write.

-- A report of a listing, by a person or by the shop itself, which found the same laptop, part or photo in another
-- listing.
create table reports (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity, -- not unique, as of users
  laptop_id uuid not null references laptops,
  reporter_id uuid references users, -- null when the shop reports it
  reason text not null constraint reports_reason_check check (
    case when reporter_id is null then reason in ('Same laptop', 'Same part', 'Same photo')
         else reason in ('Counterfeit', 'Not as described', 'Stolen', 'Prohibited', 'Other') end
  ),
  other_laptop_id uuid references laptops, -- the listing with the same laptop, part or photo
  -- The photos that are the same, as in laptops.images, from which they may have been removed since.
  photo text,
  other_photo text,
  note text not null,
  resolution text check (resolution in ('dismissed', 'taken_down')), -- null while an admin has not decided
  created_at timestamptz not null default now(),
  constraint reported_once unique (laptop_id, reporter_id),
  constraint report_by_the_shop
    check ((reporter_id is null) = (other_laptop_id is not null) and other_laptop_id <> laptop_id),
  constraint report_of_photos
    check ((photo is not null) = (reason = 'Same photo') and (photo is null) = (other_photo is null))
);
-- Also after a dismissal.
create unique index reported_by_the_shop_once on reports (laptop_id, other_laptop_id, reason) where reporter_id is null;
create index reports_by_laptop on reports (laptop_id, number desc);
create index open_reports on reports (laptop_id) where resolution is null;
create index reports_that_took_down on reports (laptop_id) where resolution = 'taken_down';
create index reports_by_reporter on reports (reporter_id, number);

-- All other listings of a laptop that was reported as stolen are looked for, as of measured_laptop_to_compare.
create trigger stolen_laptop_to_compare after insert on reports
  for each row when (new.reason = 'Stolen')
  execute function note_laptop_to_compare();

-- Sums of a laptop's reports, for an index in the order of the admins' list.
create table reported_laptops (
  laptop_id uuid primary key references laptops,
  reports integer not null check (reports > 0),
  open_reports integer not null check (open_reports between 0 and reports),
  has_open boolean not null generated always as (open_reports > 0) stored,
  latest bigint not null -- the number of the latest report
);
create index reported_laptops_in_order on reported_laptops (has_open desc, latest desc);

create function count_report() returns trigger language plpgsql as $$
  begin
    insert into reported_laptops as kept (laptop_id, reports, open_reports, latest)
      values (new.laptop_id, 1, (new.resolution is null)::int, new.number)
      on conflict (laptop_id) do update
        set reports = kept.reports + 1,
            open_reports = kept.open_reports + excluded.open_reports,
            latest = greatest(kept.latest, excluded.latest);
    return null;
  end
$$;
-- An admin would not see a laptop whose reports were not counted. People, the comparison of laptops and take-downs
-- change reports.
create trigger reports_counted after insert on reports
  for each row execute function count_report();

create function count_resolution() returns trigger language plpgsql as $$
  begin
    update reported_laptops
       set open_reports = open_reports + (new.resolution is null)::int - (old.resolution is null)::int
     where laptop_id = new.laptop_id;
    return null;
  end
$$;
create trigger resolutions_counted after update of resolution on reports -- as reports_counted
  for each row execute function count_resolution();

-- The state of periodic backups. One row. Backups do not contain it: a restored shop makes a new one at once.
create table backup_state (
  singleton boolean primary key default true check (singleton),
  every_ms bigint check (every_ms > 0), -- the configured interval; null when periodic backups are off
  expected_since timestamptz, -- since when they are on
  last_at timestamptz, -- when the last usable backup was begun: it contains what was committed before
  last_bytes bigint check (last_bytes >= 0),
  last_duration_ms bigint check (last_duration_ms >= 0),
  unverified text, -- why that backup was not verified; null when it was
  verified_at timestamptz, -- last_at of the last backup that was verified by a restore
  attempted_at timestamptz, -- when the last run began
  failures integer not null default 0 check (failures >= 0), -- runs since the last usable backup, with the one under way
  failure text, -- why the last run failed; null after a usable backup
  unfinished_name text, -- the backup that the last run wrote, unless it succeeded; the next run removes it
  notified_at timestamptz, -- when the admins were told that backups fail; null since a usable one
  check (num_nulls(every_ms, expected_since) in (0, 2)),
  check (num_nulls(last_at, last_bytes, last_duration_ms) in (0, 3)),
  check (failures = 0 or attempted_at is not null)
);
insert into backup_state default values;

-- What the owner decides about the shop (contract/platform/shop-settings.ts). One row, and none before the first change.
create table shop_settings (
  only_row boolean primary key default true check (only_row),
  version integer not null check (version > 0), -- counts the changes, so that nobody overwrites one unseen
  document jsonb not null
    check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 100000)
    constraint shop_settings_name check (length(document ->> 'name') between 1 and 40)
    constraint shop_settings_time_zone check (timezone(document ->> 'timeZone', timestamptz 'epoch') is not null)
    constraint shop_settings_commission check (
      (document #>> '{commission,basisPoints}')::int between 0 and 5000
      and (document #>> '{commission,fixedCents}')::int between 0 and 10000000
    ),
  changed_at timestamptz not null default now()
);

create function tell_settings_changed() returns trigger language plpgsql as $$
  begin
    if new.version <> coalesce(old.version, 0) + 1 then
      raise exception 'the settings were changed in the meantime';
    end if;
    perform pg_notify('settings_changed', new.version::text);
    return null;
  end
$$;
-- Every process has the settings in memory, and a change that it missed would have it sell under other terms.
create trigger tell_settings_changed after insert or update on shop_settings
  for each row execute function tell_settings_changed();

-- A picture of the shop, such as its logo. One that the settings do not name is removed after a day.
create table shop_pictures (
  name text primary key check (name ~ '^[0-9a-f]{32}\.(webp|png|jpeg)$'), -- a hash of the bytes, and their format
  bytes bytea not null check (octet_length(bytes) between 1 and 220000),
  created_at timestamptz not null default now()
);
-- Pages that admins write -------------------------------------------------------------------------------------------

-- A page, such as the terms, or a post of the blog.
create table content_pages (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  kind text not null check (kind in ('page', 'post')),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60), -- in its address
  published_version integer, -- null for a draft
  published_at timestamptz, -- when that version was published
  first_published_at timestamptz, -- from then on the address stays
  constraint one_page_at_an_address unique (kind, slug),
  constraint published_version_has_time check ((published_version is null) = (published_at is null)),
  constraint published_is_first_published check (published_at is null or first_published_at is not null)
);

-- A version of a page. Saving adds one, and none is ever changed.
create table content_versions (
  page_id uuid not null references content_pages on delete cascade,
  version integer not null check (version > 0),
  title text not null check (length(title) between 1 and 120),
  description text not null check (length(description) between 1 and 200), -- for search engines and lists
  body text not null check (length(body) <= 40000), -- Markdown
  saved_by uuid references users, -- null for the samples that come with the shop
  saved_at timestamptz not null default now(),
  primary key (page_id, version)
);
create index content_versions_by_user on content_versions (saved_by) where saved_by is not null;
alter table content_pages add constraint published_version_exists
  foreign key (id, published_version) references content_versions (page_id, version);

-- The footer of every page lists the published ones, and they seldom change, so all cached responses are dropped.
create trigger content_pages_changed after update of published_version or delete on content_pages
  for each statement execute function tell_catalogue_changed();

-- Drafts for a new shop. Its owner checks them before publishing.
with samples (slug, title, description, body) as (values
  ('help', 'Help', 'How buying and selling works in this shop, and whom to ask.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

## Buying

1. Search or choose a brand, and open a laptop. Its page says who checked it: the seller alone, the laptop itself in a measurement, or the shop in an inspection.
2. Book it. A booking is free, and others can book the same laptop.
3. Pay by card. The first to pay gets it. The shop holds the money.
4. Meet the seller, look at the laptop, and give the seller your hand-over code only when all is well. Then the money is released. Or, where the seller offers it, the laptop is sent to you for free: say on the order when it has arrived, and look at it.

Your orders, with all that you can do about them, are under [My Orders](/dashboard/myOrders).

## Something is wrong

Complain on the page of your order: before the hand-over, or up to {{complaint-days}} days after it or after the arrival of a parcel. While a complaint is open, the shop holds the money.

## Selling

Register as a seller and [add your laptop](/dashboard/addProduct) with photos of it. You can let it measure itself, which buyers see. After the sale the shop pays you, less its commission if it takes one: the page on which you register, and Add Product, say how much.

## Your account

Passwords, two-step sign-in, notifications, a copy of your data and the deletion of your account are under [Account](/dashboard/account).
$md$),
  ('returns', 'Returns and refunds', 'When you get your money back, and how to return a laptop.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

## Before the hand-over

The shop holds your money until the seller has entered the code that you give when you meet. If the seller cancels, or another buyer paid first, you get all of it back at once on the card with which you paid.

## A parcel

If it is not sent in time, is lost, or comes back to the seller, you get all of it back. When it has arrived, you have {{complaint-days}} days to look at the laptop, and the shop holds your money meanwhile.

## After the hand-over or the arrival

You can complain on the page of your order for {{complaint-days}} days. Say what is wrong, and add photos. The seller can agree, offer a part of the price, or contradict; then the shop decides. If you keep the laptop, you get the part on which you agreed. If you return it, you get the price when it is back; agree with the seller on who pays for the way. [How it works](/how-it-works#broken) has all deadlines.

Without a hand-over, complain in time: without a complaint the money is released {{held-days}} days after the payment, or some days after the meeting on which you agreed, and you have {{complaint-days}} more days to complain.

## How long it takes

The shop sends a refund at once. Banks take 5 to 10 days to show it.

## Your rights by law

These rules do not limit rights that the law gives you, such as those of consumers who buy from a trader.
$md$),
  ('terms', 'Terms', 'The rules of this shop for buyers and sellers.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

## Who we are

{{shop}} is run by {{operator}}, {{address}}, tax number {{tax-id}}.

## What the shop does

Sellers offer used laptops in their own name. The contract of sale is between buyer and seller. The shop takes the payment, holds it until the buyer had time to look at the laptop, decides about complaints, and pays the seller, less its commission if it takes one.

## Buyers

A booking binds nobody. A payment buys the laptop for the price shown. The first payment counts; a later one is refunded. The money is released when the seller enters the buyer’s code, or without a complaint {{held-days}} days after the payment, or some days after the meeting on which both agreed. Complaints are possible for {{complaint-days}} days after that. For a laptop that is sent, they are possible for {{complaint-days}} days after it has arrived, and then the money is released: see [How it works](/how-it-works#money).

## Sellers

Describe the laptop as it is, with your own photos. It must be yours to sell, and free of locks of earlier owners. A laptop that is sent is sent at your cost and risk. Sales outside the shop to people found here are not protected. The shop can take listings down, and tells the seller why.

## What is checked

A laptop’s page says what the shop or a measurement has checked, and what is the seller’s word. A measurement says how the laptop was at that time.

## Accounts

One person has one account and keeps its password secret. The shop can end accounts that break these rules. Everybody can end their own under [Account](/dashboard/account); what was paid stays on record.
$md$),
  ('privacy', 'Privacy', 'What this shop stores about you, why, and what you can do about it.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

## Who is responsible

{{operator}}, {{address}}.

## What is stored, and why

| Data | Why |
| --- | --- |
| Name, email address, sign-ins | your account |
| Telephone number, city | so that buyer and seller can meet |
| Address of a parcel | so that the seller can send it; erased after 180 days |
| Listings, photos, measurements of laptops | to sell them |
| Bookings, orders, messages, reviews, complaints | to carry out sales and decide about complaints |
| Payments, refunds, receipts | the books that the law asks for |

Card data go from your browser to the card processor and never reach this shop.

## Who gets it

Buyer and seller of a booking see each other’s name and contact. Listings, seller pages and reviews are public. The card processor, and the services that send the shop’s email and text messages, get what they need for that. Push messages go through your browser’s service, if you switch them on.

## In your browser

The shop stores your sign-in, your theme, and texts that you have not sent yet. It has no advertising and no statistics of visitors.

## What you can do

Under [Account](/dashboard/account) you can read and change your data, download all of them, and delete the account. Then your name and contact are removed; what the books must show stays.
$md$),
  ('accessibility', 'Accessibility', 'Who can use this shop, what was tried, and what was not.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

Everybody should be able to buy and sell here: this is what {{operator}} wants. The aim is level AA of WCAG 2.2. We do not claim that every page meets it: nobody from outside has tested the shop.

## What was tried

Automatic tests try this for each version of the program, in Chromium:

| What | How |
| --- | --- |
| Keyboard | Ten tasks without a mouse: find, book and pay; book on a phone; ask a seller; agree on a meeting; hand over; complain; answer a complaint; decide about one; list a laptop; inspect one. The focus can be seen at every stop, and is not lost when something closes. |
| What screen readers get | In the same tasks: the title of each page, names and descriptions of fields, errors, messages, and what the other person does meanwhile. |
| Rules | axe checks the pages, in the light and the dark theme, contrast included. |
| Large text | At 200 % on a phone, and 320 pixels wide: nothing is cut off, and nothing needs scrolling sideways. |
| Movement | None, where your system asks for less. The video and the banner can be paused. |

## What was not tried

- No person who uses a screen reader, magnification, voice control or a switch has tested it. Tests read what Chromium offers to such programs, not what the programs make of it.
- No other browser: neither Firefox nor Safari, nor a real telephone.
- Nobody has measured how easy the texts are to read. There is no sign language and no easy language.

## What does not work

- Sellers choose the photos, and often describe them in a few words or not at all. Ask the seller about what a photo shows.
- The tests of a laptop’s screen, keyboard and sound need eyes, hands and ears. Each can be left out.
- The card’s fields come from the card processor, who is responsible for them. The tests above use a stand-in for them.

## When something does not work for you

Write to {{operator}}, {{address}}. Please name the page, what you wanted to do, and what you use.
$md$)
), pages as (
  insert into content_pages (kind, slug) select 'page', slug from samples returning id, slug
)
insert into content_versions (page_id, version, title, description, body)
select pages.id, 1, title, description, body from samples join pages using (slug);
