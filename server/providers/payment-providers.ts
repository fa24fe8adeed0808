import { createCardProcessor } from './stripe.ts';
import { createCardAccount } from './stripe-account.ts';
import { createPayoutProcessor } from './stripe-connect.ts';

/** Creates what the running shop and the commands use of the card processor. */
export const createPaymentProviders = (options: Parameters<typeof createCardProcessor>[0]) => ({
  cards: createCardProcessor(options),
  cardAccount: createCardAccount(options),
  payouts: createPayoutProcessor(options),
});
