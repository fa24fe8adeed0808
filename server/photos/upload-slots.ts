/** Permission for one upload in progress. Disposing of it frees the slot. */
export type UploadSlot = Disposable;

export interface UploadSlots {
  /** Acquires a slot without waiting. @returns the limit that is reached when there is none */
  tryAcquire(sellerId: string): UploadSlot | 'seller' | 'total';
}

/**
 * Limits the uploads in progress, from their first byte to their answer. Uploads over a limit are refused, not queued:
 * each would hold a connection and a file while it waits.
 * @param limits.total of all sellers
 * @param limits.perSeller of one seller, so that one account cannot use all slots
 */
export function createUploadSlots(limits: { total: number; perSeller: number }): UploadSlots {
  const usedBySeller = new Map<string, number>();
  let used = 0;
  return {
    tryAcquire(sellerId) {
      const ofSeller = usedBySeller.get(sellerId) ?? 0;
      if (ofSeller >= limits.perSeller) return 'seller';
      if (used >= limits.total) return 'total';
      usedBySeller.set(sellerId, ofSeller + 1);
      used += 1;
      return {
        [Symbol.dispose]() {
          const left = (usedBySeller.get(sellerId) ?? 1) - 1;
          if (left === 0) usedBySeller.delete(sellerId);
          else usedBySeller.set(sellerId, left);
          used -= 1;
        },
      };
    },
  };
}
