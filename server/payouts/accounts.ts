import { dollarsFromCents } from '#contract/money.ts';
import type { PayoutAccount as PayoutAccountResponse, PayoutAfter } from '#contract/payouts.ts';
import { findUser } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import * as store from './account-store.ts';
import {
  accountState,
  isOutdated,
  nextAccountCheck,
  refusalTexts,
  toAccountResponse,
} from './connect-rules.ts';
import { accountChanged, bankPayoutFailed } from './notifications.ts';
import {
  type BankPayout,
  type PayoutAccount,
  type PayoutProcessor,
  PayoutProcessorUnavailable,
  PayoutRefusal,
} from './processor.ts';
import { latestRefusal } from './transfer-store.ts';

/** What payouts through the card processor need. */
export interface ProcessorDependencies {
  database: Database;
  enqueue: Enqueue;
  processor: PayoutProcessor;
  payoutAfter: PayoutAfter;
}

/** Reads how a seller is paid, as far as the shop knows. @param processor null when sellers are paid by hand */
export async function readAccount(
  database: Database,
  processor: PayoutProcessor | null,
  sellerId: string,
): Promise<PayoutAccountResponse> {
  if (processor === null) {
    return {
      method: 'by_hand',
      state: 'none',
      country: null,
      problem: '',
      requirements: [],
      failedPayout: null,
      refusedTransfer: null,
    };
  }
  const latest = await store.latestBankPayout(database, sellerId);
  const failedPayout =
    latest?.state === 'failed'
      ? {
          amount: dollarsFromCents(Number(latest.amount_cents)),
          reason: latest.failure ?? '',
          at: latest.created_at.toISOString(),
        }
      : null;
  return toAccountResponse(await store.findAccount(database, sellerId), {
    failedPayout,
    refusedTransfer: await latestRefusal(database, sellerId),
  });
}

/** Maps a failure of the card processor to a refusal. */
const toRefusal = (error: unknown): unknown => {
  if (error instanceof PayoutProcessorUnavailable) {
    return new Refusal(
      'card_processor_unavailable',
      'The card processor does not answer at the moment. Your money is kept for you; please try again in a minute.',
    );
  }
  return error instanceof PayoutRefusal
    ? new Refusal('payout_account_refused', refusalTexts[error.reason])
    : error;
};

/** Creates a seller's account at the card processor unless that was done before. @returns its id there */
async function ensureAccount(
  { database, processor }: ProcessorDependencies,
  caller: Caller,
  country: string,
): Promise<string> {
  const seller = await findUser(database, caller.userId);
  if (seller === undefined) throw new Refusal('not_found', 'There is no such account any more.');
  const account = await database
    .transaction()
    .execute((transaction) => store.beginAccount(transaction, caller.userId, country));
  if (account.account_id !== null) return account.account_id;
  try {
    const created = await processor.createAccount({
      sellerId: seller.id,
      email: seller.email,
      name: seller.name,
      country: account.country,
      idempotencyKey: `payout-account-${seller.id}-${account.attempt}`,
    });
    await store.updateAccount(database, account, {
      account_id: created.accountId,
      state: accountState(created),
      requirements: JSON.stringify(created.requirements),
    });
    return created.accountId;
  } catch (error) {
    if (error instanceof PayoutRefusal) {
      const problem = refusalTexts[error.reason];
      await store.updateAccount(database, account, { state: 'refused', problem });
    }
    throw error;
  }
}

/**
 * Starts or continues the onboarding of a seller.
 * @returns the card processor's page, which can be opened once @throws Refusal
 */
export async function startOnboarding(
  dependencies: ProcessorDependencies,
  caller: Caller,
  { country, origin }: { country: string; origin: string },
): Promise<string> {
  try {
    const accountId = await ensureAccount(dependencies, caller, country);
    const page = `${origin}/dashboard/money`;
    const link = await dependencies.processor.createOnboardingLink({
      accountId,
      returnUrl: `${page}?onboarding=returned`,
      refreshUrl: `${page}?onboarding=expired`,
    });
    return link.url;
  } catch (error) {
    throw toRefusal(error);
  }
}

/**
 * Stores the state of an account at the card processor, and notifies the seller when it becomes active or stops being active.
 * @param known the account before its state was read there
 * @returns false if the account has changed since: a read that was overtaken must not be stored
 */
async function applyAccount(
  { database, enqueue }: ProcessorDependencies,
  known: store.VersionedAccount,
  current: PayoutAccount | null,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const account = await store.lockAccount(transaction, known.seller_id);
    if (account?.version !== known.version) return false;
    const state = current === null ? 'closed' : accountState(current);
    await store.updateAccount(transaction, account, {
      state,
      requirements: JSON.stringify(current?.requirements ?? []),
      problem: state === 'closed' ? refusalTexts.unknown_account : '',
      next_check_at: nextAccountCheck(state, new Date()),
    });
    const stopped = account.state === 'active' && state !== 'active';
    const started = account.state !== 'active' && state === 'active';
    if (stopped || started || (state === 'closed' && account.state !== 'closed')) {
      await enqueue(transaction, accountChanged, { sellerId: account.seller_id, works: started });
    }
    return true;
  });
}

/** How often an account that others change meanwhile is read. As many jobs of events run at the same time. */
const MAXIMUM_READS = 10;

/**
 * Reads an account at the card processor and applies its state. What was read while the account changed is read again.
 * @returns whether it is an account of a seller that is not closed
 * @throws PayoutProcessorUnavailable
 */
export async function checkAccount(dependencies: ProcessorDependencies, accountId: string): Promise<boolean> {
  const { database, processor } = dependencies;
  for (let reads = 0; reads < MAXIMUM_READS; reads += 1) {
    const account = await store.findAccountById(database, accountId);
    if (account === undefined) return false;
    const current = await processor.readAccount(accountId);
    if (await applyAccount(dependencies, account, current)) return current?.isClosed === false;
  }
  throw new PayoutProcessorUnavailable('The account changed with each answer.');
}

/** Reads the caller's account again, after the card processor sent the seller back. @throws Refusal */
export async function refreshAccount(
  dependencies: ProcessorDependencies,
  sellerId: string,
): Promise<PayoutAccountResponse> {
  const { database, processor } = dependencies;
  const account = await store.findAccount(database, sellerId);
  try {
    if (account?.account_id) await checkAccount(dependencies, account.account_id);
  } catch (error) {
    throw toRefusal(error);
  }
  return readAccount(database, processor, sellerId);
}

/**
 * Stores a payout to a seller's bank, unless the answer is older than what is stored. The seller is notified of a failure once, also when
 * it had been paid before.
 */
async function applyBankPayout(
  { database, enqueue }: ProcessorDependencies,
  sellerId: string,
  payout: BankPayout,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Locked, so that of two concurrent events the second sees the first one's state.
    await store.lockAccount(transaction, sellerId);
    const before = await store.bankPayoutState(transaction, payout.payoutId);
    if (before !== null && isOutdated(payout.status, before)) return;
    const failure =
      payout.status === 'failed' ? (payout.failureText ?? payout.failureCode ?? 'unknown') : null;
    await store.storeBankPayout(transaction, { ...payout, sellerId, failure });
    if (payout.status === 'failed' && before !== 'failed') {
      await enqueue(transaction, bankPayoutFailed, { sellerId, payoutId: payout.payoutId });
    }
  });
}

/** Reads a payout to a seller's bank and applies its state. @throws PayoutProcessorUnavailable */
export async function checkBankPayout(
  dependencies: ProcessorDependencies,
  { accountId, payoutId }: { accountId: string; payoutId: string },
): Promise<void> {
  const account = await store.findAccountById(dependencies.database, accountId);
  if (account === undefined) return;
  const payout = await dependencies.processor.readPayout({ accountId, payoutId });
  if (payout !== null) await applyBankPayout(dependencies, account.seller_id, payout);
}

/** Accounts that one round checks, and payouts per account that it reads. */
const CHECK_BATCH = 10;
const PAYOUTS_READ = 20;

/** Reads accounts that are due for a check, and their latest payouts: events can be lost. @returns the failures */
export async function checkAccounts(dependencies: ProcessorDependencies, now: Date): Promise<unknown[]> {
  const { database, processor } = dependencies;
  const next = nextAccountCheck('pending', now);
  const failures: unknown[] = [];
  for (const { account_id, seller_id } of await store.claimAccountsToCheck(
    database,
    now,
    next,
    CHECK_BATCH,
  )) {
    if (account_id === null) continue;
    try {
      // A closed account's payouts cannot be read.
      if (!(await checkAccount(dependencies, account_id))) continue;
      const { items } = await processor.listPayouts({
        accountId: account_id,
        cursor: null,
        limit: PAYOUTS_READ,
      });
      for (const payout of items) await applyBankPayout(dependencies, seller_id, payout);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
