import { renderEmail } from '#emails/email.ts';
import type { Account } from '#emails/user-text.ts';
import type { EmailMessage } from '../vendors/email.ts';
import { formatCents } from './rules.ts';

/** The email to a seller whom the shop paid from its own bank account. */
export function settledByHandEmail(
  { amount_cents, reference }: { amount_cents: string; reference: string },
  seller: Account,
  origin: string,
): EmailMessage {
  const amount = formatCents(Number(amount_cents));
  return renderEmail({
    to: seller,
    subject: `We have paid you ${amount}`,
    paragraphs: [
      'The shop has paid you the money of your sales. With most banks it arrives within two working days.',
    ],
    facts: [
      ['Amount', amount],
      ['Reference', reference],
    ],
    action: { label: 'See your money', url: `${origin}/dashboard/money` },
  });
}
