import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import { expect, type TestContext, test } from 'vitest';
import { apiVersion } from '../webhooks/events.ts';
import { startTestSandbox } from './index.ts';

/** What the checks run against: the sandbox, or Stripe's test mode. */
export interface Target {
  stripe: Stripe;
  /** Calls a control endpoint of the sandbox. Skips the check at Stripe. */
  control(path: string, body?: object): Promise<unknown>;
  /** Returns a connected account that can receive transfers. Skips the check if there is none. */
  account(): Promise<string>;
  /** Reads until the condition holds: some objects appear only after a while. @returns what was read last */
  eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T>;
  /** Ends the check without a result. */
  skip(reason: string): never;
}

/** How long test mode may take until a dispute, a warning or a balance transaction exists, in milliseconds. */
const PATIENCE = 60_000;
const INTERVAL = 2_000;

/** Creates the target for Stripe's test mode. @param secretKey a key of test mode */
function stripeTarget(secretKey: string, skip: Target['skip']): Target {
  return {
    stripe: new Stripe(secretKey, { apiVersion, maxNetworkRetries: 2, telemetry: false }),
    skip,
    // Skips a check that reads it first before anything changes at Stripe.
    get control() {
      return skip('only the sandbox can cause this');
    },
    account: async () =>
      process.env.STRIPE_TEST_ACCOUNT ||
      skip('needs STRIPE_TEST_ACCOUNT, a connected account that can receive transfers'),
    eventually: async (read, holds) => {
      const deadline = Date.now() + PATIENCE;
      let value = await read();
      while (!holds(value) && Date.now() < deadline) {
        await pause(INTERVAL);
        value = await read();
      }
      return value;
    },
  };
}

/** Starts a sandbox in which nothing happens after a delay unless the check asks for it. */
async function sandboxTarget(skip: Target['skip']): Promise<Target> {
  const { stripe, control: send } = await startTestSandbox({ delay: 24 * 3_600_000 });
  const control: Target['control'] = (path, body) => send(body === undefined ? 'GET' : 'POST', path, body);
  return {
    stripe,
    skip,
    control,
    account: async () => {
      const { id } = await stripe.v2.core.accounts.create(recipient('individual'));
      await control(`accounts/${id}`, { onboarding: { outcome: 'pass' } });
      return id;
    },
    eventually: async (read, holds) => {
      const value = await read();
      if (holds(value)) return value;
      await control('later', {});
      return read();
    },
  };
}

/**
 * Checks one fact about the API, at the sandbox or, in the project of `npm run stripe:contract` that has a key, at Stripe.
 * @param expected what `run` returns
 */
export function check(name: string, expected: unknown, run: (target: Target) => Promise<unknown>): void {
  test(name, async ({ skip }: TestContext) => {
    const { CONTRACT_STRIPE_KEY: key } = process.env;
    expect(await run(key ? stripeTarget(key, skip) : await sandboxTarget(skip))).toEqual(expected);
  });
}

/** Returns the error of a request that Stripe refuses, in comparable form. @throws if it does not */
export async function refusal(request: Promise<unknown>): Promise<{ refused: string; param?: string }> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return { refused: error.code ?? error.type, ...(error.param !== undefined && { param: error.param }) };
  }
  throw new Error('was not refused');
}

/** Takes a payment. @returns the ids of the intent and of the charge */
export async function pay(
  { stripe }: Target,
  method = 'pm_card_visa',
  changes: Partial<Stripe.PaymentIntentCreateParams> = {},
) {
  const intent = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    payment_method: method,
    confirm: true,
    ...changes,
  });
  return { intent: intent.id, charge: String(intent.latest_charge) };
}

export const available = async ({ stripe }: Target) =>
  (await stripe.balance.retrieve()).available[0]?.amount ?? 0;

/** Takes a payment that settles at once, and pays everything out. @returns the payment */
export async function paySettledAndSweep(target: Target) {
  const payment = await pay(target, 'pm_card_bypassPending');
  const amount = await available(target);
  if (amount > 0) await target.stripe.payouts.create({ amount, currency: 'usd' });
  return payment;
}

export const transfer = (
  { stripe }: Target,
  destination: string,
  changes: Partial<Stripe.TransferCreateParams> = {},
) => stripe.transfers.create({ destination, amount: 1_000, currency: 'usd', ...changes });

export const disputesOf = (target: Target, payment_intent: string) =>
  target.eventually(
    async () => (await target.stripe.disputes.list({ payment_intent })).data,
    ({ length }) => length > 0,
  );

export const recipient = (entity_type: 'individual' | 'company') =>
  ({
    contact_email: 'seller@example.com',
    display_name: 'Sally Seller',
    dashboard: 'express',
    identity: { country: 'us', entity_type },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: {
      currency: 'usd',
      responsibilities: { fees_collector: 'application', losses_collector: 'application' },
    },
    metadata: { sellerId: 'seller' },
    include: ['configuration.recipient', 'identity', 'requirements'],
  }) satisfies Stripe.V2.Core.AccountCreateParams;

/** Sums the platform's movements by type and category. */
export async function movements({ stripe }: Target): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for await (const { type, reporting_category, net } of stripe.balanceTransactions.list({ limit: 100 })) {
    const name = `${type}/${reporting_category}`;
    sums[name] = (sums[name] ?? 0) + net;
  }
  return sums;
}

/** Returns the types of the sandbox's events about an object. */
export async function eventsOf({ control }: Pick<Target, 'control'>, object: string): Promise<string[]> {
  const answer = await control(`events?object=${object}`);
  const events = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : [];
  return Array.isArray(events) ? events.map(({ type }) => String(type)) : [];
}
