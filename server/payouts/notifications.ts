import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { settledByHandEmail } from './emails.ts';
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
