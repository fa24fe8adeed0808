import type Stripe from 'stripe';
import type { Call } from '../api/endpoint.ts';
import type { ApiRecord, Dispute, Refund } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { movementId } from './movements.ts';
import { renderCharge } from './render-charge.ts';
import { renderCustomer } from './render-customer.ts';
import { renderEarlyFraudWarning } from './render-early-fraud-warning.ts';
import { renderIntent, renderIntentForBrowser } from './render-intent.ts';
import { renderMovement } from './render-movement.ts';
import { renderPaymentMethod } from './render-payment-method.ts';
import { renderPayout } from './render-payout.ts';
import { renderReversal, renderTransfer } from './render-transfer.ts';

/** Renders a record in Stripe's format. @param caller the key of the request; a browser gets only a part of an intent */
export function render(
  store: Store,
  record: ApiRecord,
  caller: Call['caller'] = 'secret',
): Record<string, unknown> {
  switch (record.kind) {
    case 'intent':
      return caller === 'secret' ? { ...renderIntent(store, record) } : renderIntentForBrowser(store, record);
    case 'charge':
      return { ...renderCharge(store, record) };
    case 'paymentMethod':
      return { ...renderPaymentMethod(record) };
    case 'refund':
      return { ...renderRefund(record) };
    case 'customer':
      return { ...renderCustomer(record) };
    case 'earlyFraudWarning':
      return { ...renderEarlyFraudWarning(store, record) };
    case 'dispute':
      return { ...renderDispute(store, record) };
    case 'transfer':
      return { ...renderTransfer(store, record) };
    case 'reversal':
      return { ...renderReversal(record) };
    case 'payout':
      return { ...renderPayout(record) };
    case 'movement':
      return { ...renderMovement(record) };
  }
}

function renderRefund(refund: Refund): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.lacksFunds || refund.failureReason !== null ? null : movementId(refund.id),
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
    ...(refund.status === 'pending' && {
      pending_reason: refund.lacksFunds ? 'insufficient_funds' : 'processing',
    }),
    ...(refund.status === 'failed' && {
      ...(refund.failureReason === null && {
        failure_balance_transaction: movementId(refund.id, 'failed_'),
      }),
      failure_reason: refund.failureReason ?? 'expired_or_canceled_card',
    }),
  };
}

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  enhanced_evidence: {},
} as const;

function renderDispute(store: Store, dispute: Dispute): Stripe.Dispute {
  const movements = [movementId(dispute.id), movementId(dispute.id, 'won_')]
    .map((id) => store.find('movement', id))
    .filter((movement) => movement !== undefined);
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: movements.map(renderMovement),
    charge: dispute.charge,
    created: dispute.created,
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence, uncategorized_text: dispute.evidence },
    evidence_details: {
      due_by: dispute.dueBy,
      enhanced_eligibility: {},
      has_evidence: dispute.evidence !== null,
      past_due: false,
      submission_count: dispute.submissions,
      submission_method: dispute.submissions === 0 ? 'not_submitted' : 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: dispute.status.startsWith('warning_'),
    livemode: false,
    metadata: {},
    payment_intent: dispute.intent,
    payment_method_details: {
      card: {
        brand: 'visa',
        case_type: dispute.status.startsWith('warning_') ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: 'fraudulent',
    status: dispute.status,
  };
}
