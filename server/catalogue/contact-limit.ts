import { LRUCache } from 'lru-cache';
import type { Limiter } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';

/** How long a seller whose contact was counted is not counted again: the time over which a quota is refilled. */
const COUNTED_MS = 3_600_000;

/** The pairs of reader and seller that are remembered. One that is forgotten is counted again. */
const MAXIMUM_PAIRS = 10_000;

/** The readers with a used quota that are remembered. */
const MAXIMUM_READERS = 2_000;

/** Contacts that a response must not show. */
export interface HiddenContacts {
  /** When further contacts are shown. */
  until: Date;
  isHidden(sellerId: string): boolean;
}

export interface ContactLimit {
  /**
   * Counts the sellers whose contacts a signed-in reader is about to see and has not seen within the hour.
   * @returns null when all may be shown
   */
  count(
    reader: { userId: string; address: string },
    sellerIds: readonly string[],
  ): Promise<HiddenContacts | null>;
}

/**
 * Limits the number of different sellers whose contacts an account sees in an hour. Sellers are counted, not requests, so that
 * reading the same laptops again costs nothing. The quotas are those of rate limits; each process remembers whom it has counted.
 */
export function createContactLimit(limiter: Limiter): ContactLimit {
  const counted = new LRUCache<string, true>({ max: MAXIMUM_PAIRS, ttl: COUNTED_MS });
  const usedUntil = new LRUCache<string, Date>({ max: MAXIMUM_READERS });
  return {
    count: async ({ userId, address }, sellerIds) => {
      const pair = (sellerId: string) => `${userId} ${sellerId}`;
      const isKnown = (sellerId: string) => sellerId === userId || counted.has(pair(sellerId));
      const further = [...new Set(sellerIds)].filter((sellerId) => !isKnown(sellerId));
      if (further.length === 0) return null;
      const hide = (until: Date) => ({ until, isHidden: (sellerId: string) => !isKnown(sellerId) });
      const until = usedUntil.get(userId);
      if (until !== undefined && Date.now() < until.getTime()) return hide(until);
      try {
        // One after the other: what an account is refused is not to use up what others of the same address have.
        await limiter.take('contacts', { account: userId, address: null }, further.length);
        await limiter.take('contacts', { account: null, address }, further.length);
      } catch (error) {
        if (!(error instanceof Refusal) || error.details.retryAt === undefined) throw error;
        usedUntil.set(userId, error.details.retryAt);
        return hide(error.details.retryAt);
      }
      for (const sellerId of further) counted.set(pair(sellerId), true);
      return null;
    },
  };
}
