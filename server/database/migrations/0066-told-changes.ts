import { type Kysely, sql } from 'kysely';

/** Tells of changes once and to all whom they concern: of sellers by their own tag, of blocks and ended accounts to the other person. */
export async function up(database: Kysely<never>): Promise<void> {
  await tellSellersOnce(database);
  await tellClosedConversations(database);
}

/**
 * Every page that shows a seller has the seller's own tag, which `tell_seller_pages_changed` sends. Until now the seller's laptops
 * were named as well, and of a seller with more than 100 everything was removed.
 */
async function tellSellersOnce(database: Kysely<never>): Promise<void> {
  await sql`
    create or replace function tell_sellers_changed() returns trigger language plpgsql as $$
      begin
        -- Searches count the laptops for sale by verified sellers.
        perform pg_notify('catalogue_changed', '["search"]')
          where exists (select from old_rows join new_rows using (id)
                          join laptops on laptops.seller_id = new_rows.id and laptops.state = 'available'
                         where old_rows.verified <> new_rows.verified);
        return null;
      end
    $$;

    -- The search index reads the seller's laptops again, in which nothing else has changed.
    create or replace function note_seller_change() returns trigger language plpgsql as $$
      begin
        perform set_config('coomercio.laptops_unchanged', 'yes', true);
        update laptops set changed_in = pg_current_xact_id() where seller_id = new.id and state = 'available';
        perform set_config('coomercio.laptops_unchanged', '', true);
        return null;
      end
    $$;
    create or replace trigger laptops_updated after update on laptops referencing old table as old_rows new table as new_rows
      for each statement when (coalesce(current_setting('coomercio.laptops_unchanged', true), '') <> 'yes')
      execute function tell_laptops_changed();
  `.execute(database);
}

/** A block or the end of an account closes conversations, whose pages then say so instead of taking another message. */
async function tellClosedConversations(database: Kysely<never>): Promise<void> {
  await sql`
    create function tell_block_changed() returns trigger language plpgsql as $$
      declare
        changed message_blocks := coalesce(new, old);
      begin
        perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages')::text)
           from unnest(array[changed.blocker_id, changed.blocked_id]) as person;
        return null;
      end
    $$;
    create trigger block_changed after insert or delete on message_blocks
      for each row execute function tell_block_changed();

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
    create trigger account_ended_in_conversations after update of ended_at on users
      for each row when (old.ended_at is null and new.ended_at is not null)
      execute function tell_partners_of_ended_account();
  `.execute(database);
}
