import type Stripe from 'stripe';
import type { Partly } from '../api/endpoint.ts';
import type { Intent, PaymentError } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { renderShipping } from './render-charge.ts';
import { renderPaymentMethod } from './render-payment-method.ts';

/** Renders an intent for the secret key. */
export function renderIntent(store: Store, intent: Intent): Partly<Stripe.PaymentIntent> {
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: intent.cardOnly ? ['card'] : null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.amountReceived,
    automatic_payment_methods: intent.cardOnly ? null : { enabled: true, allow_redirects: 'always' },
    canceled_at: intent.canceledAt,
    capture_method: 'automatic_async',
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    last_payment_error: intent.lastError === null ? null : renderPaymentError(store, intent.lastError),
    latest_charge: intent.latestCharge,
    livemode: false,
    metadata: intent.metadata,
    next_action:
      intent.status === 'requires_action'
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
        : null,
    payment_method: intent.paymentMethod,
    payment_method_types: ['card'],
    receipt_email: intent.receiptEmail,
    setup_future_usage: null,
    shipping: renderShipping(intent.shipping),
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    transfer_group: intent.transferGroup,
    status: intent.status,
  };
}

const publicProperties = [
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
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
  'payment_method_types',
  'receipt_email',
  'shipping',
  'status',
] as const;

/** Renders an intent for the publishable key: without metadata and charge. */
export function renderIntentForBrowser(store: Store, intent: Intent): Record<string, unknown> {
  const intentForSecretKey = renderIntent(store, intent);
  return Object.fromEntries(publicProperties.map((name) => [name, intentForSecretKey[name]]));
}

function renderPaymentError(
  store: Store,
  error: PaymentError,
): Partly<Stripe.PaymentIntent.LastPaymentError> {
  const method = store.find('paymentMethod', error.paymentMethod);
  return {
    type: error.type,
    code: error.code,
    message: error.message,
    ...(error.declineCode === null ? {} : { decline_code: error.declineCode }),
    ...(error.charge === null ? {} : { charge: error.charge }),
    ...(method === undefined ? {} : { payment_method: renderPaymentMethod(method) }),
  };
}
