import { sql } from 'kysely';
import { type FactField, readFacts, unreadFields } from '#contract/listings/facts.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { isNotPostponed, processTogether } from '#server/platform/jobs/failed-items.ts';
import { FACTS_VERSION, factColumns } from './rules.ts';
import type { LaptopRow } from './store.ts';

/** Laptops per transaction. */
const BATCH_SIZE = 500;

/** The maximum number of texts that a report quotes. */
const MAXIMUM_QUOTED_TEXTS = 20;

/** What one run of {@link readStoredFacts} did. */
export interface FactsReport {
  laptops: number;
  /** The number of texts per field of which nothing was understood. */
  unread: Record<FactField, number>;
  /** Some of these texts. */
  examples: { laptop: string; field: FactField; text: string }[];
}

async function laptopsToRead(database: Database, now: Date, limit = BATCH_SIZE): Promise<string[]> {
  const rows = await database
    .selectFrom('laptops')
    .select('id')
    .where('facts_version', '<', FACTS_VERSION)
    .where(isNotPostponed('facts of laptops', sql.ref('laptops.id'), now))
    // By the index: a scan of the table would read all laptops of earlier batches again.
    .orderBy('facts_version')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether {@link readStoredFacts} has laptops to read now; postponed ones are left out. */
export const hasFactsToRead = async (database: Database, now: Date): Promise<boolean> =>
  (await laptopsToRead(database, now, 1)).length > 0;

type StoredDescription = Pick<LaptopRow, 'id' | 'description'>;

/** Reads the facts of these laptops, except those that another process has read. @returns the laptops */
async function readBatch(transaction: Transaction, ids: readonly string[]): Promise<StoredDescription[]> {
  const laptops = await transaction
    .selectFrom('laptops')
    .select(['id', 'description'])
    .where('id', 'in', ids)
    .where('facts_version', '<', FACTS_VERSION)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (laptops.length === 0) return [];
  const rows = laptops.map(({ id, description }) => ({ id, ...factColumns(readFacts(description)) }));
  await sql`
    update laptops
       set memory_gb = facts.memory_gb, storage_gb = facts.storage_gb, screen_inches = facts.screen_inches,
           processor = facts.processor, generation = facts.generation, graphics = facts.graphics,
           system = facts.system, battery_percent = facts.battery_percent, facts_version = facts.facts_version
      from jsonb_to_recordset(${JSON.stringify(rows)}) as facts (
             id uuid, memory_gb integer, storage_gb integer, screen_inches real, processor text, generation text,
             graphics text, system text, battery_percent integer, facts_version integer)
     where laptops.id = facts.id
  `.execute(transaction);
  return laptops;
}

function addUnread(report: FactsReport, { id: laptop, description }: StoredDescription): void {
  if (typeof description === 'string') return;
  for (const field of unreadFields(description)) {
    report.unread[field] += 1;
    if (report.examples.length < MAXIMUM_QUOTED_TEXTS) {
      report.examples.push({ laptop, field, text: description[field] ?? '' });
    }
  }
}

/**
 * Reads the facts of laptops that were stored before there were facts, or whose facts an earlier version of the rules read.
 * Several processes may do so at once.
 * @throws AggregateError with the failures; these laptops are postponed, and all others are read
 */
export async function readStoredFacts(
  database: Database,
  signal: AbortSignal,
  now = new Date(),
): Promise<FactsReport> {
  const report: FactsReport = {
    laptops: 0,
    unread: { Memory: 0, Storage: 0, Display: 0, Processor: 0, Graphics: 0, Battery: 0, Operating: 0 },
    examples: [],
  };
  const read = async (ids: readonly string[]) => {
    const laptops = await database.transaction().execute((transaction) => readBatch(transaction, ids));
    for (const laptop of laptops) addUnread(report, laptop);
    report.laptops += laptops.length;
  };
  const failures: unknown[] = [];
  for (;;) {
    signal.throwIfAborted();
    const ids = await laptopsToRead(database, now);
    failures.push(...(await processTogether(database, 'facts of laptops', ids, read, { now, signal })));
    if (ids.length < BATCH_SIZE) break;
  }
  throwAll(failures, 'the facts of some laptops could not be read');
  return report;
}
