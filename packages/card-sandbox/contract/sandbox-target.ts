import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { startCardSandbox } from '../index.ts';
import type { Target } from './target.ts';

const keys = {
  secretKey: 'sk_test_contract',
  publishableKey: 'pk_test_contract',
  webhookSecret: 'whsec_contract',
};

/** Runs with a new sandbox, in which nothing happens after a delay unless the check asks for it. */
export async function withSandbox<T>(run: (target: Target) => Promise<T>): Promise<T> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'card-contract-'));
  const sandbox = await startCardSandbox({
    ...keys,
    port: 0,
    dataFolder,
    payouts: 'manual',
    delay: 24 * 3_600_000,
  });
  try {
    return await run(targetOf(sandbox.origin));
  } finally {
    await sandbox.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

function targetOf(origin: string): Target {
  const { hostname, port } = new URL(origin);
  const stripe = new Stripe(keys.secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
  const control = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${origin}/sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${keys.secretKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    stripe,
    control,
    account: async () => {
      const { id } = await stripe.v2.core.accounts.create({
        dashboard: 'express',
        identity: { country: 'us', entity_type: 'individual' },
        configuration: {
          recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
        },
        defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
      });
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
