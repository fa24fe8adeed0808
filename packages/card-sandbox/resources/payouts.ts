import { z } from 'zod';
import { notFound, refused, requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { listEndpoint } from '../api/lists.ts';
import { expand, positiveInteger, readId, readParameters } from '../api/parameters.ts';
import { newRecord } from '../identifiers.ts';
import type { Account, Payout, Platform } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';
import { lacksInformation, putAccount } from './account-state.ts';
import { bankAccounts, failureMessage, LATE_FAILURE } from './bank-accounts.ts';
import { availableBalance, balancesOf, movementId, putMovement } from './movements.ts';
import { platformOf, settingsOf } from './platform.ts';

/** The bank account of the platform, whose payouts succeed. */
const PLATFORM_BANK_ACCOUNT = '000123456789';

/** Returns the bank account to which a balance can be paid out; null if it cannot. */
function bankOf(holder: Account | Platform): string | null {
  if (holder.kind === 'platform') return PLATFORM_BANK_ACCOUNT;
  return holder.closed || holder.payouts.status !== 'active' ? null : holder.bankAccount;
}

/**
 * Pays the available balance of an account or of the platform out, less the minimum balance, as its schedule does. Call it
 * only inside the store's `run`.
 */
export function payOutBalance(store: Store, holder: Account | Platform): void {
  const account = holder.kind === 'account' ? holder.id : null;
  const { interval, minimumBalances } = settingsOf(store, account);
  const bankAccount = bankOf(holder);
  const balances = balancesOf(store, account);
  const isWaiting = bankAccount !== null && [...balances.values()].some(({ pending }) => pending > 0);
  store.put({ ...holder, payoutDueAt: isWaiting ? Date.now() + store.terms.delay : null });
  if (interval === 'manual' || bankAccount === null) return;
  for (const [currency, { available }] of balances) {
    const amount = available - (minimumBalances[currency] ?? 0);
    if (amount > 0) putPayout(store, null, { account, amount, currency, bankAccount, automatic: true });
  }
}

function putPayout(
  store: Store,
  call: Call | null,
  given: Pick<Payout, 'account' | 'amount' | 'currency' | 'bankAccount' | 'automatic'>,
): Payout {
  const payout: Payout = {
    ...newRecord('payout', 'po'),
    ...given,
    status: 'pending',
    failureCode: null,
    dueAt: Date.now() + store.terms.delay,
  };
  putMovement(store, {
    id: movementId(payout.id),
    account: payout.account,
    amount: -payout.amount,
    currency: payout.currency,
    type: 'payout',
    reportingCategory: 'payout',
    source: payout.id,
    description: 'STRIPE PAYOUT',
  });
  return putAndEmit(store, call, payout, 'payout.created');
}

const createParameters = z.strictObject({ amount: positiveInteger, currency: z.string(), expand });

/** Makes a payout that the schedule does not. @throws {ApiError} if there is no bank account, or less is available */
function create(store: Store, call: Call): Payout {
  const given = readParameters(createParameters, call.parameters);
  const holder = call.account === null ? platformOf(store) : store.find('account', call.account);
  const bankAccount = holder === undefined ? null : bankOf(holder);
  const currency = given.currency.toLowerCase();
  if (bankAccount === null) throw refused('This account cannot make payouts.', 'payouts_not_allowed');
  if (given.amount > availableBalance(store, call.account, currency)) {
    const message = 'You have insufficient funds in your Stripe account for this payout.';
    throw refused(message, 'balance_insufficient', 'amount');
  }
  const { amount } = given;
  return putPayout(store, call, { account: call.account, amount, currency, bankAccount, automatic: false });
}

/**
 * Applies the next status of a payout: paid or failed; a paid one may fail later. The money of a failed one returns to
 * the account, which then has no bank account. Call it only inside the store's `run`.
 */
export function settlePayout(store: Store, payout: Payout): void {
  const failureCode = bankAccounts.get(payout.bankAccount) ?? null;
  if (failureCode === null || (payout.status === 'pending' && payout.bankAccount === LATE_FAILURE)) {
    const dueAt = failureCode === null ? null : Date.now() + store.terms.delay;
    putAndEmit(store, null, { ...payout, status: 'paid', dueAt }, 'payout.paid');
    return;
  }
  const failed: Payout = { ...payout, status: 'failed', failureCode, dueAt: null };
  putMovement(store, {
    id: movementId(payout.id, 'failed_'),
    account: payout.account,
    amount: payout.amount,
    currency: payout.currency,
    type: 'payout_failure',
    reportingCategory: 'payout_reversal',
    source: payout.id,
    description: 'STRIPE PAYOUT FAILURE',
  });
  putAndEmit(store, null, failed, 'payout.failed');
  emit(store, null, 'payout.updated', failed);
  const account = payout.account === null ? undefined : store.find('account', payout.account);
  if (account !== undefined && !account.closed)
    putAccount(store, null, withoutBankAccount(account, failureCode));
}

/** Stripe disables a bank account after a failed payout, and asks for another one. Transfers stay possible, payouts not. */
const withoutBankAccount = (account: Account, failureCode: string): Account => ({
  ...account,
  bankAccount: null,
  payoutDueAt: null,
  payouts: lacksInformation,
  requirements: [
    ...account.requirements.filter(({ path }) => path !== 'external_account'),
    {
      path: 'external_account',
      deadline: 'past_due',
      awaiting: 'user',
      error: { code: 'invalid_value_other', description: failureMessage(failureCode) },
    },
  ],
});

function retrieve(store: Store, call: Call): Payout {
  const payout = requireRecord(store, 'payout', readId(call));
  if (payout.account !== call.account) throw notFound('payout', call.id, 'payout');
  return payout;
}

export const payoutEndpoints: Endpoint[] = [
  { method: 'POST', path: '/v1/payouts', allowsAccount: true, handle: create },
  listEndpoint('payout', '/v1/payouts'),
  { method: 'GET', path: '/v1/payouts/:id', allowsAccount: true, handle: retrieve },
];
