import type Stripe from 'stripe';
import type {
  BillingDetails,
  Charge,
  Intent,
  PaymentError,
  PaymentMethod,
  Refund,
} from '../storage/records.ts';

type Lookup = (paymentMethod: string) => PaymentMethod | undefined;

/** The intent as the holder of the secret key sees it. */
export function renderIntent(intent: Intent, lookup: Lookup): Stripe.PaymentIntent {
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.amountReceived,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: intent.automaticPaymentMethods
      ? { enabled: true, allow_redirects: intent.allowRedirects }
      : null,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.cancellationReason,
    capture_method: 'automatic_async',
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.lastError === null ? null : renderPaymentError(intent.lastError, lookup),
    latest_charge: intent.latestCharge,
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action:
      intent.status === 'requires_action'
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
        : null,
    on_behalf_of: null,
    payment_method: intent.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: intent.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: intent.statementDescriptor,
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    transfer_data: null,
    transfer_group: null,
    status: intent.status,
  };
}

const shownToBrowsers = [
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const;

/** The part of an intent that a publishable key may read: no metadata, no charge. */
export function renderIntentForBrowser(intent: Intent, lookup: Lookup): Record<string, unknown> {
  const whole = renderIntent(intent, lookup);
  return Object.fromEntries(shownToBrowsers.map((name) => [name, whole[name]]));
}

function renderPaymentError(error: PaymentError, lookup: Lookup): Stripe.PaymentIntent.LastPaymentError {
  const method = lookup(error.paymentMethod);
  return {
    type: error.type,
    code: error.code,
    message: error.message,
    doc_url: documentation(error.code),
    ...(error.declineCode === null ? {} : { decline_code: error.declineCode }),
    ...(error.charge === null ? {} : { charge: error.charge }),
    ...(method === undefined ? {} : { payment_method: renderPaymentMethod(method) }),
  };
}

export function documentation(code: string): string {
  return `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;
}

function renderBilling(billing: BillingDetails): Stripe.Charge.BillingDetails {
  const { name, email, phone, line1, line2, city, state, postalCode, country } = billing;
  return {
    address: { city, country, line1, line2, postal_code: postalCode, state },
    email,
    name,
    phone,
    tax_id: null,
  };
}

const passed = (given: boolean) => (given ? 'pass' : null);

const renderChecks = (method: PaymentMethod) => ({
  address_line1_check: passed(method.billing.line1 !== null),
  address_postal_code_check: passed(method.billing.postalCode !== null),
  cvc_check: passed(method.hasCode),
});

export function renderPaymentMethod(method: PaymentMethod): Stripe.PaymentMethod {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: renderBilling(method.billing),
    card: {
      brand: method.brand,
      checks: renderChecks(method),
      country: method.country,
      display_brand: method.brand,
      exp_month: method.expiryMonth,
      exp_year: method.expiryYear,
      fingerprint: method.fingerprint,
      funding: method.funding,
      generated_from: null,
      last4: method.last4,
      networks: { available: [method.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: method.created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}

function renderUsedCard(charge: Charge, method: PaymentMethod): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: charge.decline === null ? charge.amount : null,
    authorization_code: null,
    brand: method.brand,
    checks: renderChecks(method),
    country: method.country,
    electronic_commerce_indicator: null,
    exp_month: method.expiryMonth,
    exp_year: method.expiryYear,
    fingerprint: method.fingerprint,
    funding: method.funding,
    installments: null,
    last4: method.last4,
    mandate: null,
    network: method.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: charge.authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: null,
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  };
}

export function renderCharge(charge: Charge, method: PaymentMethod): Stripe.Charge {
  const { decline } = charge;
  const paid = decline === null;
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? charge.id.replace('ch_', 'txn_') : null,
    billing_details: renderBilling(method.billing),
    calculated_statement_descriptor: 'CARD SANDBOX',
    captured: paid,
    created: charge.created,
    currency: charge.currency,
    customer: null,
    description: charge.description,
    disputed: charge.dispute !== null,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: charge.intent,
    payment_method: charge.paymentMethod,
    payment_method_details: { type: 'card', card: renderUsedCard(charge, method) },
    receipt_email: charge.receiptEmail,
    receipt_number: null,
    receipt_url: null,
    refunded: paid && charge.amountRefunded === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

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
