import { expect, test } from 'vitest';
import { accountProblem, accountState } from './connect-rules.ts';
import type { CapabilityStatus, PayoutAccount } from './processor.ts';

const account = (transfers: CapabilityStatus, payouts: CapabilityStatus): PayoutAccount => ({
  accountId: 'acct_1',
  country: 'US',
  isClosed: false,
  transfers,
  payouts,
  blockedBy: null,
  requirements: [],
});

test.each<[CapabilityStatus, CapabilityStatus, string, RegExp]>([
  ['active', 'active', 'active', /^$/],
  ['active', 'pending', 'pending', /still checking/],
  ['active', 'restricted', 'restricted', /cannot pay out to your bank/],
  ['active', 'unsupported', 'unsupported', /cannot pay out to your bank/],
  ['pending', 'active', 'pending', /^$/],
  ['pending', 'restricted', 'restricted', /^$/],
  ['restricted', 'pending', 'restricted', /^$/],
  ['restricted', 'unsupported', 'unsupported', /^$/],
])('transfers %s and payouts %s make an account %s', (transfers, payouts, state, problem) => {
  expect(accountState(account(transfers, payouts))).toBe(state);
  expect(accountProblem(account(transfers, payouts))).toMatch(problem);
});

test('a closed or missing account is closed, whatever it could do', () => {
  const closed = { ...account('active', 'active'), isClosed: true };
  expect(accountState(closed)).toBe('closed');
  expect(accountProblem(closed)).toMatch(/is closed/);
  expect(accountProblem(null)).toMatch(/is closed/);
});
