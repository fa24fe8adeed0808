import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { findAccount, findBankPayout } from './account-store.ts';
import { accountChangedEmail, payoutFailedEmail, settledByHandEmail } from './emails.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** An admin paid a seller outside the shop. */
export const settledByHand = job('payouts.settled-by-hand', z.object({ settlementId: z.string() }));

/** Emails a seller about a payment, unless the account has ended. */
export async function notifySettled(
  { database, emailSender, origin }: NotificationDependencies,
  settlementId: string,
): Promise<void> {
  const settlement = await store.findSettlement(database, settlementId);
  const seller = settlement && (await findUser(database, settlement.seller_id));
  if (!settlement || !seller || seller.ended_at !== null) return;
  await emailSender.send(settledByHandEmail(settlement, toRecipient(seller), origin));
}

/** A seller's account at the card processor became active, or stopped being active. */
export const accountChanged = job(
  'payouts.account-changed',
  z.object({ sellerId: z.string(), works: z.boolean() }),
);

/** Emails a seller that the account at the card processor works, or works no longer. */
export async function notifyAccountChanged(
  { database, emailSender, origin }: NotificationDependencies,
  { sellerId, works }: { sellerId: string; works: boolean },
): Promise<void> {
  const seller = await findUser(database, sellerId);
  const account = await findAccount(database, sellerId);
  if (!seller || !account || seller.ended_at !== null) return;
  await emailSender.send(
    accountChangedEmail({ works, isClosed: account.state === 'closed' }, toRecipient(seller), origin),
  );
}

/** A payout to a seller's bank failed. */
export const bankPayoutFailed = job(
  'payouts.bank-payout-failed',
  z.object({ sellerId: z.string(), payoutId: z.string() }),
);

/** Emails a seller whose bank returned a payout. */
export async function notifyBankPayoutFailed(
  { database, emailSender, origin }: NotificationDependencies,
  { sellerId, payoutId }: { sellerId: string; payoutId: string },
): Promise<void> {
  const seller = await findUser(database, sellerId);
  const payout = await findBankPayout(database, payoutId);
  if (!seller || !payout || seller.ended_at !== null) return;
  await emailSender.send(payoutFailedEmail(payout, toRecipient(seller), origin));
}
