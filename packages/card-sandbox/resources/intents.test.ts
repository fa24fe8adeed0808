import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { authenticate, clientFor, payByCard, startTestSandbox } from '../testing/index.ts';

const price = { amount: 54_999, currency: 'usd', metadata: { bookingId: 'b1' } } as const;

/** Returns the error of a call that must fail. */
async function captureApiError(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error('The call did not fail with an error of the API.');
}

describe('a payment intent', () => {
  test('is created with its properties and retrieved unchanged', async () => {
    const { stripe } = await startTestSandbox();
    const intent = await stripe.paymentIntents.create(price);
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 54_999,
      amount_received: 0,
      currency: 'usd',
      status: 'requires_payment_method',
      metadata: { bookingId: 'b1' },
      last_payment_error: null,
      latest_charge: null,
      next_action: null,
      livemode: false,
      payment_method_types: ['card'],
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`));
    expect(Math.abs(intent.created - Date.now() / 1000)).toBeLessThan(300);
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  test('succeeds with a good card and has a charge', async () => {
    const sandbox = await startTestSandbox();
    const intent = await sandbox.stripe.paymentIntents.create(price);
    const paid = await payByCard(sandbox, intent, '4242424242424242');
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 54_999, last_payment_error: null });
    const charge = await sandbox.stripe.charges.retrieve(String(paid.latest_charge));
    expect(charge).toMatchObject({
      paid: true,
      status: 'succeeded',
      amount: 54_999,
      payment_intent: intent.id,
    });
    expect(charge.billing_details).toMatchObject({ name: 'Ada Buyer', address: { postal_code: '94107' } });
    const expanded = await sandbox.stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge', 'payment_method'],
    });
    expect(expanded.latest_charge).toEqual(charge);
    expect(expanded.payment_method).toMatchObject({ card: { brand: 'visa', last4: '4242' } });
  });

  test.each(['5555555555554444', '378282246310005'])('succeeds with %s', async (number) => {
    const sandbox = await startTestSandbox();
    const intent = await sandbox.stripe.paymentIntents.create(price);
    expect((await payByCard(sandbox, intent, number)).status).toBe('succeeded');
  });

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
    [
      '4000000000000119',
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ],
    [
      '4111111111111111',
      'card_declined',
      'test_mode_live_card',
      'Your card was declined. Your request was in test mode, but used a non test card. ' +
        'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    ],
  ])(
    'declined with %s says %s and can be paid with another card',
    async (number, code, declineCode, message) => {
      const sandbox = await startTestSandbox();
      const intent = await sandbox.stripe.paymentIntents.create(price);
      const error = await captureApiError(payByCard(sandbox, intent, number));
      expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
      expect(error).toMatchObject({ statusCode: 402, code, decline_code: declineCode, message });
      expect(error.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
      const after = await sandbox.stripe.paymentIntents.retrieve(intent.id);
      expect(after).toMatchObject({
        status: 'requires_payment_method',
        amount_received: 0,
        last_payment_error: { code, decline_code: declineCode, message, type: 'card_error' },
      });
      expect((await payByCard(sandbox, intent, '4242424242424242')).status).toBe('succeeded');
    },
  );

  test('requires 3-D Secure and succeeds after it', async () => {
    const sandbox = await startTestSandbox();
    const intent = await sandbox.stripe.paymentIntents.create(price);
    const asking = await payByCard(sandbox, intent, '4000002760003184');
    expect(asking).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    const paid = await authenticate(sandbox, intent, 'complete');
    expect(paid).toMatchObject({ status: 'succeeded', next_action: null });
    const charge = await sandbox.stripe.charges.retrieve(String(paid.latest_charge));
    expect(charge.payment_method_details?.card).toMatchObject({ last4: '3184' });
  });

  test('requires another payment method after failed 3-D Secure', async () => {
    const sandbox = await startTestSandbox();
    const intent = await sandbox.stripe.paymentIntents.create(price);
    await payByCard(sandbox, intent, '4000002760003184');
    expect(await authenticate(sandbox, intent, 'fail')).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: {
        code: 'payment_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      },
    });
    expect((await captureApiError(authenticate(sandbox, intent, 'complete'))).code).toBe(
      'payment_intent_unexpected_state',
    );
    expect((await payByCard(sandbox, intent, '4242424242424242')).status).toBe('succeeded');
  });

  test('is confirmed by a server with a test payment method', async () => {
    const { stripe } = await startTestSandbox();
    const paid = await stripe.paymentIntents.create({
      ...price,
      payment_method: 'pm_card_visa',
      confirm: true,
    });
    expect(paid.status).toBe('succeeded');
    const waiting = await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_mastercard' });
    expect(waiting.status).toBe('requires_confirmation');
    expect((await stripe.paymentIntents.confirm(waiting.id)).status).toBe('succeeded');
  });

  test('is cancelled once, and not after it has succeeded', async () => {
    const sandbox = await startTestSandbox();
    const { stripe } = sandbox;
    const unpaid = await stripe.paymentIntents.create(price);
    expect(await stripe.paymentIntents.cancel(unpaid.id)).toMatchObject({ status: 'canceled' });
    expect((await captureApiError(payByCard(sandbox, unpaid, '4242424242424242'))).code).toBe(
      'payment_intent_unexpected_state',
    );
    const paid = await stripe.paymentIntents.create({
      ...price,
      payment_method: 'pm_card_visa',
      confirm: true,
    });
    const error = await captureApiError(stripe.paymentIntents.cancel(paid.id));
    expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(error.payment_intent).toMatchObject({ id: paid.id, status: 'succeeded' });
  });

  test('is charged once if it is confirmed repeatedly', async () => {
    const sandbox = await startTestSandbox();
    const intent = await sandbox.stripe.paymentIntents.create(price);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => payByCard(sandbox, intent, '4242424242424242')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const events = await sandbox.control('GET', `events?type=charge.succeeded&object=${intent.id}`);
    expect(events).toMatchObject({ data: [{ data: { object: { amount: 54_999 } } }] });
    expect(JSON.stringify(events).match(/charge\.succeeded/g)).toHaveLength(1);
  });

  test('is listed newest first, by page and by time', async () => {
    const { stripe } = await startTestSandbox();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await stripe.paymentIntents.create(price)).id);
    const first = await stripe.paymentIntents.list({ limit: 2 });
    expect(first).toMatchObject({ has_more: true });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const all: string[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 2 })) all.push(intent.id);
    expect(all).toEqual(ids);
    const future = await stripe.paymentIntents.list({ created: { gt: Math.floor(Date.now() / 1000) + 60 } });
    expect(future.data).toEqual([]);
  });
});

describe('permissions', () => {
  test('a browser retrieves an intent only with its client secret, without metadata', async () => {
    const { stripe, browser } = await startTestSandbox();
    const intent = await stripe.paymentIntents.create(price);
    const seen = await browser.paymentIntents.retrieve(intent.id, {
      client_secret: intent.client_secret ?? '',
    });
    expect(seen).toMatchObject({ id: intent.id, status: 'requires_payment_method', amount: 54_999 });
    expect(seen).not.toHaveProperty('metadata');
    const missing = await captureApiError(browser.paymentIntents.retrieve(intent.id));
    expect(missing.code).toBe('parameter_missing');
    const wrong = await captureApiError(
      browser.paymentIntents.retrieve(intent.id, { client_secret: `${intent.id}_secret_x` }),
    );
    expect(wrong).toMatchObject({ statusCode: 400, param: 'client_secret' });
  });

  test('a publishable key cannot create, cancel or refund', async () => {
    const { stripe, browser } = await startTestSandbox();
    const intent = await stripe.paymentIntents.create(price);
    for (const call of [
      browser.paymentIntents.create(price),
      browser.paymentIntents.cancel(intent.id),
      browser.refunds.create({ payment_intent: intent.id }),
      browser.paymentIntents.list(),
    ]) {
      expect((await captureApiError(call)).code).toBe('secret_key_required');
    }
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
  });

  test('rejects an unknown key', async () => {
    const { origin } = await startTestSandbox();
    const error = await captureApiError(
      clientFor(origin, 'sk_test_somebody_else').paymentIntents.create(price),
    );
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  test('rejects card numbers from a server', async () => {
    const { stripe } = await startTestSandbox();
    const intent = await stripe.paymentIntents.create(price);
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
    const error = await captureApiError(
      stripe.rawRequest('POST', `/v1/payment_intents/${intent.id}/confirm`, {
        payment_method_data: { type: 'card', card },
      }),
    );
    expect(error.message).toContain('generally unsafe');
  });

  test('allows requests from other origins', async () => {
    const { origin, stripe } = await startTestSandbox();
    const intent = await stripe.paymentIntents.create(price);
    const query = new URLSearchParams({
      key: 'pk_test_stand_in_public',
      client_secret: intent.client_secret ?? '',
    });
    const answer = await fetch(`${origin}/v1/payment_intents/${intent.id}?${query}`);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ id: intent.id });
  });
});

describe('invalid parameters', () => {
  test.each([
    [{ currency: 'usd' }, 'parameter_missing', 'amount'],
    [{ amount: 'many', currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: -5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large', 'amount'],
    [{ ...price, colour: 'red' }, 'parameter_unknown', 'colour'],
    [{ ...price, payment_method: 'pm_unknown' }, 'resource_missing', 'payment_method'],
  ])('%j are refused with %s', async (parameters, code, param) => {
    const { stripe } = await startTestSandbox();
    const error = await captureApiError(stripe.rawRequest('POST', '/v1/payment_intents', parameters));
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', code, param });
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
  });

  test('responds 404 to an unknown intent and an unknown path', async () => {
    const { stripe } = await startTestSandbox();
    const unknown = await captureApiError(stripe.paymentIntents.retrieve('pi_unknown'));
    expect(unknown).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_unknown'",
    });
    expect((await captureApiError(stripe.rawRequest('GET', '/v1/unheard_of'))).statusCode).toBe(404);
  });
});
