import type * as z from 'zod/mini';
import type { NewBankPayment, NewWriteOff, OwnDebt } from '#contract/money/settlements.ts';
import { amountFromCents, formatCents } from '#contract/platform/money.ts';
import { payWaitingRefunds } from '#server/money/refunds/steps.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type Posting, repaidByHandPosting, writtenOffPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { openDebtCents, repaymentReference, type SellerDebt } from './debt-rules.ts';
import * as store from './debt-store.ts';
import { debtSettled } from './notifications.ts';

/** What a seller owes the shop, and how to repay it. @param bankAccount the shop's, empty for none */
export async function readOwnDebt(reader: Reader, sellerId: string, bankAccount: string): Promise<OwnDebt> {
  return {
    owed: amountFromCents(await store.owedCents(reader, sellerId)),
    payTo: bankAccount || null,
    reference: repaymentReference(sellerId),
  };
}

/** Why an amount is more than a seller owes; null when it is not. */
function moreThanOwed(name: string, debt: SellerDebt, amountCents: number): Refusal | null {
  const open = openDebtCents(debt);
  if (amountCents <= open) return null;
  const pending =
    debt.pendingCents === 0
      ? ''
      : ` Another ${formatCents(debt.pendingCents)} is being taken back from the seller’s account at the card processor.`;
  return new Refusal(
    'more_than_owed',
    `${name} owes ${formatCents(open)} now, so ${formatCents(amountCents)} was not recorded.${pending} Please look at the amount again.`,
  );
}

/** Locks what a seller owes. @returns the seller's name and debt @throws Refusal */
async function lockDebtOf(transaction: Transaction, sellerId: string) {
  const seller = await findUser(transaction, sellerId);
  if (seller === undefined) throw new Refusal('not_found', 'There is no such seller.');
  return { name: seller.name, debt: await store.lockDebt(transaction, sellerId) };
}

/**
 * Posts and audits what lowers a seller's debt, in the transaction that records it, and notifies the seller. Refunds that waited for
 * the seller's money are made as far as the debt no longer covers them; after a write-off the shop bears them.
 */
async function reduceDebt(
  transaction: Transaction,
  enqueue: Enqueue,
  {
    id,
    sellerId,
    posting,
    audit,
  }: { id: string; sellerId: string; posting: Posting; audit: Parameters<typeof recordAudit>[1] },
): Promise<void> {
  await post(transaction, posting);
  await recordAudit(transaction, audit);
  await enqueue(transaction, debtSettled, { id });
  await payWaitingRefunds(transaction, enqueue, sellerId);
}

/**
 * Records that a seller repaid an amount to the shop's bank account. The seller's balance is locked, so that of two admins the second
 * sees what the first one recorded.
 * @returns the id of the repayment @throws Refusal
 */
export async function recordRepayment(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  { sellerId, amount: amountCents, reference }: z.output<typeof NewBankPayment>,
): Promise<string> {
  const { name, debt } = await lockDebtOf(transaction, sellerId);
  const id = await store.insertDebtSettlement(transaction, {
    kind: 'repaid',
    seller_id: sellerId,
    admin_id: admin.userId,
    amount_cents: amountCents,
    reference,
    reason: null,
  });
  if (id === null) {
    throw new Refusal(
      'reference_used',
      `A repayment of ${name} with this reference is recorded already, so nothing was recorded now.`,
    );
  }
  const objection = moreThanOwed(name, debt, amountCents);
  if (objection !== null) throw objection;
  await reduceDebt(transaction, enqueue, {
    id,
    sellerId,
    posting: repaidByHandPosting(id, { sellerId, amountCents }),
    audit: {
      adminId: admin.userId,
      act: 'Recorded repayment',
      // It names no person, because entries are kept for ever.
      subject: `Seller ${sellerId}`,
      note: `${formatCents(amountCents)}, reference ${reference}`,
    },
  });
  return id;
}

/**
 * Gives up an amount that a seller owes the shop: an expense of the shop.
 * @returns the id of the write-off @throws Refusal
 */
export async function writeOffDebt(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  { sellerId, amount: amountCents, reason }: z.output<typeof NewWriteOff>,
): Promise<string> {
  const { name, debt } = await lockDebtOf(transaction, sellerId);
  const objection = moreThanOwed(name, debt, amountCents);
  if (objection !== null) throw objection;
  const id = await store.insertDebtSettlement(transaction, {
    kind: 'written_off',
    seller_id: sellerId,
    admin_id: admin.userId,
    amount_cents: amountCents,
    reference: null,
    reason,
  });
  if (id === null) throw new Error('a write-off has no reference that could be used already');
  await reduceDebt(transaction, enqueue, {
    id,
    sellerId,
    posting: writtenOffPosting(id, { sellerId, amountCents }),
    audit: {
      adminId: admin.userId,
      act: 'Wrote off debt',
      subject: `Seller ${sellerId}`,
      note: `${formatCents(amountCents)}: ${reason}`,
    },
  });
  return id;
}
