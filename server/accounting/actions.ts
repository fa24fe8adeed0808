import type { LedgerDifference, Receipt, ShopMoney, Statement } from '#contract/accounting.ts';
import { activeAdmins } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { JsonStream } from '../http/json-stream.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { post } from '../ledger/steps.ts';
import { checkUnknownRefunds } from '../payments/steps.ts';
import { toReceipt } from '../receipts/rules.ts';
import { findReceipt } from '../receipts/steps.ts';
import type { BalanceReader } from './balance.ts';
import { differencesFound } from './notifications.ts';
import * as rules from './rules.ts';
import { payableAt, streamStatement } from './statement-store.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The largest page that the card processor gives. */
const PAGE_ITEMS = 100;

/** Movements younger than this are pending: the shop learns of them by an event, or asks every few minutes. */
const PENDING_MS = HOUR_MS;

/** The maximum number of differences in one email, and in one response. */
const EMAILED_DIFFERENCES = 20;
const LISTED_DIFFERENCES = 100;

/** Reads a receipt of the caller, or any for an admin. @throws Refusal `not_found` */
export async function readReceipt(database: Database, caller: Caller, number: string): Promise<Receipt> {
  const receipt = await findReceipt(database, number);
  if (receipt === undefined || (receipt.recipient_id !== caller.userId && caller.role !== 'Admin')) {
    throw new Refusal('not_found', 'There is no such receipt of yours.');
  }
  return toReceipt(receipt);
}

/** Streams the statement of a seller's month. */
export async function readStatement(
  database: Database,
  sellerId: string,
  month: string,
): Promise<JsonStream<Statement>> {
  const bounds = rules.monthBounds(month);
  const [openingCents, closingCents] = await Promise.all([
    payableAt(database, sellerId, bounds.from),
    payableAt(database, sellerId, bounds.until),
  ]);
  async function* lines() {
    for await (const rows of streamStatement(database, sellerId, bounds)) {
      yield rows.map(rules.toStatementLine);
    }
  }
  return new JsonStream({ month, openingCents, lines: lines(), closingCents });
}

/** Reads the shop's balances, its last months, and the differences from the card processor. */
export async function readShopMoney(database: Database): Promise<ShopMoney> {
  const [totals, counts, progress, open] = await Promise.all([
    store.readTotals(database),
    store.countOpenCases(database),
    store.readProgress(database),
    store.openDifferences(database, LISTED_DIFFERENCES),
  ]);
  return {
    ...rules.toShopMoney(totals),
    ...counts,
    comparedAt: progress.compared_at?.toISOString() ?? null,
    differences: open.rows.map(toDifference),
    openDifferences: open.total,
  };
}

/** Adds the entries older than ten minutes to the stored sums. No transaction lasts that long. */
export function foldTotals(database: Database, now: Date): Promise<void> {
  return database
    .transaction()
    .execute((transaction) => store.foldTotals(transaction, new Date(now.getTime() - 10 * 60_000)));
}

export interface ComparisonDependencies {
  database: Database;
  enqueue: Enqueue;
  balance: BalanceReader;
}

/**
 * Reads the card processor's movements since the last reading, an hour of it again, and posts those that nothing else in the
 * shop causes. @throws the card processor's failure; the next reading begins at the same time
 */
async function readBalance(
  { database, balance }: Pick<ComparisonDependencies, 'database' | 'balance'>,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { read_until } = await store.readProgress(database);
  const first = read_until ?? (await store.firstPostingAt(database)) ?? now;
  const from = new Date(first.getTime() - (read_until === null ? DAY_MS : HOUR_MS));
  let cursor: string | null = null;
  do {
    signal?.throwIfAborted();
    const page: Awaited<ReturnType<BalanceReader['listBalanceTransactions']>> =
      await balance.listBalanceTransactions({ from, until: now, cursor, limit: PAGE_ITEMS });
    await database.transaction().execute(async (transaction) => {
      const added = await store.insertMovements(transaction, page.items);
      for (const movement of page.items) {
        if (!added.has(movement.balanceTransactionId)) continue;
        for (const posting of rules.externalPostings(movement)) await post(transaction, posting);
      }
    });
    cursor = page.nextCursor;
  } while (cursor !== null);
  await store.setReadUntil(database, now);
}

/**
 * Compares the ledger with the card processor's balance. New differences are emailed to each admin once; those that are gone
 * are resolved.
 * @returns the open differences, newest first
 * @throws the card processor's failure; then nothing is compared
 */
export async function compareWithProcessor(
  dependencies: ComparisonDependencies,
  now: Date,
  signal?: AbortSignal,
): Promise<{ rows: store.DifferenceRow[]; total: number }> {
  const { database, enqueue } = dependencies;
  await readBalance(dependencies, now, signal);
  await database.transaction().execute(async (transaction) => {
    await store.setCompared(transaction, now);
    const found = await store.findDifferences(transaction, new Date(now.getTime() - PENDING_MS));
    const added = await store.recordDifferences(transaction, found, now);
    if (added.length === 0) return;
    const ids = added.slice(0, EMAILED_DIFFERENCES).map(({ id }) => id);
    for (const { id: adminId } of await activeAdmins(transaction)) {
      await enqueue(transaction, differencesFound, { adminId, ids, total: added.length });
    }
  });
  return store.openDifferences(database, LISTED_DIFFERENCES);
}

/**
 * Compares without recording the differences, which a running shop does within minutes afterwards.
 * @throws the card processor's failure
 */
export async function findDifferencesNow(
  dependencies: Pick<ComparisonDependencies, 'database' | 'balance'>,
  now: Date,
): Promise<rules.ComparedAmounts[]> {
  const { database } = dependencies;
  await readBalance(dependencies, now);
  const found = await store.findDifferences(database, new Date(now.getTime() - PENDING_MS));
  await store.setNextComparison(database, now);
  return found;
}

/** Compares once a day, by one of the shop's processes; after a failure again in an hour. */
export async function compareDaily(
  dependencies: ComparisonDependencies,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  if (!(await store.claimComparison(database, now, new Date(now.getTime() + HOUR_MS)))) return;
  await compareWithProcessor(dependencies, now, signal);
  // Refunds whose events were lost are recorded now, so the next comparison is due when that is done.
  const unknown = await database
    .transaction()
    .execute((transaction) => checkUnknownRefunds(transaction, dependencies.enqueue, now));
  await store.setNextComparison(database, new Date(now.getTime() + (unknown > 0 ? HOUR_MS : DAY_MS)));
}

/** The response for a difference. */
const toDifference = (row: store.DifferenceRow): LedgerDifference => ({
  _id: row.id,
  kind: row.kind,
  movement: row.movement,
  reference: row.reference,
  ledgerCents: Number(row.ledger_cents),
  processorCents: Number(row.processor_cents),
  foundAt: row.found_at.toISOString(),
});
