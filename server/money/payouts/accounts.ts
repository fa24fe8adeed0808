import type { FastifyBaseLogger } from 'fastify';
import type { PayoutAccount as PayoutAccountResponse, PayoutEntityType } from '#contract/money/payouts.ts';
import { amountFromCents } from '#contract/platform/money.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { requestFingerprint } from '#server/platform/http/idempotency.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import * as store from './account-store.ts';
import { accountChanged, bankPayoutFailed, type PauseCause, transfersPaused } from './notifications.ts';
import {
  type BankPayout,
  type PayoutAccount,
  type PayoutProcessor,
  PayoutProcessorUnavailable,
  PayoutRefusal,
} from './payout-processor.ts';
import {
  accountProblem,
  accountState,
  isOutdated,
  nextAccountCheck,
  refusalTexts,
  TRANSFER_PAUSE_MS,
  toAccountResponse,
} from './payout-processor-rules.ts';
import { latestRefusal } from './transfer-store.ts';

/** What payouts through the card processor need. */
export interface ProcessorDependencies extends Pick<Context, 'database' | 'enqueue' | 'shop'> {
  processor: PayoutProcessor;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Reads how a seller is paid, as far as the shop knows. */
export async function readAccount(
  { database, shop }: Pick<ProcessorDependencies, 'database' | 'shop'>,
  sellerId: string,
): Promise<PayoutAccountResponse> {
  const now = new Date();
  if (shop().payoutMethod === 'by_hand') {
    return {
      ...toAccountResponse(undefined, { failedPayout: null, refusedTransfer: null, now }),
      method: 'by_hand',
    };
  }
  const latest = await store.latestBankPayout(database, sellerId);
  const failedPayout =
    latest?.state === 'failed'
      ? {
          amount: amountFromCents(Number(latest.amount_cents)),
          reason: latest.failure ?? '',
          at: latest.created_at.toISOString(),
        }
      : null;
  return toAccountResponse(await store.findAccount(database, sellerId), {
    failedPayout,
    refusedTransfer: await latestRefusal(database, sellerId),
    now,
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

/**
 * Holds transfers to a seller's account from now on, and tells the seller, unless the seller could not be paid before: then
 * there is no earlier bank account that somebody else could replace.
 */
async function pauseTransfers(
  transaction: Transaction,
  enqueue: Enqueue,
  { seller_id: sellerId, active_since }: Pick<store.AccountRow, 'seller_id' | 'active_since'>,
  cause: PauseCause,
): Promise<void> {
  if (active_since === null) return;
  const until = new Date(Date.now() + TRANSFER_PAUSE_MS);
  await store.pauseTransfersUntil(transaction, sellerId, until);
  await enqueue(transaction, transfersPaused, { sellerId, cause, until: until.toISOString() });
}

/**
 * Creates a seller's account at the card processor unless that was done before. The seller is about to open a page on which
 * the bank account can be changed, so transfers of a seller who could be paid before are held.
 * @returns the account's id there
 */
async function ensureAccount(
  { database, enqueue, processor }: ProcessorDependencies,
  caller: Caller,
  { country, entityType }: { country: string; entityType: PayoutEntityType },
): Promise<string> {
  const seller = await findUser(database, caller.userId);
  if (seller === undefined) throw new Refusal('not_found', 'There is no such account any more.');
  // Whoever confirms the address later gets this account, and would be paid to a stranger's bank account.
  if (!seller.email_verified) {
    throw new Refusal(
      'not_allowed',
      'Please confirm your email address first, with the link in the email that you got when you registered. No account was opened.',
    );
  }
  const account = await database.transaction().execute(async (transaction) => {
    const begun = await store.beginAccount(transaction, caller.userId, country);
    await pauseTransfers(transaction, enqueue, begun, 'page_opened');
    return begun;
  });
  if (account.account_id !== null) return account.account_id;
  try {
    const { id: sellerId, email, name } = seller;
    const request = { sellerId, email, name, entityType, country: account.country };
    // After a lost answer the seller may choose another type or change a name, which the same key would refuse.
    const idempotencyKey = `payout-account-${sellerId}-${account.attempt}-${requestFingerprint(request)}`;
    const created = await processor.createAccount({ ...request, idempotencyKey });
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
  { origin, ...details }: { country: string; entityType: PayoutEntityType; origin: string },
): Promise<string> {
  try {
    const accountId = await ensureAccount(dependencies, caller, details);
    const page = `${origin}/dashboard/money`;
    return await dependencies.processor.createOnboardingLink({
      accountId,
      returnUrl: `${page}?onboarding=returned`,
      refreshUrl: `${page}?onboarding=expired`,
    });
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
  { database, enqueue, shop }: ProcessorDependencies,
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
      problem: accountProblem(current),
      next_check_at: nextAccountCheck(state, new Date()),
      ...(state === 'active' && account.active_since === null && { active_since: new Date() }),
    });
    const stopped = account.state === 'active' && state !== 'active';
    const started = account.state !== 'active' && state === 'active';
    const isTold = stopped || started || (state === 'closed' && account.state !== 'closed');
    // Paid by hand, a seller need not know.
    if (isTold && shop().payoutMethod === 'card_processor') {
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
export async function followAccount(
  dependencies: ProcessorDependencies,
  accountId: string,
): Promise<boolean> {
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
  const account = await store.findAccount(dependencies.database, sellerId);
  try {
    if (account?.account_id) await followAccount(dependencies, account.account_id);
  } catch (error) {
    throw toRefusal(error);
  }
  return readAccount(dependencies, sellerId);
}

/** Holds transfers when a new payout went to another bank account than the one before: nothing else tells of every change. */
async function pauseIfPaidElsewhere(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
  payout: BankPayout,
): Promise<void> {
  const previous = await store.destinationBefore(transaction, sellerId, payout);
  if (previous === null || payout.destination === null || previous === payout.destination) return;
  const account = await store.findAccount(transaction, sellerId);
  if (account !== undefined) await pauseTransfers(transaction, enqueue, account, 'bank_account_changed');
}

/**
 * Handles an event that a bank account of a seller's account was added, changed or removed. The first one, before the seller
 * could be paid, holds nothing, also when its event arrives late.
 */
export async function pauseAfterBankAccountChange(
  { database, enqueue }: Pick<ProcessorDependencies, 'database' | 'enqueue'>,
  { accountId, changedAt }: { accountId: string; changedAt: Date },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const account = await store.findAccountById(transaction, accountId);
    if (account?.active_since == null || changedAt < account.active_since) return;
    await pauseTransfers(transaction, enqueue, account, 'bank_account_changed');
  });
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
    const before = (await store.findBankPayout(transaction, payout.payoutId))?.state ?? null;
    if (before !== null && isOutdated(payout.status, before)) return;
    const failure =
      payout.status === 'failed' ? (payout.failureText ?? payout.failureCode ?? 'unknown') : null;
    await store.storeBankPayout(transaction, { ...payout, sellerId, failure });
    if (before === null) await pauseIfPaidElsewhere(transaction, enqueue, sellerId, payout);
    if (payout.status === 'failed' && before !== 'failed') {
      await enqueue(transaction, bankPayoutFailed, { sellerId, payoutId: payout.payoutId });
    }
  });
}

/** Reads a payout to a seller's bank and applies its state. @throws PayoutProcessorUnavailable */
export async function followBankPayout(
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
export async function followAccounts(dependencies: ProcessorDependencies, now: Date): Promise<unknown[]> {
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
      if (!(await followAccount(dependencies, account_id))) continue;
      const payouts = await processor.listPayouts({ accountId: account_id, limit: PAYOUTS_READ });
      for (const payout of payouts) await applyBankPayout(dependencies, seller_id, payout);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
