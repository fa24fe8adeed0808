import type { z } from 'zod';
import { invalidParameter, requireRecord, unexpectedState } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { listEndpoint } from '../api/lists.ts';
import { readId, readParameters } from '../api/parameters.ts';
import { newRecord, nowInSeconds, randomLetters } from '../identifiers.ts';
import type { Intent, PaymentMethod } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putAndEmit } from '../webhooks/events.ts';
import { chargeCard } from './charges.ts';
import { formatMoney, isChargeable, isCurrency, minimumOf } from './currencies.ts';
import { findCustomer } from './customers.ts';
import {
  authenticationParameters,
  confirmParameters,
  createParameters,
  retrieveParameters,
} from './intent-parameters.ts';
import { createPaymentMethod, findPaymentMethod } from './payment-methods.ts';
import { renderPaymentMethod } from './render.ts';

const MAXIMUM_AMOUNT = 99_999_999;

/** @throws {ApiError} if the intent does not exist, or if a browser sends another client secret */
function findIntent(store: Store, call: Call, clientSecret: string | undefined): Intent {
  const intent = requireRecord(store, 'intent', call.id);
  if (call.caller === 'publishable' && clientSecret === undefined) {
    throw invalidParameter('client_secret', 'Missing required param: client_secret.', 'parameter_missing');
  }
  if (clientSecret !== undefined && clientSecret !== intent.clientSecret) {
    throw invalidParameter(
      'client_secret',
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
    );
  }
  return intent;
}

/** @throws {ApiError} if an amount in the smallest unit of its currency is outside of Stripe's limits */
function requireValidAmount(amount: number, currency: string): void {
  if (amount < 1) {
    throw invalidParameter(
      'amount',
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    );
  }
  const minimum = minimumOf(currency);
  if (amount < minimum) {
    const least = `${formatMoney(minimum, currency)} ${currency}`;
    throw invalidParameter('amount', `Amount must be at least ${least}`, 'amount_too_small');
  }
  if (amount > MAXIMUM_AMOUNT) {
    const most = formatMoney(MAXIMUM_AMOUNT, currency);
    throw invalidParameter('amount', `Amount must be no more than ${most}`, 'amount_too_large');
  }
  if (!isChargeable(amount, currency)) {
    throw invalidParameter('amount', `Invalid amount. The last digit of an amount in ${currency} must be 0.`);
  }
}

function create(store: Store, call: Call): Intent {
  const given = readParameters(createParameters, call.parameters);
  const currency = given.currency.toLowerCase();
  if (!isCurrency(currency)) {
    throw invalidParameter('currency', `Invalid currency: ${currency}.`);
  }
  requireValidAmount(given.amount, currency);
  if (given.payment_method_types !== undefined) {
    throw invalidParameter(
      'payment_method_types',
      'The payment_method_types parameter is no longer supported. Use allowed_payment_method_types.',
      'payment_method_types_no_longer_supported',
    );
  }
  const method = given.payment_method === undefined ? null : findPaymentMethod(store, given.payment_method);
  const customer = given.customer === undefined ? null : findCustomer(store, given.customer, 'customer').id;
  const record = newRecord('intent', 'pi');
  const intent: Intent = {
    ...record,
    amount: given.amount,
    amountReceived: 0,
    currency,
    status: method === null ? 'requires_payment_method' : 'requires_confirmation',
    clientSecret: `${record.id}_secret_${randomLetters(25)}`,
    details: {
      customer,
      description: given.description,
      metadata: given.metadata ?? {},
      receipt_email: given.receipt_email,
      shipping: given.shipping ?? null,
      statement_descriptor_suffix: given.statement_descriptor_suffix,
    },
    cardOnly: given.allowed_payment_method_types !== undefined,
    paymentMethod: method?.id ?? null,
    latestCharge: null,
    lastError: null,
    canceledAt: null,
    transferGroup: given.transfer_group,
  };
  if (given.confirm === true && method === null) throw missingMethod(intent);
  putAndEmit(store, call, intent, 'payment_intent.created');
  return given.confirm === true && method !== null
    ? chargeOrAuthenticate(store, call, intent, method)
    : intent;
}

const missingMethod = (intent: Intent) =>
  unexpectedState(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update " +
      'the PaymentIntent with a payment method and then confirm it again, or confirm it again directly ' +
      'with a payment method or ConfirmationToken.',
  );

function confirm(store: Store, call: Call): Intent {
  const given = readParameters(confirmParameters, call.parameters);
  const intent = findIntent(store, call, given.client_secret);
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  }
  if (intent.status === 'canceled') {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has a status of canceled. Only a PaymentIntent with ' +
        'one of the following statuses may be confirmed: requires_confirmation, requires_action.',
    );
  }
  return chargeOrAuthenticate(store, call, intent, findChosenMethod(store, call, intent, given));
}

function findChosenMethod(
  store: Store,
  call: Call,
  intent: Intent,
  given: z.output<typeof confirmParameters>,
): PaymentMethod {
  if (given.payment_method_data !== undefined)
    return createPaymentMethod(store, call, given.payment_method_data);
  const id = given.payment_method ?? intent.paymentMethod;
  if (id === null) throw missingMethod(intent);
  return findPaymentMethod(store, id);
}

/** Charges the card, or requires 3-D Secure first if the card does. */
function chargeOrAuthenticate(store: Store, call: Call, intent: Intent, method: PaymentMethod): Intent {
  if (!method.asksAuthentication) return chargeCard(store, call, intent, method);
  const waiting: Intent = { ...intent, status: 'requires_action', paymentMethod: method.id, lastError: null };
  return putAndEmit(store, call, waiting, 'payment_intent.requires_action');
}

function cancel(store: Store, call: Call): Intent {
  const intent = requireRecord(store, 'intent', readId(call));
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent ` +
        'with one of the following statuses may be canceled: requires_payment_method, requires_capture, ' +
        'requires_confirmation, requires_action, processing.',
    );
  }
  const canceled: Intent = { ...intent, status: 'canceled', canceledAt: nowInSeconds() };
  return putAndEmit(store, call, canceled, 'payment_intent.canceled');
}

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
  if (given.outcome === 'complete') return chargeCard(store, call, intent, method);
  const failed: Intent = {
    ...intent,
    status: 'requires_payment_method',
    paymentMethod: null,
    lastError: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: renderPaymentMethod(method),
    },
  };
  return putAndEmit(store, call, failed, 'payment_intent.payment_failed');
}

const path = '/v1/payment_intents';

const retrieve = (store: Store, call: Call) =>
  findIntent(store, call, readParameters(retrieveParameters, call.parameters).client_secret);

export const intentEndpoints: Endpoint[] = [
  { method: 'POST', path, handle: create },
  listEndpoint('intent', path),
  { method: 'GET', path: `${path}/:id`, allowsPublishableKey: true, handle: retrieve },
  { method: 'POST', path: `${path}/:id/confirm`, allowsPublishableKey: true, handle: confirm },
  { method: 'POST', path: `${path}/:id/cancel`, handle: cancel },
  // Stripe's API does not have this endpoint of the 3-D Secure dialog.
  { method: 'POST', path: '/authentication/:id', allowsPublishableKey: true, handle: authenticate },
];
