import { type Kysely, sql } from 'kysely';

/**
 * Reviews, and each person's reputation: sums of shown reviews and of sales, which triggers keep. Kept pages show them, so each
 * change of them is told with the tag of the person (`server/catalogue/change-tags.ts`).
 */
export async function up(database: Kysely<never>): Promise<void> {
  await createTables(database);
  await createTriggers(database);
  await tellSellers(database);
  await sql`
    insert into reputations (user_id, sold)
      select seller_id, count(*) from orders
       where released_at is not null and state not in ('refunded', 'charged_back')
       group by seller_id
  `.execute(database);
}

async function createTables(database: Kysely<never>): Promise<void> {
  await sql`
    create table reviews (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      order_id uuid not null references orders,
      side text not null check (side in ('buyer', 'seller')),
      author_id uuid not null references users,
      subject_id uuid not null references users,
      stars smallint not null check (stars between 1 and 5),
      text text not null check (octet_length(text) between 1 and 8000),
      written_at timestamptz not null default now(),
      -- When it is shown without a review of the other side.
      due_at timestamptz not null,
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
      constraint removed_with_reason check (
        (removed_at is null) = (removal_reason is null) and (removed_at is null) = (removed_by_id is null)
      )
    );
    create index reviews_due on reviews (due_at) where shown_at is null;
    create index reviews_by_author on reviews (author_id, number);
    create index answers_by_subject on reviews (subject_id, number) where answer is not null;
    create index laptops_for_sale_by_seller on laptops (seller_id, number desc) where state = 'available';
    create index shown_reviews on reviews (subject_id, number desc) where shown_at is not null and removed_at is null;

    create table reputations (
      user_id uuid primary key references users,
      -- Sales whose money was released and not given back.
      sold integer not null default 0 check (sold >= 0),
      -- Shown reviews about this person, and the sum of their stars.
      reviews integer not null default 0 check (reviews >= 0),
      stars integer not null default 0,
      constraint stars_of_reviews check (stars between reviews and 5 * reviews)
    );
  `.execute(database);
}

async function createTriggers(database: Kysely<never>): Promise<void> {
  await sql`
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
    create trigger reviews_stay before insert or update on reviews for each row execute function keep_reviews();

    create function tell_people_changed(kind text, people uuid[]) returns void language sql as $$
      -- As of changed laptops: many are told without tags.
      select pg_notify('catalogue_changed',
                       case when cardinality(people) <= 100
                            then (select jsonb_agg(distinct kind || ' ' || person)::text from unnest(people) as person)
                            else '' end)
       where cardinality(people) > 0;
    $$;

    create function count_shown_reviews() returns trigger language plpgsql as $$
      declare
        people uuid[];
      begin
        insert into reputations (user_id)
          select distinct subject_id from new_rows where shown_at is not null order by subject_id
          on conflict (user_id) do nothing;
        -- In one order, so that two transactions do not wait for each other.
        perform from reputations
          where user_id in (select subject_id from new_rows where shown_at is not null)
          order by user_id for no key update;
        update reputations
           set reviews = reputations.reviews + change.reviews, stars = reputations.stars + change.stars
          from (select subject_id, sum(reviews) as reviews, sum(stars) as stars
                  from (select subject_id, -1 as reviews, -stars as stars from old_rows
                         where shown_at is not null and removed_at is null
                        union all
                        select subject_id, 1, stars from new_rows
                         where shown_at is not null and removed_at is null) as counted
                 group by subject_id) as change
         where reputations.user_id = change.subject_id and (change.reviews, change.stars) <> (0, 0);
        select array_agg(distinct subject_id) into people from new_rows where shown_at is not null;
        perform tell_people_changed('seller', people);
        return null;
      end
    $$;
    create trigger reviews_counted after update on reviews referencing old table as old_rows new table as new_rows
      for each statement execute function count_shown_reviews();

    create function is_sale(orders) returns boolean language sql immutable as $$
      select $1.released_at is not null and $1.state not in ('refunded', 'charged_back')
    $$;
    create function count_sales() returns trigger language plpgsql as $$
      begin
        insert into reputations (user_id) values (new.seller_id) on conflict (user_id) do nothing;
        update reputations set sold = sold + case when is_sale(new) then 1 else -1 end where user_id = new.seller_id;
        perform tell_people_changed('seller', array[new.seller_id]);
        return null;
      end
    $$;
    create trigger sales_counted after update on orders for each row
      when (is_sale(old) <> is_sale(new)) execute function count_sales();

    create function tell_offers_changed() returns trigger language plpgsql as $$
      declare
        people uuid[];
      begin
        if tg_op = 'INSERT' then
          select array_agg(distinct seller_id) into people from new_rows where state = 'available';
        else
          select array_agg(distinct new_rows.seller_id) into people from old_rows join new_rows using (id)
           where (old_rows.state = 'available') <> (new_rows.state = 'available');
        end if;
        perform tell_people_changed('offers of', people);
        return null;
      end
    $$;
    create trigger offers_added after insert on laptops referencing new table as new_rows
      for each statement execute function tell_offers_changed();
    create trigger offers_changed after update on laptops referencing old table as old_rows new table as new_rows
      for each statement execute function tell_offers_changed();
  `.execute(database);
}

/** A changed seller is told with the seller's own tag as well, also without laptops: the seller has a page. */
async function tellSellers(database: Kysely<never>): Promise<void> {
  await sql`
    create function tell_seller_pages_changed() returns trigger language plpgsql as $$
      declare
        people uuid[];
      begin
        select array_agg(id) into people from old_rows join new_rows using (id)
         where (old_rows.role = 'Seller' or new_rows.role = 'Seller')
           and (old_rows.name, old_rows.ended_at, old_rows.role, old_rows.verified, old_rows.verified_at,
                old_rows.address_checked_at, old_rows.identity_checked_at)
               is distinct from (new_rows.name, new_rows.ended_at, new_rows.role, new_rows.verified, new_rows.verified_at,
                                 new_rows.address_checked_at, new_rows.identity_checked_at);
        perform tell_people_changed('seller', people);
        return null;
      end
    $$;
    create trigger seller_pages_changed after update on users referencing old table as old_rows new table as new_rows
      for each statement execute function tell_seller_pages_changed();
  `.execute(database);
}
