import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { CurrencyName, Id, Modified, MoneyAmount, Paging, text } from '#contract/platform/scalars.ts';

/**
 * What a receipt is about:
 * - `sale`: a buyer paid for a laptop; `sale_credit`: the buyer got money back;
 * - `commission`: the shop charged a seller; `commission_credit`: the seller got a part of the commission back.
 */
export const receiptKinds = ['sale', 'sale_credit', 'commission', 'commission_credit'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/** A receipt's number: the year, and the place within it. */
export const ReceiptNumber = z
  .string({ error: 'This is not the number of a receipt' })
  .check(z.regex(/^[0-9]{4}-[0-9]{6,9}$/, { error: 'This is not the number of a receipt' }));

/** A day in the shop's time zone, such as `2026-11-30`. */
const ShopDay = z.string();

/** A receipt in a list. */
export const ReceiptEntry = z.object({
  number: ReceiptNumber,
  kind: z.enum(receiptKinds),
  /** ISO 8601 in UTC. */
  issuedAt: z.string(),
  /** The printed date, in the time zone of the number's year. */
  date: ShopDay,
  orderId: Id,
  productName: z.string(),
  amount: MoneyAmount,
});
export type ReceiptEntry = z.infer<typeof ReceiptEntry>;

/** What a receipt says about the shop. Null for what the settings did not have when it was issued. */
export const ShopIdentity = z.object({
  name: z.string(),
  legalName: z.nullable(z.string()),
  address: z.nullable(z.string()),
  registerNumber: z.nullable(z.string()),
  taxId: z.nullable(z.string()),
});
export type ShopIdentity = z.infer<typeof ShopIdentity>;

/** A receipt to print. */
export const Receipt = z.extend(ReceiptEntry, {
  currency: CurrencyName,
  recipientName: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  transactionId: z.string(),
  issuer: ShopIdentity,
  /** The receipt that a credit note corrects; null on others. */
  corrects: z.nullable(ReceiptNumber),
  /** The tax that is included in the amount; null when none is stated. */
  tax: z.nullable(z.object({ name: z.string(), percent: z.number(), amount: MoneyAmount })),
  /** What the shop says about the tax of the sale; null for nothing. */
  taxNote: z.nullable(z.string()),
});
export type Receipt = z.infer<typeof Receipt>;

export const listReceipts = endpoint({
  method: 'GET',
  path: '/receipts',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'The caller’s receipts and credit notes, newest first',
  query: Paging,
  response: z.array(ReceiptEntry),
});

export const readReceipt = endpoint({
  method: 'GET',
  path: '/receipts/:number',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'A receipt of the caller; for admins any',
  params: z.object({ number: ReceiptNumber }),
  response: Receipt,
  refusals: ['not_found'],
});

/** A day of a request, such as `2026-11-30`. */
const Day = z.iso
  .date({ error: 'A day is a date, such as 2026-11-30' })
  .check(z.startsWith('20', { error: 'A day is from 2000 to 2099' }));

const isInOrder = ({ from, until }: { from: string; until: string }) => from <= until;
const endsTooEarly = { error: 'The period ends before it begins', path: ['until'] };

/** The first and the last day of a period, in the shop's time zone. */
export const Period = z.object({ from: Day, until: Day }).check(z.refine(isInOrder, endsTooEarly));
export type Period = z.infer<typeof Period>;

/** A receipt in the list of a period. */
export const IssuedReceipt = z.extend(ReceiptEntry, { recipientName: z.string() });
export type IssuedReceipt = z.infer<typeof IssuedReceipt>;

export const listAllReceipts = endpoint({
  method: 'GET',
  path: '/allReceipts',
  access: ['Admin'],
  rights: ['money'],
  summary: 'The receipts and credit notes of a period, newest first',
  query: z.extend(Paging, { from: Day, until: Day }).check(z.refine(isInOrder, endsTooEarly)),
  response: z.array(IssuedReceipt),
});

/** The files for an accountant: the entries of the ledger, the receipts and credit notes, and the fees of the card processor. */
export const accountFiles = ['journal', 'receipts', 'fees'] as const;
export type AccountFile = (typeof accountFiles)[number];

export const exportAccounts = endpoint({
  method: 'GET',
  path: '/accounts/:file',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'The journal, the receipts or the fees of a period, oldest first, as lines of a CSV file (RFC 4180) without line ends. The first line names the columns, the last has the sums. Texts that a spreadsheet would calculate begin with an apostrophe',
  params: z.object({ file: z.enum(accountFiles) }),
  query: Period,
  response: z.object({ lines: z.array(z.string()) }),
  limit: 'export',
});

/** What changed the amount that the shop owes a seller. */
export const statementKinds = [
  'release',
  'refund_decided',
  'dispute_lost',
  'dispute_reinstated',
  'transfer',
  'transfer_reversed',
  'settled_by_hand',
  'repaid_by_hand',
  'written_off',
  'goodwill',
  'label_charged',
  'insurance_paid',
  'insurance_returned',
  'correction',
] as const;
export type StatementKind = (typeof statementKinds)[number];

/** An amount in cents; negative when it is the shop's. */
const SignedCents = z.int();

export const StatementLine = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** The day of `at`. */
  date: ShopDay,
  kind: z.enum(statementKinds),
  orderId: z.nullable(Id),
  productName: z.nullable(z.string()),
  /** What the line adds to what the shop owes the seller. */
  cents: SignedCents,
});
export type StatementLine = z.infer<typeof StatementLine>;

export const Statement = z.object({
  month: z.string(),
  /** The shop's time zone, by which the month and its days are counted, such as `Europe/Lisbon`. */
  timeZone: z.string(),
  currency: CurrencyName,
  /** What the shop owed the seller when the month began. */
  openingCents: SignedCents,
  lines: z.array(StatementLine),
  /** What it owed when the month ended, or now. */
  closingCents: SignedCents,
});
export type Statement = z.infer<typeof Statement>;

export const readStatement = endpoint({
  method: 'GET',
  path: '/statement',
  access: ['Seller'],
  summary: 'What the shop owed the calling seller in a month, and each change of it',
  query: z.object({
    /** In the shop's time zone, such as `2026-11`. */
    month: z.string({ error: 'A month is a year and a month, such as 2026-11' }).check(
      z.regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/, {
        error: 'A month is a year and a month, such as 2026-11',
      }),
    ),
  }),
  response: Statement,
  limit: 'export',
});

/**
 * The kinds of movements at the card processor that can differ from the ledger. `other`: anything else, such as a payout to the shop's
 * bank account or an unknown movement.
 */
export const comparedMovements = [
  'payment',
  'refund',
  'dispute',
  'transfer',
  'transfer_reversal',
  'other',
] as const;

/**
 * How the ledger and the card processor differ: only the card processor has a movement, only the ledger has it, or the amounts
 * are different. `unknown_movement`: the shop does not know this kind of movement;
 * `other_currency`: it is not in the shop's currency, and not in the ledger.
 */
export const differenceKinds = [
  'missing_in_ledger',
  'missing_at_processor',
  'wrong_amount',
  'unknown_movement',
  'other_currency',
] as const;

export const LedgerDifference = z.object({
  _id: Id,
  kind: z.enum(differenceKinds),
  movement: z.enum(comparedMovements),
  /**
   * The card processor's id: of the payment for payments, refunds and disputes, of the transfer for transfers and reversals, else of
   * the movement.
   */
  reference: z.string(),
  /** What the ledger has. */
  ledgerCents: SignedCents,
  /** What the card processor has; of another currency in that currency's cents. */
  processorCents: SignedCents,
  /** The card processor's name of an unknown movement, or the currency of one in another currency; else empty. */
  detail: z.string(),
  /** ISO 8601 in UTC. */
  foundAt: z.string(),
});
export type LedgerDifference = z.infer<typeof LedgerDifference>;

/**
 * What an admin says about an unknown movement:
 * - `fee`: a fee or a tax of the card processor;
 * - `own_money`: the shop's own money, such as a top-up or an income that has nothing to do with sales;
 * - `reserve`: the card processor holds it back, or released it;
 * - `seller_loss`: the card processor took what a seller's account there owed, and nobody pays it back;
 * - `other_currency`: money in another currency, which stays outside of the ledger. The only one for such a movement;
 * - `shop_loss`: the shop bears a refund that nothing explains, or its loss is made good by the money of a lost dispute that came back;
 * - `paid_by_hand`: such money was passed on from the shop's bank account to whom it belongs, or paid back to it. These two are for
 *   refunds and disputes, and no others are.
 */
export const movementExplanations = [
  'fee',
  'own_money',
  'reserve',
  'seller_loss',
  'other_currency',
  'shop_loss',
  'paid_by_hand',
] as const;
export type MovementExplanation = (typeof movementExplanations)[number];

/** What an admin can say about a difference; nothing when it is not one to be explained. */
export function explanationsFor({
  kind,
  movement,
}: Pick<LedgerDifference, 'kind' | 'movement'>): readonly MovementExplanation[] {
  if (kind === 'other_currency') return ['other_currency'];
  if (movement === 'other') return ['fee', 'own_money', 'reserve', 'seller_loss'];
  if (movement === 'transfer') return kind === 'missing_in_ledger' ? ['own_money', 'seller_loss'] : [];
  return kind === 'unknown_movement' ? ['shop_loss', 'paid_by_hand'] : [];
}

export const explainMovement = endpoint({
  method: 'PUT',
  path: '/ledgerDifferences/:_id/explanation',
  access: ['Admin'],
  rights: ['money'],
  summary: 'Explains a movement that the shop does not know, posts it, and closes its difference',
  params: z.object({ _id: Id }),
  body: z.object({
    explanation: z.enum(movementExplanations, { error: 'Choose what it was' }),
    note: text(500, 'Say how you know it'),
  }),
  response: Modified,
  refusals: ['not_found', 'changed_elsewhere'],
  changes: ['shopMoney'],
});

/** The shop's money of a month, in cents. */
export const MoneyMonth = z.object({
  /** In the shop's time zone, such as `2026-11`. */
  month: z.string(),
  salesCents: SignedCents,
  refundsCents: SignedCents,
  commissionCents: SignedCents,
  feesCents: SignedCents,
  paidOutCents: SignedCents,
});
export type MoneyMonth = z.infer<typeof MoneyMonth>;

export const ShopMoney = z.object({
  currency: CurrencyName,
  /** Of orders that are not released. */
  heldCents: SignedCents,
  /** Owed to sellers and not paid out. Debts of other sellers do not lower it. */
  dueCents: SignedCents,
  /** Owed to the shop by sellers. */
  owedCents: SignedCents,
  /** Credited to sellers so far. */
  releasedCents: SignedCents,
  /** Paid out to sellers so far. */
  paidOutCents: SignedCents,
  /** Refunds that are decided and not made. */
  refundsDueCents: SignedCents,
  /** Withdrawn by banks until they decide. */
  disputedCents: SignedCents,
  commissionCents: SignedCents,
  feesCents: SignedCents,
  lostDisputesCents: SignedCents,
  /** What the shop gave to buyers of its own. */
  goodwillCents: SignedCents,
  /** Labels and insurance of parcels that the shop bears. */
  shippingCents: SignedCents,
  /** Labels that sellers bear, of orders that are not over. */
  labelAdvancesCents: SignedCents,
  /** Owed to carriers. */
  carrierPayableCents: SignedCents,
  /** Debts of sellers that the shop gave up. */
  writtenOffCents: SignedCents,
  /** Held back by the card processor. */
  reservedCents: SignedCents,
  /** Movements at the card processor that no admin has explained yet. */
  suspenseCents: SignedCents,
  /** The balance at the card processor according to the ledger. */
  processorCents: SignedCents,
  openComplaints: z.int(),
  openDisputes: z.int(),
  /** The last twelve months with movements, oldest first. */
  months: z.array(MoneyMonth),
  /** When the ledger was last compared with the card processor, ISO 8601 in UTC; null for never. */
  comparedAt: z.nullable(z.string()),
  /** The newest open differences. */
  differences: z.array(LedgerDifference),
  openDifferences: z.int(),
});
export type ShopMoney = z.infer<typeof ShopMoney>;

export const readShopMoney = endpoint({
  method: 'GET',
  path: '/shopMoney',
  access: ['Admin'],
  rights: ['money'],
  summary: 'The shop’s balances, its last twelve months, and the differences from the card processor',
  response: ShopMoney,
});
