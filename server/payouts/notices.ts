import { formatCents } from '#contract/money.ts';
import type { Notice } from '../notifications/rules.ts';

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
    : 'The card processor needs information before it can pay you.';
  return {
    topic: 'money',
    title: works ? 'You can be paid now' : 'You cannot be paid at the moment',
    paragraphs: works
      ? ['Your account at the card processor is ready. What is due to you is sent there from now on.']
      : [problem, 'The money of your sales is kept for you. Your money page says what to do.'],
    action: { label: 'See your money', path: '/dashboard/money' },
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
