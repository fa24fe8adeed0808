/** A slot for one upload in progress. Disposing of it releases the slot. */
export type UploadSlot = Disposable;

/**
 * Limits the uploads in progress, from their first byte to the response. Uploads over a limit are refused, not queued:
 * a queued one would occupy a connection and a file.
 * @param limits.total for all sellers together
 * @param limits.perSeller for one seller, so that one account cannot use all slots
 */
export function createUploadSlots(limits: { total: number; perSeller: number }) {
  const usedBySeller = new Map<string, number>();
  let used = 0;
  return {
    /** Acquires a slot without waiting. @returns the limit that is reached when there is none */
    tryAcquire(sellerId: string): UploadSlot | 'seller' | 'total' {
      const sellerSlots = usedBySeller.get(sellerId) ?? 0;
      if (sellerSlots >= limits.perSeller) return 'seller';
      if (used >= limits.total) return 'total';
      usedBySeller.set(sellerId, sellerSlots + 1);
      used += 1;
      return {
        [Symbol.dispose]() {
          const remaining = (usedBySeller.get(sellerId) ?? 1) - 1;
          if (remaining === 0) usedBySeller.delete(sellerId);
          else usedBySeller.set(sellerId, remaining);
          used -= 1;
        },
      };
    },
  };
}
