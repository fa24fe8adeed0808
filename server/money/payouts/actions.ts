import type * as z from 'zod/mini';
import type { NewBankPayment, SellerLines } from '#contract/money/settlements.ts';
import { formatCents } from '#contract/platform/money.ts';
import type { PayoutAfter, ShopSettings } from '#contract/platform/shop-settings.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Page, PageRequest } from '#server/platform/database/page.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { JsonStream } from '#server/platform/http/json-stream.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { settledByHandPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { settledByHand } from './notifications.ts';
import { balanceParts, csvHeader, holdSentence, type SellerDue, type SoldOrder, toCsvLine } from './rules.ts';
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

/** Streams sellers with an amount as lines of a CSV file. */
export function exportSellers(
  amount: 'Due' | 'Owed',
  batches: AsyncIterable<SellerDue[]>,
  centsOf: (row: SellerDue) => number,
): JsonStream<SellerLines> {
  async function* lines(): AsyncGenerator<string[]> {
    yield [csvHeader(amount)];
    for await (const rows of batches) yield rows.map((row) => toCsvLine(row, centsOf(row)));
  }
  return new JsonStream({ exportedAt: new Date().toISOString(), lines: lines() });
}

/**
 * Records that an admin paid a seller outside the shop, at most what can be paid now. The seller's balance is locked, so that of two admins the second
 * sees what the first one paid.
 * @returns the settlement's id @throws Refusal
 */
export async function settleByHand(
  transaction: Transaction,
  { enqueue, shop }: { enqueue: Enqueue; shop: () => Pick<ShopSettings, 'payoutAfter'> },
  admin: Caller,
  { sellerId, amount: amountCents, reference }: z.output<typeof NewBankPayment>,
): Promise<string> {
  const seller = await findUser(transaction, sellerId);
  if (seller === undefined) throw noSuchSeller();
  const { payoutAfter } = shop();
  const balance = await store.lockBalance(transaction, sellerId, payoutAfter);
  const dueCents = Math.max(0, balance.freeCents);
  const id = await store.insertSettlement(transaction, {
    seller_id: sellerId,
    admin_id: admin.userId,
    amount_cents: amountCents,
    reference,
  });
  if (id === null) {
    throw new Refusal(
      'reference_used',
      `A payment to ${seller.name} with this reference is recorded already, so nothing was recorded now.`,
    );
  }
  if (amountCents > dueCents) {
    const held = holdSentence(balanceParts(balance, payoutAfter));
    throw new Refusal(
      'more_than_due',
      `${formatCents(dueCents)} is due to ${seller.name} now, so ${formatCents(amountCents)} was not recorded. ${held === '' ? 'Please look at the amount again.' : held}`,
    );
  }
  await post(transaction, settledByHandPosting(id, { sellerId, amountCents }));
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: 'Paid seller by hand',
    // It names no person, because entries are kept for ever.
    subject: `Seller ${sellerId}`,
    note: `${formatCents(amountCents)}, reference ${reference}`,
  });
  await enqueue(transaction, settledByHand, { settlementId: id });
  return id;
}
