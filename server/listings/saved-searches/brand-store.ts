import { sql } from 'kysely';
import type { Row, Transaction } from '#server/platform/database/tables.ts';
import { hashFilters } from './rules.ts';
import { nextEmailAt, parseFilters } from './store.ts';

/** Of equal searches the one with the lowest stays; else the one that had these filters before. */
const precedence = (row: Row<'saved_searches'> & { is_moved: boolean }): number =>
  (row.paused_at === null ? 0 : 4) + (row.frequency === 'at once' ? 0 : 2) + (row.is_moved ? 1 : 0);

/**
 * Replaces a brand in the filters of saved searches. Of searches of a user that become equal, the one with the most frequent emails
 * stays, a paused one only if all are; it takes over what the others have not told yet, and what they told. Laptops that wait to be
 * matched count as if they had been of the new brand before, so that nobody is told of them.
 * @param limit of the searches with the brand, and of those that can become equal to them
 * @returns whether there were no more
 */
export async function moveBrandInSearches(
  transaction: Transaction,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<boolean> {
  // In the order in which matching locks them, so that the two do not deadlock.
  const { rows } = await sql<Row<'saved_searches'> & { is_moved: boolean }>`
    select *, filters->'brand' ? ${from} as is_moved from saved_searches
     where filters->'brand' ? ${from}
        or (filters->'brand' ? ${to}
            and user_id in (select user_id from saved_searches where filters->'brand' ? ${from}))
     order by id limit ${limit + 1} for update`.execute(transaction);
  if (rows.length > limit) return false;
  const searches = rows
    .toSorted((one, other) => precedence(one) - precedence(other))
    .map(({ id, user_id, filters: stored }) => {
      const { brand, ...others } = parseFilters(stored);
      // Parsed again, because equal searches have the same hash only with their brands in order and each once.
      const filters = parseFilters({ ...others, brand: brand.map((name) => (name === from ? to : name)) });
      const hash = hashFilters(filters);
      return { id, key: `${user_id} ${hash}`, filters: JSON.stringify(filters), hash };
    });
  const kept = new Map(searches.toReversed().map((search) => [search.key, search]));
  const removed = searches.flatMap(({ id, key }) => {
    const by = kept.get(key);
    return by === undefined || by.id === id ? [] : [{ id, by: by.id }];
  });
  const replaced = sql`unnest(${removed.map(({ id }) => id)}::uuid[], ${removed.map(({ by }) => by)}::uuid[]) as replaced (id, by)`;
  await sql`
    insert into saved_search_told (search_id, laptop_id, price_cents, told_at)
    select by, laptop_id, price_cents, told_at from saved_search_told join ${replaced} on search_id = id
    on conflict do nothing`.execute(transaction);
  await sql`
    with noted as (
      insert into saved_search_news (search_id, laptop_id, old_price_cents)
      select by, laptop_id, old_price_cents from saved_search_news join ${replaced} on search_id = id
      on conflict do nothing returning search_id
    )
    update saved_searches set due_at = ${nextEmailAt}
     where id in (select search_id from noted) and due_at is null`.execute(transaction);
  await sql`delete from saved_searches using ${replaced} where saved_searches.id = replaced.id`.execute(
    transaction,
  );
  const changed = [...kept.values()];
  await sql`
    update saved_searches set filters = changed.filters, filters_sha256 = changed.hash
      from unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ filters }) => filters)}::jsonb[],
                  ${changed.map(({ hash }) => hash)}::text[]) as changed (id, filters, hash)
     where saved_searches.id = changed.id`.execute(transaction);
  await sql`
    update laptops_to_match set before = jsonb_set(before, '{brand}', to_jsonb(${to}::text))
     where before->>'brand' = ${from}`.execute(transaction);
  return true;
}
