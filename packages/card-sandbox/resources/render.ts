import type Stripe from 'stripe';
import type { Call } from '../api/endpoint.ts';
import { nowInSeconds } from '../identifiers.ts';
import type { Partly } from '../storage/record.ts';
import type {
  ApiRecord,
  Customer,
  Dispute,
  EarlyFraudWarning,
  Movement,
  PaymentMethod,
  Payout,
  Refund,
} from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { failureMessage } from './bank-accounts.ts';
import { movementId } from './movements.ts';
import { renderCharge } from './render-charge.ts';
import { renderIntent, renderIntentForBrowser } from './render-intent.ts';
import { renderReversal, renderTransfer } from './render-transfer.ts';

/** Renders a record in Stripe's format. @param caller the key of the request; a browser gets only a part of an intent */
export function render(
  store: Store,
  record: ApiRecord,
  caller: Call['caller'] = 'secret',
): Record<string, unknown> {
  switch (record.kind) {
    case 'intent':
      return caller === 'secret' ? { ...renderIntent(record) } : renderIntentForBrowser(record);
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

export const renderPaymentMethod = (method: PaymentMethod): Partly<Stripe.PaymentMethod> => ({
  id: method.id,
  object: 'payment_method',
  billing_details: method.billing,
  card: method.card,
  created: method.created,
  livemode: false,
  metadata: {},
  type: 'card',
});

function renderRefund(refund: Refund): Partly<Stripe.Refund> {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.lacksFunds || refund.failureReason !== null ? null : movementId(refund.id),
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: refund.metadata,
    payment_intent: refund.intent,
    status: refund.status,
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

function renderDispute(store: Store, dispute: Dispute): Partly<Stripe.Dispute> {
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
    evidence: { uncategorized_text: dispute.evidence },
    evidence_details: {
      due_by: dispute.dueBy,
      enhanced_eligibility: {},
      has_evidence: dispute.evidence !== null,
      past_due: false,
      submission_count: dispute.submissions,
      submission_method: dispute.submissions === 0 ? 'not_submitted' : 'manual',
    },
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

/** Of a deleted customer, only the id is left. */
function renderCustomer(customer: Customer): Partly<Stripe.Customer | Stripe.DeletedCustomer> {
  if (customer.isDeleted) return { id: customer.id, object: 'customer', deleted: true };
  const { id, created, email, metadata, name, phone } = customer;
  return { id, object: 'customer', created, email, livemode: false, metadata, name, phone };
}

/** A warning is actionable until its charge is disputed or wholly refunded. */
function renderEarlyFraudWarning(store: Store, warning: EarlyFraudWarning): Stripe.Radar.EarlyFraudWarning {
  const charge = store.find('charge', warning.charge);
  return {
    id: warning.id,
    object: 'radar.early_fraud_warning',
    actionable: charge?.dispute === null && charge.amountRefunded < charge.amount,
    charge: warning.charge,
    created: warning.created,
    fraud_type: warning.fraudType,
    livemode: false,
    payment_intent: warning.intent,
  };
}

function renderMovement(movement: Movement): Partly<Stripe.BalanceTransaction> {
  const { fee, currency } = movement;
  const description = movement.reportingCategory === 'dispute' ? 'Dispute fee' : 'Stripe processing fees';
  return {
    id: movement.id,
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: movement.availableOn,
    balance_type: 'payments',
    created: movement.created,
    currency,
    description: movement.description,
    exchange_rate: movement.exchangeRate,
    fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description, type: 'stripe_fee' }],
    net: movement.amount - fee,
    reporting_category: movement.reportingCategory,
    source: movement.source,
    status: movement.availableOn <= nowInSeconds() ? 'available' : 'pending',
    type: movement.type,
  };
}

function renderPayout(payout: Payout): Partly<Stripe.Payout> {
  const { failureCode } = payout;
  return {
    id: payout.id,
    object: 'payout',
    amount: payout.amount,
    arrival_date: payout.created,
    automatic: payout.automatic,
    balance_transaction: movementId(payout.id),
    created: payout.created,
    currency: payout.currency,
    description: 'STRIPE PAYOUT',
    // Another bank account is another object.
    destination: `${payout.account?.replace('acct_', 'ba_') ?? 'ba_platform'}${payout.bankAccount}`,
    failure_balance_transaction: failureCode === null ? null : movementId(payout.id, 'failed_'),
    failure_code: failureCode,
    failure_message: failureCode === null ? null : failureMessage(failureCode),
    livemode: false,
    metadata: {},
    method: 'standard',
    reconciliation_status: payout.status === 'pending' ? 'in_progress' : 'completed',
    source_type: 'card',
    status: payout.status,
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  };
}
