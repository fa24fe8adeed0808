import * as z from 'zod/mini';
import { notification } from '#server/people/notifications/steps.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { describeDifference } from './rules.ts';
import * as store from './store.ts';

/** A comparison found new differences. `ids` are some of the `total` new ones. The admins are told. */
export const differencesFound = notification(
  'accounting.differences-found',
  z.object({ ids: z.array(z.string()), total: z.number() }),
  async ({ database }, { ids, total }) => {
    const differences = await store.findByIds(database, ids);
    const count = total === 1 ? 'one movement' : `${total} movements`;
    return {
      admins: 'money',
      text: {
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
      },
    };
  },
);
