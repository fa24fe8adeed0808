import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import * as accounts from './accounts.ts';
import * as notifications from './notifications.ts';
import { DueKey, toAmountDue, toMoney, toSale } from './rules.ts';
import { handlePayoutEvent, runPayouts } from './run-payouts.ts';
import { DebtKey, repaymentReference, toDebt, toSettlement } from './settlement-rules.ts';
import * as settlementStore from './settlement-store.ts';
import * as actions from './settlements.ts';
import { payoutProcessorEvent } from './steps.ts';
import * as store from './store.ts';

/** Routes for sellers. */
function sellerRoutes(serve: Serve, { database, shop }: PayoutsOptions): void {
  serve(contract.readOwnMoney, async ({ caller }) => {
    const { payoutAfter, bankAccount } = shop();
    const totals = await store.readTotals(database, caller.userId, payoutAfter);
    return toMoney(totals, payoutAfter, {
      payTo: bankAccount || null,
      reference: repaymentReference(caller.userId),
    });
  });

  serve(contract.listOwnSales, async (call) =>
    sendPage(
      call,
      await store.listSales(database, call.caller.userId, shop().payoutAfter, pageRequest(call.query)),
      toSale,
    ),
  );
}

/** Routes for what is settled outside the card processor: payments to sellers, and their debts. */
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

  serve(settlements.exportAmountsDue, async () => actions.exportDue(database, shop().payoutAfter));

  serve(settlements.listSettlements, async (call) =>
    sendPage(call, await settlementStore.listSettlements(database, pageRequest(call.query)), toSettlement),
  );

  serve(settlements.listDebts, async (call) => {
    const request = keyedPageRequest(call.query, DebtKey);
    return sendPage(call, await settlementStore.listDebts(database, request, encodeCursor), toDebt);
  });

  serve.idempotent(settlements.recordSettlement, ({ caller, body }, transact) =>
    transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await actions.recordSettlement(transaction, options, caller, body),
    })),
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

type PayoutsOptions = Context & NotificationDependencies & accounts.ProcessorDependencies;

/** What is due to sellers, and how they are paid. */
export async function payoutsPlugin(app: FastifyInstance, options: PayoutsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => {
    sellerRoutes(serve, options);
    settlementRoutes(serve, options);
    accountRoutes(serve, options);
  });
  for (const each of notifications.all) each.sendIn(work, options);
  // Also while sellers are paid by hand: transfers that were made before are still looked after.
  work.handle(payoutProcessorEvent, (event) => handlePayoutEvent(options, event));
  work.every(15_000, 'payouts could not be made', () => runPayouts(options, new Date()));
}
