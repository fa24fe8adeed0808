/** The routing number of all test bank accounts. */
export const ROUTING_NUMBER = '110000000';

/** The test bank account whose payouts are paid first and fail after another delay, as banks do. Stripe publishes no such number. */
export const LATE_FAILURE = '000999999991';

/**
 * The US test bank accounts that Stripe publishes (https://docs.stripe.com/connect/testing), and one more, with Stripe's code of a
 * failed payout; null for payouts that succeed.
 */
export const bankAccounts: ReadonlyMap<string, string | null> = new Map([
  ['000123456789', null],
  ['000111111116', 'no_account'],
  ['000111111113', 'account_closed'],
  ['000222222227', 'insufficient_funds'],
  ['000333333335', 'debit_not_authorized'],
  ['000444444440', 'invalid_currency'],
  [LATE_FAILURE, 'account_closed'],
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
