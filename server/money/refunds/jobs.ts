import * as z from 'zod/mini';
import { job } from '#server/platform/jobs/queue.ts';

/** A refund is due. Handled by `reconcileRefund`. */
export const refundDue = job('payments.refund-due', z.object({ refundId: z.string() }), 'cards');

/** The card processor sent an event about a refund. Handled by `handleRefundEvent`. */
export const refundEvent = job(
  'payments.refund-event',
  z.object({ transactionId: z.string(), cardRefundId: z.string() }),
  'cards',
);

/** The card processor has a refund of a payment that the shop does not know. Handled by `checkRefunds`. */
export const refundsToCheck = job(
  'payments.refunds-to-check',
  z.object({ transactionId: z.string() }),
  'cards',
);

/** The card processor sent an event about a dispute, or its balance lists one that the shop does not know. Handled by `reconcileDispute`. */
export const disputeEvent = job('payments.dispute-event', z.object({ cardDisputeId: z.string() }), 'cards');
