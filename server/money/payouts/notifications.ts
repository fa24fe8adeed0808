import * as z from 'zod/mini';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findAccount, findBankPayout } from './account-store.ts';
import { findDebtSettlement } from './debt-store.ts';
import {
  accountChangedNotice,
  accountHeldNotice,
  debtSettledNotice,
  type HoldCause,
  holdCauses,
  payoutFailedNotice,
  settledByHandNotice,
  transferRefusedNotice,
} from './notices.ts';
import * as store from './store.ts';
import { findTransferById } from './transfer-store.ts';

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

/** Transfers to a seller's account wait, because its bank account was changed or may be changed. */
export const accountHeld = job(
  'payouts.account-held',
  z.object({ sellerId: z.string(), cause: z.enum(holdCauses), until: z.iso.datetime() }),
);

/** Tells a seller that the bank account was changed or may be changed. */
export async function notifyAccountHeld(
  { notifier }: NotificationDependencies,
  { sellerId, cause, until }: { sellerId: string; cause: HoldCause; until: string },
  jobId: string,
): Promise<void> {
  await notifier.notify(
    { userId: sellerId, event: jobId },
    accountHeldNotice({ cause, until: new Date(until) }),
  );
}

/** The card processor refused a transfer. `adminId` is the recipient; null for the log. */
export const transferRefused = job(
  'payouts.transfer-refused',
  z.object({ transferId: z.string(), adminId: z.nullable(z.string()) }),
);

/** Tells an admin, or the log, of a refused transfer, unless it was made since. */
export async function notifyTransferRefused(
  { database, notifier }: NotificationDependencies,
  { transferId, adminId }: { transferId: string; adminId: string | null },
  { jobId, warn }: { jobId: string; warn(refusal: object): void },
): Promise<void> {
  const transfer = await findTransferById(database, transferId);
  if (transfer?.state !== 'refused') return;
  const { order_id: order, amount_cents: amountCents, failure: reason } = transfer;
  if (adminId === null) return warn({ transfer: transferId, order, amountCents, reason });
  await notifier.notify({ adminId, area: 'money', event: jobId }, transferRefusedNotice(transfer));
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

/** An admin recorded a seller's repayment, or wrote a debt off. */
export const debtSettled = job('payouts.debt-settled', z.object({ id: z.string() }));

/** Notifies a seller about a debt that is repaid or given up. */
export async function notifyDebtSettled(
  { database, notifier }: NotificationDependencies,
  id: string,
  jobId: string,
): Promise<void> {
  const settlement = await findDebtSettlement(database, id);
  if (!settlement) return;
  await notifier.notify({ userId: settlement.seller_id, event: jobId }, debtSettledNotice(settlement));
}
