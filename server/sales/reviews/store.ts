import { type Insertable, sql, type Updateable } from 'kysely';
import { complaintKindNames, isAboutOwnLaptop } from '#contract/sales/complaints.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, Tables, Transaction } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import type { ReviewOfPeople, ReviewOfSale, ReviewOfSeller, SellerRow } from './rules.ts';

/** Whether the sale of an order stands, with which its reviews count. The triggers that keep the sums use the same function. */
export const isSale = sql<boolean>`is_sale(orders)`;

const kindsOfOwnLaptop = complaintKindNames.filter(isAboutOwnLaptop);

/**
 * When an order was handed over: its money was released, or its buyer complained about a laptop that is there.
 * @returns null before that
 */
export async function handedOverAt(reader: Reader, orderId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(released_at, (select min(complained_at) from complaints
                                where order_id = orders.id and kind = any(${kindsOfOwnLaptop}))) as at
      from orders where id = ${orderId}`.execute(reader);
  return rows[0]?.at ?? null;
}

/** The reviews of an order, the buyer's first. */
export function reviewsOf(reader: Reader, orderId: string): Promise<ReviewOfSale[]> {
  return reader
    .selectFrom('reviews')
    .innerJoin('orders', 'orders.id', 'reviews.order_id')
    .selectAll('reviews')
    .select(isSale.as('counts'))
    .where('order_id', '=', orderId)
    .orderBy('side')
    .execute();
}

/** Stores a review of a locked order. @returns its id */
export async function insertReview(
  transaction: Transaction,
  review: Pick<
    Insertable<Tables['reviews']>,
    'order_id' | 'side' | 'author_id' | 'subject_id' | 'stars' | 'text' | 'due_at'
  >,
): Promise<string> {
  const { id } = await transaction
    .insertInto('reviews')
    .values(review)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Shows the reviews of a locked order that are not shown yet. @returns whether there were any */
export async function showReviewsOf(transaction: Transaction, orderId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('reviews')
    .set({ shown_at: sql`now()` })
    .where('order_id', '=', orderId)
    .where('shown_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * The ids of the orders of which a review has waited for the other one until a time, the longest due first; without postponed ones.
 * @param limit the maximum number of reviews
 */
export async function ordersWithDueReviews(reader: Reader, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from reviews where shown_at is null and due_at <= ${now}
       and ${isNotPostponed('reviews to show', sql.ref('order_id'), now)}
     order by due_at limit ${sql.lit(limit)}`.execute(reader);
  return [...new Set(rows.map(({ order_id }) => order_id))];
}

/** Changes a locked review. */
export async function updateReview(
  transaction: Transaction,
  id: string,
  changes: Updateable<Tables['reviews']>,
): Promise<void> {
  await transaction.updateTable('reviews').set(changes).where('id', '=', id).execute();
}

const reviewsWithPeople = (reader: Reader) =>
  reader
    .selectFrom('reviews')
    .innerJoin('orders', 'orders.id', 'reviews.order_id')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .innerJoin('users as authors', 'authors.id', 'reviews.author_id')
    .innerJoin('users as subjects', 'subjects.id', 'reviews.subject_id')
    .selectAll('reviews')
    .select(['laptops.name as laptop_name', 'authors.name as author_name', 'subjects.name as subject_name'])
    .select(isSale.as('counts'));

/** Finds a review with its laptop and people. */
export function findReview(reader: Reader, id: string): Promise<ReviewOfPeople | undefined> {
  return reviewsWithPeople(reader).where('reviews.id', '=', id).executeTakeFirst();
}

/** Finds a review with its laptop and people, and locks its row. */
export function selectReviewForUpdate(
  transaction: Transaction,
  id: string,
): Promise<ReviewOfPeople | undefined> {
  return reviewsWithPeople(transaction).where('reviews.id', '=', id).forUpdate('reviews').executeTakeFirst();
}

/** Whether a user has written a review or an answer. */
export async function hasWritten(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await sql<{ written: boolean }>`
    select exists (select from reviews where author_id = ${userId})
        or exists (select from reviews where subject_id = ${userId} and answer is not null) as written
  `.execute(reader);
  return rows[0]?.written === true;
}

/** Finds a seller with the sums of their reviews and sales, also after the account has ended. */
export function findSeller(
  reader: Reader,
  id: string,
): Promise<(SellerRow & { ended_at: Date | null }) | undefined> {
  return reader
    .selectFrom('users')
    .leftJoin('reputations', 'reputations.user_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.verified',
      'users.verified_at',
      'users.address_checked_at',
      'users.identity_checked_at',
      'users.phone_confirmed_at',
      'users.created_at',
      'users.ended_at',
      'reputations.sold',
      'reputations.reviews',
      'reputations.stars',
    ])
    .where('users.id', '=', id)
    .where('users.is_seller', '=', true)
    .executeTakeFirst();
}

/** Lists the shown reviews about a person as a seller, newest first. */
export function shownReviews(
  reader: Reader,
  subjectId: string,
  request: PageRequest,
): Promise<Page<ReviewOfSeller>> {
  const query = reviewsWithPeople(reader)
    .select('authors.ended_at as author_ended_at')
    .where('subject_id', '=', subjectId)
    // Not a parameter: a plan for all parameters could not use the index of these reviews.
    .where(sql<boolean>`side = 'buyer'`)
    .where('shown_at', 'is not', null)
    .where('removed_at', 'is', null);
  return readPage(query, 'reviews.number', request);
}
