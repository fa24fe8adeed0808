import { sql } from 'kysely';
import {
  byNumber,
  type Page,
  type PageRequest,
  rowsToRead,
  toPage,
} from '#server/platform/database/keyset-page.ts';
import type { Reader } from '#server/platform/database/tables.ts';

/**
 * Whether an active seller's page shows anything: a laptop for sale or a review. The reviews are a scalar, which PostgreSQL looks up
 * for each seller; for `exists` it may read the whole table first.
 */
const hasPage = sql`is_seller and ended_at is null
  and (exists (select from laptops where seller_id = users.id and state = 'available')
       or (select reviews from reputations where user_id = users.id) > 0)`;

/**
 * The numbers of the sitemaps that have sellers: a sitemap lists the sellers of a range of row numbers of users.
 * @param size row numbers per sitemap
 */
export async function sitemapNumbers(reader: Reader, size: number): Promise<number[]> {
  const { rows } = await sql<{ sitemap: number }>`
    select sitemap::int
      from generate_series(1, (select (max(number) - 1) / ${size}::bigint + 1
                                 from users where is_seller and ended_at is null)) as sitemap
     where exists (select from users
                    where ${hasPage} and number > (sitemap - 1) * ${size} and number <= sitemap * ${size})
     order by sitemap`.execute(reader);
  return rows.map(({ sitemap }) => sitemap);
}

/** Lists the sellers of a sitemap, oldest first. @param range row numbers above the first up to the second */
export async function sitemapPage(
  reader: Reader,
  { from, to }: { from: number; to: number },
  request: PageRequest,
): Promise<Page<{ id: string; number: string }>> {
  const above = Math.max(from, Number(request.after ?? 0));
  const { rows } = await sql<{ id: string; number: string }>`
    select id, number from users
     where ${hasPage} and number > ${above} and number <= ${to}
     order by number limit ${sql.lit(rowsToRead(request))}`.execute(reader);
  return toPage(rows, request, byNumber);
}
