import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/payouts.ts';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { Work } from '../jobs/work.ts';
import * as actions from './actions.ts';
import { type NotificationDependencies, notifySettled, settledByHand } from './notifications.ts';
import { DueKey, toAmountDue, toSale, toSettlement } from './rules.ts';
import * as store from './store.ts';

/** Routes for sellers. */
function sellerRoutes(serve: Serve, database: Database): void {
  serve(contract.readOwnMoney, ({ caller }) => actions.readMoney(database, caller.userId));

  serve(contract.listOwnSales, async (call) =>
    sendPage(call, await store.listSales(database, call.caller.userId, pageRequest(call.query)), toSale),
  );

  serve(contract.readMoneyHistory, ({ caller, query }) =>
    actions.readHistory(database, caller.userId, query.by),
  );
}

/** Routes for admins who pay sellers outside the shop. */
function settlementRoutes(
  serve: Serve,
  { database, enqueue }: { database: Database; enqueue: Enqueue },
): void {
  serve(contract.listAmountsDue, async (call) => {
    const request = keyedPageRequest(call.query, DueKey);
    return sendPage(call, await store.listDue(database, request, encodeCursor), toAmountDue);
  });

  serve(contract.listSalesOfSeller, async (call) =>
    sendPage(call, await actions.listSalesOf(database, call.params._id, pageRequest(call.query)), toSale),
  );

  serve(contract.exportAmountsDue, async () => actions.exportDue(database));

  serve.idempotent(contract.settleByHand, ({ caller, body }, transact) =>
    transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await actions.settleByHand(transaction, enqueue, caller, body),
    })),
  );

  serve(contract.listSettlements, async (call) =>
    sendPage(call, await store.listSettlements(database, pageRequest(call.query)), toSettlement),
  );
}

export interface PayoutsOptions extends NotificationDependencies {
  api: Api;
  work: Work;
  enqueue: Enqueue;
}

/** What is due to sellers, and how they are paid. */
export async function payoutsPlugin(app: FastifyInstance, options: PayoutsOptions): Promise<void> {
  const { api, work, database } = options;
  await registerCalls(app, api, (serve) => {
    sellerRoutes(serve, database);
    settlementRoutes(serve, options);
  });
  work.handle(settledByHand, ({ settlementId }) => notifySettled(options, settlementId));
}
