import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import type { Row } from '#server/platform/database/tables.ts';
import type { CapabilityStatus, PayoutAccount } from './payout-processor.ts';
import {
  accountProblem,
  accountState,
  isOutdated,
  nextAccountCheck,
  RESUME_AFTER_MS,
  refusalTexts,
  retryAt,
  reversalReference,
  TRANSFER_PAUSE_MS,
  toAccountResponse,
  transferReference,
} from './payout-processor-rules.ts';

const now = new Date('2026-11-20T12:00:00Z');
const minutesUntil = (date: Date) => (date.getTime() - now.getTime()) / MINUTE_MS;

test.each([
  [1, 10],
  [2, 20],
  [3, 40],
  [8, 1_280],
  [9, 1_440],
  [10_000, 1_440],
])('a refused transfer is tried again: attempt %d after %d minutes', (attempt, minutes) => {
  expect(minutesUntil(retryAt(attempt, now))).toBe(minutes);
});

test('an interrupted transfer is looked for after two minutes', () => {
  expect(RESUME_AFTER_MS).toBe(2 * MINUTE_MS);
});

test.each([
  ['active', 24],
  ['closed', 24],
  ['pending', 1],
  ['restricted', 1],
  ['unsupported', 1],
] as const)('an account that is %s is read again after %d h', (state, hours) => {
  expect(minutesUntil(nextAccountCheck(state, now))).toBe(hours * 60);
});

test('each attempt of a transfer has its own reference, a reversal has one', () => {
  expect(transferReference({ id: 'x', attempt: 1 })).toBe('transfer-x-1');
  expect(transferReference({ id: 'x', attempt: 2 })).toBe('transfer-x-2');
  expect(reversalReference({ id: 'x' })).toBe('reversal-x');
});

describe('an answer about a payout to a bank', () => {
  const states = ['under_way', 'paid', 'failed'] as const;
  test('is outdated when the stored state comes after it', () => {
    const outdated = states.flatMap((answer) =>
      states.filter((stored) => isOutdated(answer, stored)).map((stored) => `${answer} after ${stored}`),
    );
    expect(outdated).toEqual(['under_way after paid', 'under_way after failed', 'paid after failed']);
  });
});

test('each refusal has its own sentence', () => {
  const texts = Object.values(refusalTexts);
  expect(Object.keys(refusalTexts)).toContain('insufficient_funds');
  expect(new Set(texts).size).toBe(texts.length);
  for (const text of texts) expect(text).toMatch(/^[A-Z].{30,}\.$/);
});

const account = (transfers: CapabilityStatus, payouts: CapabilityStatus): PayoutAccount => ({
  accountId: 'acct_1',
  isClosed: false,
  transfers,
  payouts,
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

test('transfers wait 72 hours after a change of the bank account', () => {
  expect(TRANSFER_PAUSE_MS).toBe(72 * 60 * MINUTE_MS);
});

test('without an account the response says so', () => {
  expect(toAccountResponse(undefined, { failedPayout: null, refusedTransfer: null, now })).toEqual({
    ...{ method: 'card_processor', state: 'none', country: null, problem: '', requirements: [] },
    ...{ failedPayout: null, refusedTransfer: null, transfersPausedUntil: null },
  });
});

test('the response for an account names its problem, and a hold that is not over', () => {
  const account: Row<'payout_accounts'> = {
    ...{ seller_id: 'seller', account_id: 'acct_1', state: 'restricted', country: 'US', problem: 'Look.' },
    requirements: [{ text: 'A bank account', due: 'now', waitsFor: 'seller', problems: [] }],
    ...{ active_since: null, attempt: 1, created_at: now, next_check_at: now },
    transfers_paused_until: new Date(now.getTime() + 1),
  };
  const others = { failedPayout: { amount: 5, reason: 'No account.', at: now.toISOString() }, now };
  expect(toAccountResponse(account, { ...others, refusedTransfer: 'No.' })).toMatchObject({
    ...{ state: 'restricted', country: 'US', problem: 'Look.', requirements: account.requirements },
    ...{
      refusedTransfer: 'No.',
      failedPayout: others.failedPayout,
      transfersPausedUntil: account.transfers_paused_until?.toISOString(),
    },
  });
  expect(
    toAccountResponse({ ...account, transfers_paused_until: now }, { ...others, refusedTransfer: null })
      .transfersPausedUntil,
  ).toBeNull();
});
