import { LRUCache } from 'lru-cache';
import { ipPrefixes, shareFactor } from '#contract/platform/ip-prefixes.ts';
import { Refusal } from './refusal.ts';

/** The share of the thread that one address may take for long: at a million laptops about 10 searches a second. */
const ADDRESS_SHARE = 0.1;

/** Milliseconds of the thread that an address has in advance. */
const ADDRESS_BURST_MS = 2_000;

/** The number of addresses whose use is remembered. A forgotten one has its whole budget again. */
const MAXIMUM_ADDRESSES = 20_000;

/** What addresses have used of the only thread, for searches and pages together. */
export interface TimeBudget {
  /** @throws Refusal `too_many_requests` when the address has used its time */
  requireTime(address: string): void;
  /** @param usedMs milliseconds of the thread */
  charge(address: string, usedMs: number): void;
}

/** For tests and benchmarks. */
export const unlimitedTime: TimeBudget = { requireTime: () => undefined, charge: () => undefined };

/**
 * Limits the time that an address takes of the only thread: a budget of milliseconds that is refilled evenly, by the prefixes
 * that rate limits count.
 * @param now the time in milliseconds, from any beginning
 */
export function createTimeBudget(now: () => number = () => performance.now()): TimeBudget {
  /** The time at which each prefix has its whole budget again. */
  const full = new LRUCache<string, number>({ max: MAXIMUM_ADDRESSES });
  return {
    requireTime: (address) => {
      const longest = Math.max(...ipPrefixes(address).map(({ prefix }) => (full.get(prefix) ?? 0) - now()));
      const wait = longest - ADDRESS_BURST_MS / ADDRESS_SHARE;
      if (wait <= 0) return;
      throw new Refusal(
        'too_many_requests',
        'There were many searches and pages from your network within a short time. Please try again in a few seconds.',
        { retryAt: new Date(Date.now() + wait) },
      );
    },
    charge: (address, usedMs) => {
      for (const range of ipPrefixes(address)) {
        const { prefix } = range;
        const share = ADDRESS_SHARE * shareFactor(range);
        full.set(prefix, Math.max(full.get(prefix) ?? 0, now()) + usedMs / share);
      }
    },
  };
}
