import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { SearchedFacts } from '../search/rules.ts';
import { nextEmailAt } from './store.ts';

/** The hours after which a search of an account without a verified address is looked at again. */
const UNVERIFIED_HOURS = 24;

/** The days after which an email that was not sent counts as lost. Its job is retried for about one day. */
const LOST_AFTER_DAYS = 3;

/** The days for which a search remembers the laptops that it told. It forgets them when it sends an email, so that they stay few. */
const TOLD_DAYS = 180;

/**
 * Selects searches whose email is due, with FOR UPDATE, and takes their alerts for one email each. Without alerts of laptops for
 * sale no email is due.
 * @returns the emails to send
 */
export async function takeDueAlerts(
  transaction: Transaction,
  limit: number,
): Promise<{ emails: { searchId: string; emailId: string }[]; searches: number }> {
  const { rows } = await sql<{ id: string; email_verified: boolean }>`
    select saved_searches.id, email_verified from saved_searches join users on users.id = user_id
     where due_at <= now() order by due_at limit ${limit}
     for no key update of saved_searches skip locked`.execute(transaction);
  const ready = rows.filter((row) => row.email_verified).map(({ id }) => id);
  const unverified = rows.filter((row) => !row.email_verified).map(({ id }) => id);
  await sql`
    update saved_searches set due_at = now() + ${UNVERIFIED_HOURS} * interval '1 hour'
     where id = any(${unverified}::uuid[])`.execute(transaction);
  await sql`
    delete from saved_search_news using laptops
     where search_id = any(${ready}::uuid[]) and email_id is null
       and laptops.id = laptop_id and state <> 'available'`.execute(transaction);
  const { rows: emails } = await sql<{ searchId: string; emailId: string }>`
    with emails as materialized (
      select id as search_id, gen_random_uuid() as email_id from unnest(${ready}::uuid[]) as id
    ), taken as (
      update saved_search_news set email_id = emails.email_id, emailed_at = now() from emails
       where saved_search_news.search_id = emails.search_id and saved_search_news.email_id is null
      returning emails.search_id, emails.email_id
    )
    select distinct search_id as "searchId", email_id as "emailId" from taken`.execute(transaction);
  const emailed = emails.map(({ searchId }) => searchId);
  await sql`
    update saved_searches
       set due_at = null, last_email_at = case when id = any(${emailed}::uuid[]) then now() else last_email_at end
     where id = any(${ready}::uuid[])`.execute(transaction);
  return { emails, searches: rows.length };
}

/** A laptop for sale in an email. */
export interface EmailedLaptop {
  id: string;
  brand: string;
  name: string;
  condition: string;
  sellerVerifiedAddress: boolean;
  /** The price before it dropped; null for a laptop that newly matches. */
  oldPriceCents: number | null;
  facts: SearchedFacts;
}

/** Reads the laptops of an email that are still for sale, the newest first. */
export async function laptopsOfEmail(
  database: Database,
  searchId: string,
  emailId: string,
): Promise<EmailedLaptop[]> {
  const { rows } = await sql<Omit<EmailedLaptop, 'facts'> & { facts: unknown }>`
    select laptops.id, brand, laptops.name, condition, email_verified as "sellerVerifiedAddress",
           old_price_cents as "oldPriceCents", searched_facts(laptops, verified) as facts
      from saved_search_news join laptops on laptops.id = laptop_id join users on users.id = seller_id
     where search_id = ${searchId} and email_id = ${emailId} and state = 'available'
     order by laptops.number + 0 desc`.execute(database);
  return rows.map((row) => ({ ...row, facts: z.parse(SearchedFacts, row.facts) }));
}

/**
 * Removes the alerts of an email, and records which laptops it told. Alerts with a later change are not part of it any more.
 * Nothing is recorded of a search that was deleted.
 */
export async function recordEmail(
  database: Database,
  searchId: string,
  emailId: string,
  told: readonly EmailedLaptop[],
): Promise<void> {
  await sql`
    delete from saved_search_told
     where search_id = ${searchId} and told_at < now() - ${TOLD_DAYS} * interval '1 day'`.execute(database);
  await sql`
    with told as (
      insert into saved_search_told (search_id, laptop_id, price_cents)
      select saved_searches.id, laptop.id, price
        from saved_searches, unnest(${told.map(({ id }) => id)}::uuid[], ${told.map(({ facts }) => facts.priceCents)}::integer[])
             as laptop (id, price)
       where saved_searches.id = ${searchId}
      on conflict (search_id, laptop_id) do update set price_cents = excluded.price_cents, told_at = now()
    )
    delete from saved_search_news where search_id = ${searchId} and email_id = ${emailId}`.execute(database);
}

/** Returns the alerts of lost emails to their searches, whose next email tells them. */
export async function returnLostAlerts(database: Database): Promise<void> {
  await sql`
    with returned as (
      update saved_search_news set email_id = null, emailed_at = null
       where emailed_at < now() - ${LOST_AFTER_DAYS} * interval '1 day'
      returning search_id
    )
    update saved_searches set due_at = ${nextEmailAt}
     where id in (select search_id from returned) and due_at is null and paused_at is null`.execute(database);
}
