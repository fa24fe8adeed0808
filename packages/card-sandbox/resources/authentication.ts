import { z } from 'zod';
import { unexpectedState } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { readParameters, text } from '../api/parameters.ts';
import type { Intent } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putAndEmit } from '../webhooks/events.ts';
import { chargeCard } from './charges.ts';
import { findIntent } from './intents.ts';
import { findPaymentMethod } from './payment-methods.ts';

const authenticationParameters = z.strictObject({
  client_secret: text,
  outcome: z.enum(['complete', 'fail']),
});

/** Applies the result of the 3-D Secure dialog. */
function authenticate(store: Store, call: Call): Intent {
  const given = readParameters(authenticationParameters, call.parameters);
  const intent = findIntent(store, call, given.client_secret);
  if (intent.status !== 'requires_action' || intent.paymentMethod === null) {
    throw unexpectedState(
      intent,
      `This PaymentIntent has a status of ${intent.status} and asks for no authentication.`,
    );
  }
  const method = findPaymentMethod(store, intent.paymentMethod);
  if (given.outcome === 'complete') return chargeCard(store, call, intent, method, true);
  const failed: Intent = {
    ...intent,
    status: 'requires_payment_method',
    paymentMethod: null,
    lastError: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      declineCode: null,
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      charge: null,
      paymentMethod: method.id,
    },
  };
  return putAndEmit(store, call, failed, 'payment_intent.payment_failed');
}

/** The endpoint of the 3-D Secure dialog, which Stripe's API does not have. */
export function authenticationEndpoints(store: Store): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/authentication/:id',
      allowsPublishableKey: true,
      handle: (call) => authenticate(store, call),
    },
  ];
}
