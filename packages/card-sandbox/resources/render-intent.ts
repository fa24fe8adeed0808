import type Stripe from 'stripe';
import type { Partly } from '../storage/record.ts';
import type { Intent } from '../storage/records.ts';

/** Renders an intent for the secret key. */
export function renderIntent(intent: Intent): Partly<Stripe.PaymentIntent> {
  return {
    id: intent.id,
    object: 'payment_intent',
    ...intent.details,
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
    last_payment_error: intent.lastError,
    latest_charge: intent.latestCharge,
    livemode: false,
    next_action:
      intent.status === 'requires_action'
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
        : null,
    payment_method: intent.paymentMethod,
    payment_method_types: ['card'],
    setup_future_usage: null,
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
export function renderIntentForBrowser(intent: Intent): Record<string, unknown> {
  const intentForSecretKey = renderIntent(intent);
  return Object.fromEntries(publicProperties.map((name) => [name, intentForSecretKey[name]]));
}
