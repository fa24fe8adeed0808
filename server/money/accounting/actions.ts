import {
  type AccountFile,
  explanationsFor,
  type LedgerDifference,
  type MovementExplanation,
  type Period,
  type Receipt,
  type ShopMoney,
  type Statement,
} from '#contract/money/accounting.ts';
import { DAY_MS, HOUR_MS } from '#contract/platform/durations.ts';
import { currency, formatCents } from '#contract/platform/money.ts';
import { checkUnknownMovements } from '#server/money/refunds/steps.ts';
import { recordAudit, recordRead } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { JsonStream } from '#server/platform/http/json-stream.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type Caller, requireRightIfAdmin } from '#server/platform/http/serve.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processTogether } from '#server/platform/jobs/failed-items.ts';
import { explainedTransferPosting, explanationPosting } from '../ledger/rules.ts';
import { periodBounds, post } from '../ledger/steps.ts';
import { type IssuedReceiptRow, type ReceiptKey, type TaxRule, taxOf, toReceipt } from '../receipts/rules.ts';
import { findReceipt, receiptsOfPeriod, streamReceipts } from '../receipts/steps.ts';
import type { BalanceReader } from './balance-reader.ts';
import { feeLines, journalLines, receiptLines } from './export-rules.ts';
import { streamFees, streamJournal } from './export-store.ts';
import { differencesFound } from './notifications.ts';
import * as rules from './rules.ts';
import { payableAt, streamStatement } from './statement-store.ts';
import * as store from './store.ts';

/** The largest page that the card processor gives. */
const PAGE_ITEMS = 100;

/** Movements younger than this are pending: the shop learns of them by an event, or asks every few minutes. */
const PENDING_MS = HOUR_MS;

/** The maximum number of differences in one email, and in one response. */
const EMAILED_DIFFERENCES = 20;
const LISTED_DIFFERENCES = 100;

export interface ReceiptDependencies {
  database: Database;
  /** The tax that receipts state. */
  tax: TaxRule;
}

/** Reads a receipt of the caller, or any for an admin, which is recorded in the audit trail. @throws Refusal */
export async function readReceipt(
  { database, tax }: ReceiptDependencies,
  caller: Caller,
  number: string,
): Promise<Receipt> {
  const receipt = await findReceipt(database, number);
  const isOwn = receipt?.recipient_id === caller.userId;
  if (receipt === undefined || !(isOwn || requireRightIfAdmin(caller, 'money'))) {
    throw new Refusal('not_found', 'There is no such receipt of yours.');
  }
  if (!isOwn)
    await recordRead(database, caller.userId, { act: 'Read receipt', subject: `Receipt ${number}` });
  return toReceipt(receipt, tax);
}

/** Reads a page of the receipts of a period. */
export async function listReceiptsOf(
  database: Database,
  period: Period,
  request: PageRequest<ReceiptKey>,
  encode: (key: ReceiptKey) => string,
): Promise<Page<IssuedReceiptRow>> {
  return receiptsOfPeriod(database, await periodBounds(database, period), request, encode);
}

/** Streams a file of a period as lines of CSV. */
export async function exportAccounts(
  { database, tax }: ReceiptDependencies,
  file: AccountFile,
  period: Period,
): Promise<JsonStream<{ lines: string[] }>> {
  const bounds = await periodBounds(database, period);
  const linesOf = {
    journal: () => journalLines(streamJournal(database, bounds)),
    receipts: () => receiptLines(streamReceipts(database, bounds), (row) => taxOf(row, tax).line?.cents ?? 0),
    fees: () => feeLines(streamFees(database, bounds)),
  } as const satisfies Record<AccountFile, unknown>;
  return new JsonStream({ lines: linesOf[file]() });
}

/** Streams the statement of a seller's month. */
export async function readStatement(
  database: Database,
  sellerId: string,
  month: string,
): Promise<JsonStream<Statement>> {
  const bounds = await periodBounds(database, rules.daysOfMonth(month));
  const [openingCents, closingCents] = await Promise.all([
    payableAt(database, sellerId, bounds.from),
    payableAt(database, sellerId, bounds.until),
  ]);
  async function* lines() {
    for await (const rows of streamStatement(database, sellerId, bounds)) {
      yield rows.map(rules.toStatementLine);
    }
  }
  return new JsonStream({
    month,
    timeZone: bounds.timeZone,
    currency: currency.code,
    openingCents,
    lines: lines(),
    closingCents,
  });
}

/** Reads the shop's balances, its last months, and the differences from the card processor. */
export async function readShopMoney(database: Database): Promise<ShopMoney> {
  const [totals, balances, counts, progress, open] = await Promise.all([
    store.readTotals(database),
    store.readSellersBalances(database),
    store.countOpenCases(database),
    store.readProgress(database),
    store.openDifferences(database, LISTED_DIFFERENCES),
  ]);
  return {
    ...rules.toShopMoney(totals, balances),
    ...counts,
    comparedAt: progress.compared_at?.toISOString() ?? null,
    differences: open.rows.map(toDifference),
    openDifferences: open.total,
  };
}

const explainedMeanwhile = () =>
  new Refusal('changed_elsewhere', 'This movement was explained meanwhile, so nothing was changed now.');

const notItsExplanation = () =>
  new Refusal('invalid_input', 'This movement has other explanations. Nothing was changed.', {
    errors: { explanation: 'This movement has other explanations' },
  });

/** Explains a movement of the balance. @returns its amount, formatted @throws Refusal */
async function explainUnknown(
  transaction: Transaction,
  id: string,
  explanation: rules.StoredExplanation,
): Promise<string> {
  const movement = await store.storeExplanation(transaction, id, explanation);
  if (movement === undefined) throw explainedMeanwhile();
  const posting = rules.postingOfExplanation(movement, explanation);
  if (posting === undefined) throw notItsExplanation();
  if (posting === null) return `${movement.amount_cents} in ${movement.currency.toUpperCase()}`;
  await post(transaction, posting);
  return formatCents(Number(movement.amount_cents));
}

/** Explains what the suspense account has of a refund or a dispute. @returns its amount, formatted @throws Refusal */
async function explainSuspended(
  transaction: Transaction,
  { id, reference }: store.DifferenceRow,
  account: (typeof rules.suspendedAccounts)[keyof typeof rules.suspendedAccounts],
): Promise<string> {
  const cents = await store.suspendedCents(transaction, reference);
  if (cents === 0) throw explainedMeanwhile();
  // A refund can come back after it was explained: then it is explained again, with another difference.
  await post(transaction, explanationPosting(`${reference}/${id}`, cents, account));
  return formatCents(cents);
}

/** Explains a transfer that is missing in the ledger. @returns its amount, formatted @throws Refusal */
async function explainTransfer(
  transaction: Transaction,
  { reference, processor_cents }: store.DifferenceRow,
  explanation: MovementExplanation,
): Promise<string> {
  const account = rules.transferAccounts[explanation];
  if (account === undefined) throw notItsExplanation();
  const cents = -Number(processor_cents);
  await post(transaction, explainedTransferPosting(reference, cents, account));
  return formatCents(cents);
}

/**
 * Explains a movement that the shop does not know: posts it to the account of the explanation and closes its difference.
 * @throws Refusal
 */
export async function explainMovement(
  transaction: Transaction,
  adminId: string,
  id: string,
  { explanation, note }: { explanation: MovementExplanation; note: string },
): Promise<void> {
  const difference = await store.selectOpenDifferenceForUpdate(transaction, id);
  const possible = difference === undefined ? [] : explanationsFor(difference);
  if (difference === undefined || possible.length === 0) {
    throw new Refusal(
      'not_found',
      'There is no unknown movement to explain here. Perhaps it was explained meanwhile.',
    );
  }
  if (!possible.includes(explanation)) throw notItsExplanation();
  const amount = rules.isOfSuspended(explanation)
    ? await explainSuspended(transaction, difference, rules.suspendedAccounts[explanation])
    : difference.movement === 'transfer'
      ? await explainTransfer(transaction, difference, explanation)
      : await explainUnknown(transaction, difference.reference, explanation);
  await store.resolveDifference(transaction, id, new Date());
  await recordAudit(transaction, {
    adminId,
    act: 'Explained movement',
    subject: `${difference.reference} (${difference.detail})`,
    note: `${explanation}, ${amount}: ${note}`,
  });
}

/** Adds the entries older than ten minutes to the stored sums. No transaction lasts that long. */
export function foldTotals(database: Database, now: Date): Promise<void> {
  return database
    .transaction()
    .execute((transaction) => store.foldTotals(transaction, new Date(now.getTime() - 10 * 60_000)));
}

export interface ComparisonDependencies extends Pick<Context, 'database' | 'enqueue'> {
  balance: BalanceReader;
}

/**
 * Reads the card processor's movements since the last reading, an hour of it again, and posts those that nothing else in the
 * shop causes. A movement that cannot be stored stops no other; the next reading begins at the same time and tries it again.
 * @returns the failures
 * @throws the card processor's failure; the next reading begins at the same time
 */
async function readBalance(
  { database, balance }: Pick<ComparisonDependencies, 'database' | 'balance'>,
  now: Date,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const { read_until } = await store.readProgress(database);
  const first = read_until ?? (await store.firstPostingAt(database)) ?? now;
  const from = new Date(first.getTime() - (read_until === null ? DAY_MS : HOUR_MS));
  let cursor: string | null = null;
  do {
    signal?.throwIfAborted();
    const page: Awaited<ReturnType<BalanceReader['listBalanceTransactions']>> =
      await balance.listBalanceTransactions({ from, until: now, cursor, limit: PAGE_ITEMS });
    const storeMovements = (ids: readonly string[]) =>
      database.transaction().execute(async (transaction) => {
        const movements = page.items.filter(({ balanceTransactionId: id }) => ids.includes(id));
        const added = await store.insertMovements(transaction, movements);
        for (const movement of movements) {
          if (!added.has(movement.balanceTransactionId)) continue;
          for (const posting of rules.externalPostings(movement)) await post(transaction, posting);
        }
      });
    const ids = page.items.map(({ balanceTransactionId }) => balanceTransactionId);
    failures.push(...(await processTogether(database, 'balance movements', ids, storeMovements, { now })));
    cursor = page.nextCursor;
  } while (cursor !== null);
  if (failures.length === 0) await store.setReadUntil(database, now);
  return failures;
}

const unstoredMovements = 'some movements of the card processor could not be stored';

/**
 * Compares the ledger with the card processor's balance. New differences are emailed to each admin once; those that are gone
 * are resolved.
 * @returns the open differences, newest first
 * @throws the card processor's failure; then nothing is compared
 * @throws AggregateError after the comparison when a movement could not be stored
 */
export async function compareWithProcessor(
  dependencies: ComparisonDependencies,
  now: Date,
  signal?: AbortSignal,
): Promise<{ rows: store.DifferenceRow[]; total: number }> {
  const { database, enqueue } = dependencies;
  const failures = await readBalance(dependencies, now, signal);
  await database.transaction().execute(async (transaction) => {
    await store.setCompared(transaction, now);
    const found = await store.findDifferences(transaction, new Date(now.getTime() - PENDING_MS));
    const added = await store.recordDifferences(transaction, found, now);
    if (added.length === 0) return;
    const ids = added.slice(0, EMAILED_DIFFERENCES).map(({ id }) => id);
    await enqueue(transaction, differencesFound, { ids, total: added.length });
  });
  throwAll(failures, unstoredMovements);
  return store.openDifferences(database, LISTED_DIFFERENCES);
}

/**
 * Compares without recording the differences, which a running shop does within minutes afterwards.
 * @throws the card processor's failure, or AggregateError when a movement could not be stored
 */
export async function findDifferencesNow(
  dependencies: Pick<ComparisonDependencies, 'database' | 'balance'>,
  now: Date,
): Promise<rules.ComparedAmounts[]> {
  const { database } = dependencies;
  throwAll(await readBalance(dependencies, now), unstoredMovements);
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
  const failures: unknown[] = [];
  const report = (error: unknown) => failures.push(error);
  await compareWithProcessor(dependencies, now, signal).catch(report);
  // Refunds and disputes whose events were lost are recorded by jobs, also while a movement cannot be stored.
  await database
    .transaction()
    .execute((transaction) => checkUnknownMovements(transaction, dependencies.enqueue, now))
    .catch(report);
  if (failures.length === 1) throw failures[0];
  throwAll(failures, 'neither the ledger was compared nor lost events were looked for');
  await store.setNextComparison(database, new Date(now.getTime() + DAY_MS));
}

/** The response for a difference. */
const toDifference = (row: store.DifferenceRow): LedgerDifference => ({
  _id: row.id,
  kind: row.kind,
  movement: row.movement,
  reference: row.reference,
  ledgerCents: Number(row.ledger_cents),
  processorCents: Number(row.processor_cents),
  detail: row.detail,
  foundAt: row.found_at.toISOString(),
});
