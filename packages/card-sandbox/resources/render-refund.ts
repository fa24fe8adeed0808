import type Stripe from 'stripe';
import type { Refund } from '../storage/records.ts';

/** Renders a refund in Stripe's format. */
export function renderRefund(refund: Refund): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.id.replace('re_', 'txn_'),
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: refund.metadata,
    payment_intent: refund.intent,
    payment_method: null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
    ...(refund.status === 'pending' && { pending_reason: 'processing' }),
    ...(refund.status === 'failed' && {
      failure_balance_transaction: refund.id.replace('re_', 'txn_failed_'),
      failure_reason: 'expired_or_canceled_card',
    }),
  };
}
