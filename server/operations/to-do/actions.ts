import { MAXIMUM_TO_DO, type ToDo, type ToDoKind } from '#contract/operations/to-do.ts';
import { hasRight, type StaffArea } from '#contract/platform/staff-rights.ts';
import { countInspectionQueue } from '#server/certification/inspections/steps.ts';
import { needsPayoutAccount } from '#server/money/payouts/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { areBackupsFailing } from '../health/actions.ts';
import { toToDo } from './rules.ts';
import * as store from './store.ts';

/** What waits for the caller: of an admin what everybody with the right can do, and nothing without a second factor that is required. */
export async function listToDo(
  { database, shop }: Pick<Context, 'database' | 'shop'>,
  caller: Caller,
): Promise<ToDo[]> {
  const { userId, roles } = caller;
  if (!roles.includes('Admin')) {
    const counts: Partial<Record<ToDoKind, number>> = {};
    if (
      roles.includes('Seller') &&
      shop().payoutMethod === 'card_processor' &&
      (await needsPayoutAccount(database, userId))
    ) {
      counts.open_payout_account = 1;
    }
    return toToDo(await store.toDoOf(database, userId), counts);
  }
  if (caller.secondFactorDue) return [];
  const isFor = (area: StaffArea) => hasRight(caller, [area]);
  const orders = [
    ...(isFor('complaints') ? await store.contestedOrders(database) : []),
    ...(isFor('money') ? await store.disputedOrders(database) : []),
  ];
  return toToDo(orders, {
    ...(await store.countForAdmins(database, isFor)),
    ...(isFor('inspections') && { inspect_laptop: await countInspectionQueue(database, MAXIMUM_TO_DO) }),
    ...(isFor('settings') && {
      failed_backup: (await areBackupsFailing(database, new Date())) ? 1 : 0,
    }),
  });
}
