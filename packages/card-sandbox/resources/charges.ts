import { z } from 'zod';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { expand, readParameters } from '../api/parameters.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Charge, Intent, PaymentMethod } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit } from '../webhooks/events.ts';
import { renderCharge } from './render-charge.ts';
import { renderIntent } from './render-intent.ts';

/**
 * Charges a card with the amount of an intent.
 * @param authenticated whether the buyer has passed 3-D Secure
 * @returns the succeeded intent
 * @throws {ApiError} Stripe's card error if the card is declined; the intent then requires another payment method
 */
export function chargeCard(
  store: Store,
  call: Call,
  intent: Intent,
  method: PaymentMethod,
  authenticated: boolean,
): Intent {
  const charge: Charge = {
    kind: 'charge',
    id: newId('ch'),
    created: nowInSeconds(),
    amount: intent.amount,
    amountRefunded: 0,
    currency: intent.currency,
    intent: intent.id,
    paymentMethod: method.id,
    authenticated,
    decline: method.decline,
    description: intent.description,
    receiptEmail: intent.receiptEmail,
    metadata: intent.metadata,
    willBeDisputed: method.afterwards === 'is disputed' || method.afterwards === 'is asked about',
    asInquiry: method.afterwards === 'is asked about',
    dispute: null,
  };
  store.put(charge);
  const lookup = (id: string) => store.find('paymentMethod', id);
  if (method.decline === null) {
    const paid: Intent = {
      ...intent,
      status: 'succeeded',
      amountReceived: intent.amount,
      paymentMethod: method.id,
      latestCharge: charge.id,
      lastError: null,
    };
    store.put(paid);
    emit(store, call, 'charge.succeeded', renderCharge(charge, method));
    emit(store, call, 'payment_intent.succeeded', renderIntent(paid, lookup));
    return paid;
  }
  const { code, declineCode, message } = method.decline;
  const failed: Intent = {
    ...intent,
    status: 'requires_payment_method',
    paymentMethod: null,
    latestCharge: charge.id,
    lastError: {
      type: 'card_error',
      code,
      declineCode,
      message,
      charge: charge.id,
      paymentMethod: method.id,
    },
  };
  store.put(failed);
  emit(store, call, 'charge.failed', renderCharge(charge, method));
  emit(store, call, 'payment_intent.payment_failed', renderIntent(failed, lookup));
  throw new ApiError(402, 'card_error', message, {
    code,
    declineCode,
    charge: charge.id,
    paymentMethod: method.id,
    intent: failed,
    isStored: true,
  });
}

/** @throws {ApiError} if the charge or its payment method does not exist */
export function renderChargeById(store: Store, id: string, param: string): ReturnType<typeof renderCharge> {
  const charge = store.find('charge', id);
  const method = charge && store.find('paymentMethod', charge.paymentMethod);
  if (charge === undefined || method === undefined) throw notFound('charge', id, param);
  return renderCharge(charge, method);
}

const retrieveParameters = z.strictObject({ expand });

export function chargeEndpoints(store: Store): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/v1/charges/:id',
      allowsPublishableKey: false,
      handle(call) {
        readParameters(retrieveParameters, call.parameters);
        return { ...renderChargeById(store, call.id, 'id') };
      },
    },
  ];
}
