import { type Insertable, sql } from 'kysely';
import { byNumber, type Page, type PageRequest, rowsToRead, toPage } from '../database/page.ts';
import type { AuditEntriesTable, Reader, ReportsTable, Transaction } from '../database/tables.ts';
import type { AuditRow, ReportedLaptop, ReportRow } from './rules.ts';

/** How many reports, and how many acts of admins, the list of reported laptops shows of each. */
const SHOWN_PER_LAPTOP = 20;

/** Adds a report. @returns its id, or null when this person has reported this laptop already */
export async function insertReport(
  transaction: Transaction,
  report: Insertable<ReportsTable>,
): Promise<string | null> {
  const row = await transaction
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

/** How a laptop's latest report was resolved: null while it is open, or when there is none. */
export async function lastResolution(reader: Reader, laptopId: string): Promise<ReportsTable['resolution']> {
  const row = await reader
    .selectFrom('reports')
    .select('resolution')
    .where('laptop_id', '=', laptopId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.resolution ?? null;
}

function reportsWithReporters(reader: Reader) {
  return reader
    .selectFrom('reports')
    .innerJoin('users', 'users.id', 'reports.reporter_id')
    .selectAll('reports')
    .select([
      'users.name as reporter_name',
      'users.email as reporter_email',
      'users.email_verified as reporter_email_verified',
    ]);
}

export function findReport(reader: Reader, id: string): Promise<ReportRow | undefined> {
  return reportsWithReporters(reader).where('reports.id', '=', id).executeTakeFirst();
}

/** The latest reports of each of these laptops, at most {@link SHOWN_PER_LAPTOP} of each, the oldest first. */
export async function reportsOf(reader: Reader, laptopIds: readonly string[]): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select latest.* from unnest(${laptopIds}::uuid[]) as wanted (laptop_id),
           lateral (select reports.*, users.name as reporter_name, users.email as reporter_email
                      from reports join users on users.id = reports.reporter_id
                     where reports.laptop_id = wanted.laptop_id
                     order by reports.number desc limit ${sql.lit(SHOWN_PER_LAPTOP)}) as latest
     order by latest.number`.execute(reader);
  return rows;
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

/** The place of a reported laptop in the list. */
export interface ReportedKey {
  hasOpen: boolean;
  /** The number of its latest report. */
  latest: string;
}

/** Reported laptops: those with open reports first, and within both the latest reported first. */
export async function reportedLaptops(
  reader: Reader,
  request: PageRequest<ReportedKey>,
  encode: (key: ReportedKey) => string,
): Promise<Page<ReportedLaptop>> {
  const { after } = request;
  const behind = after === null ? sql`` : sql`where (has_open, latest) < (${after.hasOpen}, ${after.latest})`;
  const { rows } = await sql<ReportedLaptop>`
    select laptops.id, laptops.name, laptops.brand, laptops.images, laptops.resale_price_cents, laptops.state,
           users.name as seller_name, users.email as seller_email, users.verified as seller_verified,
           reported.reports, reported.open_reports, reported.has_open, reported.latest
      from (select * from reported_laptops ${behind}
             order by has_open desc, latest desc limit ${sql.lit(rowsToRead(request))}) as reported
      join laptops on laptops.id = reported.laptop_id
      join users on users.id = laptops.seller_id
     order by reported.has_open desc, reported.latest desc`.execute(reader);
  return toPage(rows, request, (row) => encode({ hasOpen: row.has_open, latest: row.latest }));
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
export async function auditTrail(reader: Reader, request: PageRequest): Promise<Page<AuditRow>> {
  const query = auditWithAdmins(reader);
  const from = request.after === null ? query : query.where('audit_entries.number', '<', request.after);
  const rows = await from
    .orderBy('audit_entries.number', 'desc')
    .limit(sql.lit(rowsToRead(request)))
    .execute();
  return toPage(rows, request, byNumber);
}

/** What admins did last about each of these laptops, at most {@link SHOWN_PER_LAPTOP} acts, the oldest first. */
export async function historyOf(reader: Reader, laptopIds: readonly string[]): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select latest.* from unnest(${laptopIds}::uuid[]) as wanted (laptop_id),
           lateral (select audit_entries.*, users.name as admin_name, users.email as admin_email
                      from audit_entries left join users on users.id = audit_entries.admin_id
                     where audit_entries.laptop_id = wanted.laptop_id
                     order by audit_entries.number desc limit ${sql.lit(SHOWN_PER_LAPTOP)}) as latest
     order by latest.number`.execute(reader);
  return rows;
}
