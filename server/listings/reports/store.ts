import { type Insertable, sql } from 'kysely';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import type { NewShopReport, PersonReport, ReportedKey, ReportedLaptop, ReportRow } from './rules.ts';

/** Inserts a report. @returns its id, or null when a report of this user about the laptop is open */
export async function insertReport(
  transaction: Transaction,
  report: Insertable<Tables['reports']>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) =>
      conflict.columns(['laptop_id', 'reporter_id']).where('resolution', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Resolves all open reports of a laptop. @returns their ids, and whether a person filed them */
export async function resolveReports(
  transaction: Transaction,
  laptopId: string,
  resolution: 'dismissed' | 'taken_down',
): Promise<{ id: string; byPerson: boolean }[]> {
  const rows = await transaction
    .updateTable('reports')
    .set({ resolution })
    .where('laptop_id', '=', laptopId)
    .where('resolution', 'is', null)
    .returning(['id', 'reporter_id'])
    .execute();
  return rows.map(({ id, reporter_id }) => ({ id, byPerson: reporter_id !== null }));
}

/** Reads the resolution of a laptop's latest report; null while it is open, or when there is none. */
export async function readLatestResolution(
  reader: Reader,
  laptopId: string,
): Promise<Row<'reports'>['resolution']> {
  const row = await reader
    .selectFrom('reports')
    .select('resolution')
    .where('laptop_id', '=', laptopId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.resolution ?? null;
}

/** Files a report by the shop itself, once per pair of listings and reason. */
export async function insertShopReport(
  transaction: Transaction,
  { laptopId, otherLaptopId, reason, note, photos }: NewShopReport,
): Promise<void> {
  await transaction
    .insertInto('reports')
    .values({
      laptop_id: laptopId,
      reporter_id: null,
      reason,
      note,
      other_laptop_id: otherLaptopId,
      photo: photos?.reported ?? null,
      other_photo: photos?.other ?? null,
      resolution: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['laptop_id', 'other_laptop_id', 'reason'])
        .where('reporter_id', 'is', null)
        .doNothing(),
    )
    .execute();
}

/** Finds a person's report with the reporter. */
export async function findPersonReport(reader: Reader, id: string): Promise<PersonReport | undefined> {
  const { rows } = await sql<PersonReport>`
    select reports.*, users.name as reporter_name, users.email as reporter_email,
           users.email_verified as reporter_email_verified
      from reports join users on users.id = reports.reporter_id
     where reports.id = ${id}`.execute(reader);
  return rows[0];
}

/** Lists the latest reports of each of these laptops, at most `limit` per laptop, oldest first. */
export async function latestReportsOfLaptops(
  reader: Reader,
  laptopIds: readonly string[],
  limit: number,
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select latest.* from unnest(${laptopIds}::uuid[]) as requested (laptop_id),
           lateral (select reports.*, users.name as reporter_name, users.email as reporter_email,
                           users.email_verified as reporter_email_verified,
                           others.name as other_name, others.state as other_state
                      from reports
                      left join users on users.id = reports.reporter_id
                      left join laptops as others on others.id = reports.other_laptop_id
                     where reports.laptop_id = requested.laptop_id
                     order by reports.number desc limit ${sql.lit(limit)}) as latest
     order by latest.number`.execute(reader);
  return rows;
}

/** Counts the reports that a user has filed. */
export async function countReportsBy(reader: Reader, reporterId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('reports')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('reporter_id', '=', reporterId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Lists reported laptops: those with open reports first, then by their latest report, newest first.
 * @param laptopId the only laptop to list, or undefined for all
 */
export async function listReportedLaptops(
  reader: Reader,
  laptopId: string | undefined,
  request: PageRequest<ReportedKey>,
  encode: (key: ReportedKey) => string,
): Promise<Page<ReportedLaptop>> {
  const { after } = request;
  const isRequested = laptopId === undefined ? sql`true` : sql`laptop_id = ${laptopId}`;
  const isLater = after === null ? sql`true` : sql`(has_open, latest) < (${after.hasOpen}, ${after.latest})`;
  const { rows } = await sql<ReportedLaptop>`
    select laptops.id, laptops.name, laptops.brand, laptops.images, laptops.photo_kinds, laptops.slip_code, laptops.resale_price_cents, laptops.state,
           users.name as seller_name, users.email as seller_email, users.verified as seller_verified,
           users.id as seller_id, users.ended_at as seller_ended_at, sums.reviews as seller_reviews, sums.stars as seller_stars,
           reported.reports, reported.open_reports, reported.has_open, reported.latest
      from (select * from reported_laptops where ${isRequested} and ${isLater}
             order by has_open desc, latest desc limit ${sql.lit(rowsToRead(request))}) as reported
      join laptops on laptops.id = reported.laptop_id
      join users on users.id = laptops.seller_id
      left join reputations as sums on sums.user_id = users.id
     order by reported.has_open desc, reported.latest desc`.execute(reader);
  return toPage(rows, request, (row) => encode({ hasOpen: row.has_open, latest: row.latest }));
}
