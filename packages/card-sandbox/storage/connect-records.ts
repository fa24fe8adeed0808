// The records of connected accounts and of balances.

import type Stripe from 'stripe';
import { z } from 'zod';
import { inStripesFormat, metadata, record, seconds } from './record.ts';

const requirement = z.object({
  /** Stripe's path of the information, such as `identity.individual.email`. */
  path: z.string(),
  deadline: z.enum(['past_due', 'currently_due', 'eventually_due']),
  awaiting: z.enum(['user', 'stripe']),
  /** Why the information that was given does not suffice. */
  error: z.object({ code: z.string(), description: z.string() }).nullable(),
});

/** Information that an account lacks. */
export type Requirement = z.infer<typeof requirement>;

const capability = z.object({
  status: z.enum(['active', 'pending', 'rejected', 'restricted', 'unsupported']),
  /** Why it is not active. */
  detail: z.object({ code: z.string(), resolution: z.string() }).nullable(),
});

/** The capability to receive transfers, or to pay the balance out. */
export type Capability = z.infer<typeof capability>;

/** A connected account. */
export const account = record.extend({
  kind: z.literal('account'),
  contact:
    inStripesFormat<
      Pick<Stripe.V2.Core.Account, 'contact_email' | 'dashboard' | 'display_name' | 'metadata'>
    >(),
  /** The country is that of ISO 3166-1 alpha-2 in lower case. */
  identity: inStripesFormat<Stripe.V2.Core.Account.Identity & { country: string }>(),
  transfers: capability,
  payouts: capability,
  requirements: z.array(requirement),
  /** The number of its bank account; null until one is chosen, or after a payout to it has failed. */
  bankAccount: z.string().nullable(),
  closed: z.boolean(),
  /** When its balance is paid out, in milliseconds since 1970; null when there is nothing to pay out. */
  payoutDueAt: z.number().nullable(),
});

export const accountLink = z.object({
  kind: z.literal('accountLink'),
  /** The secret part of its URL. */
  id: z.string(),
  created: seconds,
  account: z.string(),
  expiresAt: seconds,
  returnUrl: z.string().nullable(),
  refreshUrl: z.string(),
  /** The secret of the visit that opened the link; null until it is opened. */
  visit: z.string().nullable(),
  completed: z.boolean(),
});

export const transfer = record.extend({
  kind: z.literal('transfer'),
  amount: z.int(),
  amountReversed: z.int(),
  currency: z.string(),
  destination: z.string(),
  /** The charge that the money comes from; null for the available balance. */
  sourceTransaction: z.string().nullable(),
  transferGroup: z.string().nullable(),
  description: z.string().nullable(),
  metadata,
});

export const reversal = record.extend({
  kind: z.literal('reversal'),
  transfer: z.string(),
  amount: z.int(),
  currency: z.string(),
  metadata,
});

export const payout = record.extend({
  kind: z.literal('payout'),
  /** The connected account; null for the platform. */
  account: z.string().nullable(),
  amount: z.int(),
  currency: z.string(),
  bankAccount: z.string(),
  /** Whether the schedule made it. */
  automatic: z.boolean(),
  status: z.enum(['pending', 'paid', 'failed']),
  failureCode: z.string().nullable(),
  /** When its status changes next, in milliseconds since 1970; null once it is final. */
  dueAt: z.number().nullable(),
});

/** A balance transaction of the platform or of a connected account. */
export const movement = record.extend({
  kind: z.literal('movement'),
  /** The connected account; null for the platform. */
  account: z.string().nullable(),
  amount: z.int(),
  fee: z.int(),
  currency: z.string(),
  type: z.string(),
  reportingCategory: z.string(),
  /** The id of the charge, refund, dispute, transfer, reversal, payout or top-up; null for what Stripe itself moves. */
  source: z.string().nullable(),
  description: z.string().nullable(),
  availableOn: seconds,
  /** How many units of its currency one unit of the payment's is worth; null without a conversion. */
  exchangeRate: z.number().nullable(),
});

/** The platform's account, one record. */
export const platform = record.extend({
  kind: z.literal('platform'),
  /** The currency in which payments in others are settled, and its rate; a null rate: each is settled in its own currency. */
  currency: z.string(),
  exchangeRate: z.number().nullable(),
  /** When its balance is paid out, in milliseconds since 1970; null when there is nothing to pay out. */
  payoutDueAt: z.number().nullable(),
});

/** The balance settings of an account, whose id is theirs, or of the platform. */
export const balanceSettings = record.extend({
  kind: z.literal('balanceSettings'),
  interval: z.enum(['daily', 'manual', 'weekly']),
  weeklyPayoutDays: z.array(z.string()),
  minimumBalances: z.record(z.string(), z.int()),
});
