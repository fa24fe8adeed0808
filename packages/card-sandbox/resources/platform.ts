import type { Account, BalanceSettings, Platform } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

const PLATFORM = 'platform';

/** Returns the platform's record. `createPlatform` has stored it. */
export function platformOf(store: Store): Platform {
  const platform = store.find('platform', PLATFORM);
  if (platform === undefined) throw new Error('The store has no platform.');
  return platform;
}

/** Stores the platform's record with the terms of the start, unless there is one. Call it only inside the store's `run`. @returns whether there was none */
export function createPlatform(store: Store): boolean {
  if (store.find('platform', PLATFORM) !== undefined) return false;
  store.put({ kind: 'platform', id: PLATFORM, created: 0, ...store.terms.settlement, payoutDueAt: null });
  return true;
}

/** Returns the balance settings of an account, or of the platform: Stripe's defaults until they are changed. */
export function settingsOf(store: Store, account: string | null): BalanceSettings {
  const id = account ?? PLATFORM;
  return (
    store.find('balanceSettings', id) ?? {
      kind: 'balanceSettings',
      id,
      created: 0,
      interval: account === null ? store.terms.payouts : 'daily',
      weeklyPayoutDays: [],
      minimumBalances: {},
    }
  );
}

/** Schedules the next automatic payout, unless one is scheduled or payouts are manual. Call it only inside the store's `run`. */
export function schedulePayout(store: Store, holder: Account | Platform, dueAt: number): void {
  const account = holder.kind === 'account' ? holder.id : null;
  if (holder.payoutDueAt !== null || settingsOf(store, account).interval === 'manual') return;
  if (holder.kind === 'account' && holder.bankAccount === null) return;
  store.put({ ...holder, payoutDueAt: dueAt });
}
