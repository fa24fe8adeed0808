import { renderEmail } from '#emails/email.ts';
import type { Account } from '#emails/user-text.ts';
import type { EmailMessage } from '../vendors/email.ts';
import { type ComparedAmounts, describeDifference } from './rules.ts';

/** The email to an admin about new differences. @param differences some of the `total` new ones */
export function differencesEmail(
  admin: Account,
  { differences, total }: { differences: readonly ComparedAmounts[]; total: number },
  origin: string,
): EmailMessage {
  const count = total === 1 ? 'one movement' : `${total} movements`;
  return renderEmail({
    to: admin,
    subject: `The shop’s ledger and the card processor differ in ${count}`,
    paragraphs: [
      `The daily comparison found ${count} that the ledger and the card processor’s balance do not agree about. Nothing was changed. Each difference is emailed once and stays on the Money page until it is gone.`,
      'docs/money.md says what to do about each kind. To compare again, on the shop’s own machine: npm run admin -- reconcile',
    ],
    facts: differences.map((difference, index) => [
      `Difference ${index + 1}`,
      describeDifference(difference),
    ]),
    action: { label: 'See the shop’s money', url: `${origin}/dashboard/shopMoney` },
  });
}
