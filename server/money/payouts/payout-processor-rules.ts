import type { PayoutAccount as PayoutAccountResponse } from '#contract/money/payouts.ts';
import { DAY_MS, MINUTE_MS } from '#contract/platform/durations.ts';
import type { Row } from '#server/platform/database/tables.ts';
import type { BankPayout, PayoutAccount, PayoutRefusalReason } from './payout-processor.ts';

/** The state of a seller's account, from what the card processor says. */
export function accountState(account: PayoutAccount): Row<'payout_accounts'>['state'] {
  if (account.isClosed) return 'closed';
  // Money that the account receives and cannot pay out would be stuck there.
  const worst = (['unsupported', 'restricted', 'pending'] as const).find((status) =>
    [account.transfers, account.payouts].includes(status),
  );
  return worst ?? 'active';
}

/** What is wrong with a seller's account, in words; empty when its state and its requirements say everything. */
export function accountProblem(account: PayoutAccount | null): string {
  if (account === null || account.isClosed) return refusalTexts.unknown_account;
  if (account.transfers !== 'active' || account.payouts === 'active') return '';
  return account.payouts === 'pending'
    ? 'The card processor is still checking whether it can pay out to your bank. Until then the shop keeps your money.'
    : 'The card processor cannot pay out to your bank at the moment. Until it can, the shop keeps your money. Check your bank account and your information there.';
}

const bankPayoutStates = ['under_way', 'paid', 'failed'] as const satisfies readonly BankPayout['status'][];

/**
 * Whether an answer about a payout to a bank is older than the stored state. States follow each other in one order: a paid payout can
 * fail, a failed one stays so (Stripe, "Payout object", `status`).
 */
export const isOutdated = (answer: BankPayout['status'], stored: BankPayout['status']): boolean =>
  bankPayoutStates.indexOf(answer) < bankPayoutStates.indexOf(stored);

/** Why the card processor refuses a transfer, an account or a reversal, for the seller and for admins. */
export const refusalTexts: Record<PayoutRefusalReason, string> = {
  account_cannot_receive: 'The account cannot receive money yet: the card processor waits for information.',
  unknown_account: 'The account at the card processor is closed, or no longer connected to the shop.',
  other_region:
    'The card processor cannot pay to an account in this country: the shop and the account must be in one region.',
  other_currency:
    'The card processor settled the payment in another currency than the shop’s, so the shop cannot transfer its money.',
  insufficient_funds: 'The balance at the card processor does not suffice at the moment.',
  other: 'The card processor refused without a reason that the shop knows.',
};

/** When an interrupted transfer or reversal is looked for again, in milliseconds. */
export const RESUME_AFTER_MS = 2 * MINUTE_MS;

/** When a refused transfer is tried again: first after ten minutes, doubled up to a day. */
export function retryAt(attempt: number, now: Date): Date {
  const waitMs = Math.min(DAY_MS, 10 * MINUTE_MS * 2 ** Math.min(attempt - 1, 10));
  return new Date(now.getTime() + waitMs);
}

/** When an account is read again without an event: an active or closed one daily, one that waits for something hourly. */
export const nextAccountCheck = (state: Row<'payout_accounts'>['state'], now: Date): Date =>
  new Date(now.getTime() + (state === 'active' || state === 'closed' ? 24 : 1) * 60 * MINUTE_MS);

/** How long transfers to an account wait after its bank account may have been changed, in milliseconds: 72 hours. */
export const TRANSFER_PAUSE_MS = 72 * 60 * MINUTE_MS;

/** The reference of a transfer's attempt at the card processor. Its idempotency key too. */
export const transferReference = ({ id, attempt }: { id: string; attempt: number }): string =>
  `transfer-${id}-${attempt}`;

/** The reference of a reversal at the card processor. */
export const reversalReference = ({ id }: { id: string }): string => `reversal-${id}`;

/** The response for a seller's account; without a row, the seller has none. */
export function toAccountResponse(
  account: Row<'payout_accounts'> | undefined,
  {
    failedPayout,
    refusedTransfer,
    now,
  }: Pick<PayoutAccountResponse, 'failedPayout' | 'refusedTransfer'> & { now: Date },
): PayoutAccountResponse {
  const pausedUntil = account?.transfers_paused_until ?? null;
  return {
    method: 'card_processor',
    state: account?.state ?? 'none',
    country: account?.country ?? null,
    problem: account?.problem ?? '',
    requirements: account?.requirements ?? [],
    failedPayout,
    refusedTransfer,
    transfersPausedUntil: pausedUntil !== null && pausedUntil > now ? pausedUntil.toISOString() : null,
  };
}
