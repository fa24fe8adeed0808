import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, Reader } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import { SearchedFacts } from '../search/rules.ts';
import { MAXIMUM_ALERTS } from './rules.ts';
import { nextEmailAt } from './store.ts';

/** A laptop for sale that was listed or changed, as it is and as it was. */
export interface ChangedLaptop {
  laptopId: string;
  sellerId: string;
  facts: SearchedFacts;
  /** Null when it was not for sale. */
  before: SearchedFacts | null;
}

/** A row of `laptops_to_match`. */
export interface Change {
  laptopId: string;
  sellerId: string;
  version: string;
  /** As {@link ChangedLaptop}, not parsed; null of a laptop that left the shop. */
  facts: unknown;
  before: unknown;
}

const NullableFacts = z.nullable(SearchedFacts);

/** Reads changed laptops after an id, in the order of ids; without postponed ones. */
export async function readChanges(
  reader: Reader,
  [after, limit]: readonly [after: string, limit: number],
  now: Date,
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select laptop_id as "laptopId", seller_id as "sellerId", laptops_to_match.version, before,
           case when state = 'available' then searched_facts(laptops, verified) end as facts
      from laptops_to_match join laptops on laptops.id = laptop_id join users on users.id = seller_id
     where laptop_id > ${after} and ${isNotPostponed('saved searches', sql.ref('laptop_id'), now)}
     order by laptop_id limit ${limit}`.execute(reader);
  return rows;
}

/** The changed laptops that are for sale. @throws when the facts of one cannot be read */
export const parseChanges = (changes: readonly Change[]): ChangedLaptop[] =>
  changes
    .filter(({ facts }) => facts !== null)
    .map(({ laptopId, sellerId, facts, before }) => ({
      laptopId,
      sellerId,
      facts: z.parse(SearchedFacts, facts),
      before: z.parse(NullableFacts, before),
    }));

/** Removes the rows that were matched, except those with later changes. */
export async function removeChanges(reader: Reader, changes: readonly Change[]): Promise<void> {
  await sql`
    delete from laptops_to_match
     using unnest(${changes.map(({ laptopId }) => laptopId)}::uuid[], ${changes.map(({ version }) => version)}::bigint[])
           as matched (laptop_id, version)
     where laptops_to_match.laptop_id = matched.laptop_id and laptops_to_match.version = matched.version`.execute(
    reader,
  );
}

/** A position in the order in which all searches are read: equal searches follow each other. */
export interface SearchPosition {
  hash: string;
  id: string;
}

export const firstPosition: SearchPosition = { hash: '', id: '00000000-0000-0000-0000-000000000000' };

/** Searches with the same filters. */
export interface EqualSearches {
  /** Not parsed, see `parseFilters`. */
  filters: unknown;
  searches: { id: string; ownerId: string }[];
}

/**
 * Reads a page of the searches that are not paused and whose owners have a confirmed email address, after a position.
 * @returns `next`: the position of the last one, or null on the last page
 */
export async function readSearches(
  reader: Reader,
  after: SearchPosition,
  limit: number,
): Promise<{ groups: EqualSearches[]; next: SearchPosition | null }> {
  const { rows } = await sql<{ id: string; user_id: string; hash: string; filters: unknown }>`
    select saved_searches.id, user_id, filters_sha256 as hash, filters
      from saved_searches join users on users.id = user_id
     where paused_at is null and email_verified
       and (filters_sha256, saved_searches.id) > (${after.hash}, ${after.id}::uuid)
     order by filters_sha256, saved_searches.id limit ${limit}`.execute(reader);
  const groups = [...Map.groupBy(rows, ({ hash }) => hash).values()].map((equal) => ({
    filters: equal[0]?.filters,
    searches: equal.map(({ id, user_id: ownerId }) => ({ id, ownerId })),
  }));
  return { groups, next: rows.length < limit ? null : (rows.at(-1) ?? null) };
}

/** A laptop that newly matches a search, or whose price dropped. */
export interface SearchAlert {
  searchId: string;
  laptopId: string;
  priceCents: number;
  /** The price before the drop; null for a laptop that newly matches. */
  oldPriceCents: number | null;
}

/**
 * Inserts alerts, unless the owner of the search lists the laptop, knew it when the search was saved, or knows a price that is as
 * low. A laptop that newly matches again is a price drop if it costs less than when it was told, else no news. A search with
 * {@link MAXIMUM_ALERTS} unsent alerts takes no others. Inserting the same alert twice changes nothing.
 * @returns the number of noted ones
 */
export async function insertAlerts(database: Database, alerts: readonly SearchAlert[]): Promise<number> {
  if (alerts.length === 0) return 0;
  const searchIds = [...new Set(alerts.map(({ searchId }) => searchId))];
  const { rows } = await sql<{ count: number }>`
    with found as (
      select * from unnest(
        ${alerts.map(({ searchId }) => searchId)}::uuid[], ${alerts.map(({ laptopId }) => laptopId)}::uuid[],
        ${alerts.map(({ priceCents }) => priceCents)}::integer[],
        ${alerts.map(({ oldPriceCents }) => oldPriceCents)}::integer[]
      ) as found (search_id, laptop_id, price, old_price)
    ), searches as (
      -- Locked, so that none is deleted or paused before its alerts are inserted.
      select id, user_id, created_at, known_since from saved_searches
       where id = any(${searchIds}::uuid[]) and paused_at is null order by id for no key update
    ), full_searches as (
      select search_id from saved_search_news where search_id = any(${searchIds}::uuid[])
       group by search_id having count(*) >= ${MAXIMUM_ALERTS}
    ), noted as (
      insert into saved_search_news as known (search_id, laptop_id, old_price_cents)
      select searches.id, found.laptop_id, coalesce(found.old_price, told.price_cents)
        from found join searches on searches.id = found.search_id
        left join saved_search_told as told on told.search_id = searches.id and told.laptop_id = found.laptop_id
        join laptops on laptops.id = found.laptop_id
        join laptops_to_match on laptops_to_match.laptop_id = found.laptop_id
       where laptops.seller_id <> searches.user_id
         -- An id above all present ones is of another cluster, from which the shop was restored.
         and (laptops_to_match.changed_in >= known_since or known_since > pg_snapshot_xmax(pg_current_snapshot()))
         and (found.old_price is not null or told.price_cents is null or found.price < told.price_cents)
         and (found.old_price is null or not exists (
           select from laptop_prices
            where laptop_prices.laptop_id = found.laptop_id and laptop_prices.since < laptops_to_match.since
              and resale_price_cents <= found.price
              and laptop_prices.since >= coalesce(
                (select max(since) from laptop_prices where laptop_id = found.laptop_id and since <= searches.created_at),
                '-infinity')))
         and (searches.id not in (select search_id from full_searches)
              or exists (select from saved_search_news as kept
                          where kept.search_id = searches.id and kept.laptop_id = found.laptop_id))
      on conflict (search_id, laptop_id) do update set
        old_price_cents = case
          when known.email_id is not null then excluded.old_price_cents
          when known.old_price_cents is null or excluded.old_price_cents is null then null
          else greatest(known.old_price_cents, excluded.old_price_cents) end,
        email_id = null, emailed_at = null
      returning search_id
    ), due as (
      update saved_searches set due_at = ${nextEmailAt}
       where id in (select search_id from noted) and due_at is null
    )
    select count(*)::integer as count from noted`.execute(database);
  return rows[0]?.count ?? 0;
}
