import { type Insertable, sql } from 'kysely';
import type { OrderState } from '#contract/money/order-states.ts';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import { ordersWithRatings } from '../orders/steps.ts';
import type { ListedComplaint } from './rules.ts';

/** The complaints about an order, newest first. */
export function complaintsOf(reader: Reader, orderId: string): Promise<Row<'complaints'>[]> {
  return reader
    .selectFrom('complaints')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('nth', 'desc')
    .execute();
}

/** The statements about complaints, oldest first. */
export async function statementsOf(
  reader: Reader,
  complaintIds: readonly string[],
): Promise<Row<'complaint_statements'>[]> {
  if (complaintIds.length === 0) return [];
  return reader
    .selectFrom('complaint_statements')
    .selectAll()
    .where('complaint_id', 'in', complaintIds)
    .orderBy('complaint_id')
    .orderBy('nth')
    .execute();
}

/** Stores a complaint about a locked order. @returns its id */
export async function insertComplaint(
  transaction: Transaction,
  complaint: Pick<Row<'complaints'>, 'order_id' | 'nth' | 'kind'>,
): Promise<string> {
  const { id } = await transaction
    .insertInto('complaints')
    .values(complaint)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores a statement. The order must be locked. @returns its id */
export async function insertStatement(
  transaction: Transaction,
  statement: Omit<Insertable<Tables['complaint_statements']>, 'id' | 'said_at'>,
): Promise<string> {
  const { id } = await transaction
    .insertInto('complaint_statements')
    .values(statement)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A statement with its order. */
export function findStatement(
  reader: Reader,
  id: string,
): Promise<(Row<'complaint_statements'> & { order_id: string }) | undefined> {
  return reader
    .selectFrom('complaint_statements')
    .innerJoin('complaints', 'complaints.id', 'complaint_statements.complaint_id')
    .selectAll('complaint_statements')
    .select('complaints.order_id')
    .where('complaint_statements.id', '=', id)
    .executeTakeFirst();
}

/** Selects complaints with their orders. */
const complaintsWithOrders = (reader: Reader) =>
  ordersWithRatings(reader)
    .innerJoin('complaints', 'complaints.order_id', 'orders.id')
    .select([
      'complaints.id',
      'complaints.number',
      'complaints.order_id',
      'complaints.kind',
      'complaints.complained_at',
      'orders.seller_id',
      'orders.price_cents',
      'orders.state',
      'orders.due_at',
    ]);

/** Whether there is a later complaint about the same order. */
const isFollowed = sql<boolean>`exists (select from complaints as later
  where later.order_id = complaints.order_id and later.nth > complaints.nth)`;

/** The sort key of the lists: whether an admin has to decide, and the complaint's number. */
export type ListKey = [isContested: boolean, number: string];

/** The open complaints, the contested ones first, and then the newest first. */
export async function listOpen(
  reader: Reader,
  request: PageRequest<ListKey>,
  encode: (key: ListKey) => string,
): Promise<Page<ListedComplaint>> {
  const isContested = sql<boolean>`(orders.state = 'contested')`;
  const { after } = request;
  const open = complaintsWithOrders(reader)
    .where('orders.in_complaint', '=', sql.lit(true))
    .where(sql<boolean>`not ${isFollowed}`);
  const query =
    after === null
      ? open
      : open.where(
          sql<boolean>`(${isContested}, complaints.number) < (${after[0]}::boolean, ${after[1]}::bigint)`,
        );
  const rows = await query
    .orderBy(isContested, 'desc')
    .orderBy('complaints.number', 'desc')
    .limit(sql.lit(rowsToRead(request)))
    .execute();
  return toPage(rows, request, ({ state, number }) => encode([state === 'contested', number]));
}

/** The closed complaints, newest first. */
export async function listClosed(
  reader: Reader,
  request: PageRequest<ListKey>,
  encode: (key: ListKey) => string,
): Promise<Page<ListedComplaint>> {
  const { after } = request;
  const closed = complaintsWithOrders(reader).where(sql<boolean>`(not orders.in_complaint or ${isFollowed})`);
  const query = after === null ? closed : closed.where('complaints.number', '<', after[1]);
  const rows = await query
    .orderBy('complaints.number', 'desc')
    .limit(sql.lit(rowsToRead(request)))
    .execute();
  return toPage(rows, request, ({ number }) => encode([false, number]));
}

/** The name of a laptop in an open complaint of a user, as buyer or seller; null without one. */
export async function laptopInOpenComplaint(reader: Reader, userId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select laptops.name from orders join laptops on laptops.id = laptop_id
     where in_complaint and (buyer_id = ${userId} or orders.seller_id = ${userId}) limit 1`.execute(reader);
  return rows[0]?.name ?? null;
}

/** An order that can still be complained about, or about whose payment a bank decides. */
export interface UnfinishedOrder {
  laptop: string;
  state: OrderState;
  /** Whether the user is its buyer. */
  is_buyer: boolean;
  /** When the time for complaints is over; null when that is not known yet. */
  until: Date | null;
}

/** The unfinished orders of a buyer or seller, those that end last first. @param limit the most orders */
export async function unfinishedOrders(
  reader: Reader,
  userId: string,
  limit: number,
): Promise<UnfinishedOrder[]> {
  const { rows } = await sql<UnfinishedOrder>`
    select laptops.name as laptop, orders.state, buyer_id = ${userId} as is_buyer,
           case when orders.state = 'released' then due_at end as until
      from orders join laptops on laptops.id = laptop_id
     where (buyer_id = ${userId} or orders.seller_id = ${userId})
       and orders.state not in ('completed', 'refunded', 'charged_back')
     order by until desc nulls first, orders.number limit ${limit}`.execute(reader);
  return rows;
}

/** Overwrites the texts and photos of a user's statements. @returns the photos */
export async function eraseStatements(transaction: Transaction, authorId: string): Promise<string[]> {
  const { rows } = await sql<{ photos: string[] }>`
    with previous as (
      select id, photos from complaint_statements where author_id = ${authorId} for update
    )
    update complaint_statements set text = '', photos = '{}' from previous
     where complaint_statements.id = previous.id
    returning previous.photos`.execute(transaction);
  return rows.flatMap(({ photos }) => photos);
}
