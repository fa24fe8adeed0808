/** A place among the uploads under way; disposing of it gives it back. */
export type Place = Disposable;

export interface Places {
  /** Takes a place. @returns why there is none: the seller has taken theirs, or all are taken */
  enter(sellerId: string): Place | 'seller' | 'all';
}

/**
 * Bounds the uploads under way, from the first byte to the answer.
 * @param bounds.total of all sellers; each holds a connection and a file
 * @param bounds.perSeller of one seller, so that one account cannot take the places of all
 */
export function createPlaces(bounds: { total: number; perSeller: number }): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    enter(sellerId) {
      const own = taken.get(sellerId) ?? 0;
      if (own >= bounds.perSeller) return 'seller';
      if (all >= bounds.total) return 'all';
      taken.set(sellerId, own + 1);
      all += 1;
      return {
        [Symbol.dispose]() {
          const left = (taken.get(sellerId) ?? 1) - 1;
          if (left === 0) taken.delete(sellerId);
          else taken.set(sellerId, left);
          all -= 1;
        },
      };
    },
  };
}
