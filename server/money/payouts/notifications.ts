import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import { findAccount, findBankPayout } from './account-store.ts';
import { findDebtSettlement } from './debt-store.ts';
import {
  accountChangedNotice,
  accountHeldNotice,
  debtSettledNotice,
  holdCauses,
  payoutFailedNotice,
  settledByHandNotice,
  transferRefusedNotice,
} from './notices.ts';
import * as store from './store.ts';
import { findTransferById } from './transfer-store.ts';

/** An admin paid a seller outside the shop. */
export const settledByHand = notification(
  'payouts.settled-by-hand',
  z.object({ settlementId: z.string() }),
  async ({ database }, { settlementId }) => {
    const settlement = await store.findSettlement(database, settlementId);
    return settlement && { userId: settlement.seller_id, notice: settledByHandNotice(settlement) };
  },
);

/** A seller's account at the card processor became active, or stopped being active. */
export const accountChanged = notification(
  'payouts.account-changed',
  z.object({ sellerId: z.string(), works: z.boolean() }),
  async ({ database }, { sellerId, works }) => {
    const account = await findAccount(database, sellerId);
    const isClosed = account?.state === 'closed';
    return account && { userId: sellerId, notice: accountChangedNotice({ works, isClosed }) };
  },
);

/** Transfers to a seller's account wait, because its bank account was changed or may be changed. */
export const accountHeld = notification(
  'payouts.account-held',
  z.object({ sellerId: z.string(), cause: z.enum(holdCauses), until: z.iso.datetime() }),
  async (_dependencies: NotificationDependencies, { sellerId, cause, until }) => ({
    userId: sellerId,
    notice: accountHeldNotice({ cause, until: new Date(until) }),
  }),
);

/** The card processor refused a transfer. The admins and the log are told, unless it was made since. */
export const transferRefused = notification(
  'payouts.transfer-refused',
  z.object({ transferId: z.string() }),
  async (
    { database, log }: NotificationDependencies & { log: Pick<FastifyBaseLogger, 'warn'> },
    { transferId },
  ) => {
    const transfer = await findTransferById(database, transferId);
    if (transfer?.state !== 'refused') return null;
    const { order_id: order, amount_cents: amountCents, failure: reason } = transfer;
    log.warn({ transfer: transferId, order, amountCents, reason }, 'a transfer to a seller was refused');
    return { admins: 'money', notice: transferRefusedNotice(transfer) };
  },
);

/** A payout to a seller's bank failed. */
export const bankPayoutFailed = notification(
  'payouts.bank-payout-failed',
  z.object({ sellerId: z.string(), payoutId: z.string() }),
  async ({ database }, { sellerId, payoutId }) => {
    const payout = await findBankPayout(database, payoutId);
    return payout && { userId: sellerId, notice: payoutFailedNotice(payout) };
  },
);

/** An admin recorded a seller's repayment, or wrote a debt off. */
export const debtSettled = notification(
  'payouts.debt-settled',
  z.object({ id: z.string() }),
  async ({ database }, { id }) => {
    const settlement = await findDebtSettlement(database, id);
    return settlement && { userId: settlement.seller_id, notice: debtSettledNotice(settlement) };
  },
);

export const all = [settledByHand, accountChanged, accountHeld, bankPayoutFailed, debtSettled];
