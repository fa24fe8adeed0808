// The part of the card processor's interface that health reads. All amounts are in cents of the shop's currency.

/** The shop's own account at the processor. */
export interface PlatformAccount {
  /** When the processor pays the balance out to the shop's bank by itself: `manual` for never; null when it does not say. */
  payoutInterval: string | null;
  /** What automatic payouts leave in the balance, in cents; null without such a minimum. */
  minimumCents: number | null;
  /** The balance in the shop's currency, in cents; null when the account holds no balance in it. */
  balance: { availableCents: number; pendingCents: number } | null;
  /** The currencies of the balance: ISO 4217 in lower case. */
  currencies: readonly string[];
}

export interface PlatformReader {
  /** Reads the shop's own account: its payout schedule and its balance. @throws Error when it cannot be read */
  readPlatform(): Promise<PlatformAccount>;
}
