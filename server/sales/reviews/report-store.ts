import { sql } from 'kysely';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { ReviewCursorKey, ReviewInList, ReviewReportRow } from './rules.ts';
import { isSale } from './store.ts';

/** Stores a report. @returns its id, or null when a report of this person about the review is open */
export async function insertReport(
  transaction: Transaction,
  report: Pick<Row<'review_reports'>, 'review_id' | 'reporter_id' | 'reason' | 'note'>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('review_reports')
    .values(report)
    .onConflict((conflict) =>
      conflict.columns(['review_id', 'reporter_id']).where('resolution', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** How many reviews a person has reported within 24 hours, counted up to `limit`. */
export async function countReportedToday(reader: Reader, reporterId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int
      from (select reported_at from review_reports where reporter_id = ${reporterId}
             order by number desc limit ${sql.lit(limit)}) as latest
     where reported_at > now() - interval '1 day'`.execute(reader);
  return rows[0]?.count ?? 0;
}

/** Resolves the open reports of a locked review, and overwrites the notes of ended accounts. @returns their ids */
export async function resolveReports(
  transaction: Transaction,
  reviewId: string,
  resolution: 'dismissed' | 'removed',
): Promise<string[]> {
  const rows = await transaction
    .updateTable('review_reports')
    .set({ resolution, note: sql`case when ended_at is null then note else '' end` })
    .from('users')
    .whereRef('users.id', '=', 'reporter_id')
    .where('review_id', '=', reviewId)
    .where('resolution', 'is', null)
    .returning('review_reports.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Finds a report with the reviewed side and order. */
export function findReport(reader: Reader, id: string) {
  return reader
    .selectFrom('review_reports')
    .innerJoin('reviews', 'reviews.id', 'review_reports.review_id')
    .selectAll('review_reports')
    .select(['reviews.order_id', 'reviews.side', 'reviews.subject_id'])
    .where('review_reports.id', '=', id)
    .executeTakeFirst();
}

/** Lists all reviews, or those of an order: those with open reports first, then newest first. */
export async function listReviews(
  reader: Reader,
  orderId: string | undefined,
  request: PageRequest<ReviewCursorKey>,
  encode: (key: ReviewCursorKey) => string,
): Promise<Page<ReviewInList>> {
  const { after } = request;
  const isOpen = sql`exists (select from review_reports where review_id = reviews.id and resolution is null)`;
  const isAmongOpen = sql`id in (select review_id from open_reports)`;
  const isLater = after === null ? sql`true` : sql`number < ${after.number}`;
  const isListed = orderId === undefined ? sql`true` : sql`order_id = ${orderId}`;
  // Not by the index of the numbers, from the newest review on, which reads nearly all reviews to find the few with open reports.
  const fromReports = sql`number + 0`;
  // A branch for each index, because an order by both keys would read and sort all reviews.
  const branch = (hasOpen: boolean, condition: ReturnType<typeof sql>) => sql`
    (select reviews.*, ${sql.lit(hasOpen)} as has_open from reviews where ${isListed} and ${condition}
      order by ${hasOpen ? fromReports : sql`number`} desc limit ${sql.lit(rowsToRead(request))})`;
  const { rows } = await sql<ReviewInList>`
    with open_reports as materialized (
      select distinct review_id from review_reports where resolution is null)
    select listed.*, ${isSale} as counts, laptops.name as laptop_name, authors.name as author_name, subjects.name as subject_name
      from (${branch(true, after?.hasOpen === false ? sql`false` : sql`${isAmongOpen} and ${isLater}`)}
            union all
            ${branch(false, after?.hasOpen === true ? sql`not ${isOpen}` : sql`not ${isOpen} and ${isLater}`)}
            order by has_open desc, number desc limit ${sql.lit(rowsToRead(request))}) as listed
      join orders on orders.id = listed.order_id
      join laptops on laptops.id = orders.laptop_id
      join users as authors on authors.id = listed.author_id
      join users as subjects on subjects.id = listed.subject_id
     order by listed.has_open desc, listed.number desc`.execute(reader);
  return toPage(rows, request, ({ has_open, number }) => encode({ hasOpen: has_open, number }));
}

/** Lists the latest reports of each of these reviews, at most `limit` per review, newest first. */
export async function latestReportsOf(
  reader: Reader,
  reviewIds: readonly string[],
  limit: number,
): Promise<ReviewReportRow[]> {
  const { rows } = await sql<ReviewReportRow>`
    select latest.*, users.name as reporter_name
      from unnest(${reviewIds}::uuid[]) as listed (review_id),
           lateral (select * from review_reports where review_reports.review_id = listed.review_id
                     order by number desc limit ${sql.lit(limit)}) as latest
      join users on users.id = latest.reporter_id
     order by latest.number desc`.execute(reader);
  return rows;
}

/**
 * Erases the notes of an ended account's resolved reports; open ones keep theirs until they are resolved.
 * @returns the number of open ones
 */
export async function eraseReportNotes(transaction: Transaction, reporterId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    with erased as (update review_reports set note = '' where reporter_id = ${reporterId} and resolution is not null)
    select count(*)::int as open from review_reports where reporter_id = ${reporterId} and resolution is null
  `.execute(transaction);
  return rows[0]?.open ?? 0;
}
