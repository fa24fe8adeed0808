import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { amountHint, centsFromText, currency } from '#contract/platform/money.ts';
import { Id, Inserted, line, MoneyAmount, Paging, text } from '#contract/platform/scalars.ts';
import { Sale, Stopped } from './payouts.ts';

/** A seller to whom the shop owes money of released sales. */
export const AmountDue = z.object({
  /** The seller's id. */
  _id: Id,
  sellerName: z.string(),
  sellerEmail: z.string(),
  /** Whether the account has ended: then nothing is transferred automatically. */
  hasEnded: z.boolean(),
  /** What can be paid now. */
  due: MoneyAmount,
  /** What is paid when the time for complaints is over; absent when nothing waits. */
  waiting: z.optional(MoneyAmount),
  /** What a complaint or a bank dispute holds back; absent when nothing is. */
  stopped: z.optional(Stopped),
  /** What insurances paid for parcels of sales that are not over, paid when they are; absent when nothing is. */
  unfinished: z.optional(MoneyAmount),
});
export type AmountDue = z.infer<typeof AmountDue>;

export const listAmountsDue = endpoint({
  method: 'GET',
  path: '/amountsDue',
  access: ['Admin'],
  rights: ['money'],
  summary: 'The sellers to whom the shop owes money, the largest amount that can be paid now first',
  query: Paging,
  response: z.array(AmountDue),
});

export const listSalesOfSeller = endpoint({
  method: 'GET',
  path: '/amountsDue/:_id/sales',
  access: ['Admin'],
  rights: ['money'],
  summary: 'A seller’s sales, broken down, newest first',
  params: z.object({ _id: Id }),
  query: Paging,
  response: z.array(Sale),
  refusals: ['not_found'],
});

/** Lines of a CSV file (RFC 4180). */
const DueLines = z.object({
  /** ISO 8601 in UTC. */
  exportedAt: z.string(),
  /** Without line ends; the first line names the columns. */
  lines: z.array(z.string()),
});
export type DueLines = z.infer<typeof DueLines>;

export const exportAmountsDue = endpoint({
  method: 'GET',
  path: '/amountsDue/export',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'What can be paid to each seller now, as lines of a CSV file (RFC 4180). Texts that a spreadsheet would calculate begin with an apostrophe',
  response: DueLines,
  limit: 'export',
});

const notAnAmount = () => `An amount is ${amountHint()}`;
/** The largest settlement in maximum prices, to catch typing mistakes. */
const MAXIMUM_SETTLEMENT_PRICES = 20;

/** An amount as a number or as decimal text, parsed to integer cents. */
const Amount = z.pipe(
  z.union([z.number(), z.string().check(z.maxLength(20, { error: notAnAmount }))], { error: notAnAmount }),
  z.transform((given: number | string, context) => {
    const cents = centsFromText(String(given).trim());
    if (cents !== null && cents > 0 && cents <= MAXIMUM_SETTLEMENT_PRICES * currency.mostCents) return cents;
    context.issues.push({ code: 'custom', input: given, message: notAnAmount() });
    return z.NEVER;
  }),
);

const settlement = { sellerId: Id, amount: Amount };

/** What an admin records: a payment outside the shop to a seller, or back, or a part of a debt that the shop gives up. */
export const NewSettlement = z.discriminatedUnion(
  'kind',
  [
    z.object({
      ...settlement,
      kind: z.enum(['paid', 'repaid']),
      /** The bank's reference, by which the seller and the shop find the payment. */
      note: line(100, 'Enter the reference of the payment'),
    }),
    z.object({
      ...settlement,
      kind: z.literal('written_off'),
      /** The reason. */
      note: text(500, 'Say why the shop gives this up'),
    }),
  ],
  { error: 'Say whether it is paid, repaid or written_off' },
);
export type NewSettlement = z.infer<typeof NewSettlement>;

export const recordSettlement = endpoint({
  method: 'POST',
  path: '/settlements',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Marks an amount that is due to a seller as paid, records that a seller repaid one to the shop’s bank account, or gives one up that a seller owes',
  needsRecentAuthentication: true,
  body: NewSettlement,
  response: Inserted,
  refusals: ['not_found', 'more_than_due', 'more_than_owed', 'reference_used'],
  idempotencyKey: true,
  changes: ['amountsDue', 'debts'],
});

/** What an admin recorded. */
export const Settlement = z.object({
  _id: Id,
  kind: z.enum(['paid', 'repaid', 'written_off']),
  sellerName: z.string(),
  sellerEmail: z.string(),
  amount: MoneyAmount,
  /** The bank's reference, or the reason of a write-off. */
  note: z.string(),
  adminName: z.string(),
  /** ISO 8601 in UTC. */
  at: z.string(),
});
export type Settlement = z.infer<typeof Settlement>;

export const listSettlements = endpoint({
  method: 'GET',
  path: '/settlements',
  access: ['Admin'],
  rights: ['money'],
  summary: 'The payments to sellers, repayments and write-offs that admins recorded, newest first',
  query: Paging,
  response: z.array(Settlement),
});

/** A seller who owes the shop money. */
export const Debt = z.object({
  /** The seller's id. */
  _id: Id,
  sellerName: z.string(),
  sellerEmail: z.string(),
  owed: MoneyAmount,
});
export type Debt = z.infer<typeof Debt>;

export const listDebts = endpoint({
  method: 'GET',
  path: '/debts',
  access: ['Admin'],
  rights: ['money'],
  summary: 'The sellers who owe the shop money, the largest debt first',
  query: Paging,
  response: z.array(Debt),
});
