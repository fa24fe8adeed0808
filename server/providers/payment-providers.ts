import { createCardProcessor } from './stripe.ts';
import { createCardAccount } from './stripe-account.ts';
import { createPayoutProcessor } from './stripe-connect.ts';

/** Creates what the running shop and the commands use of the card processor. */
export function createPaymentProviders(access: {
  secretKey: string;
  webhookSecret: string | null;
  /** Of the API; null for the card processor's own. */
  apiUrl: string | null;
}) {
  const options = { ...access, apiUrl: access.apiUrl === null ? null : new URL(access.apiUrl) };
  return {
    cards: createCardProcessor(options),
    cardAccount: createCardAccount(options),
    payouts: createPayoutProcessor(options),
  };
}
