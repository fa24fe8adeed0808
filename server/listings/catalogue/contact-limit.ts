import { LRUCache } from 'lru-cache';
import { ipPrefixes } from '#contract/platform/ip-prefixes.ts';
import type { Limiter, LimitSubject } from '#server/platform/http/limits.ts';
import { Refusal } from '#server/platform/http/refusal.ts';

/** How long a seller whose contact was counted is not counted again: the time over which a quota is refilled. */
const COUNTED_MS = 3_600_000;

/** The pairs of reader and seller that are remembered, and those of address and seller. One that is forgotten is counted again. */
const MAXIMUM_PAIRS = 10_000;

/** The accounts and the addresses with a used quota that are remembered. */
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

/** An account, or an address. */
interface Reader {
  key: string;
  subject: LimitSubject;
}

/** The different sellers whose contacts were shown to readers of a kind. */
function createQuotas(limiter: Limiter) {
  const counted = new LRUCache<string, true>({ max: MAXIMUM_PAIRS, ttl: COUNTED_MS });
  const usedUntil = new LRUCache<string, Date>({ max: MAXIMUM_READERS });
  const isCounted = ({ key }: Reader, sellerId: string) => counted.has(`${key} ${sellerId}`);

  async function findRoom({ key, subject }: Reader, wanted: number) {
    const until = usedUntil.get(key);
    if (until !== undefined && Date.now() < until.getTime()) return { count: 0, wantedAt: until };
    const room = await limiter.left('contacts', subject, wanted);
    if (room.count === 0) usedUntil.set(key, room.wantedAt);
    return room;
  }

  return {
    isCounted,
    /** Chooses the sellers that the quota has room for. @returns them, and when there is room for the others, if there are any */
    choose: async (reader: Reader, sellerIds: readonly string[]) => {
      const further = sellerIds.filter((sellerId) => !isCounted(reader, sellerId));
      if (further.length === 0) return { chosen: sellerIds, until: null };
      const { count, wantedAt } = await findRoom(reader, further.length);
      const refused = new Set(further.slice(count));
      const chosen = sellerIds.filter((sellerId) => !refused.has(sellerId));
      return { chosen, until: refused.size === 0 ? null : wantedAt };
    },
    /** Counts sellers. @returns null; or when they can be counted, if concurrent requests have used the quota */
    take: async (reader: Reader, sellerIds: readonly string[]): Promise<Date | null> => {
      const further = sellerIds.filter((sellerId) => !isCounted(reader, sellerId));
      if (further.length === 0) return null;
      try {
        await limiter.take('contacts', reader.subject, further.length);
      } catch (error) {
        if (!(error instanceof Refusal) || error.details.retryAt === undefined) throw error;
        return error.details.retryAt;
      }
      for (const sellerId of further) counted.set(`${reader.key} ${sellerId}`, true);
      return null;
    },
  };
}

/**
 * Limits the number of different sellers whose contacts an account sees in an hour, and all accounts of an address together. Sellers
 * are counted, not requests or people, so that reading the same laptops again costs nothing, and a class that reads the same list
 * costs its address as much as one reader. The quotas are those of rate limits; each process remembers whom it has counted.
 */
export function createContactLimit(limiter: Limiter): ContactLimit {
  const accounts = createQuotas(limiter);
  const addresses = createQuotas(limiter);
  return {
    count: async ({ userId, address }, sellerIds) => {
      const account: Reader = { key: userId, subject: { account: userId, address: null } };
      // A seller is counted once for the network of one client.
      const [{ prefix }] = ipPrefixes(address);
      const network: Reader = { key: prefix, subject: { account: null, address } };
      const isKnown = (sellerId: string) => sellerId === userId || accounts.isCounted(account, sellerId);
      const asked = [...new Set(sellerIds)];
      const further = asked.filter((sellerId) => !isKnown(sellerId));
      if (further.length === 0) return null;
      // Both are asked before either is charged, so that neither pays for what the other refuses.
      const ofAccount = await accounts.choose(account, further);
      const ofNetwork = await addresses.choose(network, ofAccount.chosen);
      const refusedUntil =
        (await addresses.take(network, ofNetwork.chosen)) ?? (await accounts.take(account, ofNetwork.chosen));
      const until = refusedUntil ?? ofNetwork.until ?? ofAccount.until;
      if (until === null) return null;
      const shown = new Set(asked.filter(isKnown));
      return { until, isHidden: (sellerId) => sellerId !== userId && !shown.has(sellerId) };
    },
  };
}
