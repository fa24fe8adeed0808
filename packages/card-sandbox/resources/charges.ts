import { z } from 'zod';
import { noSuch, Refusal } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { expand, readParameters } from '../api/parameters.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Charge, Intent, PaymentMethod } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { emit } from '../webhooks/events.ts';
import { renderCharge, renderIntent } from './render.ts';

/**
 * Takes an intent's money from a card.
 * @returns the intent, now succeeded
 * @throws {Refusal} Stripe's card error when the card declines; the intent waits for another card
 */
export function charge(
  ledger: Ledger,
  call: Call,
  intent: Intent,
  method: PaymentMethod,
  authenticated: boolean,
): Intent {
  const attempt: Charge = {
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
  ledger.put(attempt);
  const lookup = (id: string) => ledger.find('paymentMethod', id);
  if (method.decline === null) {
    const paid: Intent = {
      ...intent,
      status: 'succeeded',
      amountReceived: intent.amount,
      paymentMethod: method.id,
      latestCharge: attempt.id,
      lastError: null,
    };
    ledger.put(paid);
    emit(ledger, call, 'charge.succeeded', renderCharge(attempt, method));
    emit(ledger, call, 'payment_intent.succeeded', renderIntent(paid, lookup));
    return paid;
  }
  const { code, declineCode, message } = method.decline;
  const failed: Intent = {
    ...intent,
    status: 'requires_payment_method',
    paymentMethod: null,
    latestCharge: attempt.id,
    lastError: {
      type: 'card_error',
      code,
      declineCode,
      message,
      charge: attempt.id,
      paymentMethod: method.id,
    },
  };
  ledger.put(failed);
  emit(ledger, call, 'charge.failed', renderCharge(attempt, method));
  emit(ledger, call, 'payment_intent.payment_failed', renderIntent(failed, lookup));
  throw new Refusal(402, 'card_error', message, {
    code,
    declineCode,
    charge: attempt.id,
    paymentMethod: method.id,
    intent: failed,
    kept: true,
  });
}

/** @throws {Refusal} when there is no such charge, or, which cannot be, no card behind it */
export function renderFoundCharge(
  ledger: Ledger,
  id: string,
  param: string,
): ReturnType<typeof renderCharge> {
  const found = ledger.find('charge', id);
  const method = found && ledger.find('paymentMethod', found.paymentMethod);
  if (found === undefined || method === undefined) throw noSuch('charge', id, param);
  return renderCharge(found, method);
}

const retrieveParameters = z.strictObject({ expand });

export function chargeEndpoints(ledger: Ledger): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/v1/charges/:id',
      fromBrowser: false,
      handle(call) {
        readParameters(retrieveParameters, call.parameters);
        return { ...renderFoundCharge(ledger, call.id, 'id') };
      },
    },
  ];
}
