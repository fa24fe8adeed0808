import { type Kysely, sql } from 'kysely';

/**
 * A review counts in the sums of `reputations` only with a sale that stands (decision 48), and `sold` counts the same sales. A sale
 * of which a bank decides stands again when the bank decides for the shop.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- The sums are corrected while nothing changes them.
    lock table orders, reviews in share row exclusive mode;

    create or replace function is_sale(orders) returns boolean language sql immutable as $$
      select $1.released_at is not null and $1.state not in ('refunded', 'charged_back', 'charge_disputed')
    $$;

    create or replace function count_shown_reviews() returns trigger language plpgsql as $$
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

    -- Runs when an order becomes a sale or stops being one.
    create or replace function count_sales() returns trigger language plpgsql as $$
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

    update reputations set sold = sold - disputed.orders
      from (select seller_id, count(*) as orders from orders
             where released_at is not null and state = 'charge_disputed' group by seller_id) as disputed
     where user_id = disputed.seller_id;
    update reputations set reviews = reputations.reviews - undone.reviews, stars = reputations.stars - undone.stars
      from (select subject_id, count(*) as reviews, sum(stars) as stars
              from reviews join orders on orders.id = order_id
             where shown_at is not null and removed_at is null and not is_sale(orders)
             group by subject_id) as undone
     where user_id = undone.subject_id;
    select tell_people_changed('seller', array_agg(distinct person))
      from (select seller_id as person from orders where released_at is not null and state = 'charge_disputed'
            union
            select subject_id from reviews join orders on orders.id = order_id
             where shown_at is not null and not is_sale(orders)) as changed;
  `.execute(database);
}
