import type { FaultPlanInput } from '@coomercio/card-sandbox';
import Stripe from 'stripe';

/** Controls the card processor stand-in from a test. */
export interface CardProcessorControl {
  origin: string;
  secretKey: string;
  /** Replaces the planned faults (see packages/card-sandbox/README.md). */
  setFaults(plan: FaultPlanInput): Promise<void>;
  /** Runs delayed outcomes now: refunds succeed or fail, charges are disputed. */
  runDelayedOutcomes(): Promise<void>;
  /** Waits until `count` calls are held by a fault. */
  waitForHeldCalls(count: number): Promise<void>;
  releaseHeldCalls(): Promise<void>;
  /** Returns the refunded cents of a payment, without failed refunds. */
  refundedCents(transactionId: string): Promise<number>;
  /** Stripe's library with the shop's secret key. */
  stripe: Stripe;
  /** Changes a connected account as Stripe would (see packages/card-sandbox/README.md). */
  changeAccount(id: string, change: object): Promise<void>;
  /** Makes all pending money available, and nothing else. */
  settleFunds(): Promise<void>;
  /** Adds to the available balance, as an operator does at Stripe. @param cents of the settlement currency */
  topUp(cents: number): Promise<void>;
  /** Pays the available balance out to the operator's bank, as automatic payouts do. */
  sweepBalance(): Promise<void>;
  /** Moves the balance as Stripe does (see packages/card-sandbox/README.md). */
  moveBalance(movement: object): Promise<void>;
  /** Disputes a charge, or warns about it, as its bank does. */
  changeCharge(id: string, change: object): Promise<void>;
  /** Decides a dispute as the bank does; a lost one can be won later. */
  decideDispute(id: string, outcome: 'won' | 'lost'): Promise<void>;
  /** Makes all money available, pays all connected accounts out and settles the payouts. */
  payOut(): Promise<void>;
  /** Delivers events that are held or were delivered before. @param plan see packages/card-sandbox/README.md */
  deliverEvents(plan: { events?: string[]; order?: 'created' | 'reversed'; copies?: number }): Promise<void>;
  /** Lists the ids of a payment's events, oldest first. */
  listEventIds(transactionId: string): Promise<string[]>;
  /** Lists the ids of all customers that were created for a buyer, also deleted ones. */
  listCustomerIds(buyerId: string): Promise<string[]>;
}

/** Returns the settings that direct Stripe's library to the stand-in. */
function stripeConfig(origin: string): Stripe.StripeConfig {
  const { hostname, port } = new URL(origin);
  return { protocol: 'http', host: hostname, port, maxNetworkRetries: 0 };
}

/** Connects to the control endpoints of a running stand-in. */
export function controlCardProcessor(origin: string, secretKey: string): CardProcessorControl {
  const stripe = new Stripe(secretKey, stripeConfig(origin));

  async function control(path: string, body?: unknown) {
    const response = await fetch(`${origin}/sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  return {
    origin,
    secretKey,
    setFaults: async (plan) => void (await control('faults', plan)),
    runDelayedOutcomes: async () => void (await control('later', {})),
    waitForHeldCalls: async (count) => void (await control(`held?atLeast=${count}`)),
    releaseHeldCalls: async () => void (await control('release', {})),
    refundedCents: async (transactionId) => {
      const { data } = await stripe.refunds.list({ payment_intent: transactionId });
      return data.reduce((sum, { amount, status }) => (status === 'failed' ? sum : sum + amount), 0);
    },
    stripe,
    changeAccount: async (id, change) => void (await control(`accounts/${id}`, change)),
    settleFunds: async () => void (await control('settle', {})),
    topUp: async (amount) => void (await control('movements', { kind: 'topup', amount })),
    sweepBalance: async () => {
      const { available } = await stripe.balance.retrieve();
      for (const { amount, currency } of available) {
        if (amount > 0) await stripe.payouts.create({ amount, currency });
      }
    },
    moveBalance: async (movement) => void (await control('movements', movement)),
    changeCharge: async (id, change) => void (await control(`charges/${id}`, change)),
    decideDispute: async (id, outcome) => void (await control(`disputes/${id}`, { outcome })),
    payOut: async () => void (await control('payouts', {})),
    deliverEvents: async (plan) => void (await control('deliver', plan)),
    listEventIds: async (transactionId) => {
      const answer: { data: { id: string }[] } = await control(`events?object=${transactionId}`);
      return answer.data.map(({ id }) => id);
    },
    listCustomerIds: async (buyerId) => {
      const answer: { data: { data: { object: Stripe.Customer } }[] } = await control(
        'events?type=customer.created',
      );
      const customers = answer.data.map(({ data }) => data.object);
      return customers.filter(({ metadata }) => metadata.buyerId === buyerId).map(({ id }) => id);
    },
  };
}
