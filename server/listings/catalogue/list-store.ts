import { type CompiledQuery, sql } from 'kysely';
import { MAXIMUM_PAGE_ROWS } from '#contract/platform/scalars.ts';
import {
  byNumber,
  type Page,
  type PageRequest,
  rowsToRead,
  toPage,
} from '#server/platform/database/keyset-page.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { type DetailedLaptop, type FoundRow, type LaptopWithSeller, listedFactColumns } from './rules.ts';

/**
 * Selects what a list of results shows of laptops. It names the columns instead of `*`, because the statement is prepared.
 * @param images of `laptops.images`: as JSON, because the driver parses PostgreSQL's array syntax slowly
 */
function selectFound(reader: Reader, images = sql<string[]>`to_json(laptops.images[1:1])`) {
  return reader
    .selectFrom('laptops')
    .innerJoin('users', 'users.id', 'laptops.seller_id')
    .leftJoin('reputations', 'reputations.user_id', 'laptops.seller_id')
    .modifyFront(prepared)
    .select([
      'laptops.id',
      'laptops.number',
      'laptops.brand',
      'laptops.name',
      'laptops.location',
      images.as('images'),
      'laptops.original_price_cents',
      'laptops.resale_price_cents',
      'laptops.condition',
      'laptops.delivery',
      'laptops.ships_from',
      ...listedFactColumns,
      'laptops.level_at',
      'laptops.seller_id',
      'reputations.reviews as seller_reviews',
      'reputations.stars as seller_stars',
      'users.name as seller_name',
      'users.verified as seller_verified',
    ]);
}

/** Selects laptops with their sellers. */
const selectListed = (reader: Reader) =>
  selectFound(reader, sql<string[]>`to_json(laptops.images)`)
    .select([
      'laptops.photo_captions',
      'laptops.photo_kinds',
      'laptops.description',
      'laptops.posted_time',
      'laptops.use_time',
      'laptops.mobile_number',
      'laptops.state',
      'laptops.advertised_at',
      'laptops.taken_down_note',
      'users.email as seller_email',
    ])
    .$narrowType<Pick<LaptopWithSeller, 'state'>>();

/**
 * Whether a withdrawn laptop can be listed again: not if the shop had taken it down before, or if its price is in a former currency.
 */
export const canBeRelisted = sql<boolean>`
  state = 'withdrawn'
  and currency = (select code from shop_currency)
  and not exists (select from reports where laptop_id = laptops.id and resolution = 'taken_down')`;

/**
 * Whether a laptop must be measured before it can be sold again: a buyer did not keep it because of its condition, and it was not measured
 * since.
 */
export const needsMeasurement = sql<boolean>`
  laptops.evidence_ended is not distinct from 'returned'
  and not exists (select from measurements
                   where measurements.laptop_id = laptops.id and measured_at >= laptops.evidence_since)`;

/** The queries of the lists; only the last one has withdrawn laptops. '' is a placeholder for the parameter of each call. */
const listQueries = {
  availableByBrand: (reader: Reader) =>
    selectListed(reader).where('brand', '=', '').where('state', '=', sql.lit('available')),
  advertised: (reader: Reader) =>
    selectListed(reader).where('state', '=', sql.lit('available')).where('advertised_at', 'is not', null),
  ofSeller: (reader: Reader) =>
    selectListed(reader).where('seller_id', '=', '').where('state', '!=', sql.lit('withdrawn')),
  unsoldOfSeller: (reader: Reader) =>
    selectListed(reader)
      .where('seller_id', '=', '')
      .where('state', '!=', sql.lit('withdrawn'))
      .where('state', '!=', sql.lit('sold')),
  soldOfSeller: (reader: Reader) =>
    selectListed(reader).where('seller_id', '=', '').where('state', '=', sql.lit('sold')),
  availableOfSeller: (reader: Reader) =>
    selectListed(reader).where('seller_id', '=', '').where('state', '=', sql.lit('available')),
  withdrawnOfSeller: (reader: Reader) =>
    selectListed(reader)
      .select(needsMeasurement.as('needs_measurement'))
      .where('seller_id', '=', '')
      .where(canBeRelisted),
};

/** LIMIT values. Only two, as literals, so that there are few prepared statements. */
const limits = [25, MAXIMUM_PAGE_ROWS + 1];

/** Compiled queries. Building a query takes longer than running it. */
const compiled = new Map<string, CompiledQuery<LaptopWithSeller>>();

/**
 * Lists laptops, newest first.
 * @param values those of the list's parameters: the brand or the seller
 */
export async function readList(
  reader: Reader,
  list: keyof typeof listQueries,
  values: readonly string[],
  request: PageRequest,
): Promise<Page<LaptopWithSeller>> {
  const needed = rowsToRead(request);
  const limit = limits.find((candidate) => candidate >= needed) ?? needed;
  const queryKey = `${list} ${limit} ${request.after === null ? 'first' : 'later'}`;
  let query = compiled.get(queryKey);
  if (query === undefined) {
    const firstPage = listQueries[list](reader).orderBy('laptops.number', 'desc').limit(sql.lit(limit));
    query = (
      request.after === null ? firstPage : firstPage.where('laptops.number', '<', request.after)
    ).compile();
    compiled.set(queryKey, query);
  }
  const parameters = request.after === null ? values : [...values, request.after];
  const { rows } = await reader.executeQuery<LaptopWithSeller>({ ...query, parameters });
  return toPage(rows, request, byNumber);
}

let foundByNumbers: CompiledQuery<FoundRow> | undefined;

/** Finds laptops for sale by their numbers, in any order. */
export async function availableByNumbers(reader: Reader, numbers: readonly number[]): Promise<FoundRow[]> {
  foundByNumbers ??= selectFound(reader)
    .where('laptops.number', '=', sql<string>`any (${numbers})`)
    .where('state', '=', sql.lit('available'))
    .compile();
  const { rows } = await reader.executeQuery<FoundRow>({ ...foundByNumbers, parameters: [numbers] });
  return rows;
}

/** The key of the index `laptops_to_search`, which has the laptops for sale only. */
const rangeKey = sql<string>`number + 0`;

/**
 * The numbers of the sitemaps that have laptops for sale: a sitemap lists the laptops of a range of row numbers.
 * @param size row numbers per sitemap
 */
export async function sitemapNumbers(reader: Reader, size: number): Promise<number[]> {
  const { rows } = await sql<{ sitemap: number }>`
    select sitemap::int
      from generate_series(1, (select (max(number + 0) - 1) / ${size}::bigint + 1 from laptops where state = 'available')) as sitemap
     where exists (select from laptops
                    where state = 'available' and number + 0 > (sitemap - 1) * ${size} and number + 0 <= sitemap * ${size})
  `.execute(reader);
  return rows.map(({ sitemap }) => sitemap);
}

/** Lists laptops for sale with row numbers above `from` up to `to`, oldest first, with the time of the last change. */
export async function sitemapPage(
  reader: Reader,
  from: number,
  to: number,
  request: PageRequest,
): Promise<Page<{ id: string; number: string; name: string; changed_at: Date }>> {
  const rows = await reader
    .selectFrom('laptops')
    .select([
      'id',
      'number',
      'name',
      sql<Date>`greatest(edited_at, (select max(since) from laptop_prices where laptop_id = laptops.id))`.as(
        'changed_at',
      ),
    ])
    .where('state', '=', sql.lit('available'))
    .where(rangeKey, '>', String(Math.max(from, Number(request.after ?? 0))))
    .where(rangeKey, '<=', String(to))
    .orderBy(rangeKey)
    .limit(rowsToRead(request))
    .execute();
  return toPage(rows, request, byNumber);
}

/** Finds a laptop in any state, with its seller. */
export function findListed(reader: Reader, id: string): Promise<LaptopWithSeller | undefined> {
  return selectListed(reader)
    .select(needsMeasurement.as('needs_measurement'))
    .where('laptops.id', '=', id)
    .executeTakeFirst();
}

/** Finds a laptop that is for sale or was sold, for its page. */
export function findForPage(reader: Reader, id: string): Promise<DetailedLaptop | undefined> {
  return selectListed(reader)
    .select([
      'laptops.created_at',
      'laptops.state_since',
      'users.created_at as seller_since',
      'users.ended_at as seller_ended_at',
      'users.verified_at',
      'users.address_checked_at',
      'users.identity_checked_at',
      'users.phone_confirmed_at',
      // The price before the last 30 days' first change still applied on the first of these days.
      sql<number>`(
        select min(resale_price_cents) from laptop_prices
         where laptop_id = laptops.id
           and since >= coalesce((select max(since) from laptop_prices
                                   where laptop_id = laptops.id and since < now() - interval '30 days'), '-infinity')
      )`.as('lowest_price_cents'),
      sql<Date | null>`(
        select min(since) + interval '30 days' from laptop_prices
         where laptop_id = laptops.id and since >= now() - interval '30 days'
      )`.as('lowest_price_until'),
    ])
    .where('laptops.id', '=', id)
    .where('state', 'in', ['available', 'sold'])
    .executeTakeFirst();
}
