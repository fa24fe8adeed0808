import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/accounting.ts';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import { ReceiptKey, toEntry, toIssuedReceipt } from '../receipts/rules.ts';
import { receiptsOf } from '../receipts/steps.ts';
import * as actions from './actions.ts';
import type { BalanceReader } from './balance-reader.ts';
import { differencesFound } from './notifications.ts';

/** Routes for receipts, statements, exports and the shop's money. */
function accountingRoutes(serve: Serve, dependencies: actions.ReceiptDependencies): void {
  const { database } = dependencies;
  serve(contract.listReceipts, async (call) =>
    sendPage(call, await receiptsOf(database, call.caller.userId, pageRequest(call.query)), toEntry),
  );
  serve(contract.readReceipt, ({ caller, params }) =>
    actions.readReceipt(dependencies, caller, params.number),
  );
  serve(contract.readStatement, ({ caller, query }) =>
    actions.readStatement(database, caller.userId, query.month),
  );
  serve(contract.listAllReceipts, async (call) =>
    sendPage(
      call,
      await actions.listReceiptsOf(
        database,
        call.query,
        keyedPageRequest(call.query, ReceiptKey),
        encodeCursor,
      ),
      toIssuedReceipt,
    ),
  );
  serve(contract.exportAccounts, ({ params, query }) =>
    actions.exportAccounts(dependencies, params.file, query),
  );
  serve(contract.explainMovement, async ({ caller, params, body }) => {
    await database
      .transaction()
      .execute((transaction) => actions.explainMovement(transaction, caller.userId, params._id, body));
    return modified(1);
  });
  serve(contract.readShopMoney, () => actions.readShopMoney(database));
}

export interface AccountingOptions extends Context, NotificationDependencies, actions.ReceiptDependencies {
  /** The card processor's balance; null when it cannot be read. */
  balance: BalanceReader | null;
}

/** Receipts, statements, exports, and the daily comparison of the ledger with the card processor. */
export async function accountingPlugin(app: FastifyInstance, options: AccountingOptions): Promise<void> {
  const { api, work, database, enqueue, balance } = options;
  await registerCalls(app, api, (serve) => accountingRoutes(serve, options));
  differencesFound.sendIn(work, options);
  work.sweep('the sums of the ledger could not be stored', () => actions.foldTotals(database, new Date()));
  if (balance === null) return;
  work.every(5 * MINUTE_MS, 'the ledger could not be compared with the card processor', (signal) =>
    actions.compareDaily({ database, enqueue, balance }, new Date(), signal),
  );
}
