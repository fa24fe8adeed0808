import { ApiError } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { retrieveEndpoint } from '../api/lists.ts';
import { newRecord } from '../identifiers.ts';
import type { Charge, Intent, PaymentMethod } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';
import { recordCharge } from './movements.ts';
import { renderPaymentMethod } from './render.ts';

/**
 * Charges a card with the amount of an intent.
 * @returns the succeeded intent
 * @throws {ApiError} Stripe's card error if the card is declined; the intent then requires another payment method
 */
export function chargeCard(store: Store, call: Call, intent: Intent, method: PaymentMethod): Intent {
  const { afterwards } = method;
  const charge: Charge = {
    ...newRecord('charge', 'ch'),
    amount: intent.amount,
    amountRefunded: 0,
    currency: intent.currency,
    intent: intent.id,
    paymentMethod: method.id,
    decline: method.decline,
    scheduled: afterwards === 'refunds fail' || afterwards === 'refunds take time' ? null : afterwards,
    dispute: null,
    transferGroup: intent.transferGroup,
  };
  store.put(charge);
  if (method.decline === null) {
    recordCharge(store, charge);
    const paid: Intent = {
      ...intent,
      status: 'succeeded',
      amountReceived: intent.amount,
      paymentMethod: method.id,
      latestCharge: charge.id,
      lastError: null,
    };
    emit(store, call, 'charge.succeeded', charge);
    putAndEmit(store, call, paid, 'payment_intent.succeeded');
    // Stripe's charge has its balance transaction only now.
    emit(store, call, 'charge.updated', charge);
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
      ...(declineCode !== null && { decline_code: declineCode }),
      message,
      charge: charge.id,
      payment_method: renderPaymentMethod(method),
    },
  };
  emit(store, call, 'charge.failed', charge);
  putAndEmit(store, call, failed, 'payment_intent.payment_failed');
  throw new ApiError(402, 'card_error', message, {
    code,
    declineCode,
    charge: charge.id,
    paymentMethod: method.id,
    intent: failed,
    isStored: true,
  });
}

export const chargeEndpoints: Endpoint[] = [retrieveEndpoint('charge', '/v1/charges', 'id')];
