import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/accounting.ts';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { pageRequest, sendPage } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { SWEEP_INTERVAL_MS, type Work } from '../jobs/work.ts';
import { toEntry } from '../receipts/rules.ts';
import { receiptsOf, recordTaxScheme } from '../receipts/steps.ts';
import * as actions from './actions.ts';
import type { BalanceReader } from './balance.ts';
import { differencesFound, type NotificationDependencies, notifyDifferences } from './notifications.ts';

/** Routes for receipts, statements and the shop's money. */
function accountingRoutes(serve: Serve, database: Database): void {
  serve(contract.listReceipts, async (call) =>
    sendPage(call, await receiptsOf(database, call.caller.userId, pageRequest(call.query)), toEntry),
  );
  serve(contract.readReceipt, ({ caller, params }) => actions.readReceipt(database, caller, params.number));
  serve(contract.readStatement, ({ caller, query }) =>
    actions.readStatement(database, caller.userId, query.month),
  );
  serve(contract.readShopMoney, () => actions.readShopMoney(database));
}

export interface AccountingOptions extends NotificationDependencies {
  api: Api;
  work: Work;
  enqueue: Enqueue;
  /** The card processor's balance; null when it cannot be read. */
  balance: BalanceReader | null;
  /** What new receipts say about the shop's taxes. */
  taxScheme: contract.TaxScheme;
  /** How often the shop checks whether a comparison is due, in milliseconds. */
  compareLedgerIntervalMs: number;
}

/** Receipts, statements, and the daily comparison of the ledger with the card processor. */
export async function accountingPlugin(app: FastifyInstance, options: AccountingOptions): Promise<void> {
  const { api, work, database, enqueue, balance, taxScheme } = options;
  await registerCalls(app, api, (serve) => accountingRoutes(serve, database));
  app.addHook('onReady', () => recordTaxScheme(database, taxScheme));
  work.handle(differencesFound, (data, jobId) => notifyDifferences(options, data, jobId));
  work.every(
    SWEEP_INTERVAL_MS,
    () => actions.foldTotals(database, new Date()),
    (error) => app.log.warn({ err: error }, 'the sums of the ledger could not be stored'),
  );
  if (balance === null) return;
  work.every(
    options.compareLedgerIntervalMs,
    (signal) => actions.compareDaily({ database, enqueue, balance }, new Date(), signal),
    (error) => app.log.error({ err: error }, 'the ledger could not be compared with the card processor'),
  );
}
