import * as z from 'zod/mini';
import { formatCents } from '#contract/platform/money.ts';
import { formatUtc, type NotificationText } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { findAccount, findBankPayout } from './account-store.ts';
import { findSettlement } from './settlement-store.ts';
import { findTransferById } from './transfer-store.ts';

/** What the notifications to sellers have in common. */
const aboutMoney = { topic: 'money', action: { label: 'See your money', path: '/dashboard/money' } } as const;

type SettlementText = Pick<NotificationText, 'title' | 'paragraphs'>;

const settlementTexts: Record<Row<'settlements'>['kind'], (amount: string) => SettlementText> = {
  paid: (amount) => ({
    title: `We have paid you ${amount}`,
    paragraphs: [
      'The shop has paid you the money of your sales. With most banks it arrives within two working days.',
    ],
  }),
  repaid: (amount) => ({
    title: `We have received ${amount} from you`,
    paragraphs: [
      'Your repayment is recorded. What you owe the shop is lower by this amount.',
      'Your money page shows what is left.',
    ],
  }),
  written_off: (amount) => ({
    title: `You no longer owe us ${amount}`,
    paragraphs: [
      'The shop has given up this part of what you owed it. You need not pay it.',
      'Your money page shows what is left.',
    ],
  }),
};

/** An admin paid a seller outside the shop, recorded a seller's repayment, or wrote a debt off. */
export const settlementRecorded = notification(
  'payouts.settlement-recorded',
  z.object({ id: z.string() }),
  async ({ database }, { id }) => {
    const settlement = await findSettlement(database, id);
    if (settlement === undefined) return null;
    const { kind, seller_id: userId, amount_cents, reference } = settlement;
    const amount = formatCents(Number(amount_cents));
    const facts = [
      ['Amount', amount],
      ...(reference === null ? [] : [['Reference', reference] as const]),
    ] as const;
    return { userId, text: { ...aboutMoney, ...settlementTexts[kind](amount), facts } };
  },
);

/** A seller's account at the card processor became active, or stopped being active. */
export const accountChanged = notification(
  'payouts.account-changed',
  z.object({ sellerId: z.string(), works: z.boolean() }),
  async ({ database }, { sellerId, works }) => {
    const account = await findAccount(database, sellerId);
    if (account === undefined) return null;
    const problem =
      account.state === 'closed'
        ? 'Your account at the card processor was closed.'
        : 'Your account at the card processor cannot be paid at the moment.';
    return {
      userId: sellerId,
      text: {
        ...aboutMoney,
        title: works ? 'You can be paid now' : 'You cannot be paid at the moment',
        paragraphs: works
          ? ['Your account at the card processor is ready. What is due to you is sent there from now on.']
          : [problem, 'The money of your sales is kept for you. Your money page says what to do.'],
      },
    };
  },
);

/** Why transfers to a seller's account wait: somebody opened the page on which the bank account can be changed, or it was changed. */
const pauseCauses = ['page_opened', 'bank_account_changed'] as const;
export type PauseCause = (typeof pauseCauses)[number];

/** Transfers to a seller's account wait, because its bank account was changed or may be changed. */
export const transfersPaused = notification(
  'payouts.transfers-paused',
  z.object({ sellerId: z.string(), cause: z.enum(pauseCauses), until: z.iso.datetime() }),
  async (_dependencies: NotificationDependencies, { sellerId, cause, until }) => {
    const time = formatUtc(new Date(until));
    const happened =
      cause === 'page_opened'
        ? 'Somebody who signed in as you has opened the card processor’s page on which your bank account can be changed.'
        : 'The bank account to which the card processor pays your money was changed.';
    return {
      userId: sellerId,
      text: {
        ...aboutMoney,
        title: cause === 'page_opened' ? 'Your bank account can be changed' : 'Your bank account was changed',
        paragraphs: [
          `${happened} The shop sends no money to your account until ${time}.`,
          'If this was you, there is nothing to do.',
          'If it was not you, change your password at once, sign out everywhere on your account page, and write to the shop before that time.',
        ],
        facts: [['No transfers until', time]],
      },
    };
  },
);

/** The card processor refused a transfer. The admins are told, unless it was made since. */
export const transferRefused = notification(
  'payouts.transfer-refused',
  z.object({ transferId: z.string() }),
  async ({ database }, { transferId }) => {
    const transfer = await findTransferById(database, transferId);
    if (transfer?.state !== 'refused') return null;
    const { order_id: order, amount_cents: amountCents, failure: reason } = transfer;
    const amount = formatCents(amountCents);
    return {
      admins: 'money',
      text: {
        topic: 'money',
        title: 'A transfer to a seller was refused',
        paragraphs: [
          `The card processor refused to transfer ${amount} to a seller. The money stays due, and the shop tries again by itself, after a day at the latest. You are told of each transfer once.`,
          'If the balance does not suffice, open the health page: it says what the card processor holds, what the shop owes and which payout schedule to set. Otherwise the seller has to act, and reads what to do.',
        ],
        facts: [
          ['Amount', amount],
          ['Reason', reason ?? 'unknown'],
          ['Order', order],
        ],
        action: { label: 'See the health of the shop', path: '/dashboard/health' },
      },
    };
  },
);

/** A payout to a seller's bank failed. */
export const bankPayoutFailed = notification(
  'payouts.bank-payout-failed',
  z.object({ sellerId: z.string(), payoutId: z.string() }),
  async ({ database }, { sellerId, payoutId }) => {
    const payout = await findBankPayout(database, payoutId);
    if (payout === undefined) return null;
    const amount = formatCents(Number(payout.amount_cents));
    return {
      userId: sellerId,
      text: {
        ...aboutMoney,
        title: `A payout of ${amount} has failed`,
        paragraphs: [
          'Your bank did not accept a payout, or returned it. The money is in your account at the card processor.',
          'Please check your bank account there; the card processor then sends the money again.',
        ],
        facts: [
          ['Amount', amount],
          ['Reason', payout.failure ?? 'unknown'],
        ],
      },
    };
  },
);

export const all = [settlementRecorded, accountChanged, transfersPaused, transferRefused, bankPayoutFailed];
