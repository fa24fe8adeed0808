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
  every_ms bigint check (every_ms > 0), -- the interval of the settings; null when periodic backups are off
  expected_since timestamptz, -- since when they are on with this interval
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

Describe the laptop as it is, with your own photos. It must be yours to sell, and free of locks of earlier owners. A laptop that is sent is sent at your risk, and {{label-payer}} pays for a label from this shop. Sales outside the shop to people found here are not protected. The shop can take listings down, and tells the seller why.

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
$md$),
  ('imprint', 'Imprint', 'Who runs this shop, and how to reach its operator.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

{{shop}} is run by:

{{operator}}, {{address}}

| What | Value |
| --- | --- |
| Email | {{email}} |
| Register number | {{register-number}} |
| Tax number | {{tax-id}} |

Sellers are responsible for what they offer, and {{operator}} for the rest.
$md$),
  ('about', 'About', 'What this shop is, and who runs it.', $md$> **This is a sample.** The owner of this shop checks it, changes what is different, and removes this note before publishing it.

{{shop}} is a marketplace for used laptops, run by {{operator}}. Sellers list their laptops, and each laptop’s page says who checked it. The shop holds the buyer’s payment until the laptop is handed over or has arrived. [How it works](/how-it-works) says the rest.

Write to {{email}}.
$md$)
), pages as (
  insert into content_pages (kind, slug) select 'page', slug from samples returning id, slug
)
insert into content_versions (page_id, version, title, description, body)
select pages.id, 1, title, description, body from samples join pages using (slug);

-- The articles of a new shop's blog, the first of them last. Its owner edits, withdraws or deletes them.
with samples (slug, title, description, body) as (values
  ('angular-react-vue', 'Angular, React or Vue: what is the difference?', 'The same search field three times, what each framework decides for you, and how to choose between them in 2026.', $md$All three build a page from components, render on the server, support TypeScript and are fast enough for nearly everybody. They have also grown alike: Angular now has signals, React has a compiler, and Vue had a bit of both from the start. They still differ in how much they decide for you, and in the code that you read every day. So here is the same search field three times, written as each framework’s own guide would write it in late 2026.

## React 19

`laptop-search.tsx`:

```tsx
import { useState } from 'react';

export function LaptopSearch({ laptops }: { laptops: string[] }) {
  const [text, setText] = useState('');
  const found = laptops.filter((name) => name.toLowerCase().includes(text.toLowerCase()));

  return (
    <>
      <label>
        Search <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <ul>
        {found.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {found.length === 0 && <p>Nothing found</p>}
    </>
  );
}
```

A component is a function, and it runs again whenever its state changes. There is little to learn that is not JavaScript. You used to have to memoise by hand; the React Compiler, stable since 2025, now does that at build time. React decides nothing beyond the screen. That is quick to start with, and after some years each choice is one that you have to maintain.

## Vue 3.5

`laptop-search.vue`:

```vue
<script setup lang="ts">
import { computed, ref } from 'vue';

const { laptops } = defineProps<{ laptops: string[] }>();
const text = ref('');
const found = computed(() =>
  laptops.filter((name) => name.toLowerCase().includes(text.value.toLowerCase())),
);
</script>

<template>
  <label>Search <input v-model="text" /></label>
  <ul>
    <li v-for="name in found" :key="name">{{ name }}</li>
  </ul>
  <p v-if="found.length === 0">Nothing found</p>
</template>
```

Script, template and style of a component share one file. The script runs *once*; refs record which code reads them, so Vue knows what to update. `v-model` binds the input to the ref in both directions. Of the three, this is the easiest to read for a person who knows HTML. The next step, Vapor Mode in the betas of Vue 3.6, compiles the same files to code without a virtual DOM.

## Angular 22

`laptop-search.component.ts`:

```ts
import { Component, computed, input, signal } from '@angular/core';

@Component({
  selector: 'laptop-search',
  template: `
    <label>Search <input #field [value]="text()" (input)="text.set(field.value)" /></label>
    <ul>
      @for (name of found(); track name) {
        <li>{{ name }}</li>
      } @empty {
        <li>Nothing found</li>
      }
    </ul>
  `,
})
export class LaptopSearch {
  readonly laptops = input.required<string[]>();
  protected readonly text = signal('');
  protected readonly found = computed(() =>
    this.laptops().filter((name) => name.toLowerCase().includes(this.text().toLowerCase())),
  );
}
```

If you last saw Angular with modules, `*ngIf` and zone.js, look again: components are standalone, control flow is part of the template language, and signals drive change detection without zones. Router, forms, HTTP client, dependency injection and a test runner are included, released together and migrated by `ng update`. There is more to learn at the beginning, and less to decide later.

## Side by side

| Question | Angular | React | Vue |
| --- | --- | --- | --- |
| What it is | A complete framework | A library for the screen | A framework to adopt step by step |
| Markup | HTML templates with @if and @for | JSX: markup inside JavaScript | HTML templates with v-if and v-for |
| What updates | The code that read a changed signal | The component runs again; the result is compared | The code that read a changed ref |
| Routing, forms | Included | Of your choice | Official router; forms of your choice |
| Shared state | Services with signals; NgRx | Hooks; Zustand, Jotai, Redux Toolkit | Composables; Pinia |
| On the server | Angular SSR | React Router, Next.js, TanStack Start | Nuxt |
| TypeScript | Required, also in templates | Optional, very well supported | Optional, also in templates |
| Maintained by | Google | The React Foundation | An independent team, paid by sponsors |

## How to choose

- **Your team knows one of them well.** Take it. Nothing else on this list matters as much.
- **Many teams, many years, frequent new members.** Angular takes longer to learn, but every project looks alike.
- **Server-rendered pages that become interactive step by step.** Vue is the easiest to add to an existing page.
- **You depend on what others have built.** React has the most components, the most developers on the job market, and React Native for an app.

The software of this shop uses React for a plain reason: the card processor’s form fields, the cache for fetched data and the accessible dialogs that it needed all exist for it, finished and maintained. In Vue or Angular it would look the same to you.
$md$),
  ('unit-tests', 'What is a unit test, and why write one?', 'What a unit test is, how to write ones that find mistakes, and which ones to leave out.', $md$A unit test calls a small piece of a program, usually a function or a class, with known input, and compares the result with the expected one. It needs no network, no database and no browser, so hundreds of them run in a second, and each one points at the place that broke. *Integration tests* join real parts, and *end-to-end tests* use the product as a person would: they are fewer and slower, and show what no unit test can.

## What unit tests are good for

- **Safe changes.** You can tidy up code that you wrote a year ago, because its behaviour is checked within a second of saving.
- **Faster diagnosis.** “An order for $0.01 fails” is a bug report; “rejects a price of one cent” with a line number is almost the repair.
- **Better design.** Code that is hard to test mostly does too many things at once. Separating the decision from the database call also helps the next reader.
- **Documentation that stays true.** The name of a test says what the code does, and the test fails when that is no longer true.

## A first test

When a buyer starts to pay for a laptop, it is held for twenty minutes. The rule is one line. Note that the time is an argument: a function that reads the clock itself gives another answer on each call, and is hard to test.

`hold.ts`:

```ts
const twentyMinutes = 20 * 60_000;

/** Whether a laptop that is held since `since` is still held at `now`; both in milliseconds. */
export function isHeld(since: number, now: number): boolean {
  return now - since < twentyMinutes;
}
```

`hold.test.ts`:

```ts
import { expect, test } from 'vitest';
import { isHeld } from './hold.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const minutes = (count: number) => count * 60_000;

test('a laptop is held for twenty minutes', () => {
  expect(isHeld(noon, noon)).toBe(true);
  expect(isHeld(noon, noon + minutes(20) - 1)).toBe(true);
});

test('a laptop is no longer held after exactly twenty minutes', () => {
  expect(isHeld(noon, noon + minutes(20))).toBe(false);
});
```

Vitest runs them. The interesting values are the limits: mistakes are found where `<` might have been `<=`, at zero, at the empty list, at the last day of a month. And each test is named after the behaviour, not after the function, so its name is still right when the code inside has been rewritten.

## When examples are not enough

Sometimes you know a rule rather than a list of examples. Split an amount into shares, and whatever the numbers, the shares must add up to the amount:

`split.ts`:

```ts
/** Splits an amount in whole cents into `ways` shares that are as equal as cents allow. */
export function split(cents: number, ways: number): number[] {
  const share = Math.floor(cents / ways);
  const left = cents - share * ways;
  return Array.from({ length: ways }, (_, index) => (index < left ? share + 1 : share));
}
```

`split.test.ts`:

```ts
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { split } from './split.ts';

test('no cent is lost, and no share is more than a cent above another', () => {
  fc.assert(
    fc.property(fc.nat(5_000_000), fc.integer({ min: 1, max: 12 }), (cents, ways) => {
      const shares = split(cents, ways);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cents);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});
```

fast-check tries a hundred pairs of numbers, among them the extreme ones, and when one fails it looks for the smallest that still does. Money, dates, parsers and every pair of functions that undo each other are worth such a test.

## Which tests to leave out

- **Tests that repeat the code.** If a test replaces all dependencies by mocks and then checks that they were called in order, it fails on every change and finds nothing. Test the result.
- **Tests that cannot fail.** Break the code on purpose once and see the test turn red. If it stays green, it tests nothing.
- **Tests with a pause in them.** Waiting half a second for something to happen is slow on good days and wrong on bad ones. Wait for the event itself, or pass in the clock.
- **Tests for the sake of a number.** Coverage shows which lines nothing has run. It cannot show that anybody checked the result.

And some rules cannot be tested in a unit. That two buyers cannot both pay for one laptop is a matter for the real database and a real race, so that is how this shop tests it.
$md$),
  ('prototypal-inheritance', 'How does prototypal inheritance work?', 'Objects in JavaScript inherit from objects. How the prototype chain works, and what it means for classes, shadowing and two common mistakes.', $md$In Java or C#, a class is a plan and an object is built from it. In JavaScript there are only objects, and each of them may point to another one: its **prototype**. When a property is read that the object does not have, the engine looks at the prototype, then at the prototype’s prototype, until it finds the property or reaches `null`. Nothing is copied. Inheritance is this search, done at the moment of reading.

## The prototype chain

`Object.create` makes an object with a prototype of your choice. The comments say what each line gives:

`chain.js`:

```js
const laptop = {
  cores: 4,
  describe() {
    return `${this.name}, ${this.cores} cores`;
  },
};
const eliteBook = Object.create(laptop);
eliteBook.name = 'EliteBook 840';

eliteBook.describe(); // → 'EliteBook 840, 4 cores'
Object.keys(eliteBook); // → ['name']

eliteBook.cores = 8;
eliteBook.describe(); // → 'EliteBook 840, 8 cores'
laptop.cores; // → 4

delete eliteBook.cores;
eliteBook.cores; // → 4
```

Three things are worth a second look.

- **`this` is the object in front of the dot.** `describe` was found on `laptop`, but called on `eliteBook`, so it reads the name of `eliteBook`.
- **Reading searches the chain, writing does not.** The assignment to `eliteBook.cores` made an own property that *shadows* the inherited one; `laptop` kept its four cores. After the own property was deleted, the inherited one was found again. (Setters and read-only properties on the chain are the exception: they affect writing.)
- **The link is live.** Give `laptop` a new method, and every object made from it has that method at once.

## Classes

A function that is made for `new` has a property named `prototype`. It is not the prototype *of the function*; it is the object that becomes the prototype of each object that `new` makes. The `class` syntax writes methods onto that object, and `extends` links two such objects:

`class.js`:

```js
class Laptop {
  constructor(name) {
    this.name = name;
  }
  describe() {
    return this.name;
  }
}
class CheckedLaptop extends Laptop {
  describe() {
    return `${super.describe()}, checked`;
  }
}
const swift = new CheckedLaptop('Swift 3');

swift.describe(); // → 'Swift 3, checked'
typeof Laptop; // → 'function'
Object.hasOwn(swift, 'name'); // → true
Object.hasOwn(swift, 'describe'); // → false
Object.getPrototypeOf(swift) === CheckedLaptop.prototype; // → true
Object.getPrototypeOf(CheckedLaptop.prototype) === Laptop.prototype; // → true
```

So `describe` exists once, however many laptops there are, and `super.describe` starts the search one link further up. Classes also add what was awkward before: private `#fields`, a constructor that cannot be called without `new`, and built-in types such as `Error` and `Array` that can be extended properly. But `instanceof` still only asks whether an object’s chain contains a certain `prototype`. That is also why it fails for objects from another frame: that frame has another `Array.prototype`.

## Two mistakes

`traps.js`:

```js
const emptyBasket = { items: [] };
const ada = Object.create(emptyBasket);
const ben = Object.create(emptyBasket);
ada.items.push('EliteBook');
ben.items; // → ['EliteBook']

const stock = { HP: 8 };
'constructor' in stock; // → true
Object.hasOwn(stock, 'constructor'); // → false

const sent = JSON.parse('{ "__proto__": { "isAdmin": true } }');
Object.assign({}, sent).isAdmin; // → true
({ ...sent }).isAdmin; // → undefined
```

**A shared object.** `ada.items.push` *reads* `items`, so it searches the chain and changes the one array that all baskets share. State belongs to each object, in its constructor; only behaviour belongs on the prototype.

**Keys from outside.** A plain object inherits from `Object.prototype`, so `in` finds more than you put there. Ask with `Object.hasOwn`, or use a `Map`, whose keys do not mix with a prototype. Worse, a key named `__proto__` in somebody’s JSON can replace a prototype when it is copied carelessly, as `Object.assign` does above. A recursive merge that does the same can change `Object.prototype` itself; that is called prototype pollution. Check input against a schema, and copy only the fields that you know.

## In short

Objects point to objects. Reading follows the pointers; writing changes only the object itself. Write classes in everyday code, and remember the chain when an object has a property that nobody gave it.
$md$),
  ('state-management', 'How is state managed in a React application?', 'Most state is a copy of the server’s, part of the URL, or no state at all. The rest fits a reducer or twenty lines of store.', $md$State is what a page has to remember between two moments: the typed text, the open dialog, the signed-in user. React’s part is simple. A component is a function from state to a description of the screen; change the state, and React calls the function again. *Managing* state means deciding where each piece lives and who may change it. Most of the trouble comes from choosing a library before asking what kind of state there is.

## Four kinds of state

- **No state at all.** A value that follows from other values is computed while rendering: a total, a filtered list, “is this form valid”. Stored a second time, it will one day disagree with the first. The usual sign is an effect that calls a setter to keep two states equal.
- **The URL.** A search, a page number, an opened tab: if a reload or a shared link should restore it, it belongs in the URL, and the router is its store.
- **The server’s state.** Laptops, orders and wishlists live in a database; the browser has a copy that gets outdated. You need a cache for it that handles age, retries and refetching, such as TanStack Query, RTK Query, or your router’s loaders. Keeping such copies in a hand-made global store means writing that cache again, worse.
- **The screen’s own state.** Only this remains: a draft, an open menu, the step of a payment. Start with `useState` in the component that needs it, and move it up to the nearest common parent when a second component needs it.

## State with several steps

Three booleans called `isLoading`, `isError` and `isDone` have eight combinations, of which perhaps four make sense. A reducer over a union type has only those four, and every change goes through one function that can be read and tested without React:

`payment.ts`:

```ts
type Payment =
  | { step: 'ready' }
  | { step: 'paying' }
  | { step: 'refused'; reason: string }
  | { step: 'paid'; receipt: string };

type Event =
  | { type: 'submitted' }
  | { type: 'refused'; reason: string }
  | { type: 'confirmed'; receipt: string };

export function next(payment: Payment, event: Event): Payment {
  if (event.type === 'submitted') {
    // A second click during the first payment changes nothing.
    return payment.step === 'ready' || payment.step === 'refused' ? { step: 'paying' } : payment;
  }
  if (payment.step !== 'paying') return payment;
  return event.type === 'refused'
    ? { step: 'refused', reason: event.reason }
    : { step: 'paid', receipt: event.receipt };
}

// In the component: const [payment, dispatch] = useReducer(next, { step: 'ready' });
```

The payment page of this shop works that way, because “the button was pressed twice” must be a case that the code handles.

## State shared by distant components

Passing a value through five components that do not use it is tiresome, and context avoids that. But context *passes* a value and does not manage it: when the value changes, every component that reads the context renders again. It suits what rarely changes, such as the theme, the language or the signed-in user.

For what changes often, keep the state outside React and let components subscribe to it. That is what Redux Toolkit, Zustand and Jotai do, and React has a hook for it:

`wished.ts`:

```ts
import { useSyncExternalStore } from 'react';

const nothing: readonly string[] = [];
let wished = nothing;
const listeners = new Set<() => void>();

/** Changes the list by replacing it: a list that is only added to would look unchanged to React. */
export function wish(laptop: string) {
  if (wished.includes(laptop)) return;
  wished = [...wished, laptop];
  for (const notify of listeners) notify();
}

export function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const read = () => wished;

/** On the server the list is always empty: a module there is shared by everybody who visits. */
export function useWished() {
  return useSyncExternalStore(subscribe, read, () => nothing);
}
```

A library adds selectors, so that a component renders only when its part has changed, plus developer tools and middleware. Take Zustand or Jotai for the least code, and Redux Toolkit when many people work on one large client and need a log of every action. Where the React Compiler memoises components at build time, performance is less often the reason than it was.

## In short

Compute what can be computed, put what should be linkable into the URL, keep the server’s data in a query cache, and keep the rest close to where it is used. In a shop like this one, hardly anything is left for a global store: the signed-in user, and little else.
$md$)
), posts as (
  insert into content_pages (kind, slug, published_version, published_at, first_published_at)
  select 'post', slug, 1, '2026-11-20T12:00Z', '2026-11-20T12:00Z' from samples returning id, slug
)
insert into content_versions (page_id, version, title, description, body)
select posts.id, 1, title, description, body from samples join posts using (slug);
