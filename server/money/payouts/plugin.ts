import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import * as accounts from './accounts.ts';
import * as actions from './actions.ts';
import { handlePayoutEvent, payoutEvent, runPayouts } from './connect.ts';
import { DebtKey, owedCentsOf, toDebt, toDebtSettlement } from './debt-rules.ts';
import * as debtStore from './debt-store.ts';
import * as debts from './debts.ts';
import * as notifications from './notifications.ts';
import { DueKey, toAmountDue, toMoney, toPeriod, toSale, toSettlement } from './rules.ts';
import * as store from './store.ts';

/** Routes for sellers. */
function sellerRoutes(serve: Serve, { database, shop }: PayoutsOptions): void {
  serve(contract.readOwnMoney, async ({ caller }) => {
    const { payoutAfter } = shop();
    return toMoney(await store.readTotals(database, caller.userId, payoutAfter), payoutAfter);
  });

  serve(contract.listOwnSales, async (call) =>
    sendPage(
      call,
      await store.listSales(database, call.caller.userId, shop().payoutAfter, pageRequest(call.query)),
      toSale,
    ),
  );

  serve(contract.readMoneyHistory, async ({ caller, query }) =>
    (await store.readHistory(database, caller.userId, query.by, new Date())).map(toPeriod),
  );
}

/** Routes for admins who pay sellers outside the shop. */
function settlementRoutes(serve: Serve, options: PayoutsOptions): void {
  const { database, shop } = options;

  serve(settlements.listAmountsDue, async (call) => {
    const request = keyedPageRequest(call.query, DueKey);
    const { payoutAfter } = shop();
    const page = await store.listDue(database, payoutAfter, request, encodeCursor);
    return sendPage(call, page, toAmountDue(payoutAfter));
  });

  serve(settlements.listSalesOfSeller, async (call) =>
    sendPage(
      call,
      await actions.listSalesOf(database, call.params._id, shop().payoutAfter, pageRequest(call.query)),
      toSale,
    ),
  );

  serve(settlements.exportAmountsDue, async () => {
    const due = store.streamDue(database, shop().payoutAfter);
    return actions.exportSellers('Due', due, (row) => Number(row.free_cents));
  });

  serve.idempotent(settlements.settleByHand, ({ caller, body }, transact) =>
    transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await actions.settleByHand(transaction, options, caller, body),
    })),
  );

  serve(settlements.listSettlements, async (call) =>
    sendPage(call, await store.listSettlements(database, pageRequest(call.query)), toSettlement),
  );
}

/** Routes for the debts of sellers. */
function debtRoutes(serve: Serve, { database, enqueue, shop }: PayoutsOptions): void {
  serve(settlements.readOwnDebt, ({ caller }) =>
    debts.readOwnDebt(database, caller.userId, shop().bankAccount),
  );

  serve(settlements.listDebts, async (call) => {
    const request = keyedPageRequest(call.query, DebtKey);
    return sendPage(call, await debtStore.listDebts(database, request, encodeCursor), toDebt);
  });

  serve(settlements.exportDebts, async () =>
    actions.exportSellers('Owed', debtStore.streamDebts(database), owedCentsOf),
  );

  serve.idempotent(settlements.recordRepayment, ({ caller, body }, transact) =>
    transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await debts.recordRepayment(transaction, enqueue, caller, body),
    })),
  );

  serve.idempotent(settlements.writeOffDebt, ({ caller, body }, transact) =>
    transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await debts.writeOffDebt(transaction, enqueue, caller, body),
    })),
  );

  serve(settlements.listDebtSettlements, async (call) =>
    sendPage(call, await debtStore.listDebtSettlements(database, pageRequest(call.query)), toDebtSettlement),
  );
}

/** Routes for sellers who are paid through the card processor. */
function accountRoutes(serve: Serve, options: PayoutsOptions): void {
  const { shop, origin } = options;
  /** @throws Refusal when sellers are paid by hand */
  const requireAccounts = () => {
    if (shop().payoutMethod === 'card_processor') return;
    throw new Refusal('not_found', 'This shop pays its sellers by hand, so there is no account to open.');
  };

  serve(contract.readPayoutAccount, async ({ caller }) => ({
    ...(await accounts.readAccount(options, caller.userId)),
    payoutAfter: shop().payoutAfter,
  }));

  serve(contract.refreshPayoutAccount, async ({ caller }) => {
    requireAccounts();
    return {
      ...(await accounts.refreshAccount(options, caller.userId)),
      payoutAfter: shop().payoutAfter,
    };
  });

  serve(contract.startOnboarding, async ({ caller, body }) => {
    requireAccounts();
    return { url: await accounts.startOnboarding(options, caller, { ...body, origin }) };
  });
}

export interface PayoutsOptions
  extends NotificationDependencies,
    Pick<accounts.ProcessorDependencies, 'processor'> {
  /** The public origin, without a trailing slash. */
  origin: string;
  /** The settings at the moment. */
  shop: () => ShopSettings;
  api: Api;
  work: Work;
  enqueue: Enqueue;
}

/** What is due to sellers, and how they are paid. */
export async function payoutsPlugin(app: FastifyInstance, options: PayoutsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => {
    sellerRoutes(serve, options);
    settlementRoutes(serve, options);
    debtRoutes(serve, options);
    accountRoutes(serve, options);
  });
  for (const each of notifications.all) each.sendIn(work, options);
  work.handle(notifications.transferRefused, (data, jobId) =>
    notifications.notifyTransferRefused(options, data, {
      jobId,
      warn: (refusal) => app.log.warn(refusal, 'a transfer to a seller was refused'),
    }),
  );
  // Also while sellers are paid by hand: transfers that were made before are still looked after.
  work.handle(payoutEvent, (event) => handlePayoutEvent(options, event));
  work.every(15_000, 'payouts could not be made', () => runPayouts(options, new Date()));
}
