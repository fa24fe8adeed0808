import { MAXIMUM_WAITING, type Waiting, type WaitingKind } from '#contract/operations/waiting.ts';
import { hasRight, type StaffArea } from '#contract/platform/staff-rights.ts';
import { countForDesk } from '#server/certification/inspections/steps.ts';
import { needsPayoutAccount } from '#server/money/payouts/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { areBackupsFailing } from '../health/actions.ts';
import { toWaiting } from './rules.ts';
import * as store from './store.ts';

/** What waits for the caller: of an admin what everybody with the right can do, and nothing without a second factor that is required. */
export async function listWaiting(
  { database, shop }: Pick<Context, 'database' | 'shop'>,
  caller: Caller,
): Promise<Waiting[]> {
  const { userId, roles } = caller;
  if (!roles.includes('Admin')) {
    const counts: Partial<Record<WaitingKind, number>> = {};
    if (
      roles.includes('Seller') &&
      shop().payoutMethod === 'card_processor' &&
      (await needsPayoutAccount(database, userId))
    ) {
      counts.open_payout_account = 1;
    }
    return toWaiting(await store.waitingFor(database, userId), counts);
  }
  if (caller.secondFactorDue) return [];
  const isFor = (area: StaffArea) => hasRight(caller, [area]);
  return toWaiting(isFor('complaints') ? await store.contestedOrders(database) : [], {
    ...(await store.countForAdmins(database, isFor)),
    ...(isFor('inspections') && { inspect_laptop: await countForDesk(database, MAXIMUM_WAITING) }),
    ...(isFor('settings') && {
      failed_backup: (await areBackupsFailing(database, new Date())) ? 1 : 0,
    }),
  });
}
