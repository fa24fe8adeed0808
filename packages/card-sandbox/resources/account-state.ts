import type { Call } from '../api/endpoint.ts';
import type { Requirement, TransfersCapability } from '../storage/connect-records.ts';
import type { Account } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emitThin } from '../webhooks/events.ts';
import { bankAccounts } from './bank-accounts.ts';
import { balanceOf } from './movements.ts';

const missing = (path: string): Requirement => ({
  path,
  deadline: 'past_due',
  awaiting: 'user',
  error: null,
});

/** What Stripe requires of a new recipient. */
export const initialRequirements: readonly Requirement[] = [
  'identity.individual.given_name',
  'identity.individual.surname',
  'identity.individual.date_of_birth.day',
  'identity.individual.date_of_birth.month',
  'identity.individual.date_of_birth.year',
  'identity.individual.address.line1',
  'identity.individual.id_numbers.us_ssn_last_4',
  'identity.attestations.terms_of_service.account.date',
  'external_account',
].map(missing);

const active: TransfersCapability = { status: 'active', detail: null };

export const lacksInformation: TransfersCapability = {
  status: 'restricted',
  detail: { code: 'requirements_past_due', resolution: 'provide_info' },
};

const rejected: TransfersCapability = {
  status: 'rejected',
  detail: { code: 'rejected_other', resolution: 'no_resolution' },
};

const unreadableDocument: Requirement = {
  path: 'identity.individual.verification.document',
  deadline: 'past_due',
  awaiting: 'user',
  error: {
    code: 'verification_document_not_readable',
    description: 'The document is not readable. It may be blurry, too dark or cut off.',
  },
};

/** The choice on the onboarding page. */
export type OnboardingOutcome = 'pass' | 'ask' | 'refuse';

/** Stores an account with the events of what has changed. Call it only inside the store's `run`. @returns the account */
export function putAccount(store: Store, call: Call | null, account: Account): Account {
  const before = store.find('account', account.id);
  store.put(account);
  if (JSON.stringify(before?.requirements) !== JSON.stringify(account.requirements)) {
    emitThin(store, call, 'v2.core.account[requirements].updated', account);
  }
  if (JSON.stringify(before?.transfers) !== JSON.stringify(account.transfers)) {
    emitThin(store, call, 'v2.core.account[configuration.recipient].capability_status_updated', account);
  }
  if (account.closed && before?.closed === false) {
    emitThin(store, call, 'v2.core.account.closed', account);
  }
  return account;
}

/** Sets the bank account, and schedules the payout of what waits for one. */
export function withBankAccount(store: Store, account: Account, number: string): Account {
  if (!bankAccounts.has(number)) throw new RangeError(`There is no test bank account ${number}.`);
  const { available, pending } = balanceOf(store, account.id);
  return {
    ...account,
    bankAccount: number,
    requirements: account.requirements.filter(({ path }) => path !== 'external_account'),
    payoutDueAt: available + pending > 0 ? Date.now() + store.terms.delay : null,
  };
}

/** Applies the result of the onboarding page. Call it only inside the store's `run`. */
export function completeOnboarding(
  store: Store,
  account: Account,
  outcome: OnboardingOutcome,
  bankAccount: string,
): void {
  if (outcome === 'refuse') {
    putAccount(store, null, { ...account, transfers: rejected, requirements: [] });
    return;
  }
  const provided = withBankAccount(store, account, bankAccount);
  putAccount(
    store,
    null,
    outcome === 'pass'
      ? { ...provided, transfers: active, requirements: [] }
      : { ...provided, transfers: lacksInformation, requirements: [unreadableDocument] },
  );
}

/** Closes an account. Its balance stays where it is. Call it only inside the store's `run`. */
export function closeAccount(store: Store, call: Call | null, account: Account): Account {
  if (account.closed) return account;
  return putAccount(store, call, { ...account, closed: true, payoutDueAt: null });
}
