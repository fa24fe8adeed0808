import { sql } from 'kysely';
import { readFacts } from '#contract/listings/facts.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { isNotPostponed, processTogether } from '#server/platform/jobs/failed-items.ts';
import { FACTS_VERSION, factColumns } from './rules.ts';

/** Laptops per transaction. */
const BATCH_SIZE = 500;

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

/** Reads the facts of these laptops, except those that another process has read. @returns their number */
async function readBatch(transaction: Transaction, ids: readonly string[]): Promise<number> {
  const laptops = await transaction
    .selectFrom('laptops')
    .select(['id', 'description'])
    .where('id', 'in', ids)
    .where('facts_version', '<', FACTS_VERSION)
    .orderBy('id')
    .forUpdate()
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
  return laptops.length;
}

/**
 * Reads the facts of laptops that were stored before there were facts, or whose facts an earlier version of the rules read.
 * Several processes may do so at once.
 * @returns the number of laptops
 * @throws AggregateError with the failures; these laptops are postponed, and all others are read
 */
export async function readStoredFacts(
  database: Database,
  signal: AbortSignal,
  now = new Date(),
): Promise<number> {
  let count = 0;
  const read = async (ids: readonly string[]) => {
    count += await database.transaction().execute((transaction) => readBatch(transaction, ids));
  };
  const failures: unknown[] = [];
  for (;;) {
    signal.throwIfAborted();
    const ids = await laptopsToRead(database, now);
    failures.push(...(await processTogether(database, 'facts of laptops', ids, read, { now, signal })));
    if (ids.length < BATCH_SIZE) break;
  }
  throwAll(failures, 'the facts of some laptops could not be read');
  return count;
}
