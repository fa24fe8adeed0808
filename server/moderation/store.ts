import { type Insertable, sql } from 'kysely';
import { cut, type Slice, type Sliced } from '../database/slice.ts';
import type { AuditEntriesTable, Database, Reader, ReportsTable, Transaction } from '../database/tables.ts';
import type { AuditRow, ReportedLaptop, ReportRow } from './rules.ts';

/** Adds a report. @returns its id, or null when this person has reported this laptop already */
export async function insertReport(
  database: Database,
  report: Insertable<ReportsTable>,
): Promise<string | null> {
  const row = await database
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.constraint('reported_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Ends all open reports of a laptop. @returns their ids */
export async function resolveReports(
  transaction: Transaction,
  laptopId: string,
  resolution: 'dismissed' | 'taken_down',
): Promise<string[]> {
  const rows = await transaction
    .updateTable('reports')
    .set({ resolution })
    .where('laptop_id', '=', laptopId)
    .where('resolution', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

function reportsWithReporters(reader: Reader) {
  return reader
    .selectFrom('reports')
    .innerJoin('users', 'users.id', 'reports.reporter_id')
    .selectAll('reports')
    .select(['users.name as reporter_name', 'users.email as reporter_email']);
}

export function findReport(reader: Reader, id: string): Promise<ReportRow | undefined> {
  return reportsWithReporters(reader).where('reports.id', '=', id).executeTakeFirst();
}

/** The reports of these laptops, the oldest first. */
export async function reportsOf(reader: Reader, laptopIds: readonly string[]): Promise<ReportRow[]> {
  if (laptopIds.length === 0) return [];
  return reportsWithReporters(reader).where('laptop_id', 'in', laptopIds).orderBy('reports.number').execute();
}

/** Whether somebody has laptops for sale, or bookings that could still be paid. */
export async function unfinishedBusinessOf(
  reader: Reader,
  userId: string,
): Promise<{ sells: boolean; owes: boolean }> {
  const { rows } = await sql<{ sells: boolean; owes: boolean }>`
    select exists (select from laptops where seller_id = ${userId} and state = 'available') as sells,
           exists (select from bookings join laptops on laptops.id = laptop_id
                    where buyer_id = ${userId} and paid_at is null and state = 'available') as owes`.execute(
    reader,
  );
  return rows[0] ?? { sells: false, owes: false };
}

/** How many reports somebody has filed. */
export async function countReportsBy(reader: Reader, reporterId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('reports')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('reporter_id', '=', reporterId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How much an admin has done. */
export async function countActsBy(reader: Reader, adminId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('audit_entries')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('admin_id', '=', adminId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Reported laptops: those with open reports first, and within both the latest reported first.
 * @param offset how many to pass over; reports come in seconds apart, so a page is not worth a stable cursor
 */
export function reportedLaptops(reader: Reader, limit: number, offset: number): Promise<ReportedLaptop[]> {
  return reader
    .selectFrom('laptops')
    .innerJoin('users', 'users.id', 'laptops.seller_id')
    .innerJoin(
      (reports) =>
        reports
          .selectFrom('reports')
          .select([
            'laptop_id',
            sql<string>`max(number)`.as('latest'),
            sql<boolean>`bool_or(resolution is null)`.as('open'),
          ])
          .groupBy('laptop_id')
          .as('reported'),
      (join) => join.onRef('reported.laptop_id', '=', 'laptops.id'),
    )
    .select([
      'laptops.id',
      'laptops.name',
      'laptops.brand',
      'laptops.images',
      'laptops.resale_price_cents',
      'laptops.state',
      'users.name as seller_name',
      'users.email as seller_email',
      'users.verified as seller_verified',
    ])
    .orderBy('reported.open', 'desc')
    .orderBy('reported.latest', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Adds to the audit trail. Nothing in it is ever changed; the table refuses it. */
export async function insertAudit(
  transaction: Transaction,
  entry: Insertable<AuditEntriesTable>,
): Promise<void> {
  await transaction.insertInto('audit_entries').values(entry).execute();
}

function auditWithAdmins(reader: Reader) {
  return reader
    .selectFrom('audit_entries')
    .leftJoin('users', 'users.id', 'audit_entries.admin_id')
    .selectAll('audit_entries')
    .select(['users.name as admin_name', 'users.email as admin_email']);
}

/** The audit trail, the latest first. */
export async function auditTrail(reader: Reader, slice: Slice): Promise<Sliced<AuditRow>> {
  const query = auditWithAdmins(reader);
  const from = slice.before === null ? query : query.where('audit_entries.number', '<', slice.before);
  return cut(await from.orderBy('audit_entries.number', 'desc').limit(slice.limit).execute(), slice);
}

/** What admins did about these laptops, the oldest first. */
export async function historyOf(reader: Reader, laptopIds: readonly string[]): Promise<AuditRow[]> {
  if (laptopIds.length === 0) return [];
  return auditWithAdmins(reader)
    .where('audit_entries.laptop_id', 'in', laptopIds)
    .orderBy('audit_entries.number')
    .execute();
}
