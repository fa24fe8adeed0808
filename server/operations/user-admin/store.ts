import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import type { PeopleSort } from '#contract/operations/user-admin.ts';
import { roleColumns } from '#server/people/accounts/rules.ts';
import { matchesPerson } from '#server/people/accounts/steps.ts';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, UserRow } from '#server/platform/database/tables.ts';

/** The sort key of a user in a list, from which its cursors are made: the value of the sort column, and the row number. */
export const PersonKey = z.object({
  /** Empty in a list sorted by row number only. PostgreSQL rejects NUL in text. */
  value: z.string().check(z.refine((value) => !value.includes('\0'))),
  number: z.string().check(z.regex(/^\d{1,18}$/)),
});
export type PersonKey = z.infer<typeof PersonKey>;

/** A user with the sums of the reviews about them in the listed role, which are null without any. */
export interface RatedUser extends UserRow {
  reviews: number | null;
  stars: number | null;
}

/** A page of the active accounts of a role, in an order. */
export interface PeopleQuery {
  role: 'Buyer' | 'Seller';
  sort: PeopleSort;
  page: PageRequest<PersonKey>;
  /** Encodes a sort key as a cursor. */
  encode(key: PersonKey): string;
}

interface Order {
  by: RawBuilder<unknown>;
  after(key: PersonKey): RawBuilder<unknown>;
  valueOf(row: UserRow): string;
}

/** Each order has an index for each role, such as `buyers_newest`. */
const orders: Record<PeopleSort, Order> = {
  newest: {
    by: sql`number desc`,
    after: ({ number }) => sql`number < ${number}`,
    valueOf: () => '',
  },
  name: {
    by: sql`name, number`,
    after: ({ value, number }) => sql`(name, number) > (${value}, ${number})`,
    valueOf: ({ name }) => name,
  },
  email: {
    by: sql`email`,
    after: ({ value }) => sql`email > ${value}`,
    valueOf: ({ email }) => email,
  },
};

const active = (role: PeopleQuery['role']) => sql`${sql.ref(roleColumns[role])} and ended_at is null`;

/** The sums of the reviews about a person in a role. */
const sums = (role: PeopleQuery['role']) =>
  role === 'Seller' ? sql`reviews, stars` : sql`buyer_reviews as reviews, buyer_stars as stars`;

function toPeoplePage(rows: readonly RatedUser[], { sort, page, encode }: PeopleQuery): Page<RatedUser> {
  return toPage(rows, page, (row) => encode({ value: orders[sort].valueOf(row), number: row.number }));
}

/** The active accounts of a role. */
export async function listActive(reader: Reader, query: PeopleQuery): Promise<Page<RatedUser>> {
  const { by, after } = orders[query.sort];
  const condition = query.page.after === null ? sql`` : sql`and ${after(query.page.after)}`;
  const { rows } = await sql<RatedUser>`
    select page.*, ${sums(query.role)}
      from (select * from users where ${active(query.role)} ${condition}
             order by ${by} limit ${sql.lit(rowsToRead(query.page))}) as page
      left join reputations on user_id = page.id
     order by ${by}`.execute(reader);
  return toPeoplePage(rows, query);
}

/** The maximum number of matches. A larger search would have to read and sort all of them for each page. */
export const MAXIMUM_FOUND = 1_000;

/**
 * Searches the active accounts of a role by name or email address, case-insensitively. A text with fewer than three letters
 * or digits in a row must be at the beginning of a word of the name, or of the address.
 * @returns null when more than {@link MAXIMUM_FOUND} match
 */
export async function searchActive(
  reader: Reader,
  search: string,
  query: PeopleQuery,
): Promise<Page<RatedUser> | null> {
  const { by, after } = orders[query.sort];
  const condition = query.page.after === null ? sql`` : sql`where ${after(query.page.after)}`;
  const { rows } = await sql<RatedUser & { found: string }>`
    with found as materialized (
      select * from users where ${active(query.role)} and ${matchesPerson(search)}
       limit ${sql.lit(MAXIMUM_FOUND + 1)}
    )
    select page.*, ${sums(query.role)}, (select count(*) from found) as found
      from (select * from found ${condition} order by ${by} limit ${sql.lit(rowsToRead(query.page))}) as page
      left join reputations on user_id = page.id
     order by ${by}`.execute(reader);
  return Number(rows[0]?.found ?? 0) > MAXIMUM_FOUND ? null : toPeoplePage(rows, query);
}

/**
 * Finds the active users who have confirmed these telephone numbers.
 * @param most how many of each number are returned
 * @returns their email addresses by number, ordered by registration
 */
export async function emailsByPhone(
  reader: Reader,
  phones: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await sql<{ phone: string; emails: string[] }>`
    select phone, array_agg(email order by number) as emails
      from unnest(${phones}::text[]) as wanted (phone)
     cross join lateral (select email, number from users
                          where users.phone = wanted.phone and ended_at is null
                          order by number limit ${most}) as holders
     group by phone
  `.execute(reader);
  return new Map(rows.map(({ phone, emails }) => [phone, emails]));
}

/** The numbers of open reports of sellers' laptops, by the sellers' ids. */
export async function openReportsBySeller(
  reader: Reader,
  sellerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ seller_id: string; open: number }>`
    select seller_id, sum(open_reports)::int as open
      from reported_laptops join laptops on laptops.id = laptop_id
     where has_open and seller_id = any(${sellerIds}::uuid[])
     group by seller_id`.execute(reader);
  return new Map(rows.map(({ seller_id, open }) => [seller_id, open]));
}

/**
 * Whether a user has laptops for sale, unpaid bookings that can still be paid, or orders that are not over or money with the shop, which is
 * owed to or by the user.
 */
export async function findOpenBusiness(
  reader: Reader,
  userId: string,
): Promise<Record<'hasLaptopsForSale' | 'hasUnpaidBookings' | 'hasOpenOrders', boolean>> {
  const { rows } = await sql<{ selling: boolean; owing: boolean; open: boolean }>`
    select exists (select from laptops where seller_id = ${userId} and state = 'available') as selling,
           exists (select from bookings join laptops on laptops.id = laptop_id
                    where buyer_id = ${userId} and cancelled_at is null and laptops.state = 'available'
                      and not exists (select from orders where booking_id = bookings.id)) as owing,
           exists (select from orders
                    where (buyer_id = ${userId} or seller_id = ${userId})
                      and state not in ('completed', 'refunded', 'charged_back'))
             or exists (select from seller_balances where seller_id = ${userId} and balance_cents <> 0) as open`.execute(
    reader,
  );
  const { selling = false, owing = false, open = false } = rows[0] ?? {};
  return { hasLaptopsForSale: selling, hasUnpaidBookings: owing, hasOpenOrders: open };
}
