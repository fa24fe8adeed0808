import { type RawBuilder, sql } from 'kysely';
import type { PeopleSort } from '#contract/people.ts';
import { type Page, type PageRequest, rowsToRead, toPage } from '../database/page.ts';
import type { Reader, UserRow } from '../database/tables.ts';

/** The place of a person in a list: the value of the column that it is sorted by, and the row number. */
export interface PersonKey {
  /** Empty in a list by row number alone. */
  value: string;
  number: string;
}

/** What an admin asks for among the active accounts of a role. */
export interface PeopleQuery {
  role: 'Buyer' | 'Seller';
  sort: PeopleSort;
  page: PageRequest<PersonKey>;
  /** Writes a person's place in the list as a cursor. */
  encode(key: PersonKey): string;
}

interface Order {
  by: RawBuilder<unknown>;
  after(key: PersonKey): RawBuilder<unknown>;
  valueOf(row: UserRow): string;
}

/** Each order has an index that begins with the role: `users_alive_…`. */
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

/** Written into the query: an index of one role's rows serves no query that names the role by a parameter. */
const active = (role: PeopleQuery['role']) => sql`role = ${sql.lit(role)} and ended_at is null`;

function toPeoplePage(rows: readonly UserRow[], { sort, page, encode }: PeopleQuery): Page<UserRow> {
  return toPage(rows, page, (row) => encode({ value: orders[sort].valueOf(row), number: row.number }));
}

/** The active accounts of a role. */
export async function listActive(reader: Reader, query: PeopleQuery): Promise<Page<UserRow>> {
  const { by, after } = orders[query.sort];
  const behind = query.page.after === null ? sql`` : sql`and ${after(query.page.after)}`;
  const { rows } = await sql<UserRow>`
    select * from users where ${active(query.role)} ${behind}
     order by ${by} limit ${sql.lit(rowsToRead(query.page))}`.execute(reader);
  return toPeoplePage(rows, query);
}

/** A search that finds more people than this is refused: it would have to read and sort all of them for a page. */
export const MAXIMUM_FOUND = 1_000;

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Patterns for names and for e-mail addresses. The trigram indexes serve patterns with three letters or digits in a row,
 * and shorter ones at the beginning of a word.
 */
function patternsOf(search: string): { name: string[]; email: string[] } {
  const text = literal(search);
  return /[\p{L}\p{N}]{3}/u.test(search)
    ? { name: [`%${text}%`], email: [`%${text}%`] }
    : { name: [`${text}%`, `% ${text}%`], email: [`${text}%`] };
}

/**
 * Those active accounts of a role whose name or e-mail address contains the text, in any case; of less than three
 * letters or digits in a row, those with a word of the name or an address that begins with it.
 * @returns null when more than {@link MAXIMUM_FOUND} match
 */
export async function searchActive(
  reader: Reader,
  search: string,
  query: PeopleQuery,
): Promise<Page<UserRow> | null> {
  const { by, after } = orders[query.sort];
  const behind = query.page.after === null ? sql`` : sql`where ${after(query.page.after)}`;
  const patterns = patternsOf(search);
  const matches = [
    ...patterns.name.map((pattern) => sql`name ilike ${pattern}`),
    ...patterns.email.map((pattern) => sql`email ilike ${pattern}`),
  ];
  const { rows } = await sql<UserRow & { found: string }>`
    with found as materialized (
      select * from users where ${active(query.role)} and (${sql.join(matches, sql` or `)})
       limit ${sql.lit(MAXIMUM_FOUND + 1)}
    )
    select found.*, (select count(*) from found) as found from found ${behind}
     order by ${by} limit ${sql.lit(rowsToRead(query.page))}`.execute(reader);
  return Number(rows[0]?.found ?? 0) > MAXIMUM_FOUND ? null : toPeoplePage(rows, query);
}

/** Whether a user has laptops for sale, or unpaid bookings that can still be paid. */
export async function openBusinessOf(
  reader: Reader,
  userId: string,
): Promise<{ hasLaptopsForSale: boolean; hasUnpaidBookings: boolean }> {
  const { rows } = await sql<{ selling: boolean; owing: boolean }>`
    select exists (select from laptops where seller_id = ${userId} and state = 'available') as selling,
           exists (select from bookings join laptops on laptops.id = laptop_id
                    where buyer_id = ${userId} and paid_at is null and state = 'available') as owing`.execute(
    reader,
  );
  const { selling = false, owing = false } = rows[0] ?? {};
  return { hasLaptopsForSale: selling, hasUnpaidBookings: owing };
}
