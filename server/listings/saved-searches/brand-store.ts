import { sql } from 'kysely';
import type { Transaction } from '#server/platform/database/tables.ts';
import { hashFilters } from './rules.ts';
import { parseFilters } from './store.ts';

/**
 * Replaces a brand in the filters of saved searches. Of two searches of a user that become equal, one is removed. Laptops that wait
 * to be matched count as if they had been of the new brand before, so that nobody is told of them.
 * @param limit of the searches
 * @returns whether there were no more
 */
export async function moveBrandInSearches(
  transaction: Transaction,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<boolean> {
  // In the order in which matching locks them, so that the two do not deadlock.
  const { rows } = await sql<{ id: string; user_id: string; filters: unknown }>`
    select id, user_id, filters from saved_searches where filters->'brand' ? ${from}
     order by id limit ${limit + 1} for update`.execute(transaction);
  if (rows.length > limit) return false;
  const changed = new Map(
    rows.map(({ id, user_id, filters: stored }) => {
      const { brand, ...others } = parseFilters(stored);
      const brands = [...new Set(brand.map((name) => (name === from ? to : name)))];
      const filters = { ...others, brand: brands };
      const hash = hashFilters(filters);
      return [`${user_id} ${hash}`, { id, filters: JSON.stringify(filters), hash }];
    }),
  );
  const kept = [...changed.values()];
  const ids = rows.map(({ id }) => id);
  const lists = sql`unnest(${kept.map(({ id }) => id)}::uuid[], ${kept.map(({ filters }) => filters)}::jsonb[],
                           ${kept.map(({ hash }) => hash)}::text[]) as changed (id, filters, hash)`;
  await sql`
    delete from saved_searches as search
     where id = any(${ids}::uuid[])
       and not exists (select from ${lists} where changed.id = search.id
                          and not exists (select from saved_searches as same
                                           where same.user_id = search.user_id and same.filters_sha256 = changed.hash
                                             and same.id <> all(${ids}::uuid[])))`.execute(transaction);
  await sql`
    update saved_searches set filters = changed.filters, filters_sha256 = changed.hash
      from ${lists} where saved_searches.id = changed.id`.execute(transaction);
  await sql`
    update laptops_to_match set before = jsonb_set(before, '{brand}', to_jsonb(${to}::text))
     where before->>'brand' = ${from}`.execute(transaction);
  return true;
}
