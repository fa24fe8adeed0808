/** The laptop that a visitor asked to add to the wishlist before signing in. A link alone must not add one. */
let wantedId: string | null = null;

export const wishIntent = {
  set(laptopId: string): void {
    wantedId = laptopId;
  },
  /** Whether this laptop was asked for; true once. */
  take(laptopId: string): boolean {
    const isWanted = wantedId === laptopId;
    wantedId = null;
    return isWanted;
  },
};
