import type * as z from 'zod/mini';
import {
  followAccount,
  followAccounts,
  followBankPayout,
  type ProcessorDependencies,
  pauseAfterBankAccountChange,
} from './accounts.ts';
import { followTransfer, runReversals } from './reversals.ts';
import type { payoutProcessorEvent } from './steps.ts';
import { runTransfers } from './transfers.ts';

/** Reads the current state of an event's object, so that late, repeated and reordered events do no harm. */
export async function handlePayoutEvent(
  dependencies: ProcessorDependencies,
  event: z.infer<typeof payoutProcessorEvent.data>,
): Promise<void> {
  switch (event.kind) {
    case 'account':
      await followAccount(dependencies, event.accountId);
      return;
    case 'bank_account':
      return pauseAfterBankAccountChange(dependencies, { ...event, changedAt: new Date(event.changedAt) });
    case 'transfer':
      return followTransfer(dependencies, event.transferId);
    case 'payout':
      return followBankPayout(dependencies, event);
  }
}

/**
 * One round of payouts: checks accounts, reverses transfers of sellers who owe the shop, and transfers what is due.
 * Several processes can do this at once.
 * @throws the first failure, after everything was tried
 */
export async function runPayouts(dependencies: ProcessorDependencies, now: Date): Promise<void> {
  const failures = [
    ...(await followAccounts(dependencies, now)),
    ...(await runReversals(dependencies, now)),
    ...(await runTransfers(dependencies, now)),
  ];
  if (failures.length > 0) throw failures[0];
}
