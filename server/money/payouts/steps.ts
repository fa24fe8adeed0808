import * as z from 'zod/mini';
import { isAccountMissing } from '#contract/money/payouts.ts';
import { formatCents } from '#contract/platform/money.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findAccount } from './account-store.ts';
import { findBalance, hasHeldSales, lockBalance } from './store.ts';

export { isBorneLabel, isFound, owedCents } from './store.ts';

/** The card processor sent an event about a seller's account, a transfer or a payout to a bank. Handled by `handlePayoutEvent`. */
export const payoutProcessorEvent = job(
  'payouts.event',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('account'), accountId: z.string() }),
    z.object({ kind: z.literal('bank_account'), accountId: z.string(), changedAt: z.iso.datetime() }),
    z.object({ kind: z.literal('transfer'), transferId: z.string() }),
    z.object({ kind: z.literal('payout'), accountId: z.string(), payoutId: z.string() }),
  ]),
  'cards',
);

/**
 * Why a seller's account must not be deleted yet: nobody could be paid afterwards.
 * @returns a sentence, or null when the shop holds and owes nothing
 */
export async function outstandingMoneyRefusal(
  transaction: Transaction,
  sellerId: string,
): Promise<string | null> {
  // What can be paid now does not matter: the shop owes the rest as well.
  const { owedCents } = await lockBalance(transaction, sellerId, 'release');
  const debt = Number((await findBalance(transaction, sellerId, 'release'))?.debt_cents ?? 0);
  if (debt > 0) return `You owe the shop ${formatCents(debt)}. Your money page says how to repay it.`;
  if (owedCents > 0)
    return `The shop owes you ${formatCents(owedCents)}. Please wait until it is paid to you.`;
  if (!(await hasHeldSales(transaction, sellerId))) return null;
  return 'The shop holds money of a sale of yours. Please wait until it is released and paid to you.';
}

/** Whether a seller has to open an account at the card processor, or to complete it, before money can be paid. */
export async function needsPayoutAccount(reader: Reader, sellerId: string): Promise<boolean> {
  return isAccountMissing((await findAccount(reader, sellerId))?.state ?? 'none');
}

export { areTransfersPending } from './transfer-store.ts';
