import type Stripe from 'stripe';
import type * as z from 'zod/mini';
import type { BalanceReader } from '#server/money/accounting/balance.ts';
import {
  type Page,
  type PayoutProcessor,
  PayoutProcessorUnavailable,
} from '#server/money/payouts/processor.ts';
import type { PlatformReader } from '#server/operations/health/platform.ts';
import { Account } from './stripe-account-shape.ts';
import { fromStripe, shopCurrency, toStripe } from './stripe-amounts.ts';
import { createStripeClient } from './stripe-client.ts';
import { isMissing, parseResponse, toProcessorError } from './stripe-connect-errors.ts';
import * as shapes from './stripe-connect-shapes.ts';

const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = [
  'configuration.recipient',
  'identity',
  'requirements',
];

/** The most pages that a search for a transfer or a reversal reads, of 100 each. */
const MAXIMUM_SEARCH_PAGES = 10;

/** How much earlier than by this machine's clock a transfer may have been made by Stripe's, in seconds. */
const CLOCK_SKEW_SECONDS = 3_600;

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

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

  /** Awaits a call to Stripe and parses its response. @throws PayoutProcessorUnavailable, PayoutRefusal */
  async function read<Shape extends z.ZodMiniType>(
    shape: Shape,
    call: Promise<unknown>,
  ): Promise<z.output<Shape>> {
    try {
      return parseResponse(shape, await call);
    } catch (error) {
      throw toProcessorError(error);
    }
  }

  /** As `read`, but null when Stripe has no such object. */
  async function find<Shape extends z.ZodMiniType>(
    shape: Shape,
    call: Promise<unknown>,
  ): Promise<z.output<Shape> | null> {
    try {
      return parseResponse(shape, await call);
    } catch (error) {
      if (isMissing(error)) return null;
      throw toProcessorError(error);
    }
  }

  /** Reads a list page by page until an item matches. @param list lists the page after an id */
  async function search<Item>(
    list: (after: string | null) => Promise<Page<Item>>,
    matches: (item: Item) => boolean,
  ): Promise<Item | null> {
    let cursor: string | null = null;
    for (let page = 0; page < MAXIMUM_SEARCH_PAGES; page += 1) {
      const { items, nextCursor }: Page<Item> = await list(cursor);
      const found = items.find(matches);
      if (found !== undefined) return found;
      if (nextCursor === null) return null;
      cursor = nextCursor;
    }
    // Reporting no match here could make the caller transfer the same money twice.
    throw new PayoutProcessorUnavailable(`The card processor lists more than ${MAXIMUM_SEARCH_PAGES} pages`);
  }

  function toPage<Item>(
    { data, has_more }: { data: Item[]; has_more: boolean },
    idOf: (item: Item) => string,
  ): Page<Item> {
    const last = data.at(-1);
    return { items: data, nextCursor: has_more && last !== undefined ? idOf(last) : null };
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
      const link = await read(
        shapes.AccountLink,
        stripe.v2.core.accountLinks.create({
          account: accountId,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: {
              return_url: returnUrl,
              refresh_url: refreshUrl,
            },
          },
        }),
      );
      return { url: link.url, expiresAt: new Date(link.expires_at) };
    },
    readAccount: (accountId) => find(Account, stripe.v2.core.accounts.retrieve(accountId, { include })),
    createTransfer: ({ accountId, amountCents, orderId, chargeId, reference, idempotencyKey }) =>
      read(
        shapes.Transfer,
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
    findTransfer: ({ accountId, reference, since }) =>
      search(
        async (cursor) =>
          toPage(
            await read(
              shapes.pageOf(shapes.Transfer),
              stripe.transfers.list({
                destination: accountId,
                created: { gte: toSeconds(since) - CLOCK_SKEW_SECONDS },
                limit: 100,
                ...after(cursor),
              }),
            ),
            ({ transferId }) => transferId,
          ),
        (transfer) => transfer.reference === reference,
      ),
    readTransfer: (transferId) => find(shapes.Transfer, stripe.transfers.retrieve(transferId)),
    reverseTransfer: ({ transferId, amountCents, reference, idempotencyKey }) =>
      read(
        shapes.Reversal,
        stripe.transfers.createReversal(
          transferId,
          { amount: toStripe(amountCents), metadata: { reference } },
          { idempotencyKey },
        ),
      ),
    findReversal: ({ transferId, reference }) =>
      search(
        async (cursor) =>
          toPage(
            await read(
              shapes.pageOf(shapes.Reversal),
              stripe.transfers.listReversals(transferId, { limit: 100, ...after(cursor) }),
            ),
            ({ reversalId }) => reversalId,
          ),
        (reversal) => reversal.reference === reference,
      ),
    readPayout: async ({ accountId, payoutId }) => {
      const payout = await find(
        shapes.Payout,
        stripe.payouts.retrieve(payoutId, {}, { stripeAccount: accountId }),
      );
      return payout && { ...payout, accountId };
    },
    listPayouts: async ({ accountId, cursor, limit }) => {
      const page = await read(
        shapes.pageOf(shapes.Payout),
        stripe.payouts.list({ limit, ...after(cursor) }, { stripeAccount: accountId }),
      );
      const { items, nextCursor } = toPage(page, ({ payoutId }) => payoutId);
      return { items: items.map((payout) => ({ ...payout, accountId })), nextCursor };
    },
    listBalanceTransactions: async ({ from, until, cursor, limit }) => {
      const page = await read(
        shapes.pageOf(shapes.BalanceTransaction),
        stripe.balanceTransactions.list({
          created: { gte: toSeconds(from), lt: toSeconds(until) },
          limit,
          expand: ['data.source'],
          ...after(cursor),
        }),
      );
      return toPage(page, ({ balanceTransactionId }) => balanceTransactionId);
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
      const intent = await find(
        shapes.IntentWithCharge,
        stripe.paymentIntents.retrieve(transactionId, { expand: ['latest_charge.balance_transaction'] }),
      );
      const charge = intent?.latest_charge;
      if (intent?.status !== 'succeeded' || !charge) return null;
      const { balance_transaction: movement } = charge;
      // Stripe creates it within moments of the payment.
      if (!movement)
        throw new PayoutProcessorUnavailable(`The charge ${charge.id} has no balance transaction`);
      return {
        chargeId: charge.id,
        balanceTransactionId: movement.id,
        amountCents: fromStripe(charge.amount),
        refundedCents: fromStripe(charge.amount_refunded),
        feeCents: fromStripe(movement.fee, movement.currency),
        currency: movement.currency,
        availableAt: movement.available_on,
      };
    },
  };
}
