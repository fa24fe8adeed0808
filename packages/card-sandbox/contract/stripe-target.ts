import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import { apiVersion } from '../index.ts';
import { Skipped, type Target } from './target.ts';

/** How long test mode may take until a dispute, a warning or a balance transaction exists, in milliseconds. */
const PATIENCE = 60_000;
const INTERVAL = 2_000;

/** Whether a key is one of test mode, in which no real money moves. */
export const isTestKey = (key: string) => /^[sr]k_test_/.test(key);

/**
 * Creates the target for Stripe's test mode.
 * @param secretKey a key of test mode
 * @param account an onboarded connected account of the platform; null skips the checks that need one
 */
export function stripeTarget(secretKey: string, account: string | null): Target {
  return {
    stripe: new Stripe(secretKey, { apiVersion, maxNetworkRetries: 2, telemetry: false }),
    control: null,
    account: async () => {
      if (account !== null) return account;
      throw new Skipped('needs STRIPE_TEST_ACCOUNT, a connected account that can receive transfers');
    },
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
