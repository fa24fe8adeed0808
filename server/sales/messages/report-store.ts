import { sql } from 'kysely';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** Stores a report. @returns its id, or null when this person's earlier one is open */
export async function insertReport(
  transaction: Transaction,
  report: Pick<Row<'message_reports'>, 'conversation_id' | 'reporter_id' | 'until_sequence' | 'note'>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('message_reports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Selects reports with the people of their conversations. */
const reportsWithPeople = (reader: Reader) =>
  reader
    .selectFrom('message_reports')
    .innerJoin('conversations', 'conversations.id', 'message_reports.conversation_id')
    .innerJoin('laptops', 'laptops.id', 'conversations.laptop_id')
    .innerJoin('users as buyers', 'buyers.id', 'conversations.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'conversations.seller_id')
    .selectAll('message_reports')
    .select([
      'conversations.buyer_id',
      'conversations.seller_id',
      'laptops.name as laptop_name',
      'buyers.name as buyer_name',
      'buyers.email as buyer_email',
      'sellers.name as seller_name',
      'sellers.email as seller_email',
    ]);

export type ReportRow = NonNullable<Awaited<ReturnType<typeof findReport>>>;

/** All reports of conversations, newest first. */
export const listReports = (reader: Reader, request: PageRequest): Promise<Page<ReportRow>> =>
  readPage(reportsWithPeople(reader), 'message_reports.number', request);

/** Finds a report. */
export const findReport = (reader: Reader, id: string) =>
  reportsWithPeople(reader).where('message_reports.id', '=', id).executeTakeFirst();

/** Marks a report as resolved, and overwrites the note of an ended account. @returns false when it was before */
export async function resolveReport(transaction: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('message_reports')
    .set({ resolved_at: new Date(), note: sql`case when ended_at is null then note else '' end` })
    .from('users')
    .whereRef('users.id', '=', 'reporter_id')
    .where('message_reports.id', '=', id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The conversation of the two people of an order about which there was a complaint. */
export async function findOfComplaint(reader: Reader, orderId: string) {
  return reader
    .selectFrom('orders')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.laptop_id', '=', 'orders.laptop_id')
        .onRef('conversations.buyer_id', '=', 'orders.buyer_id'),
    )
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .innerJoin('users as buyers', 'buyers.id', 'conversations.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'conversations.seller_id')
    .select([
      'conversations.id as conversation_id',
      'conversations.messages as until_sequence',
      'conversations.buyer_id',
      'conversations.seller_id',
      'laptops.name as laptop_name',
      'buyers.name as buyer_name',
      'sellers.name as seller_name',
    ])
    .where('orders.id', '=', orderId)
    .where(sql<boolean>`exists (select from complaints where order_id = orders.id)`)
    .executeTakeFirst();
}

/**
 * Erases the notes of an ended account's resolved reports; open ones keep theirs until they are resolved.
 * @returns the number of open ones
 */
export async function eraseReportNotes(transaction: Transaction, reporterId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    with erased as (update message_reports set note = '' where reporter_id = ${reporterId} and resolved_at is not null)
    select count(*)::int as open from message_reports where reporter_id = ${reporterId} and resolved_at is null
  `.execute(transaction);
  return rows[0]?.open ?? 0;
}
