// Schemas of Stripe Connect's objects, reduced to the fields that the shop uses.
import * as z from 'zod/mini';
import type { BalanceTransaction as Movement } from '#server/money/accounting/balance-reader.ts';
import type { BankPayout, MadeTransfer } from '#server/money/payouts/payout-processor.ts';
import { fromStripe } from './stripe-amounts.ts';
import { Cents, Name, Reference } from './stripe-shapes.ts';

/** What an operator moves, or many sales together: it can exceed any price, and one such item must not spoil its page. */
const Total = z.int().check(z.minimum(0));
/** Seconds since 1970, up to the year 9999. */
const Seconds = z.pipe(
  z.int().check(z.minimum(0), z.maximum(253_402_300_799)),
  z.transform((seconds) => new Date(seconds * 1000)),
);
/** A link to the hosted onboarding. */
export const AccountLink = z.object({ url: z.url() });

/** What of a transfer was reversed, in cents of the shop. */
export const ReversedCents = z.pipe(
  z.object({ amount_reversed: Total, currency: z.string() }),
  z.transform(({ amount_reversed, currency }) => fromStripe(amount_reversed, currency)),
);

const payoutStatuses: Readonly<Record<string, BankPayout['status']>> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'failed',
};

/** A payout of a connected account, without the account, which Stripe does not repeat. */
export const Payout = z.pipe(
  z.object({
    id: Name,
    amount: Total,
    currency: z.string(),
    status: z.string(),
    failure_code: z.nullish(Name),
    failure_message: z.nullish(z.string()),
    destination: Reference,
    arrival_date: Seconds,
    created: Seconds,
  }),
  z.transform((payout): Omit<BankPayout, 'accountId'> => {
    const status = payoutStatuses[payout.status] ?? 'under_way';
    return {
      payoutId: payout.id,
      amountCents: fromStripe(payout.amount, payout.currency),
      status,
      failureCode: status === 'failed' ? (payout.failure_code ?? payout.status) : null,
      failureText: status === 'failed' ? (payout.failure_message?.slice(0, 500) ?? null) : null,
      destination: payout.destination,
      arrivesAt: payout.arrival_date,
      createdAt: payout.created,
    };
  }),
);

/**
 * Stripe's reporting categories of movements (docs.stripe.com/reports/reporting-categories). The type of a movement is not precise
 * enough: a dispute is an `adjustment`. A category that is not here is `other`, which an admin has to explain:
 * - `connect_collection_transfer`: Stripe covers the negative balance of a seller's account from the shop's. Whether that is a
 *   loss or the seller still pays is not known here.
 * - `other_adjustment`, `platform_earning`, `charge_failure`, Climate, Capital, Issuing and what Stripe may add: the shop uses none.
 */
const movementTypes: Readonly<Record<string, Movement['type']>> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failure',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  transfer: 'transfer',
  transfer_reversal: 'transfer_reversal',
  payout: 'payout',
  payout_reversal: 'payout_failure',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  topup: 'top_up',
  topup_reversal: 'top_up',
  connect_reserved_funds: 'reserve',
  risk_reserved_funds: 'reserve',
  payout_minimum_balance_hold: 'reserve',
  payout_minimum_balance_release: 'reserve',
};

/** A movement of the shop's balance, with its source expanded. */
export const BalanceTransaction = z.pipe(
  z.object({
    id: Name,
    amount: z.int(),
    fee: z.int(),
    currency: z.string(),
    reporting_category: z.string(),
    source: z.nullish(
      z.union([Name, z.object({ id: Name, payment_intent: Reference, transfer: Reference })]),
    ),
    created: Seconds,
  }),
  z.transform((movement): Movement => {
    const { source } = movement;
    const expanded = typeof source === 'object' ? source : null;
    return {
      balanceTransactionId: movement.id,
      type: movementTypes[movement.reporting_category] ?? 'other',
      category: movement.reporting_category,
      amountCents: fromStripe(movement.amount, movement.currency),
      feeCents: fromStripe(movement.fee, movement.currency),
      currency: movement.currency,
      sourceId: typeof source === 'string' ? source : (expanded?.id ?? null),
      transactionId: expanded?.payment_intent ?? null,
      // A charge with a destination has a transfer as well.
      transferId: movement.reporting_category === 'transfer_reversal' ? (expanded?.transfer ?? null) : null,
      createdAt: movement.created,
    };
  }),
);

/** What the shop's account pays out to its bank, and when. */
export const BalanceSettings = z.object({
  payments: z.object({
    payouts: z.nullish(
      z.object({
        minimum_balance_by_currency: z.nullish(z.record(z.string(), z.int())),
        schedule: z.nullish(z.object({ interval: z.nullish(z.string()) })),
      }),
    ),
  }),
});

const Amounts = z.array(z.object({ amount: z.int(), currency: z.string() }));

/** The balance of the shop's account, by currency. */
export const Balance = z.object({ available: Amounts, pending: Amounts });

/** A page of a list. */
export const pageOf = <Shape extends z.ZodMiniType>(shape: Shape) =>
  z.object({ data: z.array(shape), has_more: z.boolean() });

/** A page of objects that the shop names, such as transfers. */
export const ReferencedPage = pageOf(
  z.object({ id: Name, metadata: z.nullish(z.object({ reference: z.optional(z.string()) })) }),
);

/** An intent, with its charge expanded. */
export const IntentWithCharge = z.object({
  status: z.string(),
  latest_charge: z.nullish(z.object({ id: Name, amount_refunded: Cents, transfer_group: z.nullish(Name) })),
});

/** A transfer to a seller's account. */
export const Transfer = z.pipe(
  z.object({ id: Name, amount: Total, currency: z.string(), destination: Name, created: Seconds }),
  z.transform(
    ({ id, amount, currency, destination, created }): MadeTransfer => ({
      transferId: id,
      accountId: destination,
      amountCents: fromStripe(amount, currency),
      madeAt: created,
    }),
  ),
);
