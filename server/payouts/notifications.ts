import * as z from 'zod/mini';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { Notifier } from '../notifications/rules.ts';
import { findAccount, findBankPayout } from './account-store.ts';
import { accountChangedNotice, payoutFailedNotice, settledByHandNotice } from './notices.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** An admin paid a seller outside the shop. */
export const settledByHand = job('payouts.settled-by-hand', z.object({ settlementId: z.string() }));

/** Notifies a seller about a payment. */
export async function notifySettled(
  { database, notifier }: NotificationDependencies,
  settlementId: string,
  jobId: string,
): Promise<void> {
  const settlement = await store.findSettlement(database, settlementId);
  if (!settlement) return;
  await notifier.notify({ userId: settlement.seller_id, event: jobId }, settledByHandNotice(settlement));
}

/** A seller's account at the card processor became active, or stopped being active. */
export const accountChanged = job(
  'payouts.account-changed',
  z.object({ sellerId: z.string(), works: z.boolean() }),
);

/** Notifies a seller that the account at the card processor works, or works no longer. */
export async function notifyAccountChanged(
  { database, notifier }: NotificationDependencies,
  { sellerId, works }: { sellerId: string; works: boolean },
  jobId: string,
): Promise<void> {
  const account = await findAccount(database, sellerId);
  if (!account) return;
  const notice = accountChangedNotice({ works, isClosed: account.state === 'closed' });
  await notifier.notify({ userId: sellerId, event: jobId }, notice);
}

/** A payout to a seller's bank failed. */
export const bankPayoutFailed = job(
  'payouts.bank-payout-failed',
  z.object({ sellerId: z.string(), payoutId: z.string() }),
);

/** Notifies a seller whose bank returned a payout. */
export async function notifyBankPayoutFailed(
  { database, notifier }: NotificationDependencies,
  { sellerId, payoutId }: { sellerId: string; payoutId: string },
  jobId: string,
): Promise<void> {
  const payout = await findBankPayout(database, payoutId);
  if (!payout) return;
  await notifier.notify({ userId: sellerId, event: jobId }, payoutFailedNotice(payout));
}
