import type { Notice } from '#server/people/notifications/rules.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { type ComparedAmounts, describeDifference } from './rules.ts';

/** The notice to an admin about new differences. @param differences some of the `total` new ones */
export function differencesNotice({
  differences,
  total,
}: {
  differences: readonly ComparedAmounts[];
  total: number;
}): Notice {
  const count = total === 1 ? 'one movement' : `${total} movements`;
  return {
    topic: 'shop',
    title: `The shop’s ledger and the card processor differ in ${count}`,
    paragraphs: [
      `The daily comparison found ${count} that the ledger and the card processor’s balance do not agree about. Nothing was changed. Each difference is told once and stays on the Money page until it is gone.`,
      `docs/money.md says what to do about each kind. To compare again, on the shop’s own machine: ${operatorCommand('admin', 'reconcile')}`,
    ],
    facts: differences.map((difference, index) => [
      `Difference ${index + 1}`,
      describeDifference(difference),
    ]),
    action: { label: 'See the shop’s money', path: '/dashboard/shopMoney' },
  };
}
