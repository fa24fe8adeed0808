import { z } from 'zod';
import { badParameter, noSuch, unexpectedState } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { page } from '../api/lists.ts';
import { expand, flag, integer, metadata, paging, readParameters, text } from '../api/parameters.ts';
import { newId, nowInSeconds, randomLetters } from '../identifiers.ts';
import type { Intent, PaymentMethod } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { emit } from '../webhooks/events.ts';
import { charge } from './charges.ts';
import { findPaymentMethod, keepCard, paymentMethodData } from './payment-methods.ts';
import { renderIntent, renderIntentForBrowser } from './render.ts';

/** Stripe's least charge in US dollars, in cents. */
const leastAmount = 50;
const mostAmount = 99_999_999;

const createParameters = z.strictObject({
  amount: integer,
  currency: z.string().regex(/^[a-zA-Z]{3}$/),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  payment_method_types: z.array(z.literal('card')).optional(),
  payment_method: text.optional(),
  confirm: flag.optional(),
  return_url: text.optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  description: text.optional(),
  receipt_email: text.optional(),
  statement_descriptor: text.optional(),
  statement_descriptor_suffix: text.optional(),
  metadata: metadata.optional(),
  expand,
});

const confirmParameters = z.strictObject({
  payment_method: text.optional(),
  payment_method_data: paymentMethodData.optional(),
  client_secret: text.optional(),
  return_url: text.optional(),
  receipt_email: text.optional(),
  use_stripe_sdk: flag.optional(),
  expected_payment_method_type: z.literal('card').optional(),
  expand,
});

const retrieveParameters = z.strictObject({ client_secret: text.optional(), expand });

const cancelParameters = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
  expand,
});

const listParameters = z.strictObject(paging);

const authenticationParameters = z.strictObject({
  client_secret: text,
  outcome: z.enum(['complete', 'fail']),
});

const orNull = (given: string | undefined) => (given === undefined || given === '' ? null : given);

/**
 * @throws {Refusal} when there is none, or when a browser does not know its client secret
 */
function findIntent(ledger: Ledger, call: Call, clientSecret: string | undefined): Intent {
  const intent = ledger.find('intent', call.id);
  if (intent === undefined) throw noSuch('payment_intent', call.id, 'intent');
  if (call.caller === 'publishable' && clientSecret === undefined) {
    throw badParameter('client_secret', 'Missing required param: client_secret.', 'parameter_missing');
  }
  if (clientSecret !== undefined && clientSecret !== intent.clientSecret) {
    throw badParameter(
      'client_secret',
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
    );
  }
  return intent;
}

function create(ledger: Ledger, call: Call): Intent {
  const given = readParameters(createParameters, call.parameters);
  const currency = given.currency.toLowerCase();
  if (currency !== 'usd') {
    throw badParameter('currency', `Invalid currency: ${currency}. This account takes usd.`);
  }
  if (given.amount < 1) {
    throw badParameter(
      'amount',
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    );
  }
  if (given.amount < leastAmount)
    throw badParameter('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
  if (given.amount > mostAmount) {
    throw badParameter('amount', 'Amount must be no more than $999,999.99', 'amount_too_large');
  }
  if (given.payment_method_types !== undefined && given.automatic_payment_methods?.enabled === true) {
    throw badParameter(
      'payment_method_types',
      'You may only specify one of these parameters: automatic_payment_methods, payment_method_types.',
    );
  }
  const method = given.payment_method === undefined ? null : findPaymentMethod(ledger, given.payment_method);
  const id = newId('pi');
  const intent: Intent = {
    kind: 'intent',
    id,
    created: nowInSeconds(),
    amount: given.amount,
    amountReceived: 0,
    currency,
    status: method === null ? 'requires_payment_method' : 'requires_confirmation',
    clientSecret: `${id}_secret_${randomLetters(25)}`,
    description: orNull(given.description),
    receiptEmail: orNull(given.receipt_email),
    statementDescriptor: orNull(given.statement_descriptor),
    statementDescriptorSuffix: orNull(given.statement_descriptor_suffix),
    metadata: given.metadata ?? {},
    automaticPaymentMethods:
      given.automatic_payment_methods?.enabled ?? given.payment_method_types === undefined,
    allowRedirects: given.automatic_payment_methods?.allow_redirects ?? 'always',
    paymentMethod: method?.id ?? null,
    latestCharge: null,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
  };
  if (given.confirm === true && method === null) throw missingMethod(intent);
  ledger.put(intent);
  emit(ledger, call, 'payment_intent.created', renderIntent(intent, lookupIn(ledger)));
  return given.confirm === true && method !== null ? attempt(ledger, call, intent, method) : intent;
}

const missingMethod = (intent: Intent) =>
  unexpectedState(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update " +
      'the PaymentIntent with a payment method and then confirm it again, or confirm it again directly ' +
      'with a payment method or ConfirmationToken.',
  );

function confirm(ledger: Ledger, call: Call): Intent {
  const given = readParameters(confirmParameters, call.parameters);
  const intent = findIntent(ledger, call, given.client_secret);
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
  const method = chosenMethod(ledger, call, intent, given);
  const receiptEmail = given.receipt_email === undefined ? intent.receiptEmail : orNull(given.receipt_email);
  return attempt(ledger, call, { ...intent, receiptEmail }, method);
}

function chosenMethod(
  ledger: Ledger,
  call: Call,
  intent: Intent,
  given: z.output<typeof confirmParameters>,
): PaymentMethod {
  if (given.payment_method_data !== undefined) return keepCard(ledger, call, given.payment_method_data);
  const id = given.payment_method ?? intent.paymentMethod;
  if (id === null) throw missingMethod(intent);
  return findPaymentMethod(ledger, id);
}

/** Pays at once, or asks the buyer's bank first when the card demands it. */
function attempt(ledger: Ledger, call: Call, intent: Intent, method: PaymentMethod): Intent {
  if (!method.asksAuthentication) return charge(ledger, call, intent, method, false);
  const asking: Intent = { ...intent, status: 'requires_action', paymentMethod: method.id, lastError: null };
  ledger.put(asking);
  emit(ledger, call, 'payment_intent.requires_action', renderIntent(asking, lookupIn(ledger)));
  return asking;
}

/** What the bank's dialog reports: the buyer passed or failed. */
function authenticate(ledger: Ledger, call: Call): Intent {
  const given = readParameters(authenticationParameters, call.parameters);
  const intent = findIntent(ledger, call, given.client_secret);
  if (intent.status !== 'requires_action' || intent.paymentMethod === null) {
    throw unexpectedState(
      intent,
      `This PaymentIntent has a status of ${intent.status} and asks for no authentication.`,
    );
  }
  const method = findPaymentMethod(ledger, intent.paymentMethod);
  if (given.outcome === 'complete') return charge(ledger, call, intent, method, true);
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
  ledger.put(failed);
  emit(ledger, call, 'payment_intent.payment_failed', renderIntent(failed, lookupIn(ledger)));
  return failed;
}

function cancel(ledger: Ledger, call: Call): Intent {
  const given = readParameters(cancelParameters, call.parameters);
  const intent = findIntent(ledger, call, undefined);
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent ` +
        'with one of the following statuses may be canceled: requires_payment_method, requires_capture, ' +
        'requires_confirmation, requires_action, processing.',
    );
  }
  const canceled: Intent = {
    ...intent,
    status: 'canceled',
    canceledAt: nowInSeconds(),
    cancellationReason: given.cancellation_reason ?? null,
  };
  ledger.put(canceled);
  emit(ledger, call, 'payment_intent.canceled', renderIntent(canceled, lookupIn(ledger)));
  return canceled;
}

const lookupIn = (ledger: Ledger) => (id: string) => ledger.find('paymentMethod', id);

/** The intent as this caller may see it. */
export function renderIntentFor(
  ledger: Ledger,
  caller: Call['caller'],
  intent: Intent,
): Record<string, unknown> {
  return caller === 'secret'
    ? { ...renderIntent(intent, lookupIn(ledger)) }
    : renderIntentForBrowser(intent, lookupIn(ledger));
}

export function intentEndpoints(ledger: Ledger): Endpoint[] {
  const answer = (work: (ledger: Ledger, call: Call) => Intent) => (call: Call) =>
    renderIntentFor(ledger, call.caller, work(ledger, call));
  const path = '/v1/payment_intents';
  return [
    { method: 'POST', path, fromBrowser: false, handle: answer(create) },
    {
      method: 'GET',
      path,
      fromBrowser: false,
      handle: (call) =>
        page(
          path,
          'payment_intent',
          ledger.all('intent'),
          readParameters(listParameters, call.parameters),
          (intent) => renderIntent(intent, lookupIn(ledger)),
        ),
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      fromBrowser: true,
      handle: answer((_, call) =>
        findIntent(ledger, call, readParameters(retrieveParameters, call.parameters).client_secret),
      ),
    },
    { method: 'POST', path: `${path}/:id/confirm`, fromBrowser: true, handle: answer(confirm) },
    { method: 'POST', path: `${path}/:id/cancel`, fromBrowser: false, handle: answer(cancel) },
    { method: 'POST', path: '/authentication/:id', fromBrowser: true, handle: answer(authenticate) },
  ];
}
