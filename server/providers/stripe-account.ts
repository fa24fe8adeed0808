import Stripe from 'stripe';
import * as z from 'zod/mini';
import {
  type CardAccount,
  CardAccountError,
  type EventPayload,
} from '#server/operations/first-steps/card-account.ts';
import { createStripeClient } from './stripe-client.ts';

/**
 * The types of events that the shop follows up. It reads the state of what an event is about, so that a type that is missing only
 * makes it late.
 */
const eventTypes: Readonly<Record<EventPayload, readonly string[]>> = {
  snapshot: [
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'payment_intent.processing',
    'payment_intent.canceled',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.refund.updated',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
    'radar.early_fraud_warning.created',
    'transfer.reversed',
    'transfer.updated',
    'payout.paid',
    'payout.failed',
    'account.external_account.created',
    'account.external_account.updated',
    'account.external_account.deleted',
  ],
  thin: [
    'v2.core.account[requirements].updated',
    'v2.core.account[configuration.recipient].capability_status_updated',
    'v2.core.account.closed',
  ],
};

/** Marks what this program created at Stripe. */
const ownMetadata = { created_by: 'shop' } as const;

const Destination = z.object({
  id: z.string(),
  event_payload: z.enum(['snapshot', 'thin']),
  /** Stripe disables one that failed for long. */
  status: z.string(),
  metadata: z.optional(z.nullable(z.record(z.string(), z.string()))),
  webhook_endpoint: z.optional(z.nullable(z.object({ url: z.optional(z.nullable(z.string())) }))),
});

const Created = z.object({ id: z.string(), webhook_endpoint: z.object({ signing_secret: z.string() }) });

/** Converts an error of a call to Stripe. */
function toCardAccountError(error: unknown): unknown {
  if (error instanceof z.core.$ZodError) {
    return new CardAccountError('Stripe answered in an unexpected shape.', { cause: error });
  }
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return new CardAccountError(`Stripe says: ${error.message}`, { cause: error });
}

async function call<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toCardAccountError(error);
  }
}

/** Creates the access to the shop's own account on Stripe's library. @param options.apiUrl null for Stripe's own */
export function createCardAccount(options: { secretKey: string; apiUrl: URL | null }): CardAccount {
  const stripe = createStripeClient(options);
  const { eventDestinations } = stripe.v2.core;
  return {
    listEventDestinations: () =>
      call(async () => {
        const found = [];
        for await (const each of eventDestinations.list({ include: ['webhook_endpoint.url'] })) {
          const {
            id,
            event_payload: payload,
            status,
            metadata,
            webhook_endpoint,
          } = z.parse(Destination, each);
          const isOwn = metadata?.created_by === ownMetadata.created_by;
          found.push({
            ...{ id, payload, isOwn, url: webhook_endpoint?.url ?? null },
            isEnabled: status === 'enabled',
          });
        }
        return found;
      }),
    createEventDestination: ({ url, payload }) =>
      call(async () => {
        const created = await eventDestinations.create({
          name: `${new URL(url).host} (${payload})`,
          type: 'webhook_endpoint',
          event_payload: payload,
          enabled_events: [...eventTypes[payload]],
          // Its own events and those of the sellers' accounts.
          events_from: ['@self', '@accounts'],
          ...(payload === 'snapshot' && { snapshot_api_version: Stripe.API_VERSION }),
          metadata: ownMetadata,
          webhook_endpoint: { url },
          include: ['webhook_endpoint.signing_secret'],
        });
        const { id, webhook_endpoint } = z.parse(Created, created);
        return { id, secret: webhook_endpoint.signing_secret };
      }),
    removeEventDestination: (id) =>
      call(async () => {
        try {
          await eventDestinations.del(id);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeError) || error.statusCode !== 404) throw error;
        }
      }),
    stopAutomaticPayouts: () =>
      call(async () => {
        await stripe.balanceSettings.update({
          payments: { payouts: { schedule: { interval: 'manual' } } },
        });
      }),
  };
}
