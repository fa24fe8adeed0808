import { formatCents } from '#contract/platform/money.ts';
import type { Notice } from '#server/people/notifications/rules.ts';

/** The notice to a seller whom the shop paid from its own bank account. */
export function settledByHandNotice({
  amount_cents,
  reference,
}: {
  amount_cents: string;
  reference: string;
}): Notice {
  const amount = formatCents(Number(amount_cents));
  return {
    topic: 'money',
    title: `We have paid you ${amount}`,
    paragraphs: [
      'The shop has paid you the money of your sales. With most banks it arrives within two working days.',
    ],
    facts: [
      ['Amount', amount],
      ['Reference', reference],
    ],
    action: { label: 'See your money', path: '/dashboard/money' },
  };
}

/** The notice to a seller whose account at the card processor became active, or stopped being active. */
export function accountChangedNotice({ works, isClosed }: { works: boolean; isClosed: boolean }): Notice {
  const problem = isClosed
    ? 'Your account at the card processor was closed.'
    : 'Your account at the card processor cannot be paid at the moment.';
  return {
    topic: 'money',
    title: works ? 'You can be paid now' : 'You cannot be paid at the moment',
    paragraphs: works
      ? ['Your account at the card processor is ready. What is due to you is sent there from now on.']
      : [problem, 'The money of your sales is kept for you. Your money page says what to do.'],
    action: { label: 'See your money', path: '/dashboard/money' },
  };
}

/** Why transfers to a seller's account wait: somebody opened the page on which the bank account can be changed, or it was changed. */
export const holdCauses = ['page_opened', 'bank_account_changed'] as const;
export type HoldCause = (typeof holdCauses)[number];

const utcFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** The notice to a seller whose bank account was changed or may be changed by somebody. */
export function accountHeldNotice({ cause, until }: { cause: HoldCause; until: Date }): Notice {
  const happened =
    cause === 'page_opened'
      ? 'Somebody who signed in as you has opened the card processor’s page on which your bank account can be changed.'
      : 'The bank account to which the card processor pays your money was changed.';
  const time = `${utcFormat.format(until)} UTC`;
  return {
    topic: 'money',
    title: cause === 'page_opened' ? 'Your bank account can be changed' : 'Your bank account was changed',
    paragraphs: [
      `${happened} The shop sends no money to your account until ${time}.`,
      'If this was you, there is nothing to do.',
      'If it was not you, change your password at once, sign out everywhere on your account page, and write to the shop before that time.',
    ],
    facts: [['No transfers until', time]],
    action: { label: 'See your money', path: '/dashboard/money' },
  };
}

/** The notice to an admin about a transfer that the card processor refused. */
export function transferRefusedNotice({
  amount_cents,
  order_id,
  failure,
}: {
  amount_cents: number;
  order_id: string;
  failure: string | null;
}): Notice {
  return {
    topic: 'money',
    title: 'A transfer to a seller was refused',
    paragraphs: [
      `The card processor refused to transfer ${formatCents(amount_cents)} to a seller. The money stays due, and the shop tries again by itself, after a day at the latest. You are told of each transfer once.`,
      'If the balance does not suffice, open the health page: it says what the card processor holds, what the shop owes and which payout schedule to set. Otherwise the seller has to act, and reads what to do.',
    ],
    facts: [
      ['Amount', formatCents(amount_cents)],
      ['Reason', failure ?? 'unknown'],
      ['Order', order_id],
    ],
    action: { label: 'See the health of the shop', path: '/dashboard/health' },
  };
}

/** The notice to a seller whose bank returned a payout. */
export function payoutFailedNotice({
  amount_cents,
  failure,
}: {
  amount_cents: string;
  failure: string | null;
}): Notice {
  const amount = formatCents(Number(amount_cents));
  return {
    topic: 'money',
    title: `A payout of ${amount} has failed`,
    paragraphs: [
      'Your bank did not accept a payout, or returned it. The money is in your account at the card processor.',
      'Please check your bank account there; the card processor then sends the money again.',
    ],
    facts: [
      ['Amount', amount],
      ['Reason', failure ?? 'unknown'],
    ],
    action: { label: 'See your money', path: '/dashboard/money' },
  };
}

/** The notice to a seller whose repayment was recorded, or whose debt the shop gave up. */
export function debtSettledNotice({
  kind,
  amount_cents,
  reference,
}: {
  kind: 'repaid' | 'written_off';
  amount_cents: string;
  reference: string | null;
}): Notice {
  const amount = formatCents(Number(amount_cents));
  return {
    topic: 'money',
    title: kind === 'repaid' ? `We have received ${amount} from you` : `You no longer owe us ${amount}`,
    paragraphs: [
      kind === 'repaid'
        ? 'Your repayment is recorded. What you owe the shop is lower by this amount.'
        : 'The shop has given up this part of what you owed it. You need not pay it.',
      'Your money page shows what is left.',
    ],
    facts: [['Amount', amount], ...(reference === null ? [] : [['Reference', reference] as const])],
    action: { label: 'See your money', path: '/dashboard/money' },
  };
}
