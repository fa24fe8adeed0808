import { type Insertable, sql } from 'kysely';
import type { InspectionList } from '#contract/certification/inspection-queue.ts';
import { inspectedLevels } from '#contract/listings/levels.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import type { Database, Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import type { InspectionQueueRow } from './inspection-queue-rules.ts';

/** Whether the latest decision is about the listing and the measurement as they are. */
const isAnswered = sql<boolean>`coalesce(
  decided.laptop_version = laptops.version and decided.measurement_id = measured.id, false)`;

/** The measured laptops for sale that are inspected, answered, or still to inspect. */
function laptopsInQueue(reader: Reader, list: InspectionList) {
  const laptops = reader
    .selectFrom('laptops')
    .innerJoinLateral(
      (nested) =>
        nested
          .selectFrom('measurements')
          .select(['measurements.id', 'measured_at'])
          .whereRef('laptop_id', '=', 'laptops.id')
          .orderBy('measurements.number', 'desc')
          .limit(1)
          .as('measured'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (nested) =>
        nested
          .selectFrom('inspections')
          .select(['decision', 'laptop_version', 'measurement_id'])
          .whereRef('laptop_id', '=', 'laptops.id')
          .orderBy('inspections.number', 'desc')
          .limit(1)
          .as('decided'),
      (join) => join.onTrue(),
    )
    .where('laptops.state', '=', sql.lit('available'))
    .where(
      list === 'inspected'
        ? sql<boolean>`laptops.level in (${sql.join(inspectedLevels.map((level) => sql.lit(level)))})`
        : sql<boolean>`laptops.level = 'measured'`,
    );
  if (list === 'inspected') return laptops;
  return laptops.where(list === 'answered' ? isAnswered : sql<boolean>`not ${isAnswered}`);
}

/** Lists measured laptops for sale, the newest listing first. */
export function listInspectionQueue(
  reader: Reader,
  list: InspectionList,
  request: PageRequest,
): Promise<Page<InspectionQueueRow>> {
  const laptops = laptopsInQueue(reader, list)
    .innerJoin('users', 'users.id', 'laptops.seller_id')
    .select([
      'laptops.id',
      'laptops.number',
      'laptops.name',
      'laptops.images',
      'laptops.resale_price_cents',
      'laptops.condition',
      'laptops.level',
      'laptops.level_at',
      'users.name as seller_name',
      'measured.measured_at',
      'decided.decision',
    ]);
  return readPage(laptops, 'laptops.number', request);
}

/** The number of laptops that are still to inspect, counted up to `limit`. */
export async function countInspectionQueue(reader: Reader, limit: number): Promise<number> {
  const rows = await laptopsInQueue(reader, 'waiting').select('laptops.id').limit(sql.lit(limit)).execute();
  return rows.length;
}

/** The decisions about a laptop with the admins' names, newest first. */
export function decisionsAbout(
  reader: Reader,
  laptopId: string,
  limit: number,
): Promise<(Row<'inspections'> & { inspector_name: string | null })[]> {
  return reader
    .selectFrom('inspections')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'inspections.inspector_id').on('users.ended_at', 'is', null),
    )
    .selectAll('inspections')
    .select('users.name as inspector_name')
    .where('laptop_id', '=', laptopId)
    .orderBy('inspections.number', 'desc')
    .limit(limit)
    .execute();
}

/** The latest approval of a laptop. */
export function latestApproval(reader: Reader, laptopId: string): Promise<Row<'inspections'> | undefined> {
  return reader
    .selectFrom('inspections')
    .selectAll()
    .where('laptop_id', '=', laptopId)
    .where('decision', '=', 'approved')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Stores a decision. @returns its id */
export async function insertInspection(
  transaction: Transaction,
  inspection: Insertable<Tables['inspections']>,
): Promise<string> {
  const { id } = await transaction
    .insertInto('inspections')
    .values(inspection)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Finds a decision. */
export function findInspection(database: Database, id: string): Promise<Row<'inspections'> | undefined> {
  return database.selectFrom('inspections').selectAll().where('id', '=', id).executeTakeFirst();
}
