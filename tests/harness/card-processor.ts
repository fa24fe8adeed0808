import type { FaultPlanInput } from '@coomercio/card-sandbox';
import Stripe from 'stripe';

/** A test's hand on the card processor's stand-in. */
export interface CardProcessorInHand {
  origin: string;
  secretKey: string;
  /** Replaces its planned faults (see packages/card-sandbox/README.md). */
  faults(plan: FaultPlanInput): Promise<void>;
  /** Lets happen there what takes its time: refunds that fail or come through, charges that are disputed. */
  later(): Promise<void>;
  /** Resolves once so many calls are held there by a fault. */
  untilHeld(count: number): Promise<void>;
  /** Lets the held calls go on. */
  release(): Promise<void>;
  /** Cents given back of a payment so far; what failed is not. */
  refunded(transactionId: string): Promise<number>;
  /** Stripe's own library with the shop's secret key, to see its side of things. */
  stripe: Stripe;
  /** Delivers events that are held or were delivered before. @param plan see packages/card-sandbox/README.md */
  deliver(plan: { events?: string[]; order?: 'created' | 'reversed'; copies?: number }): Promise<void>;
  /** Ids of the events about a payment, oldest first. */
  events(transactionId: string): Promise<string[]>;
}

/** Points Stripe's library at the stand-in. */
function stripeAt(origin: string): Stripe.StripeConfig {
  const { hostname, port } = new URL(origin);
  return { protocol: 'http', host: hostname, port, maxNetworkRetries: 0 };
}

/** Takes a running stand-in in hand. */
export function takeInHand(origin: string, secretKey: string): CardProcessorInHand {
  const stripe = new Stripe(secretKey, stripeAt(origin));

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
    faults: async (plan) => void (await control('faults', plan)),
    later: async () => void (await control('later', {})),
    untilHeld: async (count) => void (await control(`held?atLeast=${count}`)),
    release: async () => void (await control('release', {})),
    refunded: async (transactionId) => {
      const { data } = await stripe.refunds.list({ payment_intent: transactionId });
      return data.reduce((sum, { amount, status }) => (status === 'failed' ? sum : sum + amount), 0);
    },
    stripe,
    deliver: async (plan) => void (await control('deliver', plan)),
    events: async (transactionId) => {
      const answer: { data: { id: string }[] } = await control(`events?object=${transactionId}`);
      return answer.data.map(({ id }) => id);
    },
  };
}
