type BankAccount = {
  /** What happens to a payout, in words. */
  outcome: string;
  /** Stripe's code of a failed payout; null for one that succeeds. */
  failureCode: string | null;
  /** Whether the payout is paid first and fails after another delay, as banks do. */
  failsLate: boolean;
};

/** The routing number of all test bank accounts. */
export const ROUTING_NUMBER = '110000000';

/**
 * The US test bank accounts that Stripe publishes, and one more whose payouts are paid before they fail. Source:
 * https://docs.stripe.com/connect/testing
 */
export const bankAccounts: ReadonlyMap<string, BankAccount> = new Map([
  ['000123456789', { outcome: 'payouts succeed', failureCode: null, failsLate: false }],
  ['000111111116', { outcome: 'payouts fail: no account', failureCode: 'no_account', failsLate: false }],
  [
    '000111111113',
    { outcome: 'payouts fail: account closed', failureCode: 'account_closed', failsLate: false },
  ],
  [
    '000222222227',
    { outcome: 'payouts fail: insufficient funds', failureCode: 'insufficient_funds', failsLate: false },
  ],
  [
    '000333333335',
    { outcome: 'payouts fail: debit not authorized', failureCode: 'debit_not_authorized', failsLate: false },
  ],
  [
    '000444444440',
    { outcome: 'payouts fail: invalid currency', failureCode: 'invalid_currency', failsLate: false },
  ],
  [
    '000999999991',
    {
      outcome: 'payouts are paid, and returned later: account closed',
      failureCode: 'account_closed',
      failsLate: true,
    },
  ],
]);

const failureMessages: Readonly<Record<string, string>> = {
  account_closed: 'The bank account has been closed.',
  debit_not_authorized: 'Debit transactions are not approved on your bank account.',
  insufficient_funds: 'Your Stripe account has insufficient funds to cover the payout.',
  invalid_currency: 'The bank was unable to process this payout because of its currency.',
  no_account: 'No bank account could be located with these details.',
};

/** Returns the words for a failure code. Stripe's: https://docs.stripe.com/api/payouts/failures */
export function failureMessage(code: string): string {
  return failureMessages[code] ?? 'The payout failed.';
}
