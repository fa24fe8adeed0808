import type { FastifyInstance } from 'fastify';
import * as orderContract from '#contract/sales/orders.ts';
import * as contract from '#contract/sales/payments.ts';
import { deviceLockChanged } from '#server/certification/inspections/steps.ts';
import {
  cardEvent,
  disputeEvent,
  refundDue,
  refundEvent,
  refundsToCheck,
} from '#server/money/refunds/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { encodeCursor, keyedPageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import { bookingCancelled } from '../bookings/steps.ts';
import {
  closeUnpayableAttempts,
  handleBuyerEnded,
  handleDeviceLockChanged,
  handleLaptopWithdrawn,
  mapUnavailable,
  recordPayment,
} from './actions.ts';
import * as adminRefunds from './admin-refunds.ts';
import { handleCardEvent } from './attempts.ts';
import type { PaymentDependencies } from './dependencies.ts';
import * as disputeNotifications from './dispute-notifications.ts';
import { reconcileDispute } from './disputes.ts';
import { fraudWarningEvent, handleFraudWarning } from './fraud-warnings.ts';
import * as notifications from './notifications.ts';
import { preparePayment } from './prepare-payment.ts';
import { reconcile, removeOldEvents } from './reconciliation.ts';
import { checkRefunds, handleRefundEvent, reconcileRefund } from './refunds.ts';
import { toWaitingRefund } from './rules.ts';
import { buyerEnded, closeLaptopAttempts, laptopUnavailable } from './steps.ts';
import { listWaitingRefunds, WaitingKey } from './waiting-refunds-store.ts';
import { cardWebhooks } from './webhooks.ts';

/** Routes for paying a booking. */
function paymentRoutes(serve: Serve, dependencies: PaymentDependencies): void {
  serve(contract.createPaymentIntent, async ({ caller, body }) => {
    const prepared = await mapUnavailable(preparePayment(dependencies, caller, body));
    return { ...prepared, paymentWindowEndsAt: prepared.paymentWindowEndsAt?.toISOString() ?? null };
  });

  serve(contract.recordPayment, async ({ caller, body }) => ({
    acknowledged: true,
    insertedId: await mapUnavailable(recordPayment(dependencies, caller, body)),
  }));
}

/** Routes for admins who refund. */
function refundRoutes(serve: Serve, { database, enqueue, cache }: PaymentDependencies): void {
  serve.idempotent(orderContract.refundOrder, async ({ caller, params, body }, transact) => {
    const { amount: amountCents, from, text } = body;
    const response = await transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await adminRefunds.refundByAdmin(transaction, enqueue, caller, {
        orderId: params._id,
        amountCents,
        from,
        text,
      }),
    }));
    // So that the seller's next read shows a returned laptop.
    await cache.waitForInvalidation();
    return response;
  });

  serve(orderContract.listWaitingRefunds, async (call) => {
    const page = await listWaitingRefunds(database, keyedPageRequest(call.query, WaitingKey), encodeCursor);
    return sendPage(call, page, toWaitingRefund);
  });

  serve(orderContract.payWaitingRefund, async ({ caller, params }) => {
    const isPaid = await database
      .transaction()
      .execute((transaction) => adminRefunds.payRefundFromShop(transaction, enqueue, caller, params._id));
    return modified(isPaid);
  });

  serve(orderContract.payRefundByHand, async ({ caller, params, body }) => {
    const isPaid = await database.transaction().execute((transaction) =>
      adminRefunds.payRefundByHand(transaction, enqueue, caller, {
        refundId: params._id,
        reference: body.reference,
      }),
    );
    return modified(isPaid);
  });
}

export interface PaymentsOptions
  extends Context,
    Omit<PaymentDependencies, 'cache'>,
    NotificationDependencies {
  /** Counts rounds of reconciliation. */
  metrics: { recordReconciliation(outcome: 'done' | 'failed'): void };
}

const RECONCILE_INTERVAL_MS = 15_000;

/** Payments, refunds and disputes: routes, the card processor's webhooks, jobs, reconciliation. */
export async function paymentsPlugin(app: FastifyInstance, options: PaymentsOptions): Promise<void> {
  const { api, work, metrics } = options;
  await registerCalls(app, api, (serve) => {
    paymentRoutes(serve, options);
    refundRoutes(serve, options);
  });
  await app.register(cardWebhooks, options);

  work.handle(cardEvent, ({ transactionId }) => handleCardEvent(options, transactionId));
  work.handle(refundEvent, (data) => handleRefundEvent(options, data));
  work.handle(disputeEvent, ({ cardDisputeId }) => reconcileDispute(options, cardDisputeId));
  work.handle(fraudWarningEvent, ({ warningId }) => handleFraudWarning(options, warningId));
  work.handle(refundsToCheck, ({ transactionId }) => checkRefunds(options, transactionId));
  work.handle(refundDue, ({ refundId }) => reconcileRefund(options, refundId));
  work.handle(laptopUnavailable, (withdrawal) => handleLaptopWithdrawn(options, withdrawal));
  work.handle(deviceLockChanged, ({ laptopId }) => handleDeviceLockChanged(options, laptopId));
  work.handle(bookingCancelled, ({ bookingId: id }) => closeUnpayableAttempts(options, { column: 'id', id }));
  work.handle(closeLaptopAttempts, ({ laptopId: id }) =>
    closeUnpayableAttempts(options, { column: 'laptop_id', id }),
  );
  work.handle(buyerEnded, ({ buyerId }) => handleBuyerEnded(options, buyerId));
  for (const each of [...notifications.all, ...disputeNotifications.all]) each.sendIn(work, options);

  work.every(
    RECONCILE_INTERVAL_MS,
    'payments could not be reconciled',
    async (signal) => {
      await reconcile(options, new Date(), signal);
      metrics.recordReconciliation('done');
    },
    () => metrics.recordReconciliation('failed'),
  );
  work.sweep('old card processor events could not be removed', () =>
    removeOldEvents(options.database, new Date()),
  );
}
