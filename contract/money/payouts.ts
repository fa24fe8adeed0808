import * as z from 'zod/mini';
import { orderStates } from '#contract/money/order-states.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { CurrencyName, Id, MoneyAmount, Paging } from '#contract/platform/scalars.ts';
import { payoutMethods, payoutTimes } from '#contract/platform/shop-settings.ts';

/** Released money that waits until nobody can complain any more. */
const Waiting = z.object({
  amount: MoneyAmount,
  /** When the first part of it is due, ISO 8601 in UTC. */
  from: z.string(),
});

/** Released money that is held back. */
export const Stopped = z.object({
  amount: MoneyAmount,
  /** Whether a bank disputes a payment of this seller, so that nothing is paid; else a complaint is open. */
  isDisputed: z.boolean(),
});

/** The totals of a seller's money. */
export const SellerMoney = z.object({
  currency: CurrencyName,
  /** What the seller gets of sales that are not released and not disputed, if nothing goes back to their buyers. */
  held: MoneyAmount,
  /** What the seller gets of sales that are not released and that a buyer's bank disputes, if the bank decides for the shop. */
  disputed: z.optional(MoneyAmount),
  /** Released, and paid when the time for complaints is over; absent when nothing waits. */
  waiting: z.optional(Waiting),
  /** Released, and held back until a complaint or a bank dispute has ended; absent when nothing is. */
  stopped: z.optional(Stopped),
  /** What insurances paid for parcels of sales that are not over, paid when they are; absent when nothing is. */
  unfinished: z.optional(MoneyAmount),
  /** Released, and to be paid out now. */
  due: MoneyAmount,
  /** Paid out so far. */
  paid: MoneyAmount,
  /** What the seller owes the shop, because money went back to a buyer after it was paid out. */
  owed: MoneyAmount,
  /** How to repay it; absent when nothing is owed. */
  repayment: z.optional(
    z.object({
      /** The shop's bank account; null when none is configured. */
      payTo: z.nullable(z.string()),
      /** What to write on the payment, so that the shop recognizes it. */
      reference: z.string(),
    }),
  ),
});
export type SellerMoney = z.infer<typeof SellerMoney>;

/**
 * How a seller's share of a sale stands:
 * - `held`: the shop holds it;
 * - `disputed`: the buyer's bank disputes the payment and decides whose it is;
 * - `waiting`: it is released and is paid out when the time for complaints is over, as far as `due` says;
 * - `stopped`: it is released and held back by a complaint or a bank dispute of another sale, as far as `due` says;
 * - `due`: it is released and will be paid out, as far as `due` says;
 * - `paid`: it was paid out, or set off against what the seller owed;
 * - `returned`: all of it went back to the buyer.
 */
export const saleStates = ['held', 'disputed', 'waiting', 'stopped', 'due', 'paid', 'returned'] as const;
export type SaleState = (typeof saleStates)[number];

/** A sale, broken down for its seller. */
export const Sale = z.object({
  /** The order's id. */
  _id: Id,
  productName: z.string(),
  /** ISO 8601 in UTC. */
  soldAt: z.string(),
  price: MoneyAmount,
  /** What went back to the buyer. */
  refunded: MoneyAmount,
  /** What the shop keeps. */
  commission: MoneyAmount,
  /** What the seller bears of the labels that the shop bought. */
  labels: MoneyAmount,
  /** What the insurance of a lost or damaged parcel paid, unless the seller can get the price instead. */
  insurance: MoneyAmount,
  /** `price` and `insurance`, less `refunded`, `commission` and `labels`; negative when the seller owes it. */
  proceeds: MoneyAmount,
  /** The part of the proceeds that is released and not paid out. */
  due: MoneyAmount,
  state: z.enum(saleStates),
  /** When the time for complaints is over, ISO 8601 in UTC; only of a `waiting` sale. */
  paidAfter: z.optional(z.string()),
  orderState: z.enum(orderStates),
});
export type Sale = z.infer<typeof Sale>;

export const readOwnMoney = endpoint({
  method: 'GET',
  path: '/myMoney',
  access: ['Seller'],
  summary: 'The totals of the calling seller’s money',
  response: SellerMoney,
});

export const listOwnSales = endpoint({
  method: 'GET',
  path: '/mySales',
  access: ['Seller'],
  summary: 'The calling seller’s sales, broken down, newest first',
  query: Paging,
  response: z.array(Sale),
});

/** What a seller is, by the card processor's names. It asks each for other information. */
export const payoutEntityTypes = ['individual', 'company', 'non_profit', 'government_entity'] as const;
export type PayoutEntityType = (typeof payoutEntityTypes)[number];

/** Information that the card processor needs about a seller. */
export const PayoutRequirement = z.object({
  /** In words, such as `A bank account`. */
  text: z.string(),
  due: z.enum(['overdue', 'now', 'later']),
  waitsFor: z.enum(['seller', 'processor']),
  /** What is wrong with the information that was given. */
  problems: z.readonly(z.array(z.string())),
});
export type PayoutRequirement = z.infer<typeof PayoutRequirement>;

/** How a seller is paid. */
export const PayoutAccount = z.object({
  /** `by_hand`: from the shop's bank account. `card_processor`: by transfers to the seller's account there. */
  method: z.enum(payoutMethods),
  state: z.enum(['none', 'creating', 'active', 'pending', 'restricted', 'unsupported', 'closed', 'refused']),
  /** ISO 3166-1 alpha-2; null without an account. */
  country: z.nullable(z.string()),
  /** Why the account is closed or refused, in words; else empty. */
  problem: z.string(),
  requirements: z.readonly(z.array(PayoutRequirement)),
  /** The latest payout to the seller's bank, if it failed. */
  failedPayout: z.nullable(z.object({ amount: MoneyAmount, reason: z.string(), at: z.string() })),
  /** Why a transfer is refused at present, in words; null when none is. */
  refusedTransfer: z.nullable(z.string()),
  /** Until when nothing is transferred, because the bank account may have been changed: ISO 8601 in UTC; else null. */
  transfersPausedUntil: z.nullable(z.string()),
});
export type PayoutAccount = z.infer<typeof PayoutAccount>;

/** Whether a seller has to open the account, or to complete it, before anything can be paid to it. */
export const isAccountMissing = (state: PayoutAccount['state']): boolean =>
  ['none', 'creating', 'restricted', 'closed', 'refused'].includes(state);

/** How and when a seller is paid. */
export const PayoutMethod = z.extend(PayoutAccount, { payoutAfter: z.enum(payoutTimes) });
export type PayoutMethod = z.infer<typeof PayoutMethod>;

export const readPayoutAccount = endpoint({
  method: 'GET',
  path: '/myPayoutAccount',
  access: ['Seller'],
  summary: 'How and when the calling seller is paid',
  response: PayoutMethod,
});

export const refreshPayoutAccount = endpoint({
  method: 'PUT',
  path: '/myPayoutAccount',
  access: ['Seller'],
  summary: 'Asks the card processor for the state of the calling seller’s account',
  response: PayoutMethod,
  refusals: ['not_found', 'card_processor_unavailable'],
  limit: 'payout',
});

export const startOnboarding = endpoint({
  method: 'POST',
  path: '/myPayoutAccount/onboarding',
  access: ['Seller'],
  summary:
    'Creates a link to the card processor’s page where the seller provides information, and can change the bank account. Of a seller who could be paid before, transfers wait for 72 hours from then on',
  // Whoever opens that page decides where the money goes.
  needsRecentAuthentication: true,
  body: z.object({
    /** The country of the seller's bank account; of an account that exists it stays. */
    country: z
      .string({ error: 'Choose your country' })
      .check(z.regex(/^[A-Z]{2}$/, { error: 'Choose your country' })),
    /** What the seller is; of an account that exists it stays. */
    entityType: z._default(
      z.enum(payoutEntityTypes, { error: 'Choose whether you sell as a person or an organization' }),
      'individual',
    ),
  }),
  response: z.object({ url: z.string() }),
  refusals: ['not_found', 'payout_account_refused', 'card_processor_unavailable'],
  limit: 'payout',
});
