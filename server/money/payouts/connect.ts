import * as z from 'zod/mini';
import type { Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import {
  checkAccount,
  checkAccounts,
  checkBankPayout,
  noteBankAccountChange,
  type ProcessorDependencies,
} from './accounts.ts';
import { checkTransfer, runReversals } from './reversals.ts';
import { runTransfers } from './transfers.ts';

/** The card processor sent an event about a seller's account, a transfer or a payout to a bank. */
export const payoutEvent = job(
  'payouts.event',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('account'), accountId: z.string() }),
    z.object({ kind: z.literal('bank_account'), accountId: z.string(), changedAt: z.iso.datetime() }),
    z.object({ kind: z.literal('transfer'), transferId: z.string() }),
    z.object({ kind: z.literal('payout'), accountId: z.string(), payoutId: z.string() }),
  ]),
  'cards',
);
type PayoutEvent = z.infer<typeof payoutEvent.data>;

/** Enqueues the job that handles an event. */
export const enqueuePayoutEventWith =
  (enqueue: Enqueue) =>
  (transaction: Transaction, event: PayoutEvent): Promise<void> =>
    enqueue(transaction, payoutEvent, event);

/** Reads the current state of an event's object, so that late, repeated and reordered events do no harm. */
export async function handlePayoutEvent(
  dependencies: ProcessorDependencies,
  event: PayoutEvent,
): Promise<void> {
  switch (event.kind) {
    case 'account':
      await checkAccount(dependencies, event.accountId);
      return;
    case 'bank_account':
      return noteBankAccountChange(dependencies, { ...event, changedAt: new Date(event.changedAt) });
    case 'transfer':
      return checkTransfer(dependencies, event.transferId);
    case 'payout':
      return checkBankPayout(dependencies, event);
  }
}

/**
 * One round of payouts: checks accounts, reverses transfers of sellers who owe the shop, and transfers what is due.
 * Several processes can do this at once.
 * @throws the first failure, after everything was tried
 */
export async function runPayouts(dependencies: ProcessorDependencies, now: Date): Promise<void> {
  const failures = [
    ...(await checkAccounts(dependencies, now)),
    ...(await runReversals(dependencies, now)),
    ...(await runTransfers(dependencies, now)),
  ];
  if (failures.length > 0) throw failures[0];
}
