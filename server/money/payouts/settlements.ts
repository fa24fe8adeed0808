import type { DueLines, NewSettlement } from '#contract/money/settlements.ts';
import type { AuditAction } from '#contract/people/audit.ts';
import { formatCents } from '#contract/platform/money.ts';
import type { PayoutAfter, ShopSettings } from '#contract/platform/shop-settings.ts';
import { payWaitingRefunds } from '#server/money/refunds/steps.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import type { Database, Row, Transaction } from '#server/platform/database/tables.ts';
import { JsonStream } from '#server/platform/http/json-stream.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type Caller, requireUninvolved } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { repaidByHandPosting, settledByHandPosting, writtenOffPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { settlementRecorded } from './notifications.ts';
import { balanceParts, csvHeader, payoutHoldSentence, type SoldOrder, toCsvLine } from './rules.ts';
import { openDebtCents } from './settlement-rules.ts';
import * as settlementStore from './settlement-store.ts';
import * as store from './store.ts';

const noSuchSeller = () => new Refusal('not_found', 'There is no such seller.');

/** A seller's sales, for an admin. @throws Refusal `not_found` */
export async function listSalesOf(
  database: Database,
  sellerId: string,
  payoutAfter: PayoutAfter,
  request: PageRequest,
): Promise<Page<SoldOrder>> {
  if ((await findUser(database, sellerId)) === undefined) throw noSuchSeller();
  return store.listSales(database, sellerId, payoutAfter, request);
}

/** Streams what can be paid to each seller now as lines of a CSV file. */
export function exportDue(database: Database, payoutAfter: PayoutAfter): JsonStream<DueLines> {
  async function* lines(): AsyncGenerator<string[]> {
    yield [csvHeader()];
    for await (const rows of store.streamDue(database, payoutAfter)) yield rows.map(toCsvLine);
  }
  return new JsonStream({ exportedAt: new Date().toISOString(), lines: lines() });
}

type Kind = Row<'settlements'>['kind'];

const postings = {
  paid: settledByHandPosting,
  repaid: repaidByHandPosting,
  written_off: writtenOffPosting,
} as const satisfies Record<Kind, unknown>;

const acts = {
  paid: 'Paid seller by hand',
  repaid: 'Recorded repayment',
  written_off: 'Wrote off debt',
} as const satisfies Record<Kind, AuditAction>;

/** Locks a seller's balance. @returns why an amount cannot be paid now; null when it can */
async function moreThanDue(
  transaction: Transaction,
  { sellerId, amount }: NewSettlement,
  name: string,
  payoutAfter: PayoutAfter,
): Promise<Refusal | null> {
  const { freeCents } = await store.lockBalance(transaction, sellerId, payoutAfter);
  const dueCents = Math.max(0, freeCents);
  if (amount <= dueCents) return null;
  const columns = await store.findBalance(transaction, sellerId, payoutAfter);
  const held = columns === undefined ? '' : payoutHoldSentence(balanceParts(columns, payoutAfter));
  return new Refusal(
    'more_than_due',
    `${formatCents(dueCents)} is due to ${name} now, so ${formatCents(amount)} was not recorded. ${held === '' ? 'Please look at the amount again.' : held}`,
  );
}

/** Locks a seller's balance. @returns why an amount is more than the seller owes; null when it is not */
async function moreThanOwed(
  transaction: Transaction,
  { sellerId, amount }: NewSettlement,
  name: string,
): Promise<Refusal | null> {
  const debt = await settlementStore.lockDebt(transaction, sellerId);
  const open = openDebtCents(debt);
  if (amount <= open) return null;
  const pending =
    debt.pendingCents === 0
      ? ''
      : ` Another ${formatCents(debt.pendingCents)} is being taken back from the seller’s account at the card processor.`;
  return new Refusal(
    'more_than_owed',
    `${name} owes ${formatCents(open)} now, so ${formatCents(amount)} was not recorded.${pending} Please look at the amount again.`,
  );
}

/**
 * Records that an admin paid a seller outside the shop, that a seller repaid a debt, or that the shop gives one up. The seller's balance
 * is locked, so that of two admins the second sees what the first one recorded. Refunds that waited for the seller's money are made as far
 * as a debt no longer covers them; after a write-off the shop bears them.
 * @returns the settlement's id @throws Refusal
 */
export async function recordSettlement(
  transaction: Transaction,
  { enqueue, shop }: { enqueue: Enqueue; shop: () => Pick<ShopSettings, 'payoutAfter'> },
  admin: Caller,
  given: NewSettlement,
): Promise<string> {
  const { kind, sellerId, amount: amountCents, note } = given;
  requireUninvolved(admin, sellerId);
  const seller = await findUser(transaction, sellerId);
  if (seller === undefined) throw noSuchSeller();
  const refusal =
    kind === 'paid'
      ? await moreThanDue(transaction, given, seller.name, shop().payoutAfter)
      : await moreThanOwed(transaction, given, seller.name);
  const id = await settlementStore.insertSettlement(transaction, {
    kind,
    seller_id: sellerId,
    admin_id: admin.userId,
    amount_cents: amountCents,
    ...(kind === 'written_off' ? { reason: note } : { reference: note }),
  });
  if (id === null) {
    const what = kind === 'paid' ? 'payment to' : 'repayment of';
    throw new Refusal(
      'reference_used',
      `A ${what} ${seller.name} with this reference is recorded already, so nothing was recorded now.`,
    );
  }
  if (refusal !== null) throw refusal;
  await post(transaction, postings[kind](id, { sellerId, amountCents }));
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: acts[kind],
    // It names no person, because entries are kept for ever.
    subject: `Seller ${sellerId}`,
    note: `${formatCents(amountCents)}${kind === 'written_off' ? ': ' : ', reference '}${note}`,
  });
  await enqueue(transaction, settlementRecorded, { id });
  if (kind !== 'paid') await payWaitingRefunds(transaction, enqueue, sellerId);
  return id;
}
