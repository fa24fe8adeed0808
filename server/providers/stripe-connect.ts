import type Stripe from 'stripe';
import type * as z from 'zod/mini';
import type { BalanceReader } from '#server/money/accounting/balance-reader.ts';
import { type PayoutProcessor, PayoutProcessorUnavailable } from '#server/money/payouts/payout-processor.ts';
import type { PlatformReader } from '#server/operations/health/platform.ts';
import { Account } from './stripe-account-shape.ts';
import { fromStripe, shopCurrency, toStripe } from './stripe-amounts.ts';
import { createReader, createStripeClient } from './stripe-client.ts';
import { errors, isMissing } from './stripe-connect-errors.ts';
import * as shapes from './stripe-connect-shapes.ts';
import { Id } from './stripe-shapes.ts';

const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = ['configuration.recipient', 'requirements'];

/** The most pages that a search for a transfer or a reversal reads, of 100 each. */
const MAXIMUM_SEARCH_PAGES = 10;

/** How much earlier than by this machine's clock a transfer may have been made by Stripe's, in seconds. */
const CLOCK_SKEW_SECONDS = 3_600;

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

const read = createReader(errors);

/** As `read`, but null when Stripe has no such object. */
const find = <Shape extends z.ZodMiniType>(shape: Shape, call: Promise<unknown>) =>
  read(shape, call, (error) => (isMissing(error) ? null : undefined));

/**
 * Creates the payout processor on Stripe Connect: accounts with a recipient configuration, and separate charges and
 * transfers.
 * @param options.apiUrl the URL of the API; null for Stripe's own
 */
export function createPayoutProcessor(options: {
  secretKey: string;
  apiUrl: URL | null;
}): PayoutProcessor & BalanceReader & PlatformReader {
  const stripe = createStripeClient(options);

  /**
   * Reads a list page by page until an object has a reference.
   * @param list lists the page after an id @returns the object's id
   */
  async function search(
    list: (page: { limit: number; starting_after?: string }) => Promise<unknown>,
    reference: string,
  ): Promise<string | null> {
    let cursor: string | null = null;
    for (let page = 0; page < MAXIMUM_SEARCH_PAGES; page += 1) {
      const call = list({ limit: 100, ...after(cursor) });
      const { data, has_more }: z.output<typeof shapes.ReferencedPage> = await read(
        shapes.ReferencedPage,
        call,
      );
      const found = data.find(({ metadata }) => metadata?.reference === reference);
      if (found !== undefined) return found.id;
      cursor = data.at(-1)?.id ?? null;
      if (!has_more || cursor === null) return null;
    }
    // Reporting no match here could make the caller transfer the same money twice.
    throw new PayoutProcessorUnavailable(`The card processor lists more than ${MAXIMUM_SEARCH_PAGES} pages`);
  }

  const after = (cursor: string | null) => (cursor === null ? {} : { starting_after: cursor });

  return {
    createAccount: ({ sellerId, email, name, entityType, country, idempotencyKey }) =>
      read(
        Account,
        stripe.v2.core.accounts.create(
          {
            contact_email: email,
            display_name: name,
            dashboard: 'express',
            identity: { country: country.toLowerCase(), entity_type: entityType },
            configuration: {
              recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
            },
            // The shop charges the buyers, so it pays Stripe's fees and bears negative balances.
            defaults: {
              currency: shopCurrency(),
              responsibilities: { fees_collector: 'application', losses_collector: 'application' },
            },
            metadata: { sellerId },
            include,
          },
          { idempotencyKey },
        ),
      ),
    createOnboardingLink: async ({ accountId, returnUrl, refreshUrl }) => {
      const account_onboarding = { return_url: returnUrl, refresh_url: refreshUrl };
      const link = stripe.v2.core.accountLinks.create({
        account: accountId,
        use_case: { type: 'account_onboarding', account_onboarding },
      });
      return (await read(shapes.AccountLink, link)).url;
    },
    readAccount: (accountId) => find(Account, stripe.v2.core.accounts.retrieve(accountId, { include })),
    createTransfer: ({ accountId, amountCents, orderId, chargeId, reference, idempotencyKey }) =>
      read(
        Id,
        stripe.transfers.create(
          {
            destination: accountId,
            amount: toStripe(amountCents),
            currency: shopCurrency(),
            // No `transfer_group`: Stripe gives the transfer that of its source.
            metadata: { orderId, reference },
            ...(chargeId !== null && { source_transaction: chargeId }),
          },
          { idempotencyKey },
        ),
      ),
    findTransfer: ({ accountId, reference, since }) => {
      const created = { gte: toSeconds(since) - CLOCK_SKEW_SECONDS };
      const list = (page: object) => stripe.transfers.list({ destination: accountId, created, ...page });
      return search(list, reference);
    },
    listTransfers: async (transfer_group) => {
      const list = stripe.transfers.list({ transfer_group, limit: 100 });
      const { data, has_more } = await read(shapes.pageOf(shapes.Transfer), list);
      // Transferring without having seen all of them could pay the same money twice.
      if (has_more) throw new PayoutProcessorUnavailable('A charge has more than 100 transfers');
      return data;
    },
    reversedCents: (transferId) => find(shapes.ReversedCents, stripe.transfers.retrieve(transferId)),
    reverseTransfer: ({ transferId, amountCents, reference, idempotencyKey }) =>
      read(
        Id,
        stripe.transfers.createReversal(
          transferId,
          { amount: toStripe(amountCents), metadata: { reference } },
          { idempotencyKey },
        ),
      ),
    findReversal: ({ transferId, reference }) =>
      search((page) => stripe.transfers.listReversals(transferId, page), reference),
    readPayout: async ({ accountId, payoutId }) => {
      const payout = await find(
        shapes.Payout,
        stripe.payouts.retrieve(payoutId, {}, { stripeAccount: accountId }),
      );
      return payout && { ...payout, accountId };
    },
    listPayouts: async ({ accountId, limit }) => {
      const list = stripe.payouts.list({ limit }, { stripeAccount: accountId });
      const { data } = await read(shapes.pageOf(shapes.Payout), list);
      return data.map((payout) => ({ ...payout, accountId }));
    },
    listBalanceTransactions: async ({ from, until, cursor, limit }) => {
      const { data, has_more } = await read(
        shapes.pageOf(shapes.BalanceTransaction),
        stripe.balanceTransactions.list({
          created: { gte: toSeconds(from), lt: toSeconds(until) },
          limit,
          expand: ['data.source'],
          ...after(cursor),
        }),
      );
      const last = data.at(-1);
      return { items: data, nextCursor: has_more && last !== undefined ? last.balanceTransactionId : null };
    },
    readPlatform: async () => {
      const [settings, balance] = await Promise.all([
        read(shapes.BalanceSettings, stripe.balanceSettings.retrieve()),
        read(shapes.Balance, stripe.balance.retrieve()),
      ]);
      const { available, pending } = balance;
      const currencies = [...new Set([...available, ...pending].map(({ currency }) => currency))];
      const sum = (amounts: typeof available) =>
        amounts
          .filter(({ currency }) => currency === shopCurrency())
          .reduce((total, { amount, currency }) => total + fromStripe(amount, currency), 0);
      const payouts = settings.payments.payouts;
      const minimum = payouts?.minimum_balance_by_currency?.[shopCurrency()];
      return {
        payoutInterval: payouts?.schedule?.interval ?? null,
        minimumCents: minimum === undefined ? null : fromStripe(minimum, shopCurrency()),
        // An account without any balance yet can still hold one in the shop's currency.
        balance:
          currencies.length === 0 || currencies.includes(shopCurrency())
            ? { availableCents: sum(available), pendingCents: sum(pending) }
            : null,
        currencies,
      };
    },
    chargeOf: async (transactionId) => {
      const paid = stripe.paymentIntents.retrieve(transactionId, { expand: ['latest_charge'] });
      const intent = await find(shapes.IntentWithCharge, paid);
      const charge = intent?.latest_charge;
      if (intent?.status !== 'succeeded' || !charge) return null;
      return {
        chargeId: charge.id,
        refundedCents: fromStripe(charge.amount_refunded),
        transferGroup: charge.transfer_group ?? null,
      };
    },
  };
}
