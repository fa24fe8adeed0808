import { ApiError, requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint, List } from '../api/endpoint.ts';
import { listPage } from '../api/lists.ts';
import { paging, readId, readParameters, text } from '../api/parameters.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Account, Payout } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';
import { putAccount } from './account-state.ts';
import { bankAccounts, failureMessage } from './bank-accounts.ts';
import { balanceOf, movementId, putMovement } from './movements.ts';

/** Pays the available balance of an account out to its bank account. Call it only inside the store's `run`. */
export function createPayout(store: Store, account: Account): void {
  const { available, pending } = balanceOf(store, account.id);
  const next = pending > 0 ? Date.now() + store.terms.delay : null;
  store.put({ ...account, payoutDueAt: account.bankAccount === null ? null : next });
  if (account.closed || account.bankAccount === null || available < 1) return;
  const payout: Payout = {
    kind: 'payout',
    id: newId('po'),
    created: nowInSeconds(),
    account: account.id,
    amount: available,
    currency: account.currency,
    bankAccount: account.bankAccount,
    status: 'pending',
    failureCode: null,
    dueAt: Date.now() + store.terms.delay,
  };
  putMovement(store, {
    id: movementId(payout.id),
    account: account.id,
    amount: -payout.amount,
    type: 'payout',
    reportingCategory: 'payout',
    source: payout.id,
    description: 'STRIPE PAYOUT',
  });
  putAndEmit(store, null, payout, 'payout.created');
}

/**
 * Applies the next status of a payout: paid or failed; a paid one may fail later. The money of a failed one returns to
 * the account, which then has no bank account. Call it only inside the store's `run`.
 */
export function settlePayout(store: Store, payout: Payout): void {
  const bank = bankAccounts.get(payout.bankAccount);
  const failureCode = bank?.failureCode ?? null;
  if (failureCode === null || (payout.status === 'pending' && bank?.failsLate)) {
    const dueAt = failureCode === null ? null : Date.now() + store.terms.delay;
    putAndEmit(store, null, { ...payout, status: 'paid', dueAt }, 'payout.paid');
    return;
  }
  const failed: Payout = { ...payout, status: 'failed', failureCode, dueAt: null };
  putMovement(store, {
    id: movementId(payout.id, 'failed_'),
    account: payout.account,
    amount: payout.amount,
    type: 'payout_failure',
    reportingCategory: 'payout_reversal',
    source: payout.id,
    description: 'STRIPE PAYOUT FAILURE',
  });
  putAndEmit(store, null, failed, 'payout.failed');
  emit(store, null, 'payout.updated', failed);
  const account = store.find('account', payout.account);
  if (account !== undefined && !account.closed)
    putAccount(store, null, withoutBankAccount(account, failureCode));
}

/** Stripe disables a bank account after a failed payout, and asks for another one. Transfers stay possible. */
const withoutBankAccount = (account: Account, failureCode: string): Account => ({
  ...account,
  bankAccount: null,
  payoutDueAt: null,
  requirements: [
    ...account.requirements.filter(({ path }) => path !== 'external_account'),
    {
      path: 'external_account',
      deadline: 'currently_due',
      awaiting: 'user',
      error: { code: 'invalid_value_other', description: failureMessage(failureCode) },
    },
  ],
});

const listParameters = paging.extend({ status: text.optional() });

function list(store: Store, call: Call): List {
  const query = readParameters(listParameters, call.parameters);
  const records = store
    .all('payout')
    .filter(({ account }) => account === call.account)
    .filter(({ status }) => query.status === undefined || status === query.status);
  return listPage(store, '/v1/payouts', 'payout', records, query);
}

export function payoutEndpoints(store: Store): Endpoint[] {
  const path = '/v1/payouts';
  const retrieve = (call: Call) => {
    const payout = requireRecord(store, 'payout', readId(call));
    if (payout.account === call.account) return payout;
    throw new ApiError(404, 'invalid_request_error', `No such payout: '${call.id}'`, {
      code: 'resource_missing',
      param: 'payout',
    });
  };
  return [
    { method: 'GET', path, allowsAccount: true, handle: (call) => list(store, call) },
    { method: 'GET', path: `${path}/:id`, allowsAccount: true, handle: retrieve },
  ];
}
