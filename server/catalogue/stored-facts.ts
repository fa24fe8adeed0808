import { sql } from 'kysely';
import { type FactField, readFacts, unreadFields } from '#contract/facts.ts';
import type { Database, Transaction } from '../database/tables.ts';
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

async function readBatch(transaction: Transaction, report: FactsReport): Promise<number> {
  const laptops = await transaction
    .selectFrom('laptops')
    .select(['id', 'description'])
    .where('facts_version', '<', FACTS_VERSION)
    // By the index: a scan of the table would read all laptops of earlier batches again.
    .orderBy('facts_version')
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked()
    .execute();
  if (laptops.length === 0) return 0;
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
  for (const { id, description } of laptops) addUnread(report, id, description);
  return laptops.length;
}

function addUnread(report: FactsReport, laptop: string, description: LaptopRow['description']): void {
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
 */
export async function readStoredFacts(database: Database, signal: AbortSignal): Promise<FactsReport> {
  const report: FactsReport = {
    laptops: 0,
    unread: { Memory: 0, Storage: 0, Display: 0, Processor: 0, Graphics: 0, Battery: 0, Operating: 0 },
    examples: [],
  };
  for (;;) {
    signal.throwIfAborted();
    const read = await database.transaction().execute((transaction) => readBatch(transaction, report));
    report.laptops += read;
    if (read < BATCH_SIZE) return report;
  }
}
