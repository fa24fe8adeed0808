import type { Call } from '../api/endpoint.ts';
import type { Capability, Requirement } from '../storage/connect-records.ts';
import type { Account } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emitThin } from '../webhooks/events.ts';
import { bankAccounts } from './bank-accounts.ts';
import { balancesOf } from './movements.ts';
import { schedulePayout } from './platform.ts';

const missing = (path: string): Requirement => ({
  path,
  deadline: 'past_due',
  awaiting: 'user',
  error: null,
});

const ofEveryone = ['identity.attestations.terms_of_service.account.date', 'external_account'];

const ofIndividuals = [
  'identity.individual.given_name',
  'identity.individual.surname',
  'identity.individual.date_of_birth.day',
  'identity.individual.date_of_birth.month',
  'identity.individual.date_of_birth.year',
  'identity.individual.address.line1',
  'identity.individual.id_numbers.us_ssn_last_4',
];

const ofBusinesses = [
  'identity.business_details.registered_name',
  'identity.business_details.structure',
  'identity.business_details.address.line1',
  'identity.business_details.phone',
  'identity.business_details.id_numbers.us_ein',
  'identity.persons.relationship.representative',
];

/** Returns what Stripe requires of a new recipient: a person by default, or a company or another entity. */
export function initialRequirements(entityType = 'individual'): Requirement[] {
  return [...(entityType === 'individual' ? ofIndividuals : ofBusinesses), ...ofEveryone].map(missing);
}

const active: Capability = { status: 'active', detail: null };

export const lacksInformation: Capability = {
  status: 'restricted',
  detail: { code: 'requirements_past_due', resolution: 'provide_info' },
};

const rejected: Capability = {
  status: 'rejected',
  detail: { code: 'rejected_other', resolution: 'no_resolution' },
};

const unreadableDocument = ({
  identity: { entity_type: entityType = 'individual' },
}: Account): Requirement => ({
  path:
    entityType === 'individual'
      ? 'identity.individual.verification.document'
      : 'identity.business_details.documents.company_verification',
  deadline: 'past_due',
  awaiting: 'user',
  error: {
    code: 'verification_document_not_readable',
    description: 'The document is not readable. It may be blurry, too dark or cut off.',
  },
});

/** The choice on the onboarding page. */
export type OnboardingOutcome = 'pass' | 'ask' | 'refuse';

/** Stores an account with the events of what has changed. Call it only inside the store's `run`. @returns the account */
export function putAccount(store: Store, call: Call | null, account: Account): Account {
  const before = store.find('account', account.id);
  store.put(account);
  if (JSON.stringify(before?.requirements) !== JSON.stringify(account.requirements)) {
    emitThin(store, call, 'v2.core.account[requirements].updated', account);
  }
  const capabilities = (record: Account | undefined) => JSON.stringify([record?.transfers, record?.payouts]);
  if (capabilities(before) !== capabilities(account)) {
    emitThin(store, call, 'v2.core.account[configuration.recipient].capability_status_updated', account);
  }
  if (account.closed && before?.closed === false) {
    emitThin(store, call, 'v2.core.account.closed', account);
  }
  return account;
}

/** Sets the bank account. */
function withBankAccount(account: Account, number: string): Account {
  if (!bankAccounts.has(number)) throw new RangeError(`There is no test bank account ${number}.`);
  return {
    ...account,
    bankAccount: number,
    requirements: account.requirements.filter(({ path }) => path !== 'external_account'),
    payoutDueAt: null,
  };
}

/** Schedules the payout of what arrived while there could be none. Call it only inside the store's `run`. */
export function resumePayouts(store: Store, account: Account): void {
  const balances = [...balancesOf(store, account.id).values()];
  if (balances.some(({ available, pending }) => available + pending > 0)) {
    schedulePayout(store, account, Date.now() + store.terms.delay);
  }
}

/** Applies the result of the onboarding page. Call it only inside the store's `run`. */
export function completeOnboarding(
  store: Store,
  account: Account,
  outcome: OnboardingOutcome,
  bankAccount: string,
): void {
  if (outcome === 'refuse') {
    putAccount(store, null, { ...account, transfers: rejected, payouts: rejected, requirements: [] });
    return;
  }
  const provided = withBankAccount(account, bankAccount);
  const changed = putAccount(
    store,
    null,
    outcome === 'pass'
      ? { ...provided, transfers: active, payouts: active, requirements: [] }
      : {
          ...provided,
          transfers: lacksInformation,
          payouts: lacksInformation,
          requirements: [unreadableDocument(account)],
        },
  );
  resumePayouts(store, changed);
}

/** Closes an account. Its balance stays where it is. Call it only inside the store's `run`. */
export function closeAccount(store: Store, account: Account): void {
  if (!account.closed) putAccount(store, null, { ...account, closed: true, payoutDueAt: null });
}
